"""The group as its tables stand: what people edit, how it is checked, and the editors."""
