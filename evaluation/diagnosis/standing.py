"""What does not move: consumers, and single partitions of consumers that read on."""

from itertools import pairwise

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
from evaluation.diagnosis.sums import (
    arrived,
    commits,
    fell,
    lag_of,
    numbers,
    owners_of,
    since,
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


def standing(
    group: Group,
    history: OffsetHistory,
    times: PartitionTimes,
    facts: Facts,
    is_behind: BoolArray,
) -> list[Finding]:
    """Return what stands of the partitions (P,) that are behind."""
    owners, found = group.present_owners, list[Finding]()
    still = np.flatnonzero(facts.is_still)
    of_still = np.flatnonzero(is_behind & np.isin(owners, still))
    if of_still.size and restarts(group, history):
        since_s, is_older = since(group, history, of_still)
        found.append(
            CrashLoop(
                members=tuple(range(group.member_count)),
                partitions=numbers(of_still),
                lag=lag_of(times, of_still),
                arriving=total(times.produced, of_still),
                since_s=since_s,
                is_older=is_older,
            )
        )
    elif of_still.size:
        since_s, is_older = since(group, history, of_still)
        found.append(
            Stopped(
                members=owners_of(group, of_still),
                partitions=numbers(of_still),
                lag=lag_of(times, of_still),
                arriving=total(times.produced, of_still),
                arrived=arrived(group, history, of_still),
                since_s=since_s,
                is_older=is_older,
            )
        )
    stuck = np.flatnonzero(is_behind & facts.is_stuck)
    count = np.bincount(owners[stuck], minlength=group.member_count)
    alone, several = (stuck[(count[owners[stuck]] == 1) == is_one] for is_one in (True, False))
    committed = commits(group, history)
    for k in range(alone.size):
        at = alone[k : k + 1]
        found.append(_record(group, times, at, since_in(history, committed[:, at])))
    if several.size:
        since_s, is_older = since(group, history, several)
        found.append(
            LeftUnread(
                members=owners_of(group, several),
                partitions=numbers(several),
                lag=lag_of(times, several),
                arriving=total(times.produced, several),
                since_s=since_s,
                is_older=is_older,
            )
        )
    return found


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


def restarts(group: Group, history: OffsetHistory) -> bool:
    """Return whether all members are new at every snapshot, and nothing was read in between.

    Where an offset fell, that is unknown: who resets offsets stops all members before.
    """
    told = [set(moment.held.members) for moment in history.moments if moment.held is not None]
    several = [members for members in told if members]
    if len(several) < 2 or any(one & other for one, other in pairwise(several)):  # noqa: PLR2004
        return False
    flow = moved(group, history)
    if fell(commits(group, history)).any():
        return False
    return flow is not None and not np.nan_to_num(flow.read).any()


def _record(
    group: Group, times: PartitionTimes, partition: LongArray, stood: tuple[float, bool]
) -> StuckRecord:
    since_s, is_older = stood
    committed = group.offsets.committed
    return StuckRecord(
        members=owners_of(group, partition),
        partitions=numbers(partition),
        lag=lag_of(times, partition),
        arriving=total(times.produced, partition),
        offset=-1 if committed is None else int(committed[partition[0]]),
        since_s=since_s,
        is_older=is_older,
    )
