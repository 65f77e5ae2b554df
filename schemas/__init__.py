"""Every table that crosses a boundary."""
