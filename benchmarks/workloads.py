"""The workloads: groups of Kafka's own test sizes, and their events."""

from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group, LongArray
from assignors.registry import STRATEGIES

LIBRDKAFKA: Final = "librdkafka"
KAFKA_PYTHON: Final = "kafka-python"
JAVA: Final = "Kafka's Java"
COMPETITORS: Final = (KAFKA_PYTHON, LIBRDKAFKA, JAVA)
"""In the order of the columns."""


class Subscriptions(Enum):
    """Which topics each member wants, as in Kafka's own tests."""

    EQUAL = ""
    """``testLargeAssignmentAndGroupWithUniformSubscription``"""
    ONE_UNEQUAL = "one wants 1 topic"
    """``testLargeAssignmentAndGroupWithNonEqualSubscription``"""
    QUARTER = "a quarter wants the first half"
    """``testAssignmentAndGroupWithNonEqualSubscriptionNotTimeout``; the rest want the other half"""


class Event(Enum):
    """What happened before the group is assigned anew."""

    FIRST = "first"
    AGAIN = "same again"
    ADDED = "one member added"
    REMOVED = "one member removed"


class Shape(NamedTuple):
    """How large a group is."""

    topics: int
    partitions_each: int
    members: int
    subscriptions: Subscriptions = Subscriptions.EQUAL

    @property
    def partitions(self) -> int:
        """All of them."""
        return self.topics * self.partitions_each

    def __str__(self) -> str:
        """Return ``500 x 2,000 x 2,000``: topics, partitions of each, members."""
        size = f"{self.topics:,} x {self.partitions_each:,} x {self.members:,}"
        return f"{size}, {self.subscriptions.value}" if self.subscriptions.value else size

    def group(self, members: LongArray | None = None) -> Group:
        """Return the group, of these members if not of all; the same each time.

        Lags are long-tailed, as they are where consumers fall behind.
        """
        members = np.arange(self.members) if members is None else members
        every, half = np.arange(self.topics), self.topics // 2
        class_topics, class_of_member = {
            Subscriptions.EQUAL: ([every], np.zeros(members.size)),
            Subscriptions.ONE_UNEQUAL: ([every, every[:1]], members == self.members - 1),
            Subscriptions.QUARTER: ([every[half:], every[:half]], members % 4 == 0),
        }[self.subscriptions]
        random = np.random.default_rng(20160411)
        return Group.of(
            [f"topic-{number:06}" for number in range(self.topics)],
            [self.partitions_each] * self.topics,
            [f"consumer-{number:06}" for number in members],
            class_of_member=class_of_member,
            class_topics=class_topics,
            lags=(random.pareto(1.2, self.partitions) * 1000).astype(np.int64),
        )


class Case(NamedTuple):
    """One strategy on one group at one moment."""

    strategy: str
    shape: Shape
    event: Event = Event.FIRST
    against: tuple[str, ...] = ()
    """The competitors that end in bearable time."""

    @property
    def workload(self) -> str:
        """What the table calls it."""
        unequal = self.shape.subscriptions.value
        return f"{self.strategy}, {self.event.value}" + (f"; {unequal}" if unequal else "")

    def group(self) -> Group:
        """Return the group; what is owned is what the strategy itself gave before the event."""
        first = self.shape.group()
        if self.event is Event.FIRST:
            return first
        owners = STRATEGIES[self.strategy].settle(first)
        if self.event is Event.AGAIN:
            return first.owned_by(owners)
        if self.event is Event.ADDED:
            return self.shape.group(np.arange(self.shape.members + 1)).owned_by(owners)
        gone = self.shape.members // 2
        numbers = np.arange(self.shape.members, dtype=np.int32)
        renumbered = np.where(numbers > gone, numbers - 1, numbers)
        renumbered[gone] = UNOWNED
        return self.shape.group(np.delete(np.arange(self.shape.members), gone)).owned_by(
            renumbered[owners]
        )
