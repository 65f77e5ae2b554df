"""Evaluation of assignments: metrics, comparison, bounds, rebalances, capacity."""
