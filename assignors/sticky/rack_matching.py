"""The rack pass: assign partitions to members in a replica's rack first (KIP-881)."""

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from heapq import heapify, heapreplace
from itertools import count, pairwise

import numpy as np

from assignors.model import NO_RACK, UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Unfilled, held_by_each
from assignors.sticky.racks import Racks


def assign_near(
    racks: Racks, kept: Owners, unassigned: IntArray, unfilled: Unfilled, extras_left: int
) -> tuple[Owners, IntArray, Unfilled]:
    """Give partitions, in this order, to unfilled members in a rack with a replica.

    Each goes to the next needy member nearby, round robin; else to the first even member nearby
    while extras are left; else it waits. Returns the owners, the waiting partitions in order,
    and the members still unfilled.
    """
    owners = kept.copy()
    in_turn = _RoundRobin(racks, unfilled)
    queue = _Queue(racks, unfilled.even, extras_left)
    takers = []
    for near in _racks_of_each(racks, unassigned):
        taker = in_turn.next_near(near)
        if taker is None:
            taker = queue.first_near(near)
        elif not in_turn.needs[taker]:
            queue.join(taker)
        takers.append(UNOWNED if taker is None else taker)
    owners[unassigned] = takers
    needy = [member for member in unfilled.needy.tolist() if in_turn.needs[member]]
    still_unfilled = Unfilled(
        np.array(needy, np.int32),
        np.array([in_turn.needs[member] for member in needy], np.int64),
        np.array(queue.waiting(), np.int32),
    )
    return owners, unassigned[owners[unassigned] == UNOWNED], still_unfilled


class _RoundRobin:
    """The needy members, which take partitions in turn."""

    def __init__(self, racks: Racks, unfilled: Unfilled) -> None:
        self.needs = dict(zip(unfilled.needy.tolist(), unfilled.needs.tolist(), strict=True))
        self._members: list[list[int]] = [[] for _ in range(racks.of_replicas.shape[1])]
        for member, rack in zip(self.needs, racks.of_member[unfilled.needy].tolist(), strict=True):
            if rack >= 0:
                self._members[rack].append(member)
        self._next = 0

    def next_near(self, near: Sequence[int]) -> int | None:
        """Let the next member in one of these racks take a partition; None if there is none."""
        best = None
        for rack in near:
            members = self._members[rack]
            if members:
                place = bisect_left(members, self._next)
                has_passed = place == len(members)
                candidate = (has_passed, members[0 if has_passed else place], rack)
                best = candidate if best is None else min(best, candidate)
        if best is None:
            return None
        _, member, rack = best
        self._next = member + 1
        self.needs[member] -= 1
        if not self.needs[member]:
            self._members[rack].remove(member)
        return member


class _Queue:
    """The even members, which wait for one extra partition each."""

    def __init__(self, racks: Racks, members: IntArray, extras_left: int) -> None:
        self._rack_of = racks.of_member.tolist()
        self._extras_left = extras_left
        self._tickets = count()
        self._waiting: dict[int, int] = {}
        self._in_rack: list[deque[int]] = [deque() for _ in range(racks.of_replicas.shape[1])]
        for member in members.tolist():
            self.join(member)

    def join(self, member: int) -> None:
        """Append a member to the queue if there are extras left."""
        if self._extras_left:
            self._waiting[member] = next(self._tickets)
            if self._rack_of[member] >= 0:
                self._in_rack[self._rack_of[member]].append(member)

    def first_near(self, near: Sequence[int]) -> int | None:
        """Let the first member in one of these racks take its extra; None if there is none."""
        if not self._extras_left:
            return None
        fronts = [self._in_rack[rack][0] for rack in near if self._in_rack[rack]]
        if not fronts:
            return None
        member = min(fronts, key=self._waiting.__getitem__)
        self._in_rack[self._rack_of[member]].popleft()
        del self._waiting[member]
        self._extras_left -= 1
        return member

    def waiting(self) -> list[int]:
        """Return the members that still wait, in order; none once the extras are gone."""
        return list(self._waiting) if self._extras_left else []


def _racks_of_each(racks: Racks, partitions: IntArray | LongArray) -> list[list[int]]:
    """Return the racks with a replica of each partition."""
    row, rack = np.nonzero(racks.of_replicas[partitions])
    cuts, flat = row.searchsorted(np.arange(partitions.size + 1)).tolist(), rack.tolist()
    return [flat[first:stop] for first, stop in pairwise(cuts)]


def assign_to_emptiest_near(
    group: Group, racks: Racks, kept: Owners, free: LongArray, places: LongArray
) -> Owners:
    """Give these partitions to the emptiest subscriber whose rack matches, if there is one.

    ``places`` decide between equals.
    """
    owners, anywhere = kept.copy(), [NO_RACK] if racks.rackless_match else []
    counts = held_by_each(owners, group.member_count).tolist()
    for audience, run in group.layout.runs(free):
        heaps: dict[int, list[tuple[int, int, int]]] = {}
        members = group.audiences.members_of(audience)
        ranked = zip(members.tolist(), places[members].tolist(), strict=True)
        for (member, place), rack in zip(ranked, racks.of_member[members].tolist(), strict=True):
            heaps.setdefault(rack, []).append((counts[member], place, member))
        for heap in heaps.values():
            heapify(heap)
        for partition, near in zip(run.tolist(), _racks_of_each(racks, run), strict=True):
            owners[partition] = _take_emptiest(counts, heaps, [*near, *anywhere])
    return owners


def _take_emptiest(
    counts: list[int], heaps: dict[int, list[tuple[int, int, int]]], near: list[int]
) -> int:
    """Return the emptiest member of these racks and give it one partition more."""
    fronts = [(heaps[rack][0], rack) for rack in near if rack in heaps]
    if not fronts:
        return UNOWNED
    (held, place, member), rack = min(fronts)
    heapreplace(heaps[rack], (held + 1, place, member))
    counts[member] = held + 1
    return member
