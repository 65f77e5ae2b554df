"""Generated telemetry of an invented fleet: groups, rebalances, offsets over time."""
