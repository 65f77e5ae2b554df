"""Orders that Kafka inherits from Java: of strings, and of a hash map's keys."""
