"""Rebalances of a group: events, rounds, ownership, time and lag."""
