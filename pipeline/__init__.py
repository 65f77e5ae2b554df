"""Offset telemetry in, tables of lag, assignments and figures out, on Spark."""

__version__ = "0.1.0"
