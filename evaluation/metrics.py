"""Figures on an assignment: per member, per member and topic, and one row per strategy.

Every function takes the group and the owners (P,). P partitions, T topics, M members.
Unknown lag is no lag of 0: it is left out of sums and counted apart.
"""

from dataclasses import dataclass

import numpy as np

from assignors.model import NO_RACK, UNOWNED, FloatArray, Group, IntArray, LongArray, Owners
from evaluation import facts

_EXACT_FLOAT = 2**53
_PIECE_BITS = 21
"""Three pieces hold any lag; 2^32 of them add up exactly in a float."""
_LONG_MAX = 2**63 - 1


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


def figures(group: Group, owners: Owners) -> Figures:
    """Return the row of figures for one assignment."""
    counts, lags = count_per_member(group, owners), lag_per_member(group, owners)
    has_members = group.member_count > 0
    is_lag_told = has_members and _is_any_lag_known(group, owners)
    mean_lag = float(lags.mean(dtype=np.float64)) if is_lag_told else None
    max_lag = int(lags.max()) if is_lag_told else None
    return Figures(
        max_lag=max_lag,
        mean_lag=mean_lag,
        lag_spread=int(lags.max()) - int(lags.min()) if is_lag_told else None,
        max_over_mean_lag=max_lag / mean_lag if max_lag is not None and mean_lag else None,
        max_count=int(counts.max()) if has_members else 0,
        mean_count=float(counts.mean()) if has_members else 0.0,
        count_spread=int(counts.max() - counts.min()) if has_members else 0,
        idle=int(np.count_nonzero(counts == 0)),
        moved=moved(group, owners),
        off_rack=off_rack(group, owners),
        unknown_lags=int(np.count_nonzero(~group.is_lag_known)),
        unowned=int(np.count_nonzero(owners == UNOWNED)),
        total_lag=exact_total(group.counted_lags) if group.is_lag_known.any() else None,
    )


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
    return _exact_sums(owners[held], group.counted_lags[held], group.member_count)


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
    return _exact_sums(cells, group.counted_lags[partitions], size).reshape(
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
    if not group.replica_racks.any() or not (group.member_racks != NO_RACK).any():
        return None
    return int(np.count_nonzero(facts.is_off_rack(group, owners)))


def exact_total(lags: LongArray) -> int:
    """Return the sum of lags, none of them negative, however large."""
    return sum(int(piece.sum()) << shift for shift, piece in _pieces(lags))


def _is_any_lag_known(group: Group, owners: Owners) -> bool:
    known = group.is_lag_known[owners != UNOWNED]
    return bool(known.any() if known.size else group.is_lag_known.any())


def _cells(group: Group, owners: Owners, members: IntArray) -> tuple[LongArray, LongArray]:
    """Return row * T + topic for each partition of the given members, and those partitions."""
    row_of_member = np.full(group.member_count + 1, -1, np.int64)  # the last one: nobody
    row_of_member[members] = np.arange(members.size)
    rows = row_of_member[owners]
    partitions = np.flatnonzero(rows >= 0)
    return rows[partitions] * len(group.topics) + group.topic_of_partition[partitions], partitions


def _exact_sums(keys: IntArray | LongArray, values: LongArray, size: int) -> LongArray:
    """Add up the values (none negative) of each key from 0 to size - 1, exactly.

    ``np.bincount`` adds floats, exact up to 2^53; larger values are added in three pieces,
    which is still ten times faster than ``np.add.at``.
    """
    rough = np.bincount(keys, values, minlength=size)
    if not values.size or int(values.max()) * values.size < _EXACT_FLOAT:
        return rough.astype(np.int64)
    total = np.zeros(size, np.uint64)
    for shift, piece in _pieces(values):
        total += np.bincount(keys, piece, minlength=size).astype(np.uint64) << np.uint64(shift)
    is_beyond = (rough >= float(2**64)) | (total > np.uint64(_LONG_MAX))
    return np.where(is_beyond, np.int64(_LONG_MAX), total.astype(np.int64))


def _pieces(values: LongArray) -> list[tuple[int, LongArray]]:
    mask = (1 << _PIECE_BITS) - 1
    return [(shift, (values >> shift) & mask) for shift in range(0, 63, _PIECE_BITS)]
