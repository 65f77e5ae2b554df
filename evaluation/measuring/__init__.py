"""What snapshots measure: offsets over time, arrival and read rates, lag as time."""
