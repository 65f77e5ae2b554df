"""Lag over time per consumer through a series of rebalances: an event-driven fluid model.

K phases, C consumers over the whole series; column C is for partitions without any owner so far.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, BoolArray, FloatArray, Group
from evaluation.rebalance.fluid import advanced, drain_seconds
from evaluation.rebalance.ownership import OwnershipTimeline, Phase
from evaluation.stated import require

_BENDS: Final = 12
"""If more partitions catch up in a phase, its curve is sampled at even steps."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TrafficLoad:
    """What consumers can read and what arrives."""

    speeds: FloatArray
    """(C,) records per second that each consumer reads."""
    rates: FloatArray
    """(P,) records produced per second; 0 if unknown."""
    lags: FloatArray
    """(P,) records at the start; 0 if unknown or created later."""


class Curves(NamedTuple):
    """Points of piecewise linear lag over time; a time between two phases occurs twice."""

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
    """Lag by phase: read partitions fall in a line to 0, others grow."""

    ownership: OwnershipTimeline
    read: FloatArray
    """(K, C + 1) lag at the start of each phase, of partitions read in it."""
    read_net: FloatArray
    """(K, C + 1) its growth in records per second, negative if it falls."""
    unread: FloatArray
    """(K, C + 1) the same of partitions that nobody reads in the phase."""
    unread_net: FloatArray
    """(K, C + 1)"""
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

    @cached_property
    def caught_up_at_s(self) -> float:
        """When nobody has lag if nothing else happens; infinite if never.

        In closed form; at the earliest the start of the last phase.
        """
        if not self.ownership.phases:
            return 0.0
        seconds = drain_seconds(self.read[-1], self.read_net[-1])
        waits = (self.unread[-1] > 0) | (self.unread_net[-1] > 0)
        slowest = np.where(waits, np.inf, seconds).max(initial=0.0)
        return self.ownership.phases[-1].start_s + float(slowest)

    @cached_property
    def curves(self) -> Curves:
        """The lag of every consumer over time, as partitions change owners."""
        times, lags, holding = [np.zeros(0)], [self.read[:0]], [self.read[:0] > 0]
        for k, phase in enumerate(self.ownership.phases):
            bends = drain_seconds(self.read[k], self.read_net[k])
            bends = np.unique(bends[(bends > 0) & (bends < phase.seconds)])
            if bends.size > _BENDS:
                bends = np.linspace(0, phase.seconds, _BENDS + 2)[1:-1]
            since = np.concatenate([[0.0], bends, [phase.seconds]])
            times.append(phase.start_s + since)
            later = since[:, np.newaxis]
            read = np.maximum(self.read[k] + self.read_net[k] * later, 0.0)
            lags.append(read + self.unread[k] + self.unread_net[k] * later)
            holding.append(np.tile(self._holds_in(phase), (since.size, 1)))
        return Curves(np.concatenate(times), np.concatenate(lags), np.concatenate(holding))

    def _holds_in(self, phase: Phase) -> BoolArray:
        holders = phase.holders[phase.is_wanted]
        counts = np.bincount(np.where(holders == UNOWNED, self.read.shape[1] - 1, holders))
        return np.append(counts > 0, np.zeros(self.read.shape[1] - counts.size, np.bool_))


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
    lags = load.lags.copy()
    rows: list[tuple[FloatArray, ...]] = []
    columns = len(ownership.consumers) + 1
    for phase in ownership.phases:
        rates = np.where(phase.exists, load.rates, 0.0)
        rows.append(_sums(phase, lags, rates, load, columns))
        readers = np.where(phase.is_read, phase.holders, np.int32(UNOWNED))
        lags = advanced(lags, rates, readers, load.speeds, phase.seconds)
    by_row = np.array(rows).reshape(len(rows), 4, columns)
    return LagTimeline(
        ownership=ownership,
        read=by_row[:, 0],
        read_net=by_row[:, 1],
        unread=by_row[:, 2],
        unread_net=by_row[:, 3],
        lags=lags,
    )


def _sums(
    phase: Phase, lags: FloatArray, rates: FloatArray, load: TrafficLoad, columns: int
) -> tuple[FloatArray, ...]:
    holders = np.where(phase.holders == UNOWNED, columns - 1, phase.holders)
    is_unread = phase.is_wanted & ~phase.is_read

    def total(values: FloatArray, chosen: BoolArray) -> FloatArray:
        return np.bincount(holders[chosen], values[chosen], columns).astype(np.float64)

    speeds = np.append(load.speeds, 0.0)
    return (
        total(lags, phase.is_read),
        total(rates, phase.is_read) - speeds,
        total(lags, is_unread),
        total(rates, is_unread),
    )
