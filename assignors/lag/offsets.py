"""Lag from offsets, by the rules of KAFKA-5337."""

from typing import Final

import numpy as np

from assignors.model import UNKNOWN, LongArray

RESETS: Final = ("latest", "earliest", "none")
"""Values of ``auto.offset.reset`` without a duration (KIP-1106)."""


def lag_from_offsets(
    begin: LongArray, end: LongArray, committed: LongArray, auto_offset_reset: str = "latest"
) -> LongArray:
    """Return how many records each partition is behind; all arrays have one shape.

    End minus committed, at least 0. Without a committed offset: 0 if the group would start at
    the latest record, else end minus begin. ``UNKNOWN`` if an offset that the rule needs is
    unknown. Source: KAFKA-5337, LagBasedPartitionAssignor.

    >>> begin, end = np.array([0, 100]), np.array([9, 1100])
    >>> lag_from_offsets(begin, end, np.array([7, UNKNOWN]), "earliest")
    array([   2, 1000])
    """
    uncommitted = committed == UNKNOWN
    if auto_offset_reset == "latest":
        start, is_unknown = np.where(uncommitted, end, committed), end == UNKNOWN
    else:
        start = np.where(uncommitted, begin, committed)
        is_unknown = (end == UNKNOWN) | (start == UNKNOWN)
    known = np.where(
        is_unknown, 0, np.subtract(end, start, where=~is_unknown, out=np.zeros_like(end))
    )
    return np.where(is_unknown, UNKNOWN, np.maximum(known, 0))
