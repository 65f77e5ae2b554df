"""A share group as its assignors see it, and their answer: a partition may have several members.

Every order is that in which Kafka's Java visits ids, whatever the order given here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from assignors.java.hash_order import hash_map_order, in_hash_map_order, order_of_hashes
from assignors.java.strings import string_hashes
from assignors.placements import Placement
from assignors.topic_ids import uuid_hashes

TopicPartition: TypeAlias = tuple[str, int]


class ShareTopic(NamedTuple):
    """A topic that somebody subscribes to."""

    partitions: int
    id: str | None = None
    """As Kafka writes it; None if unknown."""


class ShareMember(NamedTuple):
    """A consumer of a share group."""

    id: str
    topics: Sequence[str]
    held: frozenset[TopicPartition] = frozenset()
    """What it was assigned last."""


@dataclass(frozen=True)
class ShareGroup:
    """Topics by name, and members with ids of their own; subscribed topics may be missing."""

    topics: Mapping[str, ShareTopic]
    members: Sequence[ShareMember]

    @cached_property
    def members_in_order(self) -> list[ShareMember]:
        """The members as a ``HashMap`` of their ids iterates them."""
        return in_hash_map_order(self.members)

    @cached_property
    def has_equal_subscriptions(self) -> bool:
        """Whether all members subscribe to the same topics."""
        return len({frozenset(each.topics) for each in self.members}) <= 1

    @cached_property
    def has_ids(self) -> bool:
        """Whether the ids of all subscribed topics are known."""
        return all(self.topics[topic].id for each in self.members for topic in self.wanted(each))

    def wanted(self, *members: ShareMember) -> list[str]:
        """Return the existing topics of these members as a ``HashSet`` of names iterates them."""
        names = list(dict.fromkeys(topic for each in members for topic in each.topics))
        return [names[at] for at in hash_map_order(names) if names[at] in self.topics]

    def partitions(self, topics: Sequence[str]) -> list[TopicPartition]:
        """Return every partition of these topics, topic by topic."""
        return [(name, at) for name in topics for at in range(self.topics[name].partitions)]

    def held(self, member: ShareMember) -> list[TopicPartition]:
        """Return what a member holds, by a map of topic ids, then by a set of numbers."""
        by_topic: dict[str, list[int]] = {}
        for topic, partition in sorted(member.held):
            if topic in self.topics:
                by_topic.setdefault(topic, []).append(partition)
        names = list(by_topic)
        return [
            (names[at], by_topic[names[at]][place])
            for at in order_of_hashes([self._hashes[name] for name in names])
            for place in order_of_hashes(by_topic[names[at]])
        ]

    def hash_of(self, partition: TopicPartition) -> int:
        """Return the hash code of a topic id with a partition: that of a Java record."""
        topic, number = partition
        return 31 * self._hashes[topic] + number

    @cached_property
    def _hashes(self) -> dict[str, int]:
        """The hash code of each topic's id; without ids, the order of names stands in."""
        ids = [topic.id for topic in self.topics.values()]
        if all(ids):
            codes = uuid_hashes([each or "" for each in ids]).tolist()
        else:
            codes = string_hashes(list(self.topics)).tolist()
        return dict(zip(self.topics, codes, strict=True))


class ShareAssignment(NamedTuple):
    """Which member reads which partitions; a partition may stand with several."""

    members: Mapping[str, frozenset[TopicPartition]]
    placements: Sequence[Placement] = ()

    @property
    def readers(self) -> dict[TopicPartition, tuple[str, ...]]:
        """The members of each partition that somebody reads, in the order of their ids."""
        found: dict[TopicPartition, list[str]] = {}
        for member, partitions in sorted(self.members.items()):
            for partition in sorted(partitions):
                found.setdefault(partition, []).append(member)
        return {partition: tuple(found[partition]) for partition in sorted(found)}


def partition_name(partition: TopicPartition) -> str:
    """Return how people write a partition: "orders-3"."""
    return f"{partition[0]}-{partition[1]}"
