"""Which partitions change their owner."""

import numpy as np

from assignors.model import UNOWNED, BoolArray, Owners


def is_moved(before: Owners, after: Owners) -> BoolArray:
    """Return whether each owned partition changes or loses its owner; (P,) or (S, P)."""
    return np.not_equal(before, UNOWNED) & np.not_equal(before, after)
