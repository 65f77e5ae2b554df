"""Orders that Kafka takes from Java: of strings, and of the keys of a hash map."""
