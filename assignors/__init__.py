"""The domain model of a consumer group, and every partition-assignment strategy."""
