"""Lag in seconds: how old the next record is, and when records are lost before they are read.

Figures of P partitions, from K snapshots of their offsets, oldest first. Unknown offsets are
``UNKNOWN``; unknown seconds and rates are NaN, and infinite seconds mean never.
"""

from typing import NamedTuple

import numpy as np

from assignors.model import UNKNOWN, BoolArray, FloatArray, LongArray


class TimeLag(NamedTuple):
    """How old the next record to be read is, partition by partition."""

    seconds: FloatArray
    """(P,) 0 where everything is read, NaN where an offset is unknown."""
    is_exact: BoolArray
    """(P,) False where the record is older than the first snapshot: it is at least so old."""


def time_lag(times_s: FloatArray, ends: LongArray, committed: LongArray) -> TimeLag:
    """Return the age of the next record to be read, at the last of the snapshots.

    The end offset is taken to grow evenly between two snapshots, ``times_s`` (K,) and
    ``ends`` (K, P), so that the record at the committed offset (P,) was written when the end
    reached it. That is how Burrow and kafka-lag-exporter put records into time; offsetsForTimes
    of a live cluster tells the same from timestamps. Offsets that fall, as those of a topic
    that was created anew, are left out up to the fall.

    >>> found = time_lag(np.array([0.0, 60.0]), np.array([[0], [600]]), np.array([450]))
    >>> found.seconds.tolist()
    [15.0]
    """
    seconds = np.full(committed.size, np.nan)
    is_exact = np.ones(committed.size, np.bool_)
    for partition, read in enumerate(committed.tolist()):
        times, reached = _rising(times_s, ends[:, partition])
        if read == UNKNOWN or not times.size or ends[-1, partition] == UNKNOWN:
            continue
        if read >= reached[-1]:
            seconds[partition] = 0.0
            continue
        # The latest moment at which the end stood there: nothing was written until then.
        after = int(np.searchsorted(reached, read, side="right"))
        is_exact[partition] = after > 0
        written_at = times[0]
        if after:
            share = (read - reached[after - 1]) / (reached[after] - reached[after - 1])
            written_at = times[after - 1] + share * (times[after] - times[after - 1])
        seconds[partition] = times[-1] - written_at
    return TimeLag(seconds, is_exact)


def growth(times_s: FloatArray, offsets: LongArray) -> FloatArray:
    """Return by how much an offset (K, P) grows a second, over the snapshots; (P,).

    NaN where it is known in fewer than two snapshots since it last fell.
    """
    rates = np.full(offsets.shape[1], np.nan)
    for partition in range(rates.size):
        times, values = _rising(times_s, offsets[:, partition])
        if times.size > 1:
            rates[partition] = (values[-1] - values[0]) / (times[-1] - times[0])
    return rates


def seconds_to_loss_by_age(
    lag: FloatArray,
    age_s: FloatArray,
    produced: FloatArray,
    consumed: FloatArray,
    retention_s: float,
) -> FloatArray:
    """Return when the next record to be read is as old as ``retention.ms`` allows; (P,).

    ``lag`` records wait, the next of them ``age_s`` old, and so were written at lag / age a
    second; more arrive at ``produced`` and are read at ``consumed`` a second. While those
    that wait now are read, the age grows by 1 - consumed age / lag a second. From lag /
    consumed seconds on, at which the next record is just as old, it grows by
    1 - consumed / produced. Kafka deletes whole segments, whose last record must be as old,
    so that the loss comes no earlier. 0 where records are being lost already.

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
    """Return when the start of the log overtakes the committed offset; (P,).

    The start grows by ``deleted`` records a second, as it does under ``retention.bytes``, and
    the committed offset by ``consumed``. 0 where it has been overtaken.

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


def _rising(times_s: FloatArray, offsets: LongArray) -> tuple[FloatArray, LongArray]:
    """Return the known offsets, with their times, since they last fell."""
    is_known = offsets != UNKNOWN
    times, values = times_s[is_known], offsets[is_known]
    falls = np.flatnonzero(values[1:] < values[:-1])
    start = int(falls[-1]) + 1 if falls.size else 0
    return times[start:], values[start:]
