"""What nobody of the group reads: no owners, a reader outside, topics that the group has left."""

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, Group, LongArray
from evaluation.diagnosis.findings import (
    Finding,
    NobodyReads,
    NoLogEnd,
    OwnersUnknown,
    ReadOutside,
    RebalanceUnderWay,
    TopicLeft,
)
from evaluation.diagnosis.sums import lag_of, numbers, owners_of, read_total, since, total
from evaluation.measuring.movement import moved
from evaluation.measuring.offset_history import (
    COMMITTED,
    END,
    OFF_BY_ONE,
    OffsetHistory,
    by_partition,
    history_offsets,
)
from evaluation.measuring.partition_times import KEEPS_UP_S, PartitionTimes
from evaluation.metrics import nothing_committed
from evaluation.rebalancing import Rebalancing

_KEEPS_PACE: Final = 0.95
"""A job that reads at least this share of the arrivals keeps pace; less is noise of its commits."""


def absent(
    group: Group,
    history: OffsetHistory,
    times: PartitionTimes,
    is_backlog: BoolArray,
    rebalancing: Rebalancing | None,
) -> list[Finding]:
    """Return why partitions (P,) in which records wait have no owner, or none that is known.

    Members that own nothing at all wait for their first rebalance to end, which is no cause.
    """
    is_unowned = group.present_owners == UNOWNED
    is_unknown = is_unowned & group.is_owner_unknown
    holds = group.is_wanted & (nothing_committed(group) > OFF_BY_ONE)  # just added, say
    is_silent = is_unowned & ~is_unknown & ~_is_assigned(group, history)
    nobodys = np.flatnonzero(is_silent & (is_backlog | holds))
    if rebalancing is not None:
        return [_under_way(group, times, is_backlog, nobodys, rebalancing)]
    alone = replace(history, moments=history.moments[history.last_owned + 1 :])
    if not group.member_count and not is_unknown.any() and _advances(group, alone).any():
        return [_outside(group, history, times)]
    if _owns_nothing_yet(group, nobodys):
        return []
    is_left, found = _is_left(group, history)[nobodys], list[Finding]()
    if not is_left.all():
        found.append(_nobody(group, history, times, nobodys[~is_left]))
    if is_left.any():
        found.append(_left(group, history, times, nobodys[is_left]))
    unknown = np.flatnonzero(is_unknown & is_backlog & ~times.keeps_up)
    if unknown.size:
        found.append(_of_unknown_owners(times, unknown))
    return found


def _under_way(
    group: Group,
    times: PartitionTimes,
    is_backlog: BoolArray,
    nobodys: LongArray,
    rebalancing: Rebalancing,
) -> RebalanceUnderWay:
    waiting = np.union1d(nobodys, rebalancing.moving[is_backlog[rebalancing.moving]])
    return RebalanceUnderWay(
        members=tuple(range(group.member_count)),
        partitions=numbers(waiting),
        lag=lag_of(times, waiting),
        moving=None if rebalancing.target is None else rebalancing.moving.size,
    )


def _left(
    group: Group, history: OffsetHistory, times: PartitionTimes, gone: LongArray
) -> TopicLeft:
    topics = np.unique(group.topic_of_partition[gone]).tolist()
    return TopicLeft(
        topics=tuple(group.topics[t] for t in topics),
        partitions=numbers(gone),
        lag=lag_of(times, gone),
        arrived=_arrived(group, history, gone),
    )


def _of_unknown_owners(times: PartitionTimes, unknown: LongArray) -> OwnersUnknown:
    flow = _flow(times, unknown, unknown)
    return OwnersUnknown(
        partitions=numbers(unknown),
        lag=flow.lag,
        arriving=flow.arriving,
        reading=flow.reading,
        behind_s=flow.behind_s,
        over_s=flow.over_s,
    )


def no_log_end(group: Group) -> list[NoLogEnd]:
    """Return the partitions that have an owner and a commit, and no log end while others have one.

    A tool prints none for a partition without a leader, or whose leader does not answer.
    """
    end, committed = group.offsets.end, group.offsets.committed
    if end is None or committed is None or not (end != UNKNOWN).any():
        return []
    is_read = group.is_wanted & (group.present_owners != UNOWNED) & (committed != UNKNOWN)
    those = np.flatnonzero(is_read & (end == UNKNOWN) & ~group.is_lag_known)
    if not those.size:
        return []
    return [NoLogEnd(members=owners_of(group, those), partitions=numbers(those))]


def _owns_nothing_yet(group: Group, nobodys: LongArray) -> bool:
    """Return whether members own nothing of what they subscribe to, as before they start."""
    is_wanted = bool(group.is_wanted[nobodys].any())
    return is_wanted and not group.has_claims and not group.is_owner_unknown.any()


def _nobody(
    group: Group, history: OffsetHistory, times: PartitionTimes, nobodys: LongArray
) -> NobodyReads:
    since_s, is_older = since(group, history, nobodys)
    last = history.last_owned
    held = history.moments[last].held if last >= 0 else None
    left_s = float(np.fmin.reduce((times.retention_s - times.age_s)[nobodys], initial=np.nan))
    return NobodyReads(
        partitions=numbers(nobodys),
        lag=total(times.lag, nobodys),
        arriving=total(times.produced, nobodys),
        since_s=since_s,
        is_older=is_older,
        is_of_group=not group.member_count,
        gone=held.active if held and not group.member_count else None,
        deleted_s=max(left_s, 0.0),  # NaN stays NaN
    )


def _outside(group: Group, history: OffsetHistory, times: PartitionTimes) -> ReadOutside:
    waiting = np.flatnonzero(np.nan_to_num(times.lag) > 0)
    flow = _flow(times, waiting, np.arange(times.lag.size))
    falls_behind = flow.reading < _KEEPS_PACE * flow.arriving and _is_old_unread(group, history)
    is_open = np.isinf(flow.over_s) and not falls_behind
    return ReadOutside(
        partitions=numbers(waiting),
        lag=flow.lag,
        arriving=flow.arriving,
        reading=flow.reading,
        behind_s=flow.behind_s,
        over_s=float("nan") if is_open else flow.over_s,
    )


def _is_old_unread(group: Group, history: OffsetHistory) -> bool:
    """Return whether records wait that were there at the moment before the last commit."""
    offsets = history_offsets(group, history.moments).astype(np.float64)
    is_known = (offsets[:, [END, COMMITTED]] != UNKNOWN).all(axis=(0, 1))
    end, committed = (offsets[:, row, is_known].sum(axis=1) for row in (END, COMMITTED))
    advanced = np.flatnonzero(np.diff(committed) > 0)
    return bool(advanced.size and committed[-1] < end[advanced[-1]])


class _Flow(NamedTuple):
    lag: float
    arriving: float
    reading: float
    behind_s: float
    over_s: float


def _flow(times: PartitionTimes, waiting: LongArray, every: LongArray) -> _Flow:
    """Return the lag of some partitions, the rates of all, and what follows for them together."""
    lag = lag_of(times, waiting)
    arriving, reading = total(times.produced, every), read_total(times, every)
    behind_s = over_s = float("nan")
    if not lag:
        behind_s = over_s = 0.0
    elif arriving > 0:
        behind_s = lag / arriving
    if behind_s <= KEEPS_UP_S:
        over_s = 0.0
    elif reading > arriving:
        over_s = lag / (reading - arriving)
    elif reading <= arriving:
        over_s = float("inf")
    return _Flow(lag, arriving, reading, behind_s, over_s)


def _advances(group: Group, history: OffsetHistory) -> BoolArray:
    """Return of which partitions (P,) the committed offset grew, since it fell if it did."""
    flow = moved(group, history)
    if flow is None:
        return np.zeros(group.partition_count, np.bool_)
    return np.asarray(np.nan_to_num(flow.read) > 0)


def _is_assigned(group: Group, history: OffsetHistory) -> BoolArray:
    """Return which partitions (P,) a job reads that assigns them itself, beside the members.

    Their commits moved between the last two snapshots, and they had no owner at either.
    """
    if not history.has_several or (held := history.moments[-2].held) is None:
        return np.zeros(group.partition_count, np.bool_)
    before, now = history_offsets(group, history.moments[-2:])[:, COMMITTED]
    was_unowned = by_partition(group, held.owners) == UNOWNED
    return np.asarray(was_unowned & (before != UNKNOWN) & (now > before))


def _arrived(group: Group, history: OffsetHistory, partitions: LongArray) -> float:
    """Return how many records came between the first snapshot and the last; NaN if unknown."""
    if not history.has_several:
        return float("nan")
    ends = (history.moments[0], history.moments[-1])
    first, last = history_offsets(group, ends)[:, END, partitions]
    if (first == UNKNOWN).any() or (last == UNKNOWN).any():
        return float("nan")
    return float((last - first).sum())


def _is_left(group: Group, history: OffsetHistory) -> BoolArray:
    """Return which partitions (P,) are of topics that the members were subscribed to before.

    They have commits, which stand, and no owner in the whole topic, while members own every
    partition of some other topic, or commit in one. A topic that was never read was not left.
    """
    count, topic = len(group.topics), group.topic_of_partition
    is_owned = group.present_owners != UNOWNED
    committed = group.offsets.committed
    is_read = np.zeros(is_owned.size, np.bool_) if committed is None else committed != UNKNOWN
    sizes, owned, read, moved = (
        np.bincount(topic[some], minlength=count)
        for some in (is_owned | ~is_owned, is_owned, is_read, _advances(group, history))
    )
    is_other_read = bool(((owned > 0) & ((owned == sizes) | (moved > 0))).any())
    is_left = (owned == 0) & (read > 0) & (moved == 0)
    return np.asarray(is_left[topic] & is_other_read, np.bool_)
