"""Only these modules read, write, count, or start a session."""
