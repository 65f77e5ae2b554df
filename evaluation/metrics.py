"""Figures on an assignment: per member, per member and topic, and one row per strategy.

Every function takes the group and the owners (P,). P partitions, T topics, M members.
Unknown lag is no lag of 0: it is left out of sums and counted apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assignors.model import (
    NO_RACK,
    UNOWNED,
    BoolArray,
    FloatArray,
    Group,
    IntArray,
    LongArray,
    Owners,
)
from evaluation import facts
from evaluation.sums import exact_total, sums


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """What one assignment comes to, in one row.

    Lag figures are None where no lag is known at all; a mean is over all members, idle
    ones too. Without members there is nobody to carry lag: None, and counts of 0.
    """

    max_lag: int | None
    """The known lag of the member that has most."""
    mean_lag: float | None
    lag_spread: int | None
    """The most minus the least."""
    max_over_mean_lag: float | None
    """1.0 is even; None where the mean is 0."""
    max_count: int
    mean_count: float
    count_spread: int
    idle: int
    """Members without a partition."""
    moved: int | None
    """Owned partitions that change or lose their owner; None if nobody owns anything now."""
    off_rack: int | None
    """Partitions without a replica in their owner's rack, where both are known; None if no
    member has a rack or no partition has replica racks."""
    unknown_lags: int
    """Partitions of the group whose lag is unknown."""
    unowned: int
    total_lag: int | None
    """The known lag of the whole group, unowned partitions included."""


class TotalLag(NamedTuple):
    """The lag of a whole group, whoever owns its partitions."""

    known: int | None
    """The exact sum of the known lags, negative ones counted as 0; None if none is known."""
    unknown_partitions: int
    """Partitions left out of the sum because their lag is unknown."""


def figures(group: Group, owners: Owners) -> Figures:
    """Return the row of figures for one assignment."""
    return figures_of_each(group, owners[None])[0]


def figures_of_each(group: Group, answers: Owners) -> list[Figures]:
    """Return a row of figures for each of several assignments (S, P) of one group.

    Together small groups take little longer than one; large ones, S times the memory.
    """
    counts, lags = _per_member(group, answers)
    is_told = _is_lag_told(group, answers).tolist()
    moves = _moved_in_each(group, answers)
    total = total_lag(group)
    unowned = np.count_nonzero(answers == UNOWNED, axis=1).tolist()
    idle = np.count_nonzero(counts == 0, axis=1).tolist()
    if not group.member_count:
        counts = lags = np.zeros((len(answers), 1), np.int64)
    columns = (
        *(column.tolist() for column in (counts.max(1), counts.min(1), counts.mean(1))),
        *(column.tolist() for column in (lags.max(1), lags.min(1), lags.mean(1, np.float64))),
    )
    return [
        Figures(
            max_lag=max_lag if is_told[row] else None,
            mean_lag=mean_lag if is_told[row] else None,
            lag_spread=max_lag - min_lag if is_told[row] else None,
            max_over_mean_lag=max_lag / mean_lag if is_told[row] and mean_lag else None,
            max_count=max_count,
            mean_count=mean_count,
            count_spread=max_count - min_count,
            idle=idle[row],
            moved=moves[row],
            off_rack=off_rack(group, answers[row]),
            unknown_lags=total.unknown_partitions,
            unowned=unowned[row],
            total_lag=total.known,
        )
        for row, (max_count, min_count, mean_count, max_lag, min_lag, mean_lag) in enumerate(
            zip(*columns, strict=True)
        )
    ]


def _per_member(group: Group, answers: Owners) -> tuple[LongArray, LongArray]:
    """Return each member's partitions and known lag under each of these; both (S, M)."""
    width = group.member_count + 1  # the first of each row: nobody
    keys = (answers + (1 + width * np.arange(len(answers)))[:, None]).ravel()
    size = width * len(answers)
    counts = np.bincount(keys, minlength=size).reshape(-1, width)[:, 1:]
    lag_of_key = np.broadcast_to(group.counted_lags, answers.shape).ravel()
    lags = sums(keys, lag_of_key, size)
    return counts, lags.reshape(-1, width)[:, 1:]


def _is_lag_told(group: Group, answers: Owners) -> BoolArray:
    """(S,) whether some lag is known, of what is owned if anything is."""
    known = group.is_lag_known
    if not group.member_count or known.all() or not known.any():
        return np.full(len(answers), bool(group.member_count and known.any()))
    is_owned = answers != UNOWNED
    is_told: BoolArray = (is_owned & known).any(axis=1) | ~is_owned.any(axis=1)
    return is_told


def _moved_in_each(group: Group, answers: Owners) -> Sequence[int | None]:
    if not group.has_claims:
        return [None] * len(answers)
    present = group.present_owners
    has_moved = (answers != present) & (present != UNOWNED)
    moves: list[int | None] = np.count_nonzero(has_moved, axis=1).tolist()
    return moves


def total_lag(group: Group) -> TotalLag:
    """Return the lag of the whole group; it takes no assignment, and needs no members."""
    unknown = group.partition_count - int(np.count_nonzero(group.is_lag_known))
    known = exact_total(group.counted_lags) if unknown < group.partition_count else None
    return TotalLag(known, unknown)


def count_per_member(group: Group, owners: Owners) -> LongArray:
    """Return how many partitions each member owns; shape (M,)."""
    held = owners[owners != UNOWNED]
    return np.bincount(held, minlength=group.member_count).astype(np.int64, copy=False)


def share_per_member(group: Group, owners: Owners) -> FloatArray:
    """Return each member's share of all the group's partitions, 0 to 1; shape (M,)."""
    return count_per_member(group, owners) / max(group.partition_count, 1)


def lag_per_member(group: Group, owners: Owners) -> LongArray:
    """Return each member's known lag, negative lag counted as 0; shape (M,).

    Sums are exact; one beyond 2^63 - 1 is given as 2^63 - 1.
    """
    held = np.flatnonzero(owners != UNOWNED)
    return sums(owners[held], group.counted_lags[held], group.member_count)


def unknown_per_member(group: Group, owners: Owners) -> LongArray:
    """Return how many of each member's partitions have an unknown lag; shape (M,)."""
    held = owners[(owners != UNOWNED) & ~group.is_lag_known]
    return np.bincount(held, minlength=group.member_count).astype(np.int64, copy=False)


def topics_per_member(group: Group, owners: Owners) -> LongArray:
    """Return in how many topics each member owns a partition; shape (M,)."""
    held = np.flatnonzero(owners != UNOWNED)
    pairs = owners[held].astype(np.int64) * len(group.topics) + group.topic_of_partition[held]
    pairs.sort()
    is_first = np.ones(pairs.size, np.bool_)
    is_first[1:] = pairs[1:] != pairs[:-1]
    members = pairs[is_first] // max(len(group.topics), 1)
    return np.bincount(members, minlength=group.member_count).astype(np.int64, copy=False)


def count_per_member_and_topic(group: Group, owners: Owners, members: IntArray) -> LongArray:
    """Return how many partitions of each topic the given members own; shape (members, T).

    Only the members asked for cost memory: a group of 100,000 members and 10,000 topics
    has a billion cells, and no picture shows them.
    """
    cells, _ = _cells(group, owners, members)
    size = members.size * len(group.topics)
    return (
        np.bincount(cells, minlength=size)
        .astype(np.int64, copy=False)
        .reshape(members.size, len(group.topics))
    )


def lag_per_member_and_topic(group: Group, owners: Owners, members: IntArray) -> LongArray:
    """Return the known lag of each topic that the given members carry; shape (members, T)."""
    cells, partitions = _cells(group, owners, members)
    size = members.size * len(group.topics)
    return sums(cells, group.counted_lags[partitions], size).reshape(
        members.size, len(group.topics)
    )


def moved(group: Group, owners: Owners) -> int | None:
    """Return how many partitions that are owned now change or lose their owner.

    None if nobody owns anything now: there is nothing to move.
    """
    if not group.has_claims:
        return None
    return int(np.count_nonzero(facts.moved_partitions(group, owners)))


def off_rack(group: Group, owners: Owners) -> int | None:
    """Return how many partitions have no replica in their owner's rack.

    Only partitions with known replica racks and an owner with a rack are judged; None if
    the group does not use racks, which takes both.
    """
    if (
        not group.racks
        or not group.replica_racks.any()
        or not (group.member_racks != NO_RACK).any()
    ):
        return None
    return int(np.count_nonzero(facts.is_off_rack(group, owners)))


def _cells(group: Group, owners: Owners, members: IntArray) -> tuple[LongArray, LongArray]:
    """Return row * T + topic for each partition of the given members, and those partitions."""
    row_of_member = np.full(group.member_count + 1, -1, np.int64)  # the last one: nobody
    row_of_member[members] = np.arange(members.size)
    rows = row_of_member[owners]
    partitions = np.flatnonzero(rows >= 0)
    return rows[partitions] * len(group.topics) + group.topic_of_partition[partitions], partitions
