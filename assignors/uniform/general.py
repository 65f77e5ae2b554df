"""The group coordinator's uniform strategy where members subscribe to different topics."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, LongArray, Owners
from assignors.quotas import give_to_the_emptiest, held_by_each
from assignors.topic_ids import ranks_by_id
from assignors.trace.events import Trace
from assignors.trace.rules import EmptiestOfTopic, EvenedOut, PresentOwner, StillSubscribes, Unequal

_MOST_PASSES: Final = 16


def uniform_general(
    group: Group, held: Owners, trace: Trace | None = None, *, is_hashed: bool = False
) -> Owners:
    """Give free partitions to the emptiest, then even out topic by topic in at most 16 passes.

    Topics with the most partitions per subscriber come first, then those with the fewest
    subscribers. Limit: every topic ends even by itself, but moves across several topics that
    would help are not tried. ``is_hashed`` says how members are numbered. Source: KAFKA-17710.
    """
    owners, topics = held.copy(), _fullest_first(group)
    counts = held_by_each(held, group.member_count)
    for topic in topics:
        _give_what_is_free(group, owners, counts, topic)
    if trace:
        trace.note(Unequal(is_broker=True))
        trace.note(PresentOwner())
        stays = np.flatnonzero(held != UNOWNED)
        trace.kept(stays, held[stays], StillSubscribes())
        free = group.layout.partitions_of(np.array(topics))
        free = free[held[free] == UNOWNED]
        trace.assigned(free, owners[free], EmptiestOfTopic(is_hashed))
    for number, partition, taker in _passes(group, owners, counts, topics):
        if trace:
            trace.moved([partition], taker, EvenedOut(number))
    return owners


def _passes(
    group: Group, owners: Owners, counts: LongArray, topics: list[int]
) -> Iterator[tuple[int, int, int]]:
    """Even out in place until a whole pass moves nothing; yield passes, partitions and takers."""
    shared = [topic for topic in topics if group.subscribers(topic).size > 1]
    last_moved = None
    for done in range(_MOST_PASSES):
        for topic in shared:
            if topic == last_moved:
                return
            moves = _even_out(group, owners, counts, topic)
            yield from ((done + 1, *move) for move in moves)
            if moves or last_moved is None:
                last_moved = topic


def _fullest_first(group: Group) -> list[int]:
    """Return the wanted topics by descending partitions per subscriber, then by subscribers.

    Ties go by id, or by name if ids are unknown.
    """
    topics = group.layout.wanted_topics
    subscribers = group.audiences.sizes[topics]
    per_subscriber = group.topic_sizes[topics] / subscribers
    by_need = np.lexsort((ranks_by_id(group.layout)[topics], subscribers, -per_subscriber))
    order: list[int] = topics[by_need].tolist()
    return order


def _give_what_is_free(group: Group, owners: Owners, counts: LongArray, topic: int) -> None:
    """Give a topic's free partitions to its emptiest subscribers, in place.

    Ties keep the order at the start of the topic: by count, then number.
    """
    in_topic = owners[group.topic_span(topic)]
    free = np.flatnonzero(in_topic == UNOWNED)
    if free.size:
        subscribers = group.subscribers(topic)
        subscribers = subscribers[np.argsort(counts[subscribers], kind="stable")]
        in_topic[free] = give_to_the_emptiest(counts, subscribers, free.size)


def _even_out(group: Group, owners: Owners, counts: LongArray, topic: int) -> list[tuple[int, int]]:
    """Move a topic's partitions from the busiest subscribers to the emptiest, in place.

    Returns the partitions and their takers. A subscriber gives up its last partition first.
    """
    subscribers = group.subscribers(topic)
    if np.ptp(counts[subscribers]) <= 1:
        return []
    in_topic = owners[group.topic_span(topic)]
    starts, partitions = ragged.rows_by_key(in_topic, group.member_count)
    gifts = {m: partitions[starts[m] : starts[m + 1]].tolist() for m in subscribers.tolist()}
    load = counts.tolist()
    order = subscribers[np.argsort(counts[subscribers], kind="stable")].tolist()
    givers, takers = _Givers(order, load, gifts), _Takers(order, load)
    moved = []
    while (giver := givers.next()) is not None:
        taker = takers.next()
        if givers.level - takers.level <= 1:
            break
        partition = gifts[giver].pop()
        in_topic[partition] = taker
        moved.append((int(group.layout.topic_starts[topic]) + partition, taker))
        load[giver] -= 1
        load[taker] += 1
    counts[:] = load
    return moved


class _Takers:
    """The emptiest subscribers by level: all at one level take one, then the next level joins."""

    def __init__(self, order: list[int], load: list[int]) -> None:
        self._order, self._load = order, load
        self._joined = 0
        self._next = 0
        self.level = load[order[0]] - 1

    def next(self) -> int:
        """Return the member that takes the next partition."""
        if self._next == self._joined:
            self.level += 1
            while (
                self._joined < len(self._order)
                and self._load[self._order[self._joined]] == self.level
            ):
                self._joined += 1
            self._next = 0
        self._next += 1
        return self._order[self._next - 1]


class _Givers:
    """The busiest subscribers by level, from the last: all at one level give one.

    A member with nothing to give leaves; the last one at the level takes its position in the
    order, which ``_Takers`` shares.
    """

    def __init__(self, order: list[int], load: list[int], gifts: dict[int, list[int]]) -> None:
        self._order, self._load, self._gifts = order, load, gifts
        self._first = len(order)
        self._end = len(order)
        self._next = len(order) - 1
        self.level = load[order[-1]] + 1

    def next(self) -> int | None:
        """Return the member that gives the next partition; None if nobody can."""
        while True:
            if self._next < self._first:
                self._let_next_level_join()
            if self._next < 0:
                return None
            giver = self._order[self._next]
            if self._gifts[giver]:
                self._next -= 1
                return giver
            self._end -= 1
            self._order[self._next], self._order[self._end] = self._order[self._end], giver
            self._next -= 1

    def _let_next_level_join(self) -> None:
        if self._end <= self._first and self._first > 0:
            self.level = self._load[self._order[self._first - 1]]
        else:
            self.level -= 1
        while self._first > 0 and self._load[self._order[self._first - 1]] == self.level:
            self._first -= 1
        self._next = self._end - 1
