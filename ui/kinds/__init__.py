"""Pages of groups that are no consumer groups: Streams, Connect, share groups."""
