"""Telemetry of a fleet that does not exist: groups, rebalances, offsets through time."""
