"""What snapshots measure: offsets over time, what arrives and is read, lag as time."""
