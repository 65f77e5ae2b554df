"""Which autoscaler for a consumer group: their rules, and a replay of a day under each."""
