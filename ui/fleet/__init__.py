"""The Fleet page: what switching the strategy would gain, over all consumer groups."""
