"""What the Capacity page asks, works out and shows."""
