"""Every group of a cluster, read again and again: metrics for Prometheus, alerts by webhook."""
