"""How many simulated restarts are drawn at most, from which seed, and which of them are a range."""

from typing import Final

SEED: Final = 5337
"""Of the first draw, which pages play step by step; each next one has the next seed."""
WORK: Final = 3_000_000
"""What simulated restarts may cost at first, of one switch, in partitions handled."""
PER_REBALANCE: Final = 3_000
"""The cost of a rebalance beside its partitions, likewise."""
RANGE: Final = (0.05, 0.95)
"""The shares of the draws between which the range of a figure lies."""
