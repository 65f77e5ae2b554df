"""Improvement of an assignment by single moves where members subscribe to different topics."""

from heapq import heapify, heappop, heappush

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group, IntArray, LongArray, Owners
from assignors.quotas import held_by_each
from assignors.sticky.moves import Move, Moves


class Improvement:
    """The sticky assignor's search for a better balance, on a copy of an assignment.

    Partitions are visited in order, again and again, until a pass moves nothing. A partition
    returns to its previous owner, else goes to the emptiest subscriber, if the giver then holds
    no less than the taker. So every move lowers the sum of squared counts, except for those that
    ``Moves.instead_of`` replaces; once there was one of those, a repeated state ends the search.

    Like Kafka, it does not check that a previous owner still subscribes, so the result may
    break the rules: the caller must check it.
    """

    def __init__(
        self,
        group: Group,
        owners: Owners,
        previous: Owners,
        topics: IntArray,
        traced: bool = False,
    ) -> None:
        """Visit these topics in this order; ``previous`` holds owners of older generations."""
        self._group = group
        self._is_traced, self._walks = traced, 0
        self.trace: list[Move] = []
        """Every move so far, if ``traced``."""
        self.owners = owners.copy()
        self._counts = held_by_each(owners, group.member_count)
        self._previous = previous
        self._topics = topics
        known = np.flatnonzero(previous != UNOWNED)
        self._is_unsubscribed = np.zeros(group.partition_count, np.bool_)
        self._is_unsubscribed[known] = ~group.may_own(previous[known], known)
        self._moves = {topic: Moves(group.topics[topic]) for topic in topics.tolist()}

    def run(self, among: BoolArray | None = None) -> bool:
        """Move partitions, or those of ``among`` (P,), while it helps; return whether any moved."""
        has_moved = False
        seen: set[int] = set()
        while not self._is_balanced():
            if not sum(self._walk(topic, among) for topic in self._moves):
                break
            has_moved = True
            self._walks += 1
            if any(moves.has_replaced for moves in self._moves.values()):
                noted = (moves.state() for moves in self._moves.values())
                state = hash((self.owners.tobytes(), *noted))
                if state in seen:
                    break
                seen.add(state)
        return has_moved

    def _walk(self, topic: int, among: BoolArray | None) -> int:
        """Visit one topic; return how many partitions moved.

        Meanwhile the smallest count does not fall, and no count rises by more than one above it,
        except a previous owner's: what cannot move at first cannot move later.
        """
        cut = self._group.topic_span(topic)
        can_move = self._is_above_emptiest(topic)
        if (self._previous[cut] != UNOWNED).any():
            can_move[:] = can_move.any() or self._is_unsubscribed[cut].any()
        if among is not None:
            can_move &= among[cut]
        return self._move(topic, np.flatnonzero(can_move)) if can_move.any() else 0

    def _move(self, topic: int, partitions: LongArray) -> int:
        """Visit these partitions of one topic, by their numbers in it."""
        cut, moves = self._group.topic_span(topic), self._moves[topic]
        owners, previous = self.owners[cut].tolist(), self._previous[cut].tolist()
        members = _ByCount(self._counts.tolist(), self._group.subscribers(topic).tolist())
        moved = 0
        for partition in partitions.tolist():
            taker = members.taker_from(owners[partition], previous[partition])
            if taker == UNOWNED:
                continue
            if taker not in members.subscribers:
                self._note(topic, owners, members.counts)
                if self._is_balanced():
                    break
            chosen = moves.instead_of(partition, owners[partition], taker)
            if self._is_traced:
                had = members.counts[owners[chosen]], members.counts[taker]
                numbers = cut.start + chosen, cut.start + partition
                is_return = taker == previous[partition]
                move = Move(self._walks + 1, *numbers, owners[chosen], taker, had, is_return)
                self.trace.append(move)
            moves.record(chosen, owners[chosen], taker)
            members.move(owners[chosen], taker)
            owners[chosen] = taker
            moved += 1
        self._note(topic, owners, members.counts)
        return moved

    def _is_balanced(self) -> bool:
        """Return whether no move to a subscriber would help; Kafka then moves nothing at all."""
        if not self._topics.size:
            return True
        audiences, filled = self._group.audiences, np.flatnonzero(self._group.topic_sizes)
        held_by_owner = self._counts[self.owners]
        most = np.maximum.reduceat(held_by_owner, self._group.topic_starts[filled])
        most = most[np.searchsorted(filled, self._topics)]
        least = np.minimum.reduceat(self._counts[audiences.members], audiences.starts[:-1])
        return not (most > least[audiences.of_topic[self._topics]] + 1).any()

    def _note(self, topic: int, owners: list[int], counts: list[int]) -> None:
        self.owners[self._group.topic_span(topic)] = owners
        self._counts = np.array(counts)

    def _is_above_emptiest(self, topic: int) -> BoolArray:
        """Return for each partition whether moving it to the emptiest subscriber would help."""
        held_by_owner = self._counts[self.owners[self._group.topic_span(topic)]]
        is_above: BoolArray = held_by_owner > self._counts[self._group.subscribers(topic)].min() + 1
        return is_above


class _ByCount:
    """Members by how many partitions they hold, during one pass over a topic."""

    def __init__(self, counts: list[int], subscribers: list[int]) -> None:
        self.counts = counts
        self.subscribers = set(subscribers)
        self._heap = [(counts[member], member) for member in subscribers]
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
        while self._heap[0][0] != self.counts[self._heap[0][1]]:
            heappop(self._heap)
        return self._heap[0][1]

    def move(self, owner: int, taker: int) -> None:
        """Move one partition."""
        for member, change in ((owner, -1), (taker, 1)):
            self.counts[member] += change
            if member in self.subscribers:
                heappush(self._heap, (self.counts[member], member))
