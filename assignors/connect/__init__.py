"""Kafka Connect: connectors and tasks on workers, placed by the leading worker."""
