"""Autoscaling rules, replayed on a group's workload."""
