"""The Rebalance page: what happens to a group, event by event, under every strategy."""
