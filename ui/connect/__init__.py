"""Connect: a running cluster as a source of groups."""
