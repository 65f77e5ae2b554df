"""The edited group: its tables, what is typed into them, and the group that they make."""
