"""Inputs of people who run Kafka, and the right answer to each."""
