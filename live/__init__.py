"""What a running cluster says of its groups; the only place that speaks Kafka's protocol."""
