"""Lag as time: how far behind, how long to catch up, what is lost."""
