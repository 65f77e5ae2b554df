"""Strategies by lag: per topic, over all topics, and within a budget of moves."""
