"""Counts as even as subscriptions allow: the optimal semi-matching of partitions and members."""

from collections import deque

import numpy as np

from assignors import ragged
from assignors.fair import fair
from assignors.model import Group, LongArray
from assignors.trace.events import Trace
from assignors.trace.rules import EvenCounts, Seats


def even_seats(group: Group, trace: Trace | None = None) -> LongArray:
    """Return how many partitions of each audience each of its members takes.

    Laid out like ``audiences.members``. No other way to assign every partition has a lower
    maximum, nor, with that maximum, fewer members at it, and so on: the counts are optimal for
    every measure of evenness at once (Harvey, Ladner, Lovasz and Tamir, Optimal semi-matchings,
    2003).

    Starts from ``fair`` and moves partitions along paths from a fuller member to an emptier one
    until no path helps; each lowers the sum of squared counts.
    """
    seats = _Seats(group)
    fair_counts = seats.counts.copy()
    while (start := seats.busiest()) is not None:
        seats.relieve(start)
    if trace:
        trace.note(EvenCounts(fair_counts, seats.counts))
        _tell_seats(trace, group, seats.taken)
    return seats.taken


def _tell_seats(trace: Trace, group: Group, taken: LongArray) -> None:
    starts = group.audiences.starts
    audience_of = group.audiences.of_topic[group.topic_of_partition]
    for audience in range(starts.size - 1):
        seats = taken[starts[audience] : starts[audience + 1]]
        partitions = np.flatnonzero(audience_of == audience)
        trace.note(Seats(seats.copy()), partitions, group.audiences.members_of(audience))


class _Seats:
    """The seats being evened out; an entry is one member of one audience."""

    def __init__(self, group: Group) -> None:
        owners, audiences = fair(group), group.audiences
        self.starts, self.members = audiences.starts, audiences.members
        self.audience_of = ragged.row_of_each(audiences.starts)
        self.entry_starts, self.entries = ragged.rows_by_key(self.members, group.member_count)
        held = group.wanted
        keys = self.audience_of.astype(np.int64) * group.member_count + self.members
        audience = audiences.of_topic[group.topic_of_partition[held]].astype(np.int64)
        class_of_held = np.searchsorted(keys, audience * group.member_count + owners[held])
        self.taken = np.bincount(class_of_held, minlength=keys.size).astype(np.int64)
        self.counts = np.bincount(owners[held], minlength=group.member_count).astype(np.int64)
        self.open = np.zeros(group.member_count, np.bool_)
        self.open[self.members] = True

    def busiest(self) -> int | None:
        """Return the busiest member that a path may still relieve."""
        members = np.flatnonzero(self.open)
        counts = self.counts[members]
        if not members.size or counts.max() - counts.min() <= 1:
            return None
        return int(members[np.argmax(counts)])

    def relieve(self, start: int) -> None:
        """Move partitions along one path from this member, or close everything it reaches.

        If no reachable member is two below the busiest, none of them can be part of a path again:
        their counts are even and no path leads out.
        """
        came_by, left_by = np.full(self.open.size, -1), np.full(self.starts.size - 1, -1)
        reached = np.zeros(self.open.size, np.bool_)
        reached[start] = True
        queue = deque([start])
        while queue:
            for entry in self._ways_out(queue.popleft(), left_by):
                audience = int(self.audience_of[entry])
                left_by[audience] = entry
                places = np.arange(self.starts[audience], self.starts[audience + 1])
                places = places[~reached[self.members[places]]]
                members = self.members[places]
                came_by[members], reached[members] = places, True
                counts = self.counts[members]
                if counts.min(initial=self.counts[start]) <= self.counts[start] - 2:
                    self._move(start, int(members[np.argmin(counts)]), came_by, left_by)
                    return
                queue.extend(members.tolist())
        self.open[reached] = False

    def _ways_out(self, member: int, left_by: LongArray) -> list[int]:
        """Return the member's entries with partitions, of audiences not visited yet."""
        entries = self.entries[self.entry_starts[member] : self.entry_starts[member + 1]]
        is_way = (self.taken[entries] > 0) & (left_by[self.audience_of[entries]] < 0)
        ways: list[int] = entries[is_way].tolist()
        return ways

    def _move(self, start: int, end: int, came_by: LongArray, left_by: LongArray) -> None:
        path, member = [], end
        while member != start:
            entry = int(came_by[member])
            path.append((int(left_by[self.audience_of[entry]]), entry))
            member = int(self.members[path[-1][0]])
        room = int(self.counts[start] - self.counts[end]) // 2
        amount = min(room, *(int(self.taken[giver]) for giver, _ in path))
        for giver, taker in path:
            self.taken[giver] -= amount
            self.taken[taker] += amount
        self.counts[start] -= amount
        self.counts[end] += amount
