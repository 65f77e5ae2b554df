"""Autoscaler rules for a consumer group, and a replay of a day under each."""
