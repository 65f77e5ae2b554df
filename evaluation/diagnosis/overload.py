"""Why consumers do not read enough: hot partitions, all consumers full, or some. P partitions."""

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group, LongArray
from assignors.sums import float_sums
from evaluation.capacity.draining import TOLERANCE, speeds
from evaluation.capacity.limits import consumers_to_keep_pace
from evaluation.diagnosis.concentration import UNEVEN, concentrated
from evaluation.diagnosis.departures import NEARLY_ALL
from evaluation.diagnosis.findings import (
    CatchingUp,
    Finding,
    Full,
    Hot,
    MoreArrives,
    Slower,
    TooHot,
    Uneven,
)
from evaluation.diagnosis.slowness import slow_consumers, slow_topics
from evaluation.diagnosis.sums import (
    lag_of,
    numbers,
    owners_of,
    rate_between,
    read_total,
    total,
)
from evaluation.measuring.facts import CLEARLY, Facts, Source
from evaluation.measuring.offset_history import (
    CHANGED,
    COMMITTED,
    END,
    LEAST_S,
    OffsetHistory,
    history_offsets,
)
from evaluation.measuring.partition_times import PartitionTimes

_HOT: Final = 4.0
"""A partition is hot from this multiple of the median of all that anything arrives in."""
_FEW: Final = 0.1
"""Hot partitions are a handful: at most this share of all, or one."""
_HARDLY: Final = 0.1
"""Up to this share of a backlog is left where it has been read."""
_ROUNDING: Final = 1e-9


def overloaded(
    group: Group, history: OffsetHistory, times: PartitionTimes, facts: Facts, left: LongArray
) -> list[Finding]:
    """Return why these partitions, which are read, are behind."""
    owners = group.present_owners
    if not left.size:
        return []
    found: list[Finding] = [*slow_topics(group, history, times, left)]
    left = _without(left, found)
    found += slow_consumers(group, times, facts, left)
    left = _without(left, found)
    hot = _hot(group, times, left)
    if hot.size:
        found += _of_hot(group, times, facts, hot)
        left = left[~np.isin(left, hot)]
        beside = left[np.isin(owners[left], owners[hot])]
        left = left[~np.isin(owners[left], owners[hot])]
        if beside.size:
            found += _beside_hot(group, times, facts, beside)
    if not left.size:
        return found
    active = np.unique(owners[(owners != UNOWNED) & group.is_wanted])
    active = active[~np.isin(active, np.flatnonzero(facts.is_still))]
    behind = np.unique(owners[left])
    # Of all their partitions: a consumer that reads one may leave another for a while.
    is_theirs = np.isin(owners, behind) & ~facts.is_stuck
    flow = _flow(times, left, is_theirs)
    if np.isnan(flow.reading):
        return [*found, *concentrated(group, facts, np.isin(np.arange(owners.size), left))]
    if flow.arriving <= flow.reading * (1 + _ROUNDING):
        return [*found, _catching_up(group, times, left, flow)]
    held = np.bincount(owners[(owners != UNOWNED) & group.is_wanted], minlength=group.member_count)
    of_all = _flow(times, left, np.isin(owners, active) & ~facts.is_stuck)
    is_even = of_all.arriving > of_all.reading and _is_even(group, times, facts, behind, active)
    if is_even:
        flow = of_all
    if is_even or behind.size >= NEARLY_ALL * active.size:
        found.append(_full(group, history, facts, left, flow))
    elif (held[behind] == 1).all() and _gets_more(facts, left):  # each the one too much for it
        found += _of_hot(group, times, facts, left)
    else:
        found.append(_uneven(group, facts, left, flow))
    return found


def _is_even(
    group: Group,
    times: PartitionTimes,
    facts: Facts,
    behind: npt.NDArray[np.integer],
    active: npt.NDArray[np.integer],
) -> bool:
    """Return whether those that are behind have no time left, and no more arrives for any of them.

    Those that keep up then are as near their limit, and lack only the backlog, unless they read
    other topics.
    """
    held = np.flatnonzero((group.present_owners != UNOWNED) & group.is_wanted)
    owners, topics = group.present_owners[held], group.topic_of_partition[held]
    arriving = float_sums(owners, np.nan_to_num(times.produced[held]), group.member_count)
    is_even = arriving[behind].max() < CLEARLY * arriving[active].min()
    read = {tuple(np.unique(topics[owners == m]).tolist()) for m in active.tolist()}
    return bool(is_even and len(read) == 1 and facts.is_busy[behind].all())


def _without(left: LongArray, found: Sequence[Finding]) -> LongArray:
    """Return the partitions that these findings do not explain."""
    return left[~np.isin(left, [p for each in found for p in each.partitions])]


def read_alone(group: Group, facts: Facts, partitions: LongArray) -> FloatArray:
    """Return the records/s that a consumer for each of these partitions alone is known to read.

    That is what one consumer reads, or the fastest that states it; if nobody states it, what the
    owner was seen to read if that is more.
    """
    usual = facts.speed.records_s
    fastest = float(speeds(group, usual).max(initial=usual))
    owners = group.present_owners[partitions]
    cap = np.inf if facts.partition_cap is None else facts.partition_cap
    alone: FloatArray = np.full(owners.size, fastest)
    if facts.speed.source in {Source.TIMED, Source.MEASURED}:
        alone = np.fmax(np.append(facts.reading, np.nan)[owners], fastest)  # UNOWNED is the last
    return np.minimum(alone, cap)


class _Flow(NamedTuple):
    """What waits in the partitions that a finding explains, and flows through its consumers."""

    lag: float
    arriving: float
    reading: float
    """NaN if unknown of any of their partitions in which records arrive."""
    is_theirs: BoolArray
    """(P,) the partitions of these consumers."""


def _flow(times: PartitionTimes, left: LongArray, is_theirs: BoolArray) -> _Flow:
    theirs = np.flatnonzero(is_theirs)
    arriving = float(np.nansum(times.produced[theirs]))
    return _Flow(lag_of(times, left), arriving, read_total(times, theirs), is_theirs)


def _beside_hot(
    group: Group, times: PartitionTimes, facts: Facts, beside: LongArray
) -> list[Finding]:
    """Return what waits beside a hot partition on the same consumers, if they are seen to read."""
    flow = _flow(times, beside, np.isin(np.arange(group.partition_count), beside))
    if np.isnan(flow.reading):
        return []
    if flow.arriving <= flow.reading * (1 + _ROUNDING):
        return [_catching_up(group, times, beside, flow)]
    return [_uneven(group, facts, beside, flow)]


def _catching_up(group: Group, times: PartitionTimes, left: LongArray, flow: _Flow) -> Finding:
    catch_up = times.catch_up_s[left]
    known = catch_up[~np.isnan(catch_up)]
    return CatchingUp(
        members=owners_of(group, left),
        partitions=numbers(left),
        lag=flow.lag,
        arriving=flow.arriving,
        reading=flow.reading,
        over_s=float(known.max()) if known.size else float("nan"),
    )


def _uneven(group: Group, facts: Facts, left: LongArray, flow: _Flow) -> Finding:
    return Uneven(
        members=owners_of(group, left),
        partitions=numbers(left),
        lag=flow.lag,
        arriving=flow.arriving,
        reading=flow.reading,
        needed=_needed_there(group, facts, left, flow),
    )


def _needed_there(group: Group, facts: Facts, left: LongArray, flow: _Flow) -> int | None:
    """Return how many consumers keep pace with topics that the owners of these alone read.

    None where others read them as well, and where one of the owners had time left.
    """
    owners, topic = group.present_owners, group.topic_of_partition
    members = np.unique(owners[left])
    theirs = np.isin(topic, np.unique(topic[left])) & (owners != UNOWNED) & group.is_wanted
    is_alone = np.array_equal(np.unique(owners[theirs]), members)
    is_all = np.isin(owners, members) <= theirs
    if not (is_alone and is_all.all() and facts.is_busy[members].all() and flow.reading > 0):
        return None
    needed = math.ceil(flow.arriving / (flow.reading / members.size) * (1 - TOLERANCE))
    return needed if members.size < needed <= np.count_nonzero(theirs) else None


def _hot(group: Group, times: PartitionTimes, left: LongArray) -> LongArray:
    """Return which of these partitions get far more than most of the group's."""
    arriving = times.produced[group.is_wanted]
    arriving = arriving[arriving > 0]
    if not arriving.size:
        return left[:0]
    hot = left[times.produced[left] >= _HOT * float(np.median(arriving))]
    most = max(1, int(_FEW * int(np.count_nonzero(group.is_wanted))))
    return hot if hot.size <= most else left[:0]


def _gets_more(facts: Facts, some: LongArray) -> bool:
    """Return whether each of these partitions gets clearly more than a usual one of the others."""
    return bool((facts.arriving[some] >= UNEVEN * _usual(facts, some)).all())


def _usual(facts: Facts, some: LongArray) -> float:
    """Return the median arrival rate of the partitions beside these; NaN if none is known."""
    others = np.delete(facts.arriving, some)
    return float(np.nanmedian(others)) if np.isfinite(others).any() else float("nan")


def _of_hot(group: Group, times: PartitionTimes, facts: Facts, hot: LongArray) -> Iterator[Finding]:
    """Yield a finding for those that no consumer of their own reads, and one for the others."""
    alone = read_alone(group, facts, hot)
    is_too_hot = facts.arriving[hot] >= alone
    if facts.speed.is_least:  # known of owners alone that have nothing else to read
        owners = group.present_owners
        held = np.bincount(owners[owners != UNOWNED], minlength=group.member_count)
        is_too_hot &= facts.is_busy[owners[hot]] & (held[owners[hot]] == 1)
    for is_some, is_beyond in ((is_too_hot, True), (~is_too_hot, False)):
        some = hot[is_some]
        if not some.size:
            continue
        lag, members = lag_of(times, some), owners_of(group, some)
        arriving, reading = total(times.produced, some), read_total(times, some)
        usual = _usual(facts, some)
        if is_beyond:
            yield TooHot(
                members=members,
                partitions=numbers(some),
                lag=lag,
                arriving=arriving,
                reading=reading,
                alone=float(alone[is_some].max()),
                usual=usual,
            )
        else:
            room = alone[is_some] - facts.arriving[some]  # may be 0 where a speed is a least one
            is_least = facts.speed.is_least
            yield Hot(
                members=members,
                partitions=numbers(some),
                lag=lag,
                arriving=arriving,
                reading=reading,
                usual=usual,
                over_alone_s=float("nan") if is_least else float((times.lag[some] / room).max()),
            )


def _full(
    group: Group, history: OffsetHistory, facts: Facts, left: LongArray, flow: _Flow
) -> Finding:
    """Return whether these are full because they read less than before, or because more arrives."""
    members, partitions = owners_of(group, np.flatnonzero(flow.is_theirs)), numbers(left)
    before = _before(group, history, flow)
    needed = needed_consumers(group, facts)
    if before is not None and before.is_slower:
        return Slower(
            members=members,
            partitions=partitions,
            lag=flow.lag,
            arriving=flow.arriving,
            reading=flow.reading,
            before=before.reading,
            since_s=before.since_s,
        )
    if before is not None and before.arriving < (1 - CHANGED) * before.arriving_now:
        return MoreArrives(
            members=members,
            partitions=partitions,
            lag=flow.lag,
            arriving=flow.arriving,
            reading=flow.reading,
            before=before.arriving,
            since_s=before.since_s,
            needed=needed,
            cleared=_cleared(group, history, flow, before),
        )
    return Full(
        members=members,
        partitions=partitions,
        lag=flow.lag,
        arriving=flow.arriving,
        reading=flow.reading,
        needed=needed,
    )


def _cleared(group: Group, history: OffsetHistory, flow: _Flow, before: "_Before") -> float:
    """Return the most that waited before the present rates began, and was read by then.

    NaN if that is less than waits now, or unknown in part: more may have come than ever cleared.
    NaN, too, if as much as now never arrived before: what cleared was of an outage.
    """
    until = history.rates_from + 1
    offsets = history_offsets(group, history.as_read)[:, :, flow.is_theirs]
    is_known = (offsets[:, [END, COMMITTED]] != UNKNOWN).all(axis=1)
    is_whole = is_known.all(axis=0)
    if (is_known[-1] & ~is_whole).any():
        return math.nan
    end, committed = offsets[:, END, is_whole], offsets[:, COMMITTED, is_whole]
    came = np.diff(end[:until].sum(axis=1)) / np.diff(history.times_s[:until])
    lags = np.maximum(end - committed, 0).astype(np.float64).sum(axis=1)
    most = float(lags[:until].max())
    is_like = np.fmax.reduce(came, initial=0.0) >= (1 - CHANGED) * before.arriving_now
    is_cleared = 0 < lags[-1] <= most and lags[until - 1] <= _HARDLY * most
    return most if is_like and is_cleared else math.nan


def needed_consumers(group: Group, facts: Facts) -> int | None:
    """Return how many consumers keep pace; None if none do.

    None, too, where the speed of a consumer is a guess or a lower bound.
    """
    speed = facts.speed
    if not speed.is_known:
        return None
    return consumers_to_keep_pace(
        wanted_arrivals(group, facts), speed.records_s, facts.partition_cap
    )


def too_heavy(group: Group, facts: Facts) -> LongArray:
    """Return the partitions because of which no number of consumers keeps pace, as far as known."""
    if not facts.speed.is_known:
        return np.zeros(0, np.int64)
    return np.flatnonzero(wanted_arrivals(group, facts) > facts.partition_speed * (1 + TOLERANCE))


def have_hot_keys(group: Group, facts: Facts, some: LongArray) -> bool:
    """Return whether these partitions are some of many, and get clearly more than the others.

    If all get as much, no key is to blame: there are too few partitions.
    """
    is_some = bool(2 * some.size <= np.count_nonzero(wanted_arrivals(group, facts)))
    return is_some and _gets_more(facts, some)


def wanted_arrivals(group: Group, facts: Facts) -> FloatArray:
    """Return the arrivals in each partition that somebody subscribes to, else 0; (P,)."""
    return np.where(group.is_wanted, np.nan_to_num(facts.arriving), 0.0)


class _Before(NamedTuple):
    """Rates of these consumers before the present ones began, and the present ones."""

    arriving: float
    reading: float
    arriving_now: float
    reading_now: float
    since_s: float

    @property
    def is_slower(self) -> bool:
        """Whether clearly less is read, for long enough to tell."""
        return self.since_s >= LEAST_S and self.reading_now < (1 - CHANGED) * self.reading


def _before(group: Group, history: OffsetHistory, flow: _Flow) -> _Before | None:
    """Return what was before the present rates began; None if they hold since the first moment."""
    middle, times_s = history.rates_from, history.times_s
    if not middle:
        return None
    offsets = history_offsets(group, history.as_read)[:, :, flow.is_theirs]
    arriving, reading, arriving_now, reading_now = (
        rate_between(times_s, offsets[:, row], part)
        for part in (slice(0, middle + 1), slice(middle, None))
        for row in (END, COMMITTED)
    )
    since_s = float(times_s[-1] - times_s[middle])
    return _Before(arriving, reading, arriving_now, reading_now, since_s)
