"""The order in which a broker goes through the partitions of several topics: by their random ids.

What it goes through are Java's hash maps and sets of ids. As long as ids fall into buckets of
their own, one order of the topics is that of all of them. Two ids in one bucket, as one pair in
sixteen is, come as they were put in, which differs from map to map:

- the group's topics, of which free partitions are dealt, were put in as a hash set of their
  names iterates, each behind those before it (``HashSet.add``);
- a member's topics, by which it gives up what is too much, each in front of those it had
  before, as it was dealt the first of their partitions (``HashMap.computeIfAbsent``).

Source: UniformHomogeneousAssignmentBuilder, TargetAssignmentBuilder, TopicIds and Assignment of
the group coordinator, Kafka 4.4. Limits: up to eleven topics and partitions numbered below 16,
since sets of more have other buckets; and names in one bucket are taken to be put in by name, as
Java's client lists them, which librdkafka does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from confluent_kafka import Uuid

from assignors.java import hash_map_order
from assignors.model import Group
from assignors.numbering import Topic, assignment_of, group_of, members_of
from assignors.registry import STRATEGIES
from live.model import Place

Held = Mapping[str, set[Place]]
"""Member id -> what it owns."""

_STRATEGY: Final = "uniform-kafka-18688"
_ALL: Final = "all"


@dataclass
class Coordinator:
    """What a broker knows of a group beyond the Group, followed from its first rebalance on."""

    ids: Mapping[str, Uuid]
    """Of the topics, to all of which everybody subscribes."""
    _topics_of: dict[str, list[str]] = field(default_factory=dict)
    """Member id -> its topics, as the broker's map of them iterates."""

    def predicted(self, group: Group) -> Held:
        """Return what each member will own, given who is there and what it owns now.

        The strategy is asked about one topic of all partitions, numbered as the broker goes
        through them: to it, nothing else tells topics apart.
        """
        assert group.has_equal_subscriptions
        places = self._as_visited(group)
        number = {place: at for at, place in enumerate(places)}
        members = [
            member._replace(topics=[_ALL], owned=[(_ALL, number[place]) for place in member.owned])
            for member in members_of(group)
        ]
        asked = group_of({_ALL: Topic(partitions=len(places))}, members)
        held = assignment_of(asked, STRATEGIES[_STRATEGY].settle(asked))
        return {member: {places[at] for _, at in given} for member, given in held.items()}

    def follow(self, group: Group, given: Held) -> None:
        """Take note of what the broker gave each member of the group it was asked about."""
        places = self._as_visited(group)
        before = _owned(group)
        topics_of = {}
        for member, held in given.items():
            kept = {topic for topic, _ in held & before[member]}
            dealt = [topic for topic, n in places if (topic, n) in held - before[member]]
            new = [topic for topic in dict.fromkeys(dealt) if topic not in kept]
            had = [topic for topic in self._topics_of.get(member, ()) if topic in kept]
            topics_of[member] = self._in_buckets([*reversed(new), *had])
        self._topics_of = topics_of

    def _as_visited(self, group: Group) -> list[Place]:
        """Return the free partitions, then what each member owns, member by member as heard."""
        owned = _owned(group)
        taken = set().union(*owned.values())
        sizes = dict(zip(group.topics, group.topic_sizes.tolist(), strict=True))
        names = [group.topics[at] for at in hash_map_order(group.topics)]
        every = [(name, p) for name in self._in_buckets(names) for p in range(sizes[name])]
        visited = [place for place in every if place not in taken]
        for at in group.hash_map_order.tolist():
            member = group.members[at]
            rank = self._topics_of.get(member, [])
            visited += sorted(owned[member], key=lambda place: (rank.index(place[0]), place[1]))
        return visited

    def _in_buckets(self, names: Sequence[str]) -> list[str]:
        """Return topics as a hash map iterates their ids; those of one bucket stay as they are."""
        hashes = np.array([uuid_hash(self.ids[name]) for name in names], np.uint32)
        return [names[at] for at in hash_map_order(names, hashes)]


def _owned(group: Group) -> dict[str, set[Place]]:
    return {member.id: set(member.owned) for member in members_of(group)}


def uuid_hash(uuid: Uuid) -> int:
    """Return Kafka's `Uuid.hashCode`: both halves folded into 32 bits."""
    most, least = halves(uuid)
    bits = (most ^ least) % (1 << 64)
    return (bits >> 32 ^ bits) % (1 << 32)


def halves(uuid: Uuid) -> tuple[int, int]:
    """Return the upper and the lower 64 bits, signed as Java's `long` is."""
    return uuid.get_most_significant_bits(), uuid.get_least_significant_bits()  # type: ignore[attr-defined]
