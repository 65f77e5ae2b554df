"""What findings sum over their partitions, and for how long these have stood. P partitions."""

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group, LongArray
from assignors.sums import float_sums
from evaluation.measuring.offset_history import (
    COMMITTED,
    END,
    OffsetHistory,
    history_offsets,
)
from evaluation.measuring.partition_times import PartitionTimes


def total(values: FloatArray, partitions: LongArray) -> float:
    """Return the sum over the partitions whose value is known; NaN if none is."""
    known = values[partitions]
    known = known[~np.isnan(known)]
    return float(known.sum()) if known.size else float("nan")


def read_total(times: PartitionTimes, partitions: LongArray) -> float:
    """Return the read rate of partitions; NaN unless known of each in which records arrive."""
    is_open = np.isnan(times.consumed[partitions]) & (times.produced[partitions] > 0)
    return float("nan") if is_open.any() else total(times.consumed, partitions)


def lag_of(times: PartitionTimes, partitions: LongArray) -> float:
    """Return the records that wait in these partitions; unknown lags count as 0."""
    return float(np.nansum(times.lag[partitions]))


def numbers(partitions: LongArray) -> tuple[int, ...]:
    """Return numbers as a finding holds them."""
    return tuple(partitions.tolist())


def owners_of(group: Group, partitions: LongArray) -> tuple[int, ...]:
    """Return the members that own these partitions, ascending."""
    owners = group.present_owners[partitions]
    return tuple(np.unique(owners[owners != UNOWNED]).tolist())


def since(group: Group, history: OffsetHistory, partitions: LongArray) -> tuple[float, bool]:
    """Return how long committed offsets have stood, and whether since before the first moment.

    NaN seconds with fewer than two moments, or where times are unknown.
    """
    if not history.has_several:
        return float("nan"), False
    return since_in(history, commits(group, history)[:, partitions])


def commits(group: Group, history: OffsetHistory) -> LongArray:
    """Return the committed offsets (K, P) at each moment."""
    return history_offsets(group, history.moments)[:, COMMITTED]


def fell(offsets: LongArray) -> BoolArray:
    """Return which offsets (K, N) are lower at some moment than at the one before."""
    is_lower = (offsets[1:] < offsets[:-1]) & (offsets[1:] != UNKNOWN)
    return np.asarray(is_lower.any(axis=0))


def since_in(history: OffsetHistory, committed: LongArray) -> tuple[float, bool]:
    """Return the same of several moments, whose committed offsets (K, N) these are."""
    is_same = np.asarray((committed == committed[-1]).all(axis=1))
    moved = np.flatnonzero(~is_same)
    first = int(moved[-1]) + 1 if moved.size else 0
    return float(history.times_s[-1] - history.times_s[first]), first == 0


def arrived(group: Group, history: OffsetHistory, partitions: LongArray) -> float:
    """Return how many records arrived from the first moment to the last, which needs no times."""
    if not history.has_several:
        return float("nan")
    ends = history_offsets(group, (history.moments[0], history.moments[-1]))[:, END, partitions]
    is_known = (ends >= 0).all(axis=0)
    return float(np.maximum(ends[1] - ends[0], 0)[is_known].sum())


def rate_between(times_s: FloatArray, offsets: LongArray, part: slice) -> float:
    """Return the sum of the rates over these moments of partitions known at both ends.

    NaN where an offset of one fell in between: what was read until then is unknown.
    """
    chosen, at_s = offsets[part], times_s[part]
    is_known = (chosen[0] != UNKNOWN) & (chosen[-1] != UNKNOWN)
    seconds = float(at_s[-1] - at_s[0])
    if seconds <= 0 or fell(chosen[:, is_known]).any():
        return float("nan")
    grown = (chosen[-1][is_known] - chosen[0][is_known]).astype(np.float64)
    return float(float_sums(np.zeros(grown.size, np.int64), grown, 1)[0]) / seconds
