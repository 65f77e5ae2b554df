"""Offset telemetry in, tables of lag, assignments and figures out, on Spark."""
