"""What a source leaves open, and what is inferred: owners, subscriptions, client, strategy."""
