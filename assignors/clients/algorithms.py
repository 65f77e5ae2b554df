"""What strategies of other clients have in common: their libraries and algorithms."""

from collections.abc import Callable
from typing import Final, NamedTuple

from assignors.certainty import EXACT, Certainty
from assignors.model import Assignor, Group, Owners
from assignors.registry import RANGE_GOALS, STICKY_PROMISES
from assignors.strategy import Family, Promise, Protocol, Sees, Strategy, StrategyKind
from assignors.trace.events import Traced


class _Library(NamedTuple):
    label: str
    source: str
    """Repository and tag."""


class Algorithm(NamedTuple):
    """What the strategies of one algorithm have in common, unless an entry says otherwise."""

    name: str
    label: str
    goals: tuple[str, ...]
    promises: frozenset[Promise]
    family: Family


_LIBRARIES: Final = {
    "librdkafka": _Library("librdkafka 2", "confluentinc/librdkafka v2.16.0"),
    "aiokafka": _Library("aiokafka 0.14", "aio-libs/aiokafka v0.14.0"),
    "kafka-python": _Library("kafka-python 3", "dpkp/kafka-python v3.0.12"),
    "kafka-go": _Library("kafka-go 0.4", "segmentio/kafka-go v0.4.51"),
    "kafkajs": _Library("KafkaJS 2", "tulios/kafkajs v2.2.4"),
    "sarama": _Library("Sarama 1", "IBM/sarama v1.61.1"),
    "franz-go": _Library("franz-go 1", "twmb/franz-go v1.22.2"),
}
RANGE: Final = Algorithm(
    "range",
    "Range",
    RANGE_GOALS,
    frozenset({Promise.BALANCED_PER_TOPIC, Promise.CO_PARTITIONED}),
    Family.RANGE,
)
ROUNDROBIN: Final = Algorithm(
    "roundrobin",
    "Round robin",
    ("even counts, provided that all consumers subscribe to the same topics",),
    frozenset({Promise.BALANCED}),
    Family.ROUND_ROBIN,
)
STICKY: Final = Algorithm(
    "sticky",
    "Sticky",
    ("even counts over all topics", "as few moves as possible"),
    STICKY_PROMISES,
    Family.STICKY,
)
COOPERATIVE: Final = STICKY._replace(name="cooperative-sticky", label="Cooperative sticky")


def of_client(  # noqa: PLR0913 -- what can differ between libraries
    client: str,
    algorithm: Algorithm,
    assign: Assignor,
    weakness: str,
    *sees: Sees,
    target: Assignor | None = None,
    traced: Traced | None = None,
    promises: frozenset[Promise] | None = None,
    certainty: Certainty = EXACT,
    certainty_by_group: Callable[[Group], Certainty] | None = None,
    possible: Callable[[Group], tuple[Owners, ...]] | None = None,
) -> Strategy:
    """Return the entry of one library for one algorithm."""
    library = _LIBRARIES[client]
    return Strategy(
        name=f"{client}-{algorithm.name}",
        label=f"{algorithm.label} ({library.label})",
        assign=assign,
        target=target,
        traced=traced,
        kind=StrategyKind.OTHER_CLIENT,
        client=client,
        protocol=Protocol.COOPERATIVE if target else Protocol.EAGER,
        sees=frozenset(sees),
        promises=algorithm.promises if promises is None else promises,
        goals=algorithm.goals,
        weakness=weakness,
        sources=(library.source,),
        family=algorithm.family,
        certainty=certainty,
        certainty_by_group=certainty_by_group,
        possible=possible,
    )
