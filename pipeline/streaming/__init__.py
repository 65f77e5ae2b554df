"""Telemetry as it arrives: each micro-batch is one published version of the tables."""
