"""Figures of an assignment: per member, per member and topic, and one row per strategy.

Functions take the group and the owners (P,). P partitions, T topics, M members. A lag is records
behind; a load is the sum of the group's weights, which are its lags unless others were set.
Unknown is not 0: it is left out of sums and counted separately.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import (
    NO_RACK,
    UNKNOWN,
    UNOWNED,
    BoolArray,
    FloatArray,
    Group,
    IntArray,
    LongArray,
    Owners,
)
from assignors.quotas import held_by_each
from assignors.sums import counts, exact_total, smallest, sums
from evaluation.moves import is_moved
from evaluation.snapshots import Snapshots

REAL_GAIN: Final = 0.01
"""Lowering the largest load by a smaller share, or by less than a record, is no gain."""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Figures:
    """The figures of one assignment, in one row.

    Figures of lag are None if no lag is known, those of load if no weight is; means are over all
    members, including idle ones. Without members both are None and counts 0.
    """

    max_lag: int | None
    """The known lag of the busiest member."""
    mean_lag: float | None
    lag_spread: int | None
    """The largest minus the smallest."""
    max_over_mean_lag: float | None
    """1.0 is even; None if the mean is 0."""
    max_count: int
    count_spread: int
    idle: int
    """Members without partitions."""
    moved: int | None
    """Owned partitions that change or lose their owner; None if nobody owns anything now."""
    off_rack: int | None
    """Partitions without a replica in their owner's rack, where both are known; None if no member
    or no partition has racks."""
    unknown_lags: int
    """Partitions with unknown lag."""
    unowned: int
    """Partitions that nobody owns; those whose owner the source does not tell are not counted."""
    total_lag: int | None
    """The known lag of what counts in the group (``is_counted``), including unowned partitions."""
    max_load: int | None
    """The known load of the busiest member; this and the next three are like those of lag."""
    mean_load: float | None
    load_spread: int | None
    max_over_mean_load: float | None
    unknown_loads: int
    """Partitions with unknown weight."""
    total_load: int | None

    def __repr__(self) -> str:
        told = self.max_load, self.moved, self.idle, self.unowned
        names = "max_load", "moved", "idle", "unowned"
        return f"<Figures: {', '.join(f'{n}={v}' for n, v in zip(names, told, strict=True))}>"


class Total(NamedTuple):
    """The lag or the load of a whole group, regardless of owners."""

    known: int | None
    """The exact sum of what is known, negative values counted as 0; None if nothing is."""
    unknown_partitions: int
    """Partitions whose lag is unknown, left out of the sum."""


def figures_of(group: Group, owners: Owners) -> Figures:
    """Return the figures of one assignment."""
    return figures_of_each(group, owners[None])[0]


def figures_of_each(group: Group, answers: Owners) -> list[Figures]:
    """Return the figures of several assignments (S, P) of one group.

    For small groups, S assignments take little longer than one; for large ones, S times the
    memory.
    """
    size, members = len(answers), group.member_count
    every = np.arange(size + 1)
    snapshots = Snapshots(
        every * group.partition_count,
        every * members,
        np.tile(group.lags, size),
        None if group.offsets.weights is None else np.tile(group.weights, size),
    )
    owners = answers.ravel()
    loads = snapshots.loads(owners)
    columns = {
        name: column.tolist() for name, column in vars(snapshots.summary(owners, loads)).items()
    }
    least_lag, least_load = (
        smallest(each, snapshots.member_starts).tolist() for each in (loads.lag, loads.load)
    )
    lag, load, moves = total_lag(group), total_load(group), _moved_in_each(group, answers)
    unsaid = np.count_nonzero(group.is_owner_unknown & (answers == UNOWNED), axis=1).tolist()
    rows = []
    for row in range(size):
        of = {name: column[row] for name, column in columns.items()}
        has_lag, has_load = of["max_lag"] != UNKNOWN, of["max_load"] != UNKNOWN
        rows.append(
            Figures(
                max_lag=of["max_lag"] if has_lag else None,
                mean_lag=of["mean_lag"] if has_lag else None,
                lag_spread=of["max_lag"] - least_lag[row] if has_lag else None,
                max_over_mean_lag=_if_number(of["max_over_mean_lag"]),
                max_count=of["max_partitions"],
                count_spread=of["count_spread"],
                idle=of["idle_members"],
                moved=moves[row],
                off_rack=off_rack(group, answers[row]),
                unknown_lags=lag.unknown_partitions,
                unowned=of["unowned"] - unsaid[row],
                total_lag=lag.known,
                max_load=of["max_load"] if has_load else None,
                mean_load=of["mean_load"] if has_load else None,
                load_spread=of["max_load"] - least_load[row] if has_load else None,
                max_over_mean_load=_if_number(of["max_over_mean_load"]),
                unknown_loads=load.unknown_partitions,
                total_load=load.known,
            )
        )
    return rows


def _if_number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _moved_in_each(group: Group, answers: Owners) -> Sequence[int | None]:
    if not group.has_claims:
        return [None] * len(answers)
    has_moved = is_moved(group.present_owners, answers)
    moves: list[int | None] = np.count_nonzero(has_moved, axis=1).tolist()
    return moves


def is_counted(group: Group) -> BoolArray:
    """Return the partitions (P,) that totals count: what members subscribe to; all without members.

    What a group has left is in none.
    """
    return group.is_wanted if group.member_count else np.ones_like(group.is_wanted)


def total_lag(group: Group) -> Total:
    """Return the lag of the whole group."""
    counts_here = is_counted(group)
    return _total(group.counted_lags[counts_here], group.is_lag_known[counts_here])


def nothing_committed(group: Group) -> LongArray:
    """Return how many records the log of each partition without a commit may hold; (P,).

    0 elsewhere, and where the offsets are unknown: auto.offset.reset decides whether they wait.
    """
    end, committed = group.offsets.end, group.offsets.committed
    if end is None or committed is None:
        return np.zeros(group.partition_count, np.int64)
    begin = np.maximum(0 if group.offsets.begin is None else group.offsets.begin, 0)
    held: LongArray = np.where(~group.is_lag_known & (committed < 0) & (end > 0), end - begin, 0)
    return held


def total_load(group: Group) -> Total:
    """Return the load of the whole group."""
    counts_here = is_counted(group)
    return _total(group.counted_weights[counts_here], group.is_weight_known[counts_here])


def _total(counted: LongArray, is_known: BoolArray) -> Total:
    unknown = is_known.size - int(np.count_nonzero(is_known))
    return Total(exact_total(counted) if unknown < is_known.size else None, unknown)


def count_per_member(group: Group, owners: Owners) -> LongArray:
    """Return how many partitions each member owns; shape (M,)."""
    return held_by_each(owners, group.member_count)


def share_per_member(group: Group, owners: Owners) -> FloatArray:
    """Return each member's share of the group's known load, 0 to 1; NaN without any; (M,)."""
    total = exact_total(group.counted_weights)
    loads = load_per_member(group, owners)
    return loads / total if total else np.full(loads.size, np.nan)


def lag_per_member(group: Group, owners: Owners) -> LongArray:
    """Return each member's known lag, negative lag counted as 0; shape (M,).

    Sums are exact, capped at 2^63 - 1.
    """
    return _sum_per_member(group, owners, group.counted_lags)


def load_per_member(group: Group, owners: Owners) -> LongArray:
    """Return each member's known load, like ``lag_per_member``; shape (M,)."""
    return _sum_per_member(group, owners, group.counted_weights)


def _sum_per_member(group: Group, owners: Owners, counted: LongArray) -> LongArray:
    held = np.flatnonzero(owners != UNOWNED)
    return sums(owners[held], counted[held], group.member_count)


def unknown_per_member(group: Group, owners: Owners) -> LongArray:
    """Return how many of each member's partitions have an unknown weight; shape (M,)."""
    held = owners[(owners != UNOWNED) & ~group.is_weight_known]
    return counts(held, group.member_count)


def is_load_known(group: Group, owners: Owners) -> BoolArray:
    """Return of which members some weight is known, or nothing is owned; shape (M,)."""
    owned = count_per_member(group, owners)
    return np.asarray((owned == 0) | (unknown_per_member(group, owners) < owned))


def topics_per_member(group: Group, owners: Owners) -> LongArray:
    """Return in how many topics each member owns a partition; shape (M,)."""
    held = np.flatnonzero(owners != UNOWNED)
    pairs = owners[held].astype(np.int64) * len(group.topics) + group.topic_of_partition[held]
    pairs.sort()
    members = pairs[ragged.changes(pairs)] // max(len(group.topics), 1)
    return counts(members, group.member_count)


def count_per_member_and_topic(group: Group, owners: Owners, members: IntArray) -> LongArray:
    """Return how many partitions of each topic the given members own; shape (members, T).

    Memory grows with the members given: 100,000 members and 10,000 topics make a billion cells.
    """
    cells, _ = _cells(group, owners, members)
    size = members.size * len(group.topics)
    return counts(cells, size).reshape(members.size, len(group.topics))


def load_per_member_and_topic(group: Group, owners: Owners, members: IntArray) -> LongArray:
    """Return the given members' known load in each topic; shape (members, T)."""
    cells, partitions = _cells(group, owners, members)
    size = members.size * len(group.topics)
    return sums(cells, group.counted_weights[partitions], size).reshape(
        members.size, len(group.topics)
    )


def off_rack(group: Group, owners: Owners) -> int | None:
    """Return how many partitions have no replica in their owner's rack.

    Counts only partitions with known replica racks and an owner with a rack; None if the group
    has no such partitions or no such members.
    """
    if (
        not group.layout.racks
        or not group.layout.replica_racks.any()
        or not (group.layout.member_racks != NO_RACK).any()
    ):
        return None
    is_known, is_local = rack_local(group, owners)
    return int(np.count_nonzero(is_known & ~is_local))


def _cells(group: Group, owners: Owners, members: IntArray) -> tuple[LongArray, LongArray]:
    """Return row * T + topic for each partition of the given members, and those partitions."""
    row_of_member = np.full(group.member_count + 1, -1, np.int64)  # the last entry is for UNOWNED
    row_of_member[members] = np.arange(members.size)
    rows = row_of_member[owners]
    partitions = np.flatnonzero(rows >= 0)
    return rows[partitions] * len(group.topics) + group.topic_of_partition[partitions], partitions


def rack_local(group: Group, owners: Owners) -> tuple[BoolArray, BoolArray]:
    """Return whether owner and replicas of each partition have racks, and share one; (P,) each."""
    racks = np.append(group.layout.member_racks, NO_RACK)[owners]
    is_known = (racks != NO_RACK) & group.layout.replica_racks.any(axis=1)
    is_local = np.zeros_like(is_known)
    is_local[is_known] = group.layout.replica_racks[is_known, racks[is_known]]
    return is_known, is_local
