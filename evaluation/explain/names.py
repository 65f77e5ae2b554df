"""The names of one group as people read them in explanations."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group, IntArray
from assignors.strategy import Sees, Strategy
from evaluation.consumer_labels import labels_of
from evaluation.wording import listed, plural


class Step(NamedTuple):
    """One step of an explanation."""

    rule: str
    """The subject of the step in a word or two: "Quota", "Tie-break"."""
    text: str
    """One sentence with the group's figures."""


class Names:
    """Members, partitions and racks in words."""

    def __init__(self, group: Group, strategy: Strategy) -> None:
        self.group, self._strategy = group, strategy
        self._members = labels_of(group)

    def member(self, member: int) -> str:
        """Return a member's short name, or "nobody"."""
        return "nobody" if member == UNOWNED else self._members[member]

    def members(self, members: Iterable[int]) -> str:
        """Name members: ``C0, C1 and C2``; of many the first, and how many more."""
        return listed([self.member(member) for member in members])

    def each(self, members: Iterable[int], figures: Iterable[int], unit: str = "") -> str:
        """Name members with a figure each: ``C0 (3) and C1 (2)``."""
        pairs = zip(members, figures, strict=True)
        return listed([f"{self.member(member)} ({figure:,}{unit})" for member, figure in pairs])

    def order(self, members: Iterable[int]) -> str:
        """Say how the strategy orders these members."""
        static = sum(self.group.layout.instance_ids[member] is not None for member in members)
        if not static or Sees.STATIC_IDS not in self._strategy.sees:
            return "by consumer id"
        if self._strategy.client == "librdkafka":
            return (
                f"the {plural(static, 'static consumer')} by instance id among themselves, others "
                "by id; where both kinds meet, as librdkafka's sort leaves them"
            )
        return f"the {plural(static, 'static consumer')} first by instance id, others by id"

    def partition(self, partition: int) -> str:
        """Return ``topic-3``."""
        return self.group.partition_name(partition)

    def lag(self, partition: int) -> str:
        """Return the partition's lag as strategies count it."""
        if not self.group.is_weight_known[partition]:
            return "unknown, which counts as 0"
        return f"{self.group.counted_weights[partition]:,}"

    def topic(self, partition: int) -> str:
        """Return the name of the partition's topic."""
        topic: int = self.group.topic_of_partition[partition]
        return self.group.topics[topic]

    def rack(self, member: int) -> str:
        """Return ``rack a``, or ``no rack``."""
        rack = self.group.layout.member_racks[member]
        return f"rack {self.group.layout.racks[rack]}" if rack >= 0 else "no rack"

    def replica_racks(self, partition: int) -> str:
        """Return the racks with a replica of the partition."""
        racks = np.flatnonzero(self.group.layout.replica_racks[partition])
        return listed([self.group.layout.racks[rack] for rack in racks] or ["no known rack"])

    def subscribers(self, partition: int) -> IntArray:
        """Return the members that subscribe to the partition's topic, ascending."""
        return self.group.subscribers(self.group.topic_of_partition[partition])
