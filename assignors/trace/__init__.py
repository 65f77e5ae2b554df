"""What a strategy does, told while it runs: events, and the rules that decide them."""
