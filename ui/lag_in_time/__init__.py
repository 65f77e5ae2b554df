"""Lag as time: time lag, catch-up time, and retention loss."""
