"""What does not move: consumers, and single partitions of consumers that read on."""

from functools import partial
from typing import Final, TypedDict

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, Group, LongArray
from evaluation.diagnosis.findings import (
    CrashLoop,
    Finding,
    LeftUnread,
    NeverCommits,
    Stopped,
    StuckRecord,
)
from evaluation.diagnosis.renewals import Renewals
from evaluation.diagnosis.sums import (
    arrived,
    commits,
    lag_of,
    numbers,
    owners_of,
    since_in,
    total,
)
from evaluation.measuring.facts import Facts
from evaluation.measuring.movement import moved
from evaluation.measuring.offset_history import (
    COMMITTED,
    END,
    OFF_BY_ONE,
    OffsetHistory,
    history_offsets,
)
from evaluation.measuring.partition_times import PartitionTimes

_SEVERAL: Final = 2
"""Who comes back under a new id so often restarts again and again; once is a restart."""
_MANY: Final = 3
"""From this many consumers on, a partition that is stuck on each has one cause."""


def standing(  # noqa: PLR0913 -- what is known of the group, and which partitions
    group: Group,
    history: OffsetHistory,
    times: PartitionTimes,
    facts: Facts,
    is_behind: BoolArray,
    *,
    renewals: Renewals,
) -> list[Finding]:
    """Return what stands of the partitions (P,) that are behind."""
    still = np.flatnonzero(facts.is_still)
    renewals = renewals.with_readers_of_one(is_behind)
    killing = _killing(group, np.flatnonzero(is_behind), renewals)
    is_behind = is_behind & ~np.isin(np.arange(is_behind.size), killing)
    of_still = np.flatnonzero(is_behind & np.isin(group.present_owners, still))
    stuck = np.flatnonzero(is_behind & facts.is_stuck)
    if not (of_still.size or stuck.size or killing.size):
        return []
    committed = commits(group, history)
    found, told = list[Finding](), partial(_told, history, times, committed)
    restarting = of_still[_are_new(group, of_still, renewals.lately >= _SEVERAL)]
    if restarting.size:
        found.append(CrashLoop(members=owners_of(group, restarting), **told(restarting)))
    of_still = np.setdiff1d(of_still, restarting)
    is_new = facts.is_unsure | renewals.is_new(history, facts.stands_s)
    is_new &= renewals.restarts < _SEVERAL  # so often is not what a former owner left
    of_still = of_still[~_are_new(group, of_still, is_new)]
    failing = _outlasting(group, history, of_still, renewals)
    of_still = np.setdiff1d(of_still, failing)
    if of_still.size:
        came = arrived(group, history, of_still)
        members, restarts = owners_of(group, of_still), int(renewals.restarts[of_still].min())
        found.append(Stopped(members=members, arrived=came, restarts=restarts, **told(of_still)))
    alone, several = _apart(group, facts, stuck)
    for at in np.unique(np.concatenate([alone, failing, killing])).reshape(-1, 1):
        is_killing = bool(at[0] in killing)
        found.append(_record(group, at, renewals, told(at), is_killing=is_killing))
    if several.size:
        found.append(LeftUnread(members=owners_of(group, several), **told(several)))
    return found


def _killing(group: Group, behind: LongArray, renewals: Renewals) -> LongArray:
    """Return which of these had one owner after another go since they stand.

    Each is the only such one of its present owner, which owns others: else a consumer fails. Who
    read up to there and went is one of them if nothing else stands.
    """
    owners, gone = group.present_owners, (renewals.gone + renewals.is_reader_gone)[behind]
    again = behind[renewals.stands[behind] & (gone >= _SEVERAL)]
    held, fatal = (
        np.bincount(owners[some], minlength=group.member_count)
        for some in (np.flatnonzero(group.is_wanted & (owners != UNOWNED)), again)
    )
    is_one = (fatal[owners[again]] == 1) & (held[owners[again]] > 1)
    return np.asarray(again[is_one])


def _are_new(group: Group, some: LongArray, is_new: BoolArray) -> BoolArray:
    """Return of which of these partitions the owner is new in all that it owns of them."""
    owners = group.present_owners[some]
    return np.asarray(~np.isin(owners, owners[~is_new[some]]))


def _outlasting(
    group: Group, history: OffsetHistory, of_still: LongArray, renewals: Renewals
) -> LongArray:
    """Return which of these have stood under several owners, while other consumers read on.

    Where it is the only one of its owner that waits, a record fails, not the consumer.
    """
    owners, flow = group.present_owners, moved(group, history)
    if flow is None or not np.nansum(flow.read) > 0:
        return of_still[:0]
    count = np.bincount(owners[of_still], minlength=group.member_count)
    is_record = (count[owners[of_still]] == 1) & (renewals.owners[of_still] > 1)
    return np.asarray(of_still[is_record])


def _apart(group: Group, facts: Facts, stuck: LongArray) -> tuple[LongArray, LongArray]:
    """Return which of the partitions that are stuck are so each by itself, and which together.

    Together are several of one consumer, all of a topic that several consumers read, and one of
    each of three consumers or more: as many records do not fail at once by chance.
    """
    owners, topic = group.present_owners, group.topic_of_partition
    count = np.bincount(owners[stuck], minlength=group.member_count)
    is_several = count[owners[stuck]] > 1
    is_owned = (owners != UNOWNED) & group.is_wanted
    if np.count_nonzero(count) >= _MANY and (count[np.unique(owners[is_owned])] > 0).all():
        is_several[:] = True
    has_traffic = is_owned & (group.counted_lags > OFF_BY_ONE)
    has_traffic |= is_owned & (np.nan_to_num(facts.arriving) > 0)
    for each in np.unique(topic[stuck]):
        here = np.flatnonzero(has_traffic & (topic == each))
        if np.isin(here, stuck).all() and np.unique(owners[here]).size > 1:
            is_several |= topic[stuck] == each
    return stuck[~is_several], stuck[is_several]


class _Standing(TypedDict):
    """What every finding about partitions that stand tells of them."""

    partitions: tuple[int, ...]
    lag: float
    arriving: float
    since_s: float
    is_older: bool


def _told(
    history: OffsetHistory, times: PartitionTimes, committed: LongArray, partitions: LongArray
) -> _Standing:
    """Return it of partitions, given the committed offsets (K, P) of all."""
    since_s, is_older = float("nan"), False
    if history.has_several:
        since_s, is_older = since_in(history, committed[:, partitions])
    return {
        "partitions": numbers(partitions),
        "lag": lag_of(times, partitions),
        "arriving": total(times.produced, partitions),
        "since_s": since_s,
        "is_older": is_older,
    }


def never_committed(
    group: Group, history: OffsetHistory, times: PartitionTimes, facts: Facts
) -> list[Finding]:
    """Return the consumers that commit nothing on partitions that are theirs and fill up."""
    moments = history.moments
    is_dated = history.has_several and not (history.is_undated or history.is_approximate)
    if not is_dated or not history.span_s >= facts.stands_s:
        return []
    offsets = history_offsets(group, moments)
    end, committed = offsets[:, END], offsets[:, COMMITTED]
    is_bare = (end != UNKNOWN).all(axis=0) & (committed < 0).all(axis=0) & ~group.is_lag_known
    is_bare &= (end[-1] - end[0] > OFF_BY_ONE) & (group.present_owners != UNOWNED)
    bare = np.flatnonzero(is_bare & group.is_wanted)
    if not bare.size:
        return []
    return [
        NeverCommits(
            members=owners_of(group, bare),
            partitions=numbers(bare),
            arriving=total(times.produced, bare),
            since_s=history.span_s,
            is_older=True,
        )
    ]


def _record(
    group: Group, partition: LongArray, renewals: Renewals, told: _Standing, *, is_killing: bool
) -> StuckRecord:
    committed, at = group.offsets.committed, int(partition[0])
    first = int(is_killing and renewals.is_reader_gone[at])
    return StuckRecord(
        members=owners_of(group, partition),
        offset=-1 if committed is None else int(committed[at]),
        owners=int(renewals.owners[at]) + first or None,
        killed=int(renewals.gone[at]) + first if is_killing else None,
        **told,
    )
