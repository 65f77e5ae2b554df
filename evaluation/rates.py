"""Produce rates that nobody wrote down: spread from a total, or measured between two moments."""

import math

import numpy as np

from assignors.model import UNKNOWN, FloatArray, Group, LongArray
from evaluation.capacity import InvalidCapacityError


def spread_evenly(group: Group, total: float) -> FloatArray:
    """Return the total records per second, the same for each partition; shape (P,)."""
    return np.full(group.partition_count, total / max(group.partition_count, 1))


def spread_by_lag(group: Group, total: float) -> FloatArray:
    """Return the total records per second in proportion to known lag; shape (P,).

    Evenly if there is no lag. It takes for granted that partitions lag because they are busy.
    """
    lags = group.counted_lags.astype(np.float64)
    return total * lags / lags.sum() if lags.sum() > 0 else spread_evenly(group, total)


def measured(earlier: Group, later: Group, elapsed_s: float) -> FloatArray:
    """Return the records per second by which end offsets grew; shape (P,) of ``later``.

    NaN where an end offset is unknown, or fell because the topic was made anew. Raises
    InvalidCapacityError if no partition has an end offset in both.
    """
    if not 0 < elapsed_s < math.inf:
        message = f"the time between the snapshots must be more than 0 s; found {elapsed_s:,g} s"
        raise InvalidCapacityError(message)
    before, after = _ends_before(earlier, later), _ends(later)
    is_known = (before != UNKNOWN) & (after != UNKNOWN) & (after >= before)
    if not is_known.any():
        message = (
            "no partition has an end offset in both snapshots that does not fall; give two "
            "outputs of --describe of the same group, the earlier one here"
        )
        raise InvalidCapacityError(message)
    grown = np.where(is_known, after, 0) - np.where(is_known, before, 0)
    return np.where(is_known, grown / elapsed_s, np.nan)


def _ends(group: Group) -> LongArray:
    if group.end_offsets is None:
        return np.full(group.partition_count, UNKNOWN, np.int64)
    return group.end_offsets


def _ends_before(earlier: Group, later: Group) -> LongArray:
    """Return the earlier end offset of each partition of the later group."""
    found = np.full(later.partition_count, UNKNOWN, np.int64)
    number = {name: t for t, name in enumerate(earlier.topics)}
    ends = _ends(earlier)
    for t, name in enumerate(later.topics):
        if name in number:
            first, end = earlier.topic_starts[number[name] : number[name] + 2].tolist()
            start = int(later.topic_starts[t])
            shared = min(end - first, int(later.topic_sizes[t]))
            found[start : start + shared] = ends[first : first + shared]
    return found
