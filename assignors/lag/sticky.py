"""Lag-sticky: the most even lag within a budget of moved partitions."""

from collections.abc import Iterator
from heapq import heapify, heapreplace
from typing import Final, NamedTuple

import numpy as np

from assignors.lag.greedy import by_lag
from assignors.lag.local_search import CountLimits, Search
from assignors.model import UNOWNED, Group, LongArray, Owners
from assignors.single_member import unless_single_member

_SHARE: Final = 10
"""Without a budget, one in this many owned partitions may move."""
_SWAP_COST: Final = 2
"""A swap moves two partitions, so it must gain as much as two moves."""


class CountedStep(NamedTuple):
    """One step from the current owners towards even lag."""

    moves: tuple[tuple[int, int], ...]
    """Partitions and their new owners."""
    moved: int
    """How many partitions are away from an owner they could have stayed with."""


@unless_single_member
def lag_sticky(group: Group, moves: int | None = None) -> Owners:
    """Keep the current owners, but move up to ``moves`` partitions off the busiest members.

    Partitions without a valid owner are assigned first and do not count as moves: those with lag,
    most lag first, to the least total lag, the others to the fewest partitions. Then partitions
    leave the busiest member one at a time, or are swapped if that gains as much as two moves.
    ``moves`` defaults to a tenth of the partitions that could stay, rounded up.

    Each step is the best one, but their sum need not be: of 9, 8 and 4 beside a consumer with
    3 and one with 1, two moves end at 10, because 9 moves first; 9 is possible. Counts matter
    only in ties.

    >>> lags = {"t": [50, 40, 30, 20, 10]}
    >>> group = Group.fresh({"t": 5}, ["c0", "c1"], lags).owned_by(np.array([0, 0, 0, 1, 1]))
    >>> group.named(lag_sticky(group, moves=1))
    {'c0': ('t-1', 't-2'), 'c1': ('t-0', 't-3', 't-4')}
    """
    owners = placed_owners(group)
    budget = default_moves(group) if moves is None else moves
    for step in steps_with_moves(group, owners.copy()):
        if step.moved > budget:
            break
        for partition, member in step.moves:
            owners[partition] = member
    return owners


def default_moves(group: Group) -> int:
    """Return a tenth of the partitions that could stay with their owner, rounded up."""
    return -(-int(np.count_nonzero(group.fit_owners != UNOWNED)) // _SHARE)


def placed_owners(group: Group) -> Owners:
    """Return the current owners that still subscribe, with all other partitions assigned."""
    owners = group.fit_owners.copy()
    order = by_lag(group)
    order = order[owners[order] == UNOWNED]
    if not order.size:
        return owners
    is_behind = group.counted_lags[order] > 0
    _assign(group, owners, order[is_behind], by_count=False)
    _assign(group, owners, order[~is_behind], by_count=True)
    return owners


def steps_with_moves(group: Group, owners: Owners) -> Iterator[CountedStep]:
    """Yield steps from these owners towards even lag until none helps.

    The largest total never rises. ``moved`` falls when a partition returns to its owner.
    """
    home, moved = group.fit_owners, 0
    free = CountLimits(
        np.zeros(group.member_count, np.int64),
        np.full(group.member_count, group.partition_count),
    )
    for step in Search(group, owners, free, _SWAP_COST).steps():
        for partition, member in step:
            if home[partition] != UNOWNED:
                was_away = owners[partition] != home[partition]
                moved += int(member != home[partition]) - int(was_away)
            owners[partition] = member
        yield CountedStep(tuple(step), moved)


def _assign(group: Group, owners: Owners, partitions: LongArray, *, by_count: bool) -> None:
    """Give each partition to the subscriber with the least; heap keys only ever lag behind."""
    audiences, lags = group.audiences, group.counted_lags.tolist()
    held = np.flatnonzero(owners != UNOWNED).tolist()
    loads, counts = [0] * group.member_count, [0] * group.member_count
    for partition in held:
        loads[owners[partition]] += lags[partition]
        counts[owners[partition]] += 1
    firsts, seconds = (counts, loads) if by_count else (loads, counts)
    heaps: dict[int, list[tuple[int, int, int]]] = {}
    for partition in partitions.tolist():
        audience = int(audiences.of_topic[group.topic_of_partition[partition]])
        if audience not in heaps:
            members = audiences.members_of(audience).tolist()
            heaps[audience] = [(firsts[m], seconds[m], m) for m in members]
            heapify(heaps[audience])
        heap = heaps[audience]
        while heap[0] < (now := (firsts[heap[0][2]], seconds[heap[0][2]], heap[0][2])):
            heapreplace(heap, now)
        owners[partition] = member = now[2]
        loads[member] += lags[partition]
        counts[member] += 1
