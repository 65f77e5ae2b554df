"""The workloads, by section of the report, and their competitors."""

from typing import Final, NamedTuple

from assignors.registry import STRATEGIES
from assignors.strategy import Sees
from benchmarks.workloads import COMPETITORS, JAVA, Case, Event, Shape, Subscriptions

_ON_THE_CLIENT: Final = ("range", "roundrobin", "sticky", "cooperative-sticky")
"""What Kafka's clients ship; everything else is ours alone."""


class Sizes(NamedTuple):
    """How large the workloads are: those of Kafka's tests, or small ones for a quick look."""

    large: Shape
    quarter: Shape
    middle: Shape
    """At which every client's stateless assignors end in a second or so."""
    small: Shape
    """At which kafka-python's and librdkafka's sticky assignors do."""
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
TOY: Final = Sizes(
    large=Shape(6, 10, 5),
    quarter=Shape(4, 6, 8, Subscriptions.QUARTER),
    middle=Shape(3, 8, 4),
    small=Shape(2, 7, 3),
    growth=(Shape(1, 10, 2), Shape(2, 10, 4)),
)


def sections(sizes: Sizes) -> dict[str, list[Case]]:
    """Return the cases of each table of the report, by title."""
    unequal = sizes.large._replace(subscriptions=Subscriptions.ONE_UNEQUAL)
    return {
        f"Kafka's own test: {sizes.large}": _client_cases(sizes.large, (JAVA,)),
        f"Unequal subscriptions: {unequal}; {sizes.quarter}": [
            Case("sticky", shape, event, (JAVA,))
            for shape in (unequal, sizes.quarter)
            for event in (Event.FIRST, Event.AGAIN)
        ],
        f"Every client, without present owners: {sizes.middle}": [
            Case(name, sizes.middle, Event.FIRST, COMPETITORS) for name in _ON_THE_CLIENT[:2]
        ],
        f"Every client, sticky: {sizes.small}": [
            case for case in _client_cases(sizes.small, COMPETITORS) if _is_sticky(case.strategy)
        ],
        f"Ours alone: {sizes.large}": _own_cases(sizes.large),
    }


def growth(sizes: Sizes) -> list[list[Case]]:
    """Return the cases of each line of the growth table, from the smallest size on."""
    return [
        [case._replace(shape=shape) for shape in sizes.growth]
        for case in [*_client_cases(sizes.large, (JAVA,)), *_own_cases(sizes.large)]
        if case.event in (Event.FIRST, Event.ADDED)
    ]


def _is_sticky(strategy: str) -> bool:
    return Sees.OWNERS in STRATEGIES[strategy].sees


def _client_cases(shape: Shape, against: tuple[str, ...]) -> list[Case]:
    """Every event that makes a difference to each of the clients' strategies."""
    return [
        Case(name, shape, event, against)
        for name in _ON_THE_CLIENT
        for event in (Event if _is_sticky(name) else (Event.FIRST,))
    ]


def _own_cases(shape: Shape) -> list[Case]:
    return [
        Case(name, shape, event)
        for name in STRATEGIES
        if name not in _ON_THE_CLIENT
        for event in ((Event.FIRST, Event.ADDED) if _is_sticky(name) else (Event.FIRST,))
    ]
