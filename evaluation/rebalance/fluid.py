"""Lag as a fluid: consumers divide their speed max-min fairly among their partitions.

A partition without backlog gets what arrives, the others share the rest equally. So a consumer
reads at full speed while any of its partitions has a backlog, and its total lag falls in a
straight line to 0; only the order in which partitions catch up is simulated by events.
P partitions, M readers.
"""

from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, FloatArray, IntArray

_ROUNDING: Final = 1e-9
"""A reader this close to keeping up does, since sums of floats are not exact."""


def drain_seconds(lag: FloatArray, net_rate: FloatArray) -> FloatArray:
    """Return when each lag is gone at this growth per second; infinite if never.

    >>> drain_seconds(np.array([100.0, 100.0, 0.0]), np.array([-20.0, 5.0, 0.0])).tolist()
    [5.0, inf, 0.0]
    """
    seconds = np.where((lag <= 0) & (net_rate <= 0), 0.0, np.inf)
    np.divide(lag, -net_rate, out=seconds, where=(lag > 0) & (net_rate < 0))
    return seconds


def advanced(
    lags: FloatArray, rates: FloatArray, readers: IntArray, speeds: FloatArray, seconds: float
) -> FloatArray:
    """Return the lag of every partition ``seconds`` later; shape (P,).

    ``rates`` (P,) records per second arrive, ``readers`` (P,) read at ``speeds`` (M,); without a
    reader (``UNOWNED``) lag grows at the rate. Exact: each reader's clock advances from one
    partition that catches up to the next.
    """
    later = lags + rates * seconds
    members = speeds.size
    is_read = readers != UNOWNED
    reader = readers[is_read]
    backlog = np.bincount(reader, lags[is_read], members)
    net = np.bincount(reader, rates[is_read], members) - speeds
    is_done = (net <= _ROUNDING * speeds) & (backlog + net * seconds <= _ROUNDING * backlog)
    later[is_read] = np.where(is_done[reader], 0.0, later[is_read])
    held = np.flatnonzero(is_read)[~is_done[reader]]
    if held.size:
        held = held[np.argsort(readers[held], kind="stable")]
        later[held] = _shared_out(lags[held], rates[held], readers[held], speeds, seconds)
    return later


def _shared_out(
    lags: FloatArray, rates: FloatArray, readers: IntArray, speeds: FloatArray, seconds: float
) -> FloatArray:
    """Return the later lags of partitions sorted by reader.

    Each step takes every reader to its next partition that catches up, which stays caught up
    because the fair share of the others only grows. So there are at most as many steps as one
    reader has partitions, plus one.
    """
    lags = lags.copy()
    left = np.full(speeds.size, seconds)
    for _ in range(int(np.bincount(readers).max()) + 1):
        drift = rates - fair_shares(lags, rates, readers, speeds)
        is_falling = (lags > 0) & (drift < 0)
        until = np.full(lags.size, np.inf)
        np.divide(lags, -drift, out=until, where=is_falling)
        step_s = left.copy()
        np.minimum.at(step_s, readers, until)
        lags = np.maximum(lags + drift * step_s[readers], 0.0)
        lags[until <= step_s[readers]] = 0.0
        left -= step_s
        if not left[readers].any():
            break
    return lags


def fair_shares(
    lags: FloatArray, rates: FloatArray, readers: IntArray, speeds: FloatArray
) -> FloatArray:
    """Return the records per second read from each partition, max-min fairly; shape (P,).

    Partitions are sorted by reader.

    >>> one = np.zeros(3, np.int32)
    >>> fair_shares(np.array([0.0, 9.0, 9.0]), np.full(3, 2.0), one, np.array([10.0])).tolist()
    [2.0, 4.0, 4.0]
    """
    demand = np.where(lags > 0, np.inf, rates)
    order = np.lexsort((demand, readers))
    sorted_demand, reader = demand[order], readers[order]
    starts = np.flatnonzero(ragged.changes(reader))
    sizes = np.diff(np.append(starts, reader.size))
    rank = np.arange(reader.size) - np.repeat(starts, sizes)
    # What remains for a partition after all smaller demands are met.
    finite = np.where(np.isinf(sorted_demand), 0.0, sorted_demand)
    before = np.cumsum(finite) - finite
    given = before - np.repeat(before[starts], sizes)
    share = np.maximum(speeds[reader] - given, 0.0) / (np.repeat(sizes, sizes) - rank)
    # Each reader's first share that its partition can use up, or infinity.
    position = np.where(share <= sorted_demand, np.arange(share.size), share.size)
    level = np.append(share, np.inf)[np.minimum.reduceat(position, starts)]
    shares = np.empty_like(demand)
    shares[order] = np.minimum(sorted_demand, np.repeat(level, sizes))
    return shares
