"""What the Autoscaler page asks, replays and shows."""
