"""The domain model of a consumer group, and every partition-assignment strategy."""

__version__ = "0.1.0"
