"""A group between assignments: events, rounds, time and lag."""
