"""The order in which a broker visits partitions: by random topic ids, and by its hash sets.

A broker iterates Java hash maps of ids and hash sets of partition numbers. As long as no two
entries share a bucket, the buckets determine the order. Entries of one bucket keep insertion
order, which depends on their history:

- the group's topics, whose free partitions are assigned, are inserted in the order in which a
  hash set of their names iterates, each behind the earlier ones (``HashSet.add``);
- a member's topics, which determine what it gives up above its quota, are each inserted in front
  of the earlier ones when it receives a first partition (``HashMap.computeIfAbsent``);
- a member's new partitions of a topic come behind those it keeps. That set is then written to a
  record, and the next set is created from the record, with buckets for that size.

Source: UniformHomogeneousAssignmentBuilder, TargetAssignmentBuilder, TopicIds and Assignment of
the group coordinator, Kafka 4.4. Limits: up to eleven topics, since larger maps have other
buckets; up to eight partitions in one bucket, as nine may form a tree; and names in one bucket
are assumed to be inserted by name, as Java's client lists them but librdkafka does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Final

import numpy as np
from confluent_kafka import Uuid

from assignors.java.hash_order import hash_map_order
from assignors.model import Group
from assignors.naming import assignment_of, member_records
from assignors.numbering import Topic, group_of
from assignors.registry import STRATEGIES
from live.model import NamedPartition

Held = Mapping[str, set[NamedPartition]]
"""Member id -> its partitions."""

_STRATEGY: Final = "uniform-kafka-18688"
_FEWEST_BUCKETS: Final = 16
"""In any set, smaller partition numbers are visited in order."""


@dataclass
class Coordinator:
    """The part of a broker's group state that Group lacks, followed from the first rebalance on."""

    ids: Mapping[str, Uuid]
    """The topics' ids; all members subscribe to all of them."""
    java: int
    """The broker's Java version."""
    _sets_of: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """Member id -> topic -> its partitions, all in the broker's iteration order."""

    def predicted(self, group: Group) -> Held:
        """Return the future partitions of each member, given the current members and owners.

        The strategy runs on topics so small that they hold all partitions in the order in which the
        broker visits them: the strategy depends on nothing else that distinguishes them.
        """
        assert group.layout.has_equal_subscriptions
        places = self._as_visited(group)
        names = [(f"{at // _FEWEST_BUCKETS:04}", at % _FEWEST_BUCKETS) for at in range(len(places))]
        name_of = dict(zip(places, names, strict=True))
        topics = {
            topic: Topic(partitions=len(list(cut))) for topic, cut in groupby(names, itemgetter(0))
        }
        members = [
            member._replace(topics=list(topics), owned=[name_of[place] for place in member.owned])
            for member in member_records(group)
        ]
        asked = group_of(topics, members)
        held = assignment_of(asked, STRATEGIES[_STRATEGY].settle(asked))
        place_of = dict(zip(names, places, strict=True))
        return {member: {place_of[name] for name in given} for member, given in held.items()}

    def follow(self, group: Group, given: Held) -> None:
        """Record what the broker assigned to each member of the predicted group."""
        places = self._as_visited(group)
        before = _owned(group)
        after = {}
        for member, held in given.items():
            sets = self._sets_of.get(member, {})
            if held != before[member]:
                dealt = [place for place in places if place in held - before[member]]
                sets = self._dealt(sets, held, dealt)
            after[member] = sets
        self._sets_of = after

    def _dealt(
        self,
        sets: Mapping[str, Sequence[int]],
        held: set[NamedPartition],
        dealt: Sequence[NamedPartition],
    ) -> dict[str, list[int]]:
        """Return a member's sets after the broker has copied, trimmed, extended and reread them."""
        kept = {t: [n for n in numbers if (t, n) in held] for t, numbers in sets.items()}
        had = [topic for topic, numbers in kept.items() if numbers]
        new = [topic for topic in dict.fromkeys(topic for topic, _ in dealt) if topic not in had]
        found = {}
        for topic in self._in_buckets([*reversed(new), *had]):
            numbers = [*kept.get(topic, ()), *(n for t, n in dealt if t == topic)]
            buckets = self._buckets(len(sets[topic])) if topic in had else _FEWEST_BUCKETS
            while len(numbers) > buckets * 3 // 4:
                buckets *= 2
            written = _in_set(numbers, buckets)
            found[topic] = _in_set(written, self._buckets(len(written)))
        return found

    def _buckets(self, size: int) -> int:
        """Return the number of buckets of a set created for this many numbers."""
        at_least = max(-(-size * 4 // 3) if self.java >= 19 else size * 4 // 3 + 1, _FEWEST_BUCKETS)
        return 1 << (at_least - 1).bit_length()

    def _as_visited(self, group: Group) -> list[NamedPartition]:
        """Return the free partitions, then each member's partitions, in the order of arrival."""
        owned = _owned(group)
        taken = set().union(*owned.values())
        sizes = dict(zip(group.topics, group.topic_sizes.tolist(), strict=True))
        names = [group.topics[at] for at in hash_map_order(group.topics)]
        every = [(name, p) for name in self._in_buckets(names) for p in range(sizes[name])]
        visited = [place for place in every if place not in taken]
        for at in group.layout.hash_map_order.tolist():
            sets = self._sets_of.get(group.members[at], {})
            visited += [(topic, number) for topic, numbers in sets.items() for number in numbers]
        return visited

    def _in_buckets(self, names: Sequence[str]) -> list[str]:
        """Return topics in the order in which a hash map iterates their ids, stable in a bucket."""
        hashes = np.array([uuid_hash(self.ids[name]) for name in names], np.uint32)
        return [names[at] for at in hash_map_order(names, hashes)]


def _in_set(numbers: Sequence[int], buckets: int) -> list[int]:
    """Return numbers in the order in which a hash set iterates them if inserted in this order."""
    return sorted(numbers, key=lambda number: number % buckets)


def _owned(group: Group) -> dict[str, set[NamedPartition]]:
    return {member.id: set(member.owned) for member in member_records(group)}


def uuid_hash(uuid: Uuid) -> int:
    """Return Kafka's `Uuid.hashCode`: both halves folded into 32 bits."""
    most, least = halves(uuid)
    bits = (most ^ least) % (1 << 64)
    return (bits >> 32 ^ bits) % (1 << 32)


def halves(uuid: Uuid) -> tuple[int, int]:
    """Return the upper and the lower 64 bits, signed as Java's `long` is."""
    return uuid.get_most_significant_bits(), uuid.get_least_significant_bits()  # type: ignore[attr-defined]
