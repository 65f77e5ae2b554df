"""Reproducible benchmarks against named competitors."""
