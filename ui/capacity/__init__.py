"""The Capacity page: its inputs, search and answer."""
