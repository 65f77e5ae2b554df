"""Sticky assignment in Kafka's clients: today's algorithm, and what came before it."""
