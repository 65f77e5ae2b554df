"""Judges assignments: metrics, comparison, bounds and rebalances."""
