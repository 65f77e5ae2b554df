"""Telemetry of the past, from metrics: what a collector would have written, as far as they tell."""
