"""How far offsets moved between a group's snapshots, whatever their dates.

Counts of records need no clock: two snapshots without times still tell what stood still. P
partitions; unknown counts are NaN.
"""

from dataclasses import dataclass

import numpy as np

from assignors.model import UNKNOWN, FloatArray, Group
from evaluation.measuring.lag_in_time import Series, growth
from evaluation.measuring.offset_history import (
    COMMITTED,
    END,
    Moment,
    OffsetHistory,
    by_partition,
    history_offsets,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Moved:
    """How far a group's offsets moved from the first snapshot that knows them to the last."""

    arrived: FloatArray
    """(P,) by how many records the end grew; NaN with fewer than two known ends."""
    read: FloatArray
    """(P,) by how many the committed offset grew; NaN likewise. After a reset, since then."""
    waited: FloatArray
    """(P,) the lag at the first snapshot."""


def moved(group: Group, history: OffsetHistory) -> Moved | None:
    """Return how far offsets moved over the whole history; None with fewer than two snapshots.

    >>> from evaluation.measuring.offset_history import Moment
    >>> groups = [
    ...     Group.of(["t"], [1], ["c"]).with_offsets(end=[end], committed=[100])
    ...     for end in (500, 740)
    ... ]
    >>> undated = OffsetHistory(tuple(Moment.of(group, np.nan) for group in groups))
    >>> found = moved(groups[-1], undated)
    >>> found.arrived.tolist(), found.read.tolist(), found.waited.tolist()
    ([240.0], [0.0], [400.0])
    """
    if not history.has_several:
        return None
    offsets = history_offsets(group, history.moments)
    steps = np.arange(len(history.moments), dtype=np.float64)
    arrived, read = (
        growth(Series.of_snapshots(steps, offsets[:, row])) for row in (END, COMMITTED)
    )
    first = offsets[0]
    is_known = (first[END] != UNKNOWN) & (first[COMMITTED] != UNKNOWN)
    waited = np.where(is_known, np.maximum(first[END] - first[COMMITTED], 0), np.nan)
    return Moved(arrived=arrived, read=read, waited=waited)


def lag_growth(group: Group, history: OffsetHistory) -> FloatArray:
    """Return by how many records per second lags grew that were told without offsets; (P,).

    From the first dated moment that has them to the last; NaN where unknown.
    """
    told = [each for each in history.moments if each.lags is not None and not np.isnan(each.at_s)]
    if not told or told[-1].at_s <= told[0].at_s:
        return np.full(group.partition_count, np.nan)
    first, last = (_lags(group, each) for each in (told[0], told[-1]))
    return np.asarray((last - first) / (told[-1].at_s - told[0].at_s))


def _lags(group: Group, moment: Moment) -> FloatArray:
    lags = by_partition(group, moment.lags)
    return np.where(lags == UNKNOWN, np.nan, lags)
