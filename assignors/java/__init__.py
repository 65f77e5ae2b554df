"""Orders that Kafka inherits from Java: of strings, and of hash map keys."""
