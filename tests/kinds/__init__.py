"""Answers of Kafka's own classes for groups that are no consumer groups, and ours beside them."""
