"""The edited group: its tables, their validation, and the editors."""
