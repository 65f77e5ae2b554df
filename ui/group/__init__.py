"""The editors of the group: one for each table."""
