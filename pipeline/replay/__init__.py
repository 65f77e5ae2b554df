"""Rows of telemetry in, rows of every table out: one pass over whole groups, without Spark."""
