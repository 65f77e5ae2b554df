"""Snapshots of a running cluster's offsets, written as telemetry in whole files."""
