"""Why a group is behind, as engineers on call reason: cheapest cause first, from snapshots.

Pure figures; ``ui.incident`` words them. Several causes can mix: each finding names the
partitions that it explains, and later ones look only at what is left.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import Final

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group, LongArray, Owners
from assignors.sums import float_sums
from evaluation.capacity.draining import speeds
from evaluation.facts import Facts, Source
from evaluation.offset_history import (
    CHANGED,
    COMMITTED,
    END,
    KEEPS_UP_S,
    OffsetHistory,
    PartitionTimes,
    history_offsets,
)

_HOT: Final = 4.0
"""A partition is hot from this multiple of the median of all that anything arrives in."""
_FEW: Final = 0.1
"""Hot partitions are a handful: at most this share of all, or one."""
_NEARLY_ALL: Final = 0.8
_HALF: Final = 0.5
_NEARLY: Final = 0.95
"""The share of the lag that the consumers named for it must have."""
_ROUNDING: Final = 1e-9


class Cause(Enum):
    """Why records wait, cheapest to check first."""

    NOBODY = "no consumer owns the partitions"
    REBALANCING = "owners change again and again"
    STILL = "consumers commit nothing while records wait"
    RECORD = "one offset stands still while its consumer reads on elsewhere"
    TOO_HOT = "a few partitions get more than a consumer for each alone reads"
    HOT = "a few partitions get far more than the others"
    SLOWER = "every consumer reads more slowly than before"
    MORE = "more arrives than before"
    FULL = "every consumer is busy, and more arrives than they read"
    UNEVEN = "some consumers have a backlog while others keep up"
    CATCHING_UP = "the backlog shrinks"
    LOST = "records were deleted before they were read"


STRATEGY_HELPS: Final = frozenset(
    {Cause.NOBODY, Cause.HOT, Cause.UNEVEN, Cause.CATCHING_UP, Cause.LOST}
)
"""Causes beside which another assignment may help; beside every other it does not, or not yet."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Finding:
    """One cause with its figures; rates in records/s."""

    cause: Cause
    members: tuple[int, ...] = ()
    partitions: tuple[int, ...] = ()
    """The partitions whose lag this explains."""
    lag: float = 0.0
    """Records that wait in these partitions."""
    arriving: float = 0.0
    """In these partitions."""
    reading: float = 0.0
    """From these partitions."""
    before: float = float("nan")
    """What arrived or was read before, for ``MORE`` and ``SLOWER``."""
    since_s: float = float("nan")
    """How long it has lasted; at least, if ``is_older``."""
    is_older: bool = False
    """Whether it was so at the first snapshot already."""
    over_s: float = float("nan")
    """Until nothing waits in these partitions at the present rates; infinite if never."""
    changes: int = 0
    """How often owners changed, for ``REBALANCING``."""
    needed: int | None = None
    """Consumers that could read what arrives, for ``FULL``, ``MORE`` and ``SLOWER``."""
    is_rest: bool = False
    """Whether another finding stands before it."""
    deleted_s: float = float("nan")
    """Until the first of these records is deleted if nobody reads, for ``NOBODY``."""


@dataclass(frozen=True, kw_only=True)
class Glance:
    """Where the lag of a single snapshot is: a partition, some consumers, or all of them."""

    partition: int | None
    """The partition that holds at least half of the lag."""
    members: tuple[int, ...]
    """The consumers that have it: nearly all of the lag, the largest first."""
    share: float
    """Of the group's lag."""
    lag: float


def diagnose(
    group: Group, history: OffsetHistory, times: PartitionTimes, facts: Facts
) -> tuple[Finding, ...]:
    """Return why records wait, cheapest cause first; () if nothing waits or nothing tells."""
    owners = group.present_owners
    lag = np.nan_to_num(times.lag)
    nobodys = np.flatnonzero((owners == UNOWNED) & (lag > 0))
    lost = np.flatnonzero(facts.lost > 0)
    found: list[Finding | None] = []
    if nobodys.size:
        since_s, is_older = _since(group, history, nobodys)
        found.append(
            replace(
                _of(Cause.NOBODY, nobodys, times),
                since_s=since_s,
                is_older=is_older,
                deleted_s=_deleted_s(times, nobodys),
            )
        )
    found += _why_behind(group, history, times, facts)
    if lost.size:
        owned = lost[owners[lost] != UNOWNED]
        found.append(replace(_of(Cause.LOST, lost, times), members=_members(owners, owned)))
    known = [each for each in found if each is not None]
    return (*known[:1], *(replace(each, is_rest=True) for each in known[1:]))


def glance(group: Group) -> Glance | None:
    """Return where the lag of a snapshot is; None without lag or without owners."""
    owners, lags = group.present_owners, group.counted_lags.astype(np.float64)
    total, is_owned = float(lags.sum()), owners != UNOWNED
    if not total or not (is_owned & (lags > 0)).any():
        return None
    heaviest = int(np.argmax(np.where(is_owned, lags, 0)))
    if lags[heaviest] >= _HALF * total and np.count_nonzero(is_owned) > 1:
        return Glance(
            partition=heaviest,
            members=(int(owners[heaviest]),),
            share=float(lags[heaviest]) / total,
            lag=float(lags[heaviest]),
        )
    of_member = float_sums(owners[is_owned], lags[is_owned], group.member_count)
    order = np.argsort(-of_member, kind="stable")
    so_far = np.cumsum(of_member[order])
    few = int(np.searchsorted(so_far, _NEARLY * so_far[-1] * (1 - _ROUNDING))) + 1
    return Glance(
        partition=None,
        members=tuple(order[:few].tolist()),
        share=float(so_far[few - 1]) / total,
        lag=float(so_far[few - 1]),
    )


def _why_behind(
    group: Group, history: OffsetHistory, times: PartitionTimes, facts: Facts
) -> list[Finding | None]:
    """Return why partitions that have owners are behind; [] if none is, or nothing tells."""
    owners = group.present_owners
    is_behind = group.is_wanted & (np.nan_to_num(times.lag) > 0) & ~(times.age_s <= KEEPS_UP_S)
    is_behind &= owners != UNOWNED
    if not history.has_several or history.is_undated or not is_behind.any():
        return []
    found = [_rebalancing(history), *_standing(group, history, times, facts, is_behind)]
    explained = {p for each in found if each is not None for p in each.partitions}
    left = np.flatnonzero(is_behind)
    left = left[~np.isin(left, list(explained))]
    return [*found, *_overloaded(group, history, times, facts, left)]


def _deleted_s(times: PartitionTimes, partitions: LongArray) -> float:
    """Return when retention by age deletes the first of these records if nobody reads them."""
    left = (times.retention_s - times.age_s)[partitions]
    return max(float(np.fmin.reduce(left, initial=np.nan)), 0.0)


def _of(cause: Cause, partitions: LongArray, times: PartitionTimes) -> Finding:
    """Return a finding with the sums over its partitions."""
    catch_up = times.catch_up_s[partitions]
    known = catch_up[~np.isnan(catch_up)]
    return Finding(
        cause=cause,
        partitions=tuple(partitions.tolist()),
        lag=float(np.nansum(times.lag[partitions])),
        arriving=float(np.nansum(times.produced[partitions])),
        reading=float(np.nansum(times.consumed[partitions])),
        over_s=float(known.max()) if known.size else float("nan"),
    )


def _rebalancing(history: OffsetHistory) -> Finding | None:
    """Return a finding if owners changed in at least two intervals, and in half of them."""
    owned = [moment.ownership for moment in history.moments]
    changes = sum(one != other and None not in (one, other) for one, other in pairwise(owned))
    if changes < 2 or 2 * changes < len(owned) - 1:  # noqa: PLR2004 -- once is an ordinary join
        return None
    return Finding(cause=Cause.REBALANCING, changes=changes, since_s=history.span_s)


def _standing(
    group: Group,
    history: OffsetHistory,
    times: PartitionTimes,
    facts: Facts,
    is_behind: BoolArray,
) -> list[Finding]:
    """Return what does not move: consumers, and single offsets of consumers that read on."""
    owners, found = group.present_owners, []
    stands = is_behind & facts.has_stood & (owners != UNOWNED)
    still = np.flatnonzero(facts.is_still)
    of_still = np.flatnonzero(stands & np.isin(owners, still))
    if of_still.size:
        since_s, is_older = _since(group, history, of_still)
        found.append(
            replace(
                _of(Cause.STILL, of_still, times),
                members=tuple(still.tolist()),
                since_s=since_s,
                is_older=is_older,
            )
        )
    for partition in np.flatnonzero(stands & ~np.isin(owners, still)).tolist():
        since_s, is_older = _since(group, history, np.array([partition]))
        found.append(
            replace(
                _of(Cause.RECORD, np.array([partition]), times),
                members=(int(owners[partition]),),
                since_s=since_s,
                is_older=is_older,
            )
        )
    return found


def _since(group: Group, history: OffsetHistory, partitions: LongArray) -> tuple[float, bool]:
    """Return how long committed offsets have stood, and whether since before the first moment.

    NaN with fewer than two moments.
    """
    if not history.has_several:
        return float("nan"), False
    committed = history_offsets(group, history.moments)[:, COMMITTED][:, partitions]
    is_same = np.asarray((committed == committed[-1]).all(axis=1))
    moved = np.flatnonzero(~is_same)
    first = int(moved[-1]) + 1 if moved.size else 0
    return float(history.times_s[-1] - history.times_s[first]), first == 0


def _overloaded(
    group: Group, history: OffsetHistory, times: PartitionTimes, facts: Facts, left: LongArray
) -> list[Finding]:
    """Return why what is read is not enough: hot partitions, all consumers full, or some."""
    owners = group.present_owners
    left = left[owners[left] != UNOWNED]
    if not left.size:
        return []
    found: list[Finding] = []
    hot = _hot(group, times, left)
    if hot.size:
        found += _of_hot(group, times, facts, hot)
        left = left[~np.isin(left, hot) & ~np.isin(owners[left], owners[hot])]
        if not left.size:
            return found
    active = np.unique(owners[(owners != UNOWNED) & group.is_wanted])
    active = active[~np.isin(active, np.flatnonzero(facts.is_still))]
    behind = np.unique(owners[left])
    # Of all their partitions: a consumer that reads one may leave another for a while.
    is_theirs = np.isin(owners, behind)
    arriving, reading = (
        float(np.nansum(rates[is_theirs])) for rates in (times.produced, times.consumed)
    )
    theirs = replace(
        _of(Cause.CATCHING_UP, left, times),
        members=_members(owners, left),
        arriving=arriving,
        reading=reading,
    )
    if arriving <= reading:
        return [*found, theirs]
    cause, before, since_s = Cause.UNEVEN, float("nan"), float("nan")
    held = np.bincount(owners[(owners != UNOWNED) & group.is_wanted], minlength=group.member_count)
    if behind.size >= _NEARLY_ALL * active.size:
        cause, before, since_s = _full(group, history, is_theirs)
    elif (held[behind] == 1).all():  # each has the one partition that is too much for it
        return [*found, *_of_hot(group, times, facts, left)]
    speed = facts.speed
    needed = None
    if speed.records_s > 0 and not speed.is_least:
        needed = int(np.ceil(facts.total_arriving / speed.records_s))
    return [*found, replace(theirs, cause=cause, before=before, needed=needed, since_s=since_s)]


def _hot(group: Group, times: PartitionTimes, left: LongArray) -> LongArray:
    """Return which of these partitions get far more than most of the group's."""
    arriving = times.produced[group.is_wanted]
    arriving = arriving[arriving > 0]
    if not arriving.size:
        return left[:0]
    hot = left[times.produced[left] >= _HOT * float(np.median(arriving))]
    most = max(1, int(_FEW * int(np.count_nonzero(group.is_wanted))))
    return hot if hot.size <= most else left[:0]


def _of_hot(group: Group, times: PartitionTimes, facts: Facts, hot: LongArray) -> Iterator[Finding]:
    """Yield a finding for those that no consumer of their own reads, and one for the others."""
    is_too_hot = facts.arriving[hot] >= read_alone(group, facts, hot)
    if facts.speed.is_least:
        is_too_hot[:] = False
    for cause, some in ((Cause.TOO_HOT, hot[is_too_hot]), (Cause.HOT, hot[~is_too_hot])):
        if some.size:
            yield replace(_of(cause, some, times), members=_members(group.present_owners, some))


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
    if facts.speed.source is Source.MEASURED:
        alone = np.fmax(np.append(facts.reading, np.nan)[owners], fastest)  # UNOWNED is the last
    return np.minimum(alone, cap)


def _full(group: Group, history: OffsetHistory, is_theirs: BoolArray) -> tuple[Cause, float, float]:
    """Return whether all are full because they read less than before, or more arrives.

    ``is_theirs`` (P,) are the partitions of those consumers. With what it was before the present
    rates began, and for how many seconds it has been otherwise.
    """
    nothing, middle = float("nan"), history.rates_from
    if not middle:
        return Cause.FULL, nothing, nothing
    offsets = history_offsets(group, history.moments)[:, :, is_theirs]
    arrived, read = (
        _rate(history.times_s, offsets[:, row], slice(0, middle + 1)) for row in (END, COMMITTED)
    )
    arriving = _rate(history.times_s, offsets[:, END], slice(middle, None))
    reading = _rate(history.times_s, offsets[:, COMMITTED], slice(middle, None))
    since_s = float(history.times_s[-1] - history.times_s[middle])
    if reading < (1 - CHANGED) * read:
        return Cause.SLOWER, read, since_s
    if arrived < (1 - CHANGED) * arriving:
        return Cause.MORE, arrived, since_s
    return Cause.FULL, nothing, nothing


def _rate(times_s: FloatArray, offsets: LongArray, part: slice) -> float:
    """Return the sum of the rates over these moments of partitions known at both ends."""
    chosen, at_s = offsets[part], times_s[part]
    is_known = (chosen[0] != UNKNOWN) & (chosen[-1] != UNKNOWN)
    seconds = float(at_s[-1] - at_s[0])
    if seconds <= 0:
        return float("nan")
    grown = np.maximum(chosen[-1][is_known] - chosen[0][is_known], 0).astype(np.float64)
    return float(float_sums(np.zeros(grown.size, np.int64), grown, 1)[0]) / seconds


def _members(owners: Owners, partitions: LongArray) -> tuple[int, ...]:
    return tuple(np.unique(owners[partitions]).tolist())
