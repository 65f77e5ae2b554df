"""Metrics of lag exporters as a source: from Prometheus and from texts."""
