"""The answer, worked out by hand."""
