"""Sticky assignment in Kafka's clients: today's algorithm and its predecessors."""
