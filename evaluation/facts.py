"""What is known of a group's flow, each figure with its source: arrivals, reading, speed.

Measured from snapshots, stated by the user or the group, or a guess. Every page asks here, so
that no two pages name two figures for one thing. P partitions, M members; NaN is unknown.
"""

import math
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group
from assignors.sums import float_sums
from evaluation.offset_history import (
    COMMITTED,
    END,
    KEEPS_UP_S,
    OffsetHistory,
    PartitionTimes,
    history_offsets,
)

_BUSY: Final = 0.8
"""The load of today's consumers where nothing says what they can read, as autoscalers aim for."""
_HEAVIEST: Final = 0.5
"""The share of a consumer that the heaviest partition takes at the guessed speed."""
_ROUNDING: Final = 1e-9
_GUESS: Final = 1_000.0
"""Records per second of a consumer where not even arrivals are known."""
_UNLIKE: Final = 1.25
"""From this multiple of the median on, consumers read at speeds of their own."""
_PACE: Final = 0.01
"""What is read is what arrives if they differ by no more than this share."""
_STANDS_S: Final = 30.0
"""Consumers commit every 5 s by default; some commit after a long batch."""


class Source(Enum):
    """Where a figure comes from, best last."""

    GUESS = "a guess"
    STATED = "stated"
    MEASURED = "measured"


class Speed(NamedTuple):
    """What one consumer can read."""

    records_s: float
    source: Source
    is_least: bool = False
    """Whether it is a lower bound: consumers that keep up read what arrives, not what they can."""
    most_seen: float = 0.0
    """What the fastest of all was seen to read, where that is far more than the median."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Facts:
    """The flow of a group."""

    arriving: FloatArray
    """(P,) records per second that arrive."""
    arriving_source: Source | None
    """None if no partition's is known."""
    reading: FloatArray
    """(M,) records per second that each consumer has read from its present partitions."""
    is_busy: BoolArray
    """(M,) had a backlog at every moment, so that ``reading`` is its speed."""
    has_stood: BoolArray
    """(P,) nothing was committed for the last half minute or more while records waited."""
    is_still: BoolArray
    """(M,) committed nothing in that time, anywhere, while records waited."""
    span_s: float
    """Seconds over which ``reading`` and measured arrivals were observed; 0 if not at all."""
    speed: Speed
    lost: FloatArray
    """(P,) records that were deleted before they were read; NaN if unknown."""
    partition_cap: float | None = None
    """The most that can be read of one partition, records per second, if it is stated."""

    @property
    def partition_speed(self) -> float:
        """Records per second that can be read of one partition, by a consumer for it alone."""
        speed, cap = self.speed.records_s, self.partition_cap
        return speed if cap is None else min(speed, cap)

    @property
    def total_arriving(self) -> float:
        """Records per second over the partitions whose arrivals are known."""
        return float(np.nansum(self.arriving))


def facts_of(
    group: Group,
    history: OffsetHistory | None,
    times: PartitionTimes | None,
    stated_speed: float | None = None,
    dated: Source = Source.MEASURED,
) -> Facts:
    """Return what is known of a group's flow.

    ``times`` are those of the history. The speed of one consumer is, in this order: what the user
    states; the median of the members' own stated throughput; the median of what consumers read
    that had a backlog throughout, those that stand still left out, and those that read just what
    arrived if others tell or read more; at least what the fastest of all read; a guess, at which
    today's consumers are 80 % busy with what arrives and the heaviest partition takes half of one.
    ``dated`` is where the times of the snapshots come from: rates are no better than those.
    """
    nothing = np.full(group.partition_count, np.nan)
    rates = nothing if group.offsets.rates is None else group.offsets.rates
    observed = history if history and history.has_several else None
    arriving = rates if times is None else times.produced
    source = Source.STATED if observed is None else dated
    reading, is_busy = _reading(group, observed, times)
    has_stood, is_still = _standing(group, observed)
    return Facts(
        arriving=arriving,
        arriving_source=None if np.isnan(arriving).all() else source,
        reading=reading,
        is_busy=is_busy,
        has_stood=has_stood,
        is_still=is_still,
        span_s=0.0 if observed is None else observed.rates_span_s,
        lost=_lost(group),
        speed=_stated(group, stated_speed)
        or _observed(reading, is_busy & ~is_still, _keeps_pace(group, times, reading), dated)
        or _guessed(group, arriving),
    )


def _reading(
    group: Group, history: OffsetHistory | None, times: PartitionTimes | None
) -> tuple[FloatArray, BoolArray]:
    """Return what each member has read, and whether it was busy throughout."""
    members, owners = group.member_count, group.present_owners
    held = np.flatnonzero(owners != UNOWNED)
    if history is None or times is None or not held.size:
        return np.full(members, np.nan), np.zeros(members, np.bool_)
    who = owners[held]
    is_known = ~np.isnan(times.consumed[held])
    reading = float_sums(who[is_known], times.consumed[held][is_known], members)
    reading[np.bincount(who[is_known], minlength=members) == 0] = np.nan
    offsets = history_offsets(group, history.moments[history.rates_from :])[:, :, held]
    is_both = (offsets[:, END] != UNKNOWN) & (offsets[:, COMMITTED] != UNKNOWN)
    lags = np.where(is_both, np.maximum(offsets[:, END] - offsets[:, COMMITTED], 0), 0)
    least_lag = np.min([float_sums(who, lag.astype(np.float64), members) for lag in lags], axis=0)
    is_busy = (least_lag > 0) & (least_lag >= KEEPS_UP_S * np.nan_to_num(reading))
    return reading, is_busy


def _keeps_pace(group: Group, times: PartitionTimes | None, reading: FloatArray) -> BoolArray:
    """Return whether each member (M,) read what arrived: its backlog neither grew nor fell."""
    owners, members = group.present_owners, group.member_count
    if times is None:
        return np.zeros(members, np.bool_)
    held = np.flatnonzero((owners != UNOWNED) & ~np.isnan(times.produced))
    arriving = float_sums(owners[held], times.produced[held], members)
    return np.isclose(reading, arriving, rtol=_PACE)


def _standing(group: Group, history: OffsetHistory | None) -> tuple[BoolArray, BoolArray]:
    """Return the partitions (P,) and the members (M,) that stood while records waited."""
    members, owners = group.member_count, group.present_owners
    if history is None:
        return np.zeros(owners.size, np.bool_), np.zeros(members, np.bool_)
    back = np.flatnonzero(history.times_s <= history.times_s[-1] - _STANDS_S)
    first = history.moments[int(back[-1]) if back.size else 0]
    offsets = history_offsets(group, (first, history.moments[-1]))
    end, committed = offsets[:, END], offsets[:, COMMITTED]
    is_known = (end != UNKNOWN).all(axis=0) & (committed != UNKNOWN).all(axis=0)
    has_stood = is_known & (committed[0] == committed[1]) & (end[0] > committed[0])
    advances = is_known & (committed[0] != committed[1])
    is_owned = owners != UNOWNED
    stood = np.bincount(owners[has_stood & is_owned], minlength=members)
    moved = np.bincount(owners[advances & is_owned], minlength=members)
    return has_stood, (stood > 0) & (moved == 0)


def _lost(group: Group) -> FloatArray:
    """Return how far each log's start is past the committed offset."""
    begin, committed = group.offsets.begin, group.offsets.committed
    if begin is None or committed is None:
        return np.full(group.partition_count, np.nan)
    is_known = (begin != UNKNOWN) & (committed != UNKNOWN)
    return np.where(is_known, np.maximum(begin - committed, 0).astype(np.float64), np.nan)


def _stated(group: Group, speed: float | None) -> Speed | None:
    if speed is not None:
        return Speed(speed, Source.STATED)
    own = np.zeros(0) if group.offsets.throughput is None else group.offsets.throughput
    own = own[own > 0]
    return Speed(float(np.median(own)), Source.STATED) if own.size else None


def _observed(
    reading: FloatArray, is_busy: BoolArray, keeps_pace: BoolArray, dated: Source
) -> Speed | None:
    is_known = ~np.isnan(reading)  # NaN: snapshots without times
    fastest = float(np.fmax.reduce(reading, initial=0.0))
    outrun, pacing = reading[is_busy & ~keeps_pace & is_known], reading[is_busy & is_known]
    if outrun.size:
        return _median(outrun, fastest, dated)
    if pacing.size and fastest <= (1 + _PACE) * float(pacing.max()):
        return _median(pacing, fastest, dated)
    return Speed(fastest, dated, is_least=True) if fastest > 0 else None


def _median(reading: FloatArray, fastest: float, dated: Source) -> Speed:
    middle = float(np.median(reading))
    return Speed(middle, dated, most_seen=fastest if fastest >= _UNLIKE * middle > 0 else 0.0)


def _guessed(group: Group, arriving: FloatArray) -> Speed:
    each = float(np.nansum(arriving)) / max(group.member_count, 1) / _BUSY
    heaviest = float(np.fmax.reduce(arriving, initial=0.0)) / _HEAVIEST
    return Speed(_rounded_up(max(each, heaviest)) or _GUESS, Source.GUESS)


def _rounded_up(number: float) -> float:
    """Return the next number of two digits, as a guess claims no more."""
    if number <= 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(number)) - 1)
    return math.ceil(number / unit - _ROUNDING) * unit
