"""Groups that are no consumer groups: what their next rebalance brings, and what-ifs."""
