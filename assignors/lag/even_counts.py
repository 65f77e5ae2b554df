"""Counts as even as possible, then racks matched, then moves fewest: cycles of negative cost."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from assignors.lag.local_search import Exchange
from assignors.model import NO_RACK, UNOWNED, BoolArray, Group, LongArray, Owners

_OFF_RACK: Final = 1 << 15
_SQUARE: Final = 1 << 32
"""Costs of a partition off its rack and of squared counts, beside a move's 1."""
_NO_EDGE: Final = 1 << 60
_CELLS: Final = 1 << 22
"""The most pairs of a partition and a member that are looked at."""
_WORK: Final = 1 << 27
"""The most cells of the table of members that all passes together look at."""


def cheaper_cycles(group: Group, owners: Owners) -> Iterator[Exchange]:
    """Yield exchanges along cycles of members until none makes the assignment better.

    The caller applies each to ``owners``. What remains is a minimum-cost flow (Klein, 1967): the
    least sum of squared counts, then the fewest partitions off their consumer's rack, then the
    fewest away from an owner they could have stayed with. Nothing is yielded for groups with equal
    subscriptions and without racks, where placing and single moves reach it, nor for groups
    beyond ``_CELLS``; the search ends at ``_WORK``.
    """
    is_easy = group.layout.only_audience is not None and not group.layout.racks
    if is_easy or group.wanted.size * group.member_count > _CELLS:
        return
    edges = _Edges(group, owners)
    work = _WORK
    while True:
        cycle, passes = edges.cheaper_cycle(work)
        work -= passes
        if not cycle:
            return
        yield [edges.passed(giver, taker) for giver, taker in cycle]
        edges.update(owners, {node for edge in cycle for node in edge})


class _Edges:
    """The cheapest way for each member to pass a partition to each other, and the counts.

    Nodes are the members that take part, and one more through which counts change: an edge from a
    member to it keeps one partition more there, one from it takes one away.
    """

    def __init__(self, group: Group, owners: Owners) -> None:
        members, wanted = group.layout.taking_part, group.wanted
        self._members, self._wanted, self._size = members, wanted, members.size
        self._node = np.full(group.member_count, -1)
        self._node[members] = np.arange(members.size)
        every, each = np.meshgrid(members, wanted)
        home = group.fit_owners[wanted][:, None]
        cost = ((home != UNOWNED) & (home != members)).astype(np.int64)
        cost += _OFF_RACK * _is_off_rack(group)
        self._cost = np.where(group.layout.may_own(every, each), cost, _NO_EDGE)
        self._table = np.full((self._size + 1, self._size + 1), _NO_EDGE)
        self._via = np.zeros((self._size, self._size), np.int64)
        self.update(owners, set(range(self._size)))

    def update(self, owners: Owners, nodes: set[int]) -> None:
        """Compute the edges of these nodes anew."""
        owner = self._node[owners[self._wanted]]
        for node in nodes - {self._size}:
            held = np.flatnonzero(owner == node)
            self._table[node, -1] = _SQUARE * (2 * held.size + 1)
            self._table[-1, node] = _SQUARE * (1 - 2 * held.size) if held.size else _NO_EDGE
            self._table[node, :-1] = _NO_EDGE
            if held.size:
                costs = self._cost[held] - self._cost[held, node][:, None]
                places = costs.argmin(axis=0)
                self._table[node, :-1] = np.minimum(costs[places, np.arange(self._size)], _NO_EDGE)
                self._via[node] = held[places]
            self._table[node, node] = _NO_EDGE

    def passed(self, giver: int, taker: int) -> tuple[int, int]:
        """Return the partition on an edge between members, and its new owner."""
        return int(self._wanted[self._via[giver, taker]]), int(self._members[taker])

    def cheaper_cycle(self, work: int) -> tuple[list[tuple[int, int]], int]:
        """Return the edges of a cycle of negative cost, and the work done; none if there is none.

        Bellman and Ford's algorithm in passes; a cycle of predecessors has negative cost.
        """
        distance = np.zeros(self._size + 1, np.int64)
        before, done = np.full(self._size + 1, -1), 0
        while done + self._table.size <= work:
            done += self._table.size
            reached = distance[:, None] + self._table
            nearest = reached.argmin(axis=0)
            least = reached[nearest, np.arange(self._size + 1)]
            is_nearer = least < distance
            if not is_nearer.any():
                break
            distance, before = (
                np.where(is_nearer, least, distance),
                np.where(is_nearer, nearest, before),
            )
            cycle = _first_cycle(before.tolist())
            if cycle:
                return [edge for edge in cycle if self._size not in edge], done
        return [], done


def _first_cycle(before: list[int]) -> list[tuple[int, int]]:
    """Return the edges of the first cycle met along predecessors, from node 0 on."""
    met_from = [-1] * len(before)
    for start in range(len(before)):
        node = start
        while node >= 0 and met_from[node] < 0:
            met_from[node] = start
            node = before[node]
        if node >= 0 and met_from[node] == start:
            edges = [(before[node], node)]
            while edges[-1][0] != node:
                edges.append((before[edges[-1][0]], edges[-1][0]))
            return edges
    return []


def _is_off_rack(group: Group) -> LongArray:
    """Return (wanted, members taking part) 1 where racks are known and do not match."""
    members, racks = group.layout.taking_part, group.layout.replica_racks[group.wanted]
    member_racks = group.layout.member_racks[members]
    if not group.layout.racks:
        return np.zeros((len(racks), members.size), np.int64)
    has_replicas = racks.any(axis=1, keepdims=True)
    is_off: BoolArray = (member_racks != NO_RACK) & has_replicas & ~racks[:, member_racks]
    return is_off.astype(np.int64)
