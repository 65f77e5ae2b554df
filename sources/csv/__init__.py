"""CSV: one flat table of partitions, or several tables that describe a group together."""
