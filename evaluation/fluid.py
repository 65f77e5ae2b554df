"""Lag as a fluid: consumers divide their speed max-min fairly among their partitions.

A partition without backlog is read at its arrival rate, the others share the rest equally, each up
to the most that can be read of one partition. Without that limit a consumer reads at full speed
while any of its partitions has a backlog, and its total lag falls in a straight line to 0. A limit
leaves speed unused once few partitions have a backlog; then partitions are followed from one that
catches up to the next. P partitions, M readers.
"""

import math
from typing import Final, NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, FloatArray, IntArray, LongArray
from assignors.sums import float_sums

_ROUNDING: Final = 1e-9
"""A reader this close to keeping up does, since sums of floats are not exact."""


class Flow(NamedTuple):
    """What waits and arrives in P partitions, and who reads it."""

    lags: FloatArray
    """(P,) records."""
    rates: FloatArray
    """(P,) records per second that arrive."""
    readers: IntArray
    """(P,) a number below M; ``UNOWNED`` where nobody reads."""
    speeds: FloatArray
    """(M,) records per second that each reader reads at most."""
    most: float = math.inf
    """Records per second that can be read of one partition."""


def drain_seconds(lag: FloatArray, net_rate: FloatArray) -> FloatArray:
    """Return when each lag is gone at this growth per second; infinite if never.

    >>> drain_seconds(np.array([100.0, 100.0, 0.0]), np.array([-20.0, 5.0, 0.0])).tolist()
    [5.0, inf, 0.0]
    """
    seconds = np.where((lag <= 0) & (net_rate <= 0), 0.0, np.inf)
    np.divide(lag, -net_rate, out=seconds, where=(lag > 0) & (net_rate < 0))
    return seconds


def advanced(flow: Flow, seconds: float) -> FloatArray:
    """Return the lag of every partition ``seconds`` later; shape (P,).

    Without a reader it grows at the rate. Exact: each reader's clock advances from one partition
    that catches up to the next.
    """
    lags, rates, readers, speeds, most = flow
    later = lags + rates * seconds
    members = speeds.size
    is_read = readers != UNOWNED
    reader = readers[is_read]
    backlog = np.bincount(reader, lags[is_read], members)
    net = np.bincount(reader, rates[is_read], members) - speeds
    is_done = (net <= _ROUNDING * speeds) & (backlog + net * seconds <= _ROUNDING * backlog)
    is_done &= speeds <= most
    later[is_read] = np.where(is_done[reader], 0.0, later[is_read])
    held = np.flatnonzero(is_read)[~is_done[reader]]
    if held.size:
        held = held[np.argsort(readers[held], kind="stable")]
        later[held], _ = _played(_of(flow, held), seconds)
    return later


def seconds_to_catch_up_each(flow: Flow) -> FloatArray:
    """Return when all partitions of each reader have caught up; (M,), infinite if never.

    >>> flow = Flow(np.array([60.0, 24.0]), np.zeros(2), np.zeros(2, np.int32), np.array([10.0]))
    >>> seconds_to_catch_up_each(flow).tolist()
    [8.4]
    >>> seconds_to_catch_up_each(flow._replace(most=6.0)).tolist()
    [10.8]
    """
    flow = _of(flow, np.flatnonzero(flow.readers != UNOWNED))
    lags, rates, who, speeds, most = flow
    backlog, arriving = (float_sums(who, values, speeds.size) for values in (lags, rates))
    seconds = drain_seconds(backlog, arriving - speeds)
    never = (rates > most) | ((rates == most) & (lags > 0))
    seconds[who[never]] = math.inf
    slowed = np.flatnonzero((speeds > most)[who] & np.isfinite(seconds)[who])
    if slowed.size:
        slowed = slowed[np.argsort(who[slowed], kind="stable")]
        seconds = np.maximum(seconds, _played(_of(flow, slowed), math.inf)[1])
    return seconds


def total_lags(flow: Flow, since_s: FloatArray) -> FloatArray:
    """Return the lag (N, M) of each reader's partitions after these seconds (N,), ascending."""
    flow = _of(flow, np.flatnonzero(flow.readers != UNOWNED))
    lags, rates, who, speeds, most = flow
    net = np.bincount(who, rates, speeds.size) - speeds
    line = np.bincount(who, lags, speeds.size) + net * since_s[:, np.newaxis]
    totals: FloatArray = np.maximum(line, 0.0)
    if (speeds[who] > most).any():
        for k, step_s in enumerate(np.diff(since_s, prepend=0.0).tolist()):
            flow = flow._replace(lags=advanced(flow, step_s))
            totals[k] = np.bincount(who, flow.lags, speeds.size)
    return totals


def _of(flow: Flow, partitions: LongArray) -> Flow:
    """Return the flow of these partitions alone."""
    return flow._replace(
        lags=flow.lags[partitions], rates=flow.rates[partitions], readers=flow.readers[partitions]
    )


def _played(flow: Flow, seconds: float) -> tuple[FloatArray, FloatArray]:
    """Return the later lags (P,) of partitions sorted by reader, and the seconds played (M,).

    Each step takes every reader to its next partition that catches up, which stays caught up
    because the fair share of the others only grows. So there are at most as many steps as one
    reader has partitions, plus one. With infinite seconds it ends where nothing falls any more.
    """
    lags, rates, readers, speeds, _ = flow
    left, spent = np.full(speeds.size, seconds), np.zeros(speeds.size)
    for _ in range(int(np.bincount(readers).max()) + 1):
        drift = rates - fair_shares(flow._replace(lags=lags))
        is_falling = (lags > 0) & (drift < 0)
        until = np.full(lags.size, np.inf)
        np.divide(lags, -drift, out=until, where=is_falling)
        step_s = left.copy()
        np.minimum.at(step_s, readers, until)
        step_s[np.isinf(step_s)] = 0.0
        lags = np.maximum(lags + drift * step_s[readers], 0.0)
        lags[until <= step_s[readers]] = 0.0
        left -= step_s
        spent += step_s
        if np.isinf(until).all() or not left[readers].any():
            break
    return lags, spent


def fair_shares(flow: Flow) -> FloatArray:
    """Return the records per second read from each partition, max-min fairly; shape (P,).

    Partitions are sorted by reader.

    >>> readers, speeds = np.zeros(3, np.int32), np.array([10.0])
    >>> fair_shares(Flow(np.array([0.0, 9.0, 9.0]), np.full(3, 2.0), readers, speeds)).tolist()
    [2.0, 4.0, 4.0]
    """
    lags, rates, readers, speeds, most = flow
    demand = np.minimum(np.where(lags > 0, np.inf, rates), most)
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
