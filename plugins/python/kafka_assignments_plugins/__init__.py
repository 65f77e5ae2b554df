"""Assignors for Python consumers: load-sticky for kafka-python and for aiokafka."""
