"""Simple as share groups began with it: Kafka 4.0 (early access) and 4.1 (preview).

Source: KIP-932, ``SimpleAssignor`` of the group coordinators 4.0 and 4.1.
"""

from collections.abc import Sequence
from enum import Enum
from itertools import cycle

from assignors.java.hash_order import order_of_hashes
from assignors.java.strings import string_hash
from assignors.placements import PlacementTrace
from assignors.share.group import (
    ShareAssignment,
    ShareGroup,
    ShareMember,
    TopicPartition,
    partition_name,
)


class InconsistentMembersError(ValueError):
    """Kafka 4.1 fails on this group, which keeps its assignment: no member has room left."""


class PreviewRule(Enum):
    """Why a member reads a partition."""

    ALL = "Every member reads every partition that it subscribes to."
    HASHED = "The hash of the member's id chooses one of the {targets:,} partitions for it."
    KEPT = "It held the partition, no member's hash chose it, and this one had {count:,} by then."
    IN_TURN = "Nobody had the partition; it goes around the members, and this one had {count:,}."


def all_to_all(group: ShareGroup) -> ShareAssignment:
    """Give every member all that it subscribes to, as Kafka 4.0 does."""
    trace = PlacementTrace()
    for member in group.members_in_order:
        for each in group.partitions(group.wanted(member)):
            trace.given(member.id, partition_name(each), PreviewRule.ALL)
    members = {
        member.id: frozenset(group.partitions(group.wanted(member)))
        for member in group.members_in_order
    }
    return ShareAssignment(members, trace.placements)


def hashed(group: ShareGroup) -> ShareAssignment:
    """Give every member the partition that its id hashes to, then what is left around, as 4.1 does.

    Counts are not even: two ids may choose one partition, and a member may take one more than its
    share of what nobody has. Raises InconsistentMembersError where Kafka 4.1 throws.
    """
    deal = _Deal(group)
    if group.has_equal_subscriptions:
        deal.equal()
    else:
        deal.unequal()
    return deal.answer()


class _Deal:
    """Who has what so far."""

    def __init__(self, group: ShareGroup) -> None:
        self._group = group
        self._members = group.members_in_order
        self._given: list[set[TopicPartition]] = [set() for _ in self._members]
        self._trace = PlacementTrace()
        for number, member in enumerate(self._members):
            if targets := group.partitions(group.wanted(member)):
                self._give(
                    number,
                    targets[_place(member, len(targets))],
                    PreviewRule.HASHED,
                    targets=len(targets),
                )
        self._hashed = set[TopicPartition]().union(*self._given)

    def equal(self) -> None:
        """Keep up to an even share, then deal what is left to members with no more than that."""
        targets = self._group.partitions(self._group.wanted(*self._members))
        if not targets or not self._members:
            return
        share = -(-len(targets) // len(self._members))
        for partition, number in self._present(set(targets)):
            if len(self._given[number]) < share:
                self._give(number, partition, PreviewRule.KEPT)
        circle, turn = list(range(len(self._members))), 0
        for partition in self._left(targets):
            while circle:
                turn %= len(circle)
                if len(self._given[circle[turn]]) <= share:
                    break
                del circle[turn]
            if not circle:
                message = (
                    f"no member has room for {partition_name(partition)}: Kafka 4.1 fails with "
                    '"Inconsistent number of member IDs", and the group keeps its assignment'
                )
                raise InconsistentMembersError(message)
            self._give(circle[turn], partition, PreviewRule.IN_TURN)
            turn += 1

    def unequal(self) -> None:
        """Keep what no hash chose, then deal the rest of each topic around its subscribers."""
        topics = self._group.wanted(*self._members)
        for partition, number in self._present(set(self._group.partitions(topics))):
            if partition[0] in self._members[number].topics:
                self._give(number, partition, PreviewRule.KEPT)
        for topic in topics:
            numbers = [at for at, each in enumerate(self._members) if topic in each.topics]
            left = self._left(self._group.partitions([topic]))
            for partition, number in zip(left, cycle(numbers), strict=False):
                self._give(number, partition, PreviewRule.IN_TURN)

    def answer(self) -> ShareAssignment:
        """Return what every member got."""
        pairs = zip(self._members, self._given, strict=True)
        members = {each.id: frozenset(held) for each, held in pairs}
        return ShareAssignment(members, self._trace.placements)

    def _present(self, targets: set[TopicPartition]) -> list[tuple[TopicPartition, int]]:
        """Return who holds which target that no hash chose, as a map of partitions iterates it."""
        readers: dict[TopicPartition, list[int]] = {}
        for number, member in enumerate(self._members):
            for partition in self._group.held(member):
                readers.setdefault(partition, []).append(number)
        inserted = list(readers)
        codes = [self._group.hash_of(each) for each in inserted]
        return [
            (inserted[at], number)
            for at in order_of_hashes(codes, computed=True)
            if inserted[at] in targets and inserted[at] not in self._hashed
            for number in readers[inserted[at]]
        ]

    def _left(self, targets: Sequence[TopicPartition]) -> list[TopicPartition]:
        """Return the targets that nobody has."""
        taken = set[TopicPartition]().union(*self._given)
        return [each for each in targets if each not in taken]

    def _give(
        self, number: int, partition: TopicPartition, rule: PreviewRule, targets: int = 0
    ) -> None:
        tell = self._trace.kept if rule is PreviewRule.KEPT else self._trace.given
        tell(
            self._members[number].id,
            partition_name(partition),
            rule,
            {"count": len(self._given[number]), "targets": targets},
        )
        self._given[number].add(partition)


def _place(member: ShareMember, count: int) -> int:
    """Return the absolute remainder of the id's signed hash code."""
    return abs(string_hash(member.id)) % count
