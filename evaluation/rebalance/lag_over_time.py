"""Lag over time per consumer through a series of rebalances: an event-driven fluid model.

K phases, C consumers over the whole series; column C is for partitions without any owner so far.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, BoolArray, FloatArray, Group
from evaluation.fluid import Flow, advanced, seconds_to_catch_up_each, total_lags
from evaluation.rebalance.ownership import OwnershipTimeline
from evaluation.stated import require

_BENDS: Final = 12
"""If more consumers catch up in a phase, its curve is sampled at even steps.

So it is where a limit on one partition bends a curve while its partitions catch up.
"""


@dataclass(frozen=True, eq=False, kw_only=True)
class TrafficLoad:
    """What consumers can read, and the arrival rates."""

    speeds: FloatArray
    """(C,) records per second that each consumer reads."""
    rates: FloatArray
    """(P,) records produced per second; 0 if unknown."""
    lags: FloatArray
    """(P,) records at the start; 0 if unknown or created later."""
    partition_cap: float = math.inf
    """Records per second that can be read of one partition, more than 0."""


class Curves(NamedTuple):
    """Points of lag over time; a time between two phases occurs twice.

    Piecewise linear, unless the read rate of one partition is limited.
    """

    times_s: FloatArray
    """(N,)"""
    lags: FloatArray
    """(N, C + 1)"""
    is_holding: BoolArray
    """(N, C + 1) whether the consumer owns any partition, or was the last to own one."""

    @property
    def busiest(self) -> FloatArray:
        """(N,) the largest lag of a consumer, or of partitions without any owner so far."""
        busiest: FloatArray = self.lags.max(axis=1, initial=0.0)
        return busiest

    @property
    def least_busy(self) -> FloatArray:
        """(N,) the smallest lag of a consumer that owns anything."""
        lags = np.where(self.is_holding, self.lags, np.inf)[:, :-1]
        least = lags.min(axis=1, initial=np.inf)
        return np.where(np.isinf(least), 0.0, least)

    @property
    def mean(self) -> FloatArray:
        """(N,) over the consumers that own anything."""
        holding = np.count_nonzero(self.is_holding[:, :-1], axis=1)
        mean: FloatArray = self.lags[:, :-1].sum(axis=1) / np.maximum(holding, 1)
        return mean


@dataclass(frozen=True, eq=False, kw_only=True)
class LagTimeline:
    """The lag of every consumer as partitions change owners."""

    ownership: OwnershipTimeline
    curves: Curves
    caught_up_at_s: float
    """When nobody has lag if nothing else happens; infinite if never.

    At the earliest the start of the last phase.
    """
    lags: FloatArray
    """(P,) lag at the end of the last phase."""

    @cached_property
    def lost_partition_seconds(self) -> float:
        """Wanted but unread partitions times seconds, over all phases."""
        return sum(phase.paused * phase.seconds for phase in self.ownership.phases)

    @cached_property
    def peak(self) -> float:
        """The largest lag of any consumer at any time."""
        return float(self.curves.lags.max(initial=0.0))


def load_of(
    start: Group,
    last: Group,
    consumers: tuple[str, ...],
    *,
    throughput_per_consumer: float,
    rate_per_partition: float | None = None,
) -> TrafficLoad:
    """Return what the first and last groups state, and the given values as defaults.

    Raises InvalidNumberError for an impossible speed or rate.
    """
    speed, rate = throughput_per_consumer, rate_per_partition or 0.0
    require("the throughput of a consumer", speed, "records/s", least=1e-9)
    require("the produce rate of a partition", rate, "records/s")
    known = {
        name: float(own)
        for group in (last, start)
        if group.offsets.throughput is not None
        for name, own in zip(group.members, group.offsets.throughput, strict=True)
        if not np.isnan(own)
    }
    rates = (
        np.full(last.partition_count, np.nan) if last.offsets.rates is None else last.offsets.rates
    )
    lags = np.zeros(last.partition_count)
    for t, name in enumerate(start.topics):
        first, end = start.layout.topic_starts[t : t + 2].tolist()
        place = int(last.layout.topic_starts[last.topics.index(name)])
        lags[place : place + end - first] = start.counted_lags[first:end]
    return TrafficLoad(
        speeds=np.array([known.get(name, speed) for name in consumers]),
        rates=np.where(np.isnan(rates), rate, rates),
        lags=lags,
    )


def lag_timeline(ownership: OwnershipTimeline, load: TrafficLoad) -> LagTimeline:
    """Return the lag of every consumer through the phases of an ownership timeline."""
    lags, columns = load.lags.copy(), len(ownership.consumers) + 1
    caught_up_at_s, is_bent = 0.0, bool((load.speeds > load.partition_cap).any())
    times, totals = [np.zeros(0)], [np.zeros((0, columns))]
    holding = [np.zeros((0, columns), np.bool_)]
    for phase in ownership.phases:
        rates = np.where(phase.exists, load.rates, 0.0)
        readers = np.where(phase.is_read, phase.holders, np.int32(UNOWNED))
        flow = Flow(lags, rates, readers, load.speeds, load.partition_cap)
        done_s = seconds_to_catch_up_each(flow)
        is_unread = phase.is_wanted & ~phase.is_read
        left = is_unread & ((lags > 0) | (rates > 0))
        caught_up_at_s = phase.start_s + float(np.inf if left.any() else done_s.max(initial=0.0))
        since_s = _moments(done_s, phase.seconds, is_bent=is_bent)
        read = total_lags(flow, since_s)
        holders = np.where(phase.holders == UNOWNED, columns - 1, phase.holders)
        unread, growth = (
            np.bincount(holders[is_unread], values[is_unread], columns) for values in (lags, rates)
        )
        times.append(phase.start_s + since_s)
        totals.append(np.pad(read, ((0, 0), (0, 1))) + unread + growth * since_s[:, np.newaxis])
        is_holding = np.bincount(holders[phase.is_wanted], minlength=columns) > 0
        holding.append(np.tile(is_holding, (since_s.size, 1)))
        lags = advanced(flow, phase.seconds)
    return LagTimeline(
        ownership=ownership,
        curves=Curves(np.concatenate(times), np.concatenate(totals), np.concatenate(holding)),
        caught_up_at_s=caught_up_at_s,
        lags=lags,
    )


def _moments(done_s: FloatArray, seconds: float, *, is_bent: bool) -> FloatArray:
    """Return the seconds of a phase at which its curves may bend, its start and end included."""
    bends = np.unique(done_s[(done_s > 0) & (done_s < seconds)])
    if is_bent or bends.size > _BENDS:
        steps = np.linspace(0, seconds, _BENDS + 2)[1:-1]
        bends = np.union1d(steps, bends[-1:]) if is_bent else steps
    return np.concatenate([[0.0], bends, [seconds]])
