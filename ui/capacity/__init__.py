"""The Consumers page: its inputs, search and answer."""
