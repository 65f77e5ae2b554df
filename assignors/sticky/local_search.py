"""Improvement of an assignment by single moves where members subscribe to different topics."""

from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group, IntArray, LongArray, Owners
from assignors.quotas import held_by_each
from assignors.sticky.moves import Moves
from assignors.trace.events import Trace
from assignors.trace.rules import Improved


class ClientView(NamedTuple):
    """What a client goes by: whose claims count, and the order of its visits."""

    holder: Owners
    """(P,) the member that held each partition before the rebalance."""
    previous: Owners
    """(P,) the one of an older generation."""
    believed: Owners
    """(P,) the member from which a kept partition moves; Kafka never mistakes another for it."""
    walk: LongArray
    """The wanted partitions in the order of assignment and moves."""
    places: LongArray
    """(M,) decides between members with equal counts."""
    tolerance: int
    """Counts within a topic that differ by no more are balanced."""
    undoes: bool = False
    """Whether a partition goes back to its first owner if another one moves instead."""


class Improvement:
    """The sticky assignors' search for a better balance, on a copy of an assignment.

    Partitions are visited in order, again and again, until a pass moves nothing. A partition
    returns to its previous owner, else goes to the emptiest subscriber, if the giver then holds
    no less than the taker. So every move lowers the sum of squared counts, except for those that
    ``Moves.instead_of`` replaces; once there was one of those, a repeated state ends the search.

    Like Kafka, it does not check that a previous owner still subscribes, so the result may
    break the rules: the caller must check it.
    """

    def __init__(  # noqa: PLR0913 -- a start has this many parts
        self,
        group: Group,
        view: ClientView,
        kept: Owners,
        assigned: Owners,
        joins_in: BoolArray,
        *,
        trace: Trace | None = None,
    ) -> None:
        """Start at ``assigned``, of which members have ``kept`` a part; ``joins_in`` is (M,)."""
        self._group, self._kept, self._joins_in = group, kept, joins_in
        self._places, self._tolerance = view.places.tolist(), view.tolerance
        self._undoes = view.undoes
        self._walks, self._count = 0, 0
        is_mistaken = (kept != UNOWNED) & (view.believed != kept)
        self._mistaken: list[int] = np.flatnonzero(is_mistaken).tolist()
        self._uncounted = set(self._mistaken)
        """Partitions whose believed owner does not hold them, and so loses nothing by a move."""
        self._owners = np.where(is_mistaken, view.believed, assigned)
        self.counts = held_by_each(assigned, group.member_count)
        """(M,) how many partitions each member holds."""
        self._trace = trace
        self._previous = view.previous.copy()
        self._is_stray = ~np.append(joins_in, True)[self._previous]
        self._previous[self._is_stray] = UNOWNED
        self.fails = False
        """Whether the client fails: it looks up the count of a previous owner that is set aside."""
        self._is_unsubscribed = group.layout.fit(self._previous) != self._previous
        self._moves: dict[int, Moves] = {}

    @property
    def last_owners(self) -> Owners:
        """(P,) the owners now; of the two of a mistaken partition that moved, the last to join."""
        owners, joined = self._owners.copy(), np.argsort(self._group.layout.arrival)
        for partition in self._mistaken:
            keeper, taker = self._kept[partition], owners[partition]
            if partition in self._uncounted or joined[keeper] > joined[taker]:
                owners[partition] = keeper
        return owners

    def run(self, walk: LongArray) -> bool:
        """Move partitions while it helps, visiting them in this order; return whether any moved."""
        has_moved, seen = self._meet_a_stray(walk), set()
        while walk.size and not self._is_balanced() and self._walk(walk):
            has_moved = True
            self._walks += 1
            if any(moves.has_replaced for moves in self._moves.values()):
                state = hash(self._owners.tobytes())
                if state in seen:
                    break
                seen.add(state)
        return has_moved

    def _meet_a_stray(self, walk: LongArray) -> bool:
        """Visit what precedes the first partition at which a client fails; return as ``run``."""
        strays = np.flatnonzero(self._is_stray[walk])
        if not strays.size or self._is_balanced():
            return False
        has_moved = self._walk(walk[: strays[0]])
        self.fails |= not self._is_balanced()
        return has_moved

    def _walk(self, walk: LongArray) -> bool:
        """Visit every partition once; return whether any moved."""
        moves = self._count
        for audience, run in self._group.layout.runs(walk):
            members = self._group.audiences.members_of(audience)
            left = run
            while (visits := self._movable(left, members)).size:
                last = self._move(visits, members)
                left = left[left.tolist().index(last) + 1 :]
        return self._count > moves

    def _movable(self, partitions: LongArray, subscribers: IntArray) -> LongArray:
        """Return the ones to visit of partitions with these subscribers.

        During a visit the smallest count does not fall, and no count rises by more than one above
        it, except a previous owner's: what cannot move at first cannot move later.
        """
        can_move = self.counts[self._owners[partitions]] > self.counts[subscribers].min() + 1
        if (self._previous[partitions] != UNOWNED).any():
            can_move[:] = can_move.any() or self._is_unsubscribed[partitions].any()
        movable: LongArray = partitions[can_move]
        return movable

    def _move(self, partitions: LongArray, subscribers: IntArray) -> int:
        """Visit these partitions, which have the same subscribers; return the last one visited.

        The visit ends early where another member than the owner gives, as it may hold the least.
        """
        members = _ByCount(self.counts.tolist(), subscribers.tolist(), self._places)
        topics = self._group.topic_of_partition[partitions].tolist()
        previous = self._previous[partitions].tolist()
        for partition, topic, before in zip(partitions.tolist(), topics, previous, strict=True):
            owner = int(self._owners[partition])
            taker = members.taker_from(owner, before)
            if taker == UNOWNED:
                continue
            if taker not in members.subscribers:
                self.counts = np.array(members.counts)
                if self._is_balanced():
                    continue
            chosen = self._chosen(topic, partition, owner, taker)
            giver = int(self._owners[chosen])
            if self._undoes and giver != owner:
                self._record(members, partition, partition, giver, is_return=False)
            self._record(members, chosen, partition, taker, is_return=taker == before)
            if giver != owner:
                break
        self.counts = np.array(members.counts)
        return int(partition)

    def _chosen(self, topic: int, partition: int, owner: int, taker: int) -> int:
        """Return the partition that moves instead of this one, or this one."""
        if topic not in self._moves:
            self._moves[topic] = Moves(self._group.topics[topic])
        first = int(self._group.layout.topic_starts[topic])
        return first + self._moves[topic].instead_of(partition - first, owner, taker)

    def _record(
        self, members: "_ByCount", partition: int, instead_of: int, taker: int, *, is_return: bool
    ) -> None:
        """Move a partition and take note of it."""
        giver, topic = int(self._owners[partition]), int(self._group.topic_of_partition[partition])
        self._count += 1
        if self._trace:
            rule = Improved(self._walks + 1, instead_of, is_return)
            self._trace.moved([partition], taker, rule)
        self._moves[topic].record(
            partition - int(self._group.layout.topic_starts[topic]), giver, taker
        )
        if partition not in self._uncounted:
            members.add(giver, -1)
        self._uncounted.discard(partition)
        members.add(taker, 1)
        self._owners[partition] = taker

    def _is_balanced(self) -> bool:
        """Return whether no move to a subscriber would help; Kafka then moves nothing at all."""
        counts = self.counts[self._joins_in]
        if counts.max() - counts.min() <= 1:
            return True
        audiences, filled = self._group.audiences, np.flatnonzero(self._group.topic_sizes)
        held_by_owner = self.counts[self._owners]
        most = np.maximum.reduceat(held_by_owner, self._group.layout.topic_starts[filled])
        least = np.minimum.reduceat(self.counts[audiences.members], audiences.starts[:-1])
        audience_of = audiences.of_topic[filled]
        helps = most > least[audience_of] + self._tolerance
        return not (helps & (audience_of >= 0)).any()


class _ByCount:
    """Members by how many partitions they hold."""

    def __init__(self, counts: list[int], subscribers: list[int], places: list[int]) -> None:
        self.counts, self.subscribers, self._places = counts, set(subscribers), places
        self._heap = [(counts[member], places[member], member) for member in subscribers]
        heapify(self._heap)

    def taker_from(self, owner: int, previous: int) -> int:
        """Return the new owner: the previous one, the emptiest member, or ``UNOWNED``."""
        most = self.counts[owner] - 2
        if previous != UNOWNED and self.counts[previous] <= most:
            return previous
        emptiest = self._emptiest()
        return emptiest if self.counts[emptiest] <= most else UNOWNED

    def _emptiest(self) -> int:
        """Return the first member with the fewest partitions; drop outdated entries."""
        while self._heap[0][0] != self.counts[self._heap[0][2]]:
            heappop(self._heap)
        return self._heap[0][2]

    def add(self, member: int, change: int) -> None:
        """Let a member hold more or fewer."""
        self.counts[member] += change
        if member in self.subscribers:
            heappush(self._heap, (self.counts[member], self._places[member], member))
