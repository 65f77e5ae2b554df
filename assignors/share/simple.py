"""Simple of Kafka 4.2 to 4.4: all partitions get equally many members, and all members work.

Source: KIP-932, ``SimpleAssignor`` of the group coordinator; the answers of 4.2.0 and 4.4.0 agree.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from math import ceil
from typing import NamedTuple

from assignors.java.hash_order import order_of_hashes
from assignors.placements import PlacementTrace
from assignors.share.group import ShareAssignment, ShareGroup, TopicPartition, partition_name


class ShareRule(Enum):
    """Why a member reads a partition, or no longer does."""

    KEPT = (
        "It held the partition and stays within its share, {count:,} of {share:,}; consumers a "
        "partition: {sharing:,}."
    )
    OVER_SHARE = (
        "It held {count:,} partitions, more than its share of {share:,}, and gives up the first of "
        "its set."
    )
    CROWDED = (
        "The partition had {readers:,} consumers and needs {sharing:,}; the first of its set leave."
    )
    IN_TURN = (
        "The partition lacked a consumer, it had {readers:,} of {sharing:,}, and the turn came to "
        "this one, which had {count:,} of its share of {share:,}."
    )


def simple(group: ShareGroup) -> ShareAssignment:
    """Give each of M partitions ceil(N / M) of N members, with even counts of each.

    With equal subscriptions all partitions are dealt at once. Otherwise each topic is dealt on its
    own among its subscribers, so that counts are even within a topic, not in total: members of
    the first numbers in the map's order may collect an extra of every topic. When the last with
    room read a partition already, it stays a member short, as after 1 in 100 rebalances.

    >>> from assignors.share.group import ShareMember, ShareTopic
    >>> members = [ShareMember(name, ["jobs"]) for name in "abc"]
    >>> group = ShareGroup({"jobs": ShareTopic(2, "HDQl5oQn5WMjWcIaGctU0Q")}, members)
    >>> {member: sorted(held) for member, held in simple(group).members.items()}
    {'a': [('jobs', 0), ('jobs', 1)], 'b': [('jobs', 1)], 'c': [('jobs', 0)]}
    """
    members = group.members_in_order
    if not members:
        return ShareAssignment({})
    given: list[set[TopicPartition]] = [set() for _ in members]
    trace = PlacementTrace()
    for targets, numbers in _pools(group):
        pool = _Pool(group, targets, numbers)
        pool.give_up_over_share()
        pool.leave_crowded()
        pool.fill()
        for number in numbers:
            given[number].update(pool.held[number])
        pool.tell(trace)
    named = {each.id: frozenset(held) for each, held in zip(members, given, strict=True)}
    return ShareAssignment(named, trace.placements)


def _pools(group: ShareGroup) -> Iterator[tuple[list[TopicPartition], list[int]]]:
    """Yield the partitions that are dealt together, with the numbers of their members."""
    members = group.members_in_order
    topics = group.wanted(*members)
    if group.has_equal_subscriptions:
        together = [(topics, list(range(len(members))))]
    else:
        together = [
            ([topic], [at for at, each in enumerate(members) if topic in each.topics])
            for topic in topics
        ]
    for names, numbers in together:
        if targets := group.partitions(names):
            yield targets, numbers


class _Pool:
    """Partitions dealt among some members: who holds what, changed step by step."""

    def __init__(
        self, group: ShareGroup, targets: Sequence[TopicPartition], numbers: Sequence[int]
    ) -> None:
        self._names = [each.id for each in group.members_in_order]
        self._sharing = -(-len(numbers) // len(targets))
        self._wants = _wants(len(targets) * self._sharing, numbers)
        self._told: list[_Told] = []
        wanted = set(targets)
        self.held: dict[int, list[TopicPartition]] = {}
        self._readers: dict[TopicPartition, list[int]] = {}
        codes = _hashes(group, targets)
        for number in numbers:
            held = [each for each in group.held(group.members_in_order[number]) if each in wanted]
            for partition in held:
                self._readers.setdefault(partition, []).append(number)
            order = order_of_hashes([codes[each] for each in held])
            self.held[number] = [held[at] for at in order]
        for partition in targets:
            self._readers.setdefault(partition, [])
        for readers in self._readers.values():
            readers[:] = [readers[at] for at in order_of_hashes(readers)]
        self._kept = {number: list(held) for number, held in self.held.items()}
        room = int((len(targets) + 1) / 0.75 + 1)
        inserted = list(self._readers)
        order = order_of_hashes([codes[each] for each in inserted], room, computed=True)
        self._partitions = [inserted[at] for at in order]

    def give_up_over_share(self) -> None:
        """Let members with too many partitions lose the first of their sets."""
        for number, held in self.held.items():
            for partition in held[: max(len(held) - self._wants[number], 0)]:
                self._leave(number, partition, ShareRule.OVER_SHARE)

    def leave_crowded(self) -> None:
        """Let partitions with too many members lose the first of their sets."""
        for partition in self._partitions:
            readers = self._readers[partition]
            for number in readers[: max(len(readers) - self._sharing, 0)]:
                self._leave(number, partition, ShareRule.CROWDED)

    def fill(self) -> None:
        """Give partitions that lack members to those that lack partitions, in turn.

        Who has what it wants leaves the circle; who reads the partition already is passed over.
        """
        circle = [at for at, held in self.held.items() if len(held) < self._wants[at]]
        turn = 0
        for partition in self._partitions:
            readers = self._readers[partition]
            passed_over = 0
            while len(readers) < self._sharing and passed_over < len(circle):
                turn %= len(circle)
                number = circle[turn]
                if number in readers:
                    passed_over += 1
                    turn += 1
                    continue
                passed_over = 0
                self._told.append(self._now(number, partition, ShareRule.IN_TURN))
                readers.append(number)
                self.held[number].append(partition)
                if len(self.held[number]) >= self._wants[number]:
                    del circle[turn]
                else:
                    turn += 1

    def tell(self, trace: PlacementTrace) -> None:
        """Tell what was done; what members keep comes first."""
        left = {(each.number, each.partition) for each in self._told}
        for number, held in self._kept.items():
            for partition in held:
                if (number, partition) not in left:
                    name, item = self._names[number], partition_name(partition)
                    figures = self._now(number, partition, ShareRule.KEPT).figures
                    trace.kept(name, item, ShareRule.KEPT, figures)
        for number, partition, rule, figures in self._told:
            tell = trace.given if rule is ShareRule.IN_TURN else trace.taken
            tell(self._names[number], partition_name(partition), rule, figures)

    def _leave(self, number: int, partition: TopicPartition, rule: ShareRule) -> None:
        self._told.append(self._now(number, partition, rule))
        self.held[number].remove(partition)
        self._readers[partition].remove(number)

    def _now(self, number: int, partition: TopicPartition, rule: ShareRule) -> "_Told":
        figures = {
            "count": len(self.held[number]),
            "share": self._wants[number],
            "readers": len(self._readers[partition]),
            "sharing": self._sharing,
        }
        return _Told(number, partition, rule, figures)


class _Told(NamedTuple):
    """A step, with counts before it."""

    number: int
    partition: TopicPartition
    rule: ShareRule
    figures: Mapping[str, int]


def _wants(places: int, numbers: Sequence[int]) -> dict[int, int]:
    """Return how many of all places each member is to have, as even as counts can be."""
    exact = places / len(numbers)
    return {number: ceil(exact * (at + 1)) - ceil(exact * at) for at, number in enumerate(numbers)}


def _hashes(group: ShareGroup, targets: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
    """Return what the maps hash: topic id and number, or the number alone topic by topic."""
    if group.has_equal_subscriptions:
        return {each: group.hash_of(each) for each in targets}
    return {each: each[1] for each in targets}
