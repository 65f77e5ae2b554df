"""Greedy assignment: heaviest first, to the member with the least load that has room.

Loads are sums of the group's weights, which are its lags unless others were set.
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heapreplace
from typing import Final, NamedTuple

import numpy as np

from assignors import ragged
from assignors.memo import memo
from assignors.model import Group, LongArray, Offsets, Owners
from assignors.sums import sums
from assignors.trace.events import Trace
from assignors.trace.rules import Batches

_PER_BATCH: Final = 16
"""An audience of n times this many members is assigned n partitions at a time."""
_ROOM_BITS: Final = 62


@memo
def comparable_weights(offsets: Offsets) -> LongArray:
    """Return weights (P,) whose total fits 64 bits, in their own unit wherever possible.

    If all together exceed 2^62 the unit is the power of two that fits.
    """
    weights = offsets.counted_weights
    largest = int(weights.max(initial=0))
    if largest.bit_length() + weights.size.bit_length() <= _ROOM_BITS:
        return weights
    return np.right_shift(weights, max(sum(weights.tolist()).bit_length() - _ROOM_BITS, 0))


def load_of_each(group: Group, owners: Owners) -> LongArray:
    """Return each member's total of comparable weights; shape (M,)."""
    return sums(owners + 1, comparable_weights(group.offsets), group.member_count + 1)[1:]


@memo
def by_weight(group: Group) -> LongArray:
    """Return the partitions with subscribers, heaviest first, ties by topic and number."""
    wanted = group.wanted
    return wanted[(-group.counted_weights[wanted]).argsort(kind="stable")]


class Window(NamedTuple):
    """The fewest and the most partitions a member may hold; the mean lies between."""

    fewest: int
    most: int


def greedy_seats(lags: Sequence[int], members: int, window: Window) -> list[int]:
    """Return the seat that takes each partition, with counts inside the window.

    Lags descend. Each partition goes to the seat with the least lag, then the fewest
    partitions, then the smallest number, as long as enough are left for the seats below
    ``fewest``. Partitions without lag go by count first, because they balance nothing else.

    >>> greedy_seats([9, 5, 4, 1, 0], 2, Window(2, 3))
    [0, 1, 1, 0, 1]
    """
    behind = next((place for place, lag in enumerate(lags) if not lag), len(lags))
    greedy = _Greedy(members, window, spare=len(lags) - members * window.fewest)
    unit = members * (window.most + 1)
    greedy.give(list(range(members)), [lag * unit + members for lag in lags[:behind]])
    if behind == len(lags):
        return greedy.seats
    totals = [0] * members
    for seat, lag in zip(greedy.seats, lags, strict=False):
        totals[seat] += lag
    by_total = sorted(range(members), key=totals.__getitem__)
    heap = [(greedy.counts[seat] * members + k) * members + seat for k, seat in enumerate(by_total)]
    greedy.give(heap, [members * members] * (len(lags) - behind))
    return greedy.seats


class _Greedy:
    """The partitions each seat has taken so far, within one window."""

    def __init__(self, members: int, window: Window, spare: int) -> None:
        self.members, self.window, self.spare = members, window, spare
        self.counts = [0] * members
        self.seats: list[int] = []

    def give(self, heap: list[int], growths: Iterable[int]) -> None:
        """Give one partition per growth to the first seat of the heap, whose key grows by it.

        A key modulo the number of members is the seat.
        """
        members, counts, (fewest, most) = self.members, self.counts, self.window
        heap = [key for key in heap if counts[key % members] < most]
        heapify(heap)
        for growth in growths:
            while not self.spare and counts[heap[0] % members] >= fewest:
                heappop(heap)
            seat = heap[0] % members
            self.seats.append(seat)
            self.spare -= counts[seat] >= fewest
            counts[seat] += 1
            if counts[seat] == most:
                heappop(heap)
            else:
                heapreplace(heap, heap[0] + growth)


def assign_seats(
    group: Group, order: LongArray, taken: LongArray, trace: Trace | None = None
) -> Owners:
    """Assign the partitions in this order, each member taking a given number of each audience.

    ``taken`` is laid out like ``audiences.members``. Partitions of one audience are assigned in
    batches of up to a sixteenth of its members: most lag to the least total lag, then the
    smallest number, among members with seats left.
    """
    audiences, owners, left = group.audiences, group.nobody(), taken.copy()
    loads, weights = np.zeros(group.member_count, np.int64), comparable_weights(group.offsets)
    batches, standing = [], []
    for audience, partitions in _batches(group, order):
        span = slice(*audiences.starts[audience : audience + 2].tolist())
        members, seats, assigned = audiences.members[span], left[span], 0
        while assigned < partitions.size:
            free = np.flatnonzero(seats)
            batch = partitions[assigned : assigned + free.size]
            free = free[np.argsort(loads[members[free]], kind="stable")]
            if trace:
                batches.append(batch)
                standing.append(members[free])
            free = free[: batch.size]
            owners[batch] = members[free]
            loads[members[free]] += weights[batch]
            seats[free] -= 1
            assigned += batch.size
    if trace:
        starts = ragged.starts_of(np.array([batch.size for batch in batches], np.int64))
        told = np.concatenate(batches)
        trace.assigned(told, owners[told], Batches(starts, standing))
    return owners


def _batches(group: Group, order: LongArray) -> Iterator[tuple[int, LongArray]]:
    """Yield each audience's partitions in batches, in the order of their first partitions."""
    audiences = group.audiences
    sizes = np.maximum(np.diff(audiences.starts) // _PER_BATCH, 1)
    audience_of = audiences.of_topic[group.topic_of_partition[order]]
    starts, places = ragged.rows_by_key(audience_of, sizes.size)
    rows = ragged.row_of_each(starts)
    firsts = np.flatnonzero(ragged.place_in_row(np.diff(starts)) % sizes[rows] == 0)
    batches = np.split(order[places], firsts[1:])
    for batch in np.argsort(places[firsts]).tolist():
        yield int(rows[firsts[batch]]), batches[batch]
