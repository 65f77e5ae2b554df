"""Lag in seconds: the age of the next record, and when records are lost before they are read.

Figures of P partitions from their offsets at several moments. Unknown offsets are ``UNKNOWN``,
unknown seconds and rates NaN; infinite seconds mean never.
"""

from typing import NamedTuple, Self

import numpy as np

from assignors import ragged
from assignors.model import UNKNOWN, BoolArray, FloatArray, IntArray, LongArray
from assignors.sums import float_sums


class Series(NamedTuple):
    """The known offsets of P partitions since each last fell, oldest first; N in all.

    Offsets fall when a topic is recreated or a group is reset; older offsets are then irrelevant.
    """

    starts: LongArray
    """(P + 1,) partition p has entries starts[p] to starts[p + 1] - 1."""
    times_s: FloatArray
    """(N,)"""
    offsets: LongArray
    """(N,)"""

    @classmethod
    def of(
        cls,
        partition: IntArray | LongArray,
        times_s: FloatArray,
        offsets: LongArray,
        partitions: int,
    ) -> Self:
        """Take entries sorted by partition, then time; P is ``partitions``."""
        is_known = offsets != UNKNOWN
        partition, times_s, offsets = partition[is_known], times_s[is_known], offsets[is_known]
        falls = np.flatnonzero((np.diff(partition) == 0) & (np.diff(offsets) < 0)) + 1
        first = np.zeros(partitions, np.int64)
        first[partition[falls]] = falls  # the last of several
        is_kept = np.arange(offsets.size) >= first[partition]
        starts = np.searchsorted(partition[is_kept], np.arange(partitions + 1))
        return cls(starts, times_s[is_kept], offsets[is_kept])

    @classmethod
    def of_snapshots(cls, times_s: FloatArray, offsets: LongArray) -> Self:
        """Take the offsets (K, P) of K snapshots, oldest first."""
        partition = np.repeat(np.arange(offsets.shape[1]), times_s.size)
        times = np.tile(times_s, offsets.shape[1])
        return cls.of(partition, times, offsets.T.ravel(), offsets.shape[1])


class TimeLag(NamedTuple):
    """The age of each partition's next record to be read."""

    seconds: FloatArray
    """(P,) 0 if everything is read, NaN if an offset is unknown."""
    is_exact: BoolArray
    """(P,) False if the record is older than the first entry: the age is then a lower bound."""


def time_lag(ends: Series, committed: LongArray) -> TimeLag:
    """Return the age of the next record to be read at the last known end offset.

    The end offset is assumed to grow evenly between two moments, so the record at the committed
    offset (P,) was written when the end reached it, as in Burrow and kafka-lag-exporter;
    offsetsForTimes of a live cluster gives the same from timestamps.

    >>> ends = Series.of_snapshots(np.array([0.0, 60.0]), np.array([[0], [600]]))
    >>> time_lag(ends, np.array([450])).seconds.tolist()
    [15.0]
    """
    seconds = np.full(committed.size, np.nan)
    row = ragged.row_of_each(ends.starts)
    is_known = (np.diff(ends.starts) > 0) & (committed != UNKNOWN)
    reached = np.flatnonzero(ends.offsets <= committed[row])
    # The last moment at which the end had not passed the committed offset.
    before = np.full(committed.size, -1, np.int64)
    before[row[reached]] = reached
    last = ends.starts[1:] - 1
    seconds[is_known & (before == last)] = 0.0
    older = np.flatnonzero(is_known & (before < 0))
    seconds[older] = ends.times_s[last[older]] - ends.times_s[ends.starts[older]]
    between = np.flatnonzero(is_known & (before >= 0) & (before < last))
    low, high = before[between], before[between] + 1
    share = (committed[between] - ends.offsets[low]) / (ends.offsets[high] - ends.offsets[low])
    written_at = ends.times_s[low] + share * (ends.times_s[high] - ends.times_s[low])
    seconds[between] = ends.times_s[last[between]] - written_at
    return TimeLag(seconds, ~(is_known & (before < 0)))


def growth(offsets: Series) -> FloatArray:
    """Return by how much offsets grow over all entries; (P,). NaN with fewer than two."""
    return _grown(offsets)[0]


def growth_per_second(offsets: Series) -> FloatArray:
    """Return by how much offsets grow per second over all entries; (P,).

    NaN with fewer than two, or if no time passed.
    """
    grown, passed_s = _grown(offsets)
    rates = np.full(grown.size, np.nan)
    np.divide(grown, passed_s, out=rates, where=passed_s > 0)
    return rates


def _grown(offsets: Series) -> tuple[FloatArray, FloatArray]:
    """Return by how much offsets grow from the first entry to the last, and the seconds (P,)."""
    grown, passed_s = np.full((2, offsets.starts.size - 1), np.nan)
    several = np.flatnonzero(np.diff(offsets.starts) > 1)
    first, last = offsets.starts[several], offsets.starts[several + 1] - 1
    grown[several] = offsets.offsets[last] - offsets.offsets[first]
    passed_s[several] = offsets.times_s[last] - offsets.times_s[first]
    return grown, passed_s


def seconds_to_catch_up(lag: FloatArray, produced: FloatArray, consumed: FloatArray) -> FloatArray:
    """Return when the lag is read at these rates (P,), in records per second.

    0 without lag; infinite if no more records are read than arrive.

    >>> rates = np.array([[20.0, 5.0], [30.0, 5.0]])
    >>> seconds_to_catch_up(np.array([600.0, 1.0]), *rates).tolist()
    [60.0, inf]
    """
    gain = consumed - produced
    seconds = np.full(lag.size, np.inf)
    np.divide(lag, gain, out=seconds, where=gain > 0)
    seconds[lag <= 0] = 0.0
    return np.where(np.isnan(lag) | (np.isnan(gain) & (lag > 0)), np.nan, seconds)


def seconds_to_catch_up_together(
    lag: FloatArray, produced: FloatArray, consumed: FloatArray, readers: IntArray | LongArray
) -> FloatArray:
    """Return when the lag is read (P,) if partitions share ``readers`` (P,); negative: none.

    A consumer reads at its speed until it has caught up everywhere, and its client decides in
    which order. So if it gains in all, its partitions have caught up when their sum has: those
    that fall behind meanwhile, too, and others no later. A partition of which nothing is read is
    left out, and if the consumer gains nothing, each goes by its own rates.

    >>> flow = np.array([[5_025.0, 575.0], [20.0, 20.0], [187.5, 12.5]])
    >>> seconds_to_catch_up_together(*flow, np.array([0, 0])).tolist()
    [35.0, 35.0]
    """
    flow = np.array([lag, produced, consumed])
    is_shared = (readers >= 0) & (consumed > 0) & ~np.isnan(flow).any(axis=0)
    who = readers[is_shared]
    count = int(who.max(initial=-1)) + 1
    lags, rates, speeds = (float_sums(who, row[is_shared], count) for row in flow)
    together = np.full(lag.size, np.inf)
    together[is_shared] = seconds_to_catch_up(lags, rates, speeds)[who]
    is_together = np.isfinite(together) & (lag > 0)
    return np.where(is_together, together, seconds_to_catch_up(lag, produced, consumed))


def seconds_to_loss_by_age(
    lag: FloatArray,
    age_s: FloatArray,
    produced: FloatArray,
    consumed: FloatArray,
    retention_s: FloatArray | float,
) -> FloatArray:
    """Return when the next record to be read exceeds ``retention.ms``; (P,).

    ``lag`` records wait, the next of them ``age_s`` old, so they were written at lag / age per
    second; more arrive at ``produced`` and are read at ``consumed`` per second. While the current
    lag is read, the age grows by 1 - consumed age / lag per second; from lag / consumed seconds
    on, when the next record is just as old, by 1 - consumed / produced. Kafka deletes whole
    segments, whose last record must be as old, so the loss comes no earlier. 0 if records are
    being lost already.

    >>> args = np.array([[600.0], [60.0], [10.0], [5.0]])  # read at half the speed
    >>> seconds_to_loss_by_age(*args, retention_s=3660.0).tolist()
    [7200.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ageing = np.where(lag > 0, 1 - consumed * age_s / lag, 0.0)
        first = np.where(ageing > 0, (retention_s - age_s) / ageing, np.inf)
        caught_up = np.where(lag > 0, lag / consumed, 0.0)
        ageing_then = np.where(produced > 0, 1 - consumed / produced, 0.0)
        then = np.where(
            ageing_then > 0, caught_up + (retention_s - caught_up) / ageing_then, np.inf
        )
    seconds = np.where(first <= caught_up, first, then)
    seconds = np.where(age_s >= retention_s, 0.0, seconds)
    is_unknown = np.isnan(lag) | np.isnan(age_s) | np.isnan(produced) | np.isnan(consumed)
    return np.where(is_unknown, np.nan, seconds)


def seconds_to_loss_by_size(
    begin: LongArray, committed: LongArray, deleted: FloatArray, consumed: FloatArray
) -> FloatArray:
    """Return when the log start overtakes the committed offset; (P,).

    The start grows by ``deleted`` records per second, as under ``retention.bytes``, and the
    committed offset by ``consumed``. 0 if it has been overtaken.

    >>> offsets = np.array([[100], [400]])
    >>> seconds_to_loss_by_size(*offsets, np.array([20.0]), np.array([5.0])).tolist()
    [20.0]
    """
    left = (committed - begin).astype(np.float64)
    gain = deleted - consumed
    with np.errstate(divide="ignore", invalid="ignore"):
        seconds = np.where(gain > 0, np.maximum(left, 0.0) / gain, np.inf)
    seconds = np.where(left < 0, 0.0, seconds)
    is_unknown = (begin == UNKNOWN) | (committed == UNKNOWN) | np.isnan(gain)
    return np.where(is_unknown, np.nan, seconds)
