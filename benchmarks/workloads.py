"""The workloads by section of the report: groups as large as in Kafka's own tests, and events."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from assignors.layout import Layout, SubscriptionClasses
from assignors.model import UNOWNED, Group, LongArray
from assignors.registry import STRATEGIES
from assignors.strategy import Sees

LIBRDKAFKA: Final = "librdkafka"
JAVA: Final = "Kafka's Java"
COMPETITORS: Final = (LIBRDKAFKA, JAVA)
"""The competitors, in the order of the report's columns."""
_ON_THE_CLIENT: Final = ("range", "roundrobin", "sticky", "cooperative-sticky")
"""The strategies that other clients ship."""


class Subscriptions(Enum):
    """The members' subscriptions, as in Kafka's own tests."""

    EQUAL = ""
    """``testLargeAssignmentAndGroupWithUniformSubscription``"""
    ONE_UNEQUAL = "one wants 1 topic"
    """``testLargeAssignmentAndGroupWithNonEqualSubscription``"""
    QUARTER = "a quarter wants the first half"
    """``testAssignmentAndGroupWithNonEqualSubscriptionNotTimeout``; the rest want the other half"""


class ChangeBefore(Enum):
    """The change that precedes the measured assignment."""

    FIRST = "first"
    AGAIN = "same again"
    ADDED = "one member added"
    REMOVED = "one member removed"


class Shape(NamedTuple):
    """The size of a group."""

    topics: int
    partitions_each: int
    members: int
    subscriptions: Subscriptions = Subscriptions.EQUAL

    @property
    def partitions(self) -> int:
        """Total number of partitions."""
        return self.topics * self.partitions_each

    def __str__(self) -> str:
        """Return ``500 x 2,000 x 2,000``: topics, partitions of each, members."""
        size = f"{self.topics:,} x {self.partitions_each:,} x {self.members:,}"
        return f"{size}, {self.subscriptions.value}" if self.subscriptions.value else size

    def group(self, members: LongArray | None = None) -> Group:
        """Return the group, by default with all members; deterministic.

        Lags are long-tailed, as in groups that fall behind.
        """
        members = np.arange(self.members) if members is None else members
        every, half = np.arange(self.topics), self.topics // 2
        class_topics, class_of_member = {
            Subscriptions.EQUAL: ([every], np.zeros(members.size)),
            Subscriptions.ONE_UNEQUAL: ([every, every[:1]], members == self.members - 1),
            Subscriptions.QUARTER: ([every[half:], every[:half]], members % 4 == 0),
        }[self.subscriptions]
        random = np.random.default_rng(20160411)
        layout = Layout.of(
            [f"topic-{number:06}" for number in range(self.topics)],
            [self.partitions_each] * self.topics,
            [f"consumer-{number:06}" for number in members],
            subscriptions=SubscriptionClasses(class_of_member, class_topics),
        )
        lags = (random.pareto(1.2, self.partitions) * 1000).astype(np.int64)
        return Group.with_layout(layout, lags=lags)


class Case(NamedTuple):
    """One strategy on one group after one event."""

    strategy: str
    shape: Shape
    event: ChangeBefore = ChangeBefore.FIRST
    against: tuple[str, ...] = ()
    """The competitors that are fast enough to measure."""

    @property
    def workload(self) -> str:
        """The workload's label in the table."""
        unequal = self.shape.subscriptions.value
        return f"{self.strategy}, {self.event.value}" + (f"; {unequal}" if unequal else "")

    def group(self) -> Group:
        """Return the group, owned as the strategy itself assigned it before the event."""
        first = self.shape.group()
        if self.event is ChangeBefore.FIRST:
            return first
        owners = STRATEGIES[self.strategy].settle(first)
        members = np.arange(self.shape.members)
        if self.event is ChangeBefore.ADDED:
            members = np.arange(self.shape.members + 1)
        elif self.event is ChangeBefore.REMOVED:
            gone = self.shape.members // 2
            members = np.delete(members, gone)
            owners = np.where(owners == gone, UNOWNED, owners - (owners > gone))
        return self.shape.group(members).owned_by(owners)


class Sizes(NamedTuple):
    """The sizes of the workloads: those of Kafka's tests, or small ones for ``--quick``."""

    large: Shape
    quarter: Shape
    middle: Shape
    """Every client's stateless assignors take about a second on this shape."""
    small: Shape
    """librdkafka's sticky assignor takes about a second on this shape."""
    growth: tuple[Shape, ...]


FULL: Final = Sizes(
    large=Shape(500, 2_000, 2_000),
    quarter=Shape(100, 200, 500, Subscriptions.QUARTER),
    middle=Shape(50, 2_000, 200),
    small=Shape(20, 100, 100),
    growth=(Shape(5, 2_000, 20), Shape(50, 2_000, 200), Shape(500, 2_000, 2_000)),
)
QUICK: Final = Sizes(
    large=Shape(50, 2_000, 200),
    quarter=Shape(20, 100, 100, Subscriptions.QUARTER),
    middle=Shape(20, 500, 100),
    small=Shape(10, 50, 40),
    growth=(Shape(5, 200, 20), Shape(5, 2_000, 20), Shape(50, 2_000, 200)),
)


_ONLY_OURS: Final = tuple(name for name in STRATEGIES if name not in _ON_THE_CLIENT)
_FEW: Final = (ChangeBefore.FIRST, ChangeBefore.ADDED)


def sections(sizes: Sizes) -> dict[str, list[Case]]:
    """Return the cases of each table of the report, by title."""
    unequal = sizes.large._replace(subscriptions=Subscriptions.ONE_UNEQUAL)
    return {
        f"Kafka's own test: {sizes.large}": _cases(_ON_THE_CLIENT, sizes.large, (JAVA,)),
        f"Unequal subscriptions: {unequal}; {sizes.quarter}": [
            *_cases(["sticky"], unequal, (JAVA,), (ChangeBefore.FIRST, ChangeBefore.AGAIN)),
            *_cases(["sticky"], sizes.quarter, (JAVA,), (ChangeBefore.FIRST, ChangeBefore.AGAIN)),
        ],
        f"Every client, without present owners: {sizes.middle}": _cases(
            ["range", "roundrobin"], sizes.middle, COMPETITORS
        ),
        f"Every client, sticky: {sizes.small}": _cases(
            ["sticky", "cooperative-sticky"], sizes.small, COMPETITORS
        ),
        f"Ours alone: {sizes.large}": _cases(_ONLY_OURS, sizes.large, events=_FEW),
    }


def growth(sizes: Sizes) -> list[tuple[Case, ...]]:
    """Return the cases of each line of the growth table, smallest size first."""
    columns = [
        _cases(_ON_THE_CLIENT, shape, (JAVA,), _FEW) + _cases(_ONLY_OURS, shape, events=_FEW)
        for shape in sizes.growth
    ]
    return list(zip(*columns, strict=True))


def _cases(
    strategies: Iterable[str],
    shape: Shape,
    against: tuple[str, ...] = (),
    events: Sequence[ChangeBefore] = tuple(ChangeBefore),
) -> list[Case]:
    """Return a case per relevant event: only the first event for strategies that ignore owners."""
    return [
        Case(name, shape, event, against)
        for name in strategies
        for event in (events if Sees.OWNERS in STRATEGIES[name].sees else events[:1])
    ]
