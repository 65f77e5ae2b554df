"""Kafka Streams: tasks of the client's own assignor, and of the broker's (KIP-1071)."""
