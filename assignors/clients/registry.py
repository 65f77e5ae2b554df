"""The strategies of clients other than Java's, by client and version, in display order.

They are kept apart from ``registry.STRATEGIES``: by default pages show and pipelines replay only
Kafka's own and the custom assignors. Vectors of the real library test each of them.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from assignors.certainty import EXACT, WITHOUT_TOPIC_IDS, Certainty, Known, if_unequal
from assignors.clients import range_roundrobin as simple
from assignors.clients.go_sticky import (
    FRANZ_GO,
    SARAMA_UNEQUAL,
    franz_go_cooperative_sticky,
    franz_go_sticky,
    go_sticky,
    of_franz_go_sticky,
    of_sarama_sticky,
    possible_answers,
)
from assignors.clients.librdkafka import librdkafka_range, librdkafka_roundrobin
from assignors.clients.librdkafka_sticky import (
    OUTDATED_CLAIMS,
    librdkafka_cooperative_sticky,
    librdkafka_cooperative_target,
    of_librdkafka_sticky,
)
from assignors.clients.python import (
    HASHED_SET,
    ONE_OF_TWO,
    aiokafka_sticky,
    kafka_python_cooperative_sticky,
    kafka_python_cooperative_target,
    kafka_python_range,
    kafka_python_roundrobin,
    kafka_python_sticky,
    of_kafka_python_sticky,
    of_python_sticky,
)
from assignors.model import Assignor, Group, Owners
from assignors.registry import IN_RACK, STRATEGIES, Promise, Protocol, Sees, Strategy, StrategyKind
from assignors.uniform.uniform2 import of_uniform2, uniform2


class _Library(NamedTuple):
    label: str
    source: str
    """Repository and tag."""


class _Algorithm(NamedTuple):
    """What the strategies of one algorithm have in common, unless an entry says otherwise."""

    name: str
    label: str
    goals: tuple[str, ...]
    promises: frozenset[Promise]
    scenario: str


_LIBRARIES: Final = {
    "librdkafka": _Library("librdkafka 2", "confluentinc/librdkafka v2.16.0"),
    "aiokafka": _Library("aiokafka 0.14", "aio-libs/aiokafka v0.14.0"),
    "kafka-python": _Library("kafka-python 3", "dpkp/kafka-python v3.0.12"),
    "kafka-go": _Library("kafka-go 0.4", "segmentio/kafka-go v0.4.51"),
    "kafkajs": _Library("KafkaJS 2", "tulios/kafkajs v2.2.4"),
    "sarama": _Library("Sarama 1", "IBM/sarama v1.61.1"),
    "franz-go": _Library("franz-go 1", "twmb/franz-go v1.22.2"),
}
_RANGE: Final = _Algorithm(
    "range",
    "Range",
    (
        "even counts within each topic",
        "the same owner for the same partition of co-partitioned topics",
        "contiguous blocks of partitions",
    ),
    frozenset({Promise.BALANCED_PER_TOPIC, Promise.CO_PARTITIONED}),
    "range-many-topics",
)
_ROUNDROBIN: Final = _Algorithm(
    "roundrobin",
    "Round robin",
    ("even counts, provided that all consumers subscribe to the same topics",),
    frozenset({Promise.BALANCED}),
    "rr-aliasing-20",
)
_STICKY: Final = _Algorithm(
    "sticky",
    "Sticky",
    ("even counts over all topics", "as few moves as possible"),
    frozenset({Promise.BALANCED, Promise.STABLE, Promise.FEWEST_MOVES}),
    "sticky-stale-generation",
)
_COOPERATIVE: Final = _STICKY._replace(
    name="cooperative-sticky", label="Cooperative sticky", scenario="cooperative-two-rounds"
)
_SAME_EXTRAS: Final = (
    "Each topic is divided on its own, so the same consumers get every extra partition."
)
_FIXED_ORDER: Final = "Partitions are assigned in a fixed order, whatever their lag."
_IGNORES: Final = "Static ids and racks are ignored."
_MIXED_STATIC: Final = (
    "Where some consumers are static and others are not, a restart can reorder all."
)
_OLD_CLAIMS: Final = (
    "what a consumer still claims after missing a rebalance counts as much as what another owns "
    "now."
)
_UNEQUAL_KAFKAJS: Final = Certainty(
    Known.NOT_PREDICTABLE,
    "With unequal subscriptions KafkaJS assigns partitions to consumers that do not read them; no "
    "assignment that follows the protocol can agree with it.",
)
_UNEQUAL_KAFKA_PYTHON: Final = Certainty(
    Known.NOT_PREDICTABLE,
    "With unequal subscriptions kafka-python 3.0 fails with a KeyError wherever a consumer has to "
    "be passed over, and assigns nothing.",
)


def _of(  # noqa: PLR0913 -- what can differ between libraries
    client: str,
    algorithm: _Algorithm,
    assign: Assignor,
    weakness: str,
    *sees: Sees,
    target: Assignor | None = None,
    promises: frozenset[Promise] | None = None,
    certainty: Certainty = EXACT,
    certainty_by_group: Callable[[Group], Certainty] | None = None,
    possible: Callable[[Group], tuple[Owners, ...]] | None = None,
) -> Strategy:
    library = _LIBRARIES[client]
    return Strategy(
        name=f"{client}-{algorithm.name}",
        label=f"{algorithm.label} ({library.label})",
        assign=assign,
        target=target,
        kind=StrategyKind.OTHER_CLIENT,
        protocol=Protocol.COOPERATIVE if target else Protocol.EAGER,
        sees=frozenset(sees),
        promises=algorithm.promises if promises is None else promises,
        goals=algorithm.goals,
        weakness=weakness,
        scenario=algorithm.scenario,
        sources=(library.source,),
        certainty=certainty,
        certainty_by_group=certainty_by_group,
        possible=possible,
    )


_IN_DISPLAY_ORDER: Final = (
    _of(
        "librdkafka",
        _RANGE._replace(goals=(_RANGE.goals[0], IN_RACK, _RANGE.goals[2])),
        librdkafka_range,
        f"{_SAME_EXTRAS} {_MIXED_STATIC}",
        *(Sees.RACKS, Sees.STATIC_IDS, Sees.ARRIVAL),
    ),
    _of(
        "librdkafka",
        _ROUNDROBIN,
        librdkafka_roundrobin,
        f"{_FIXED_ORDER} {_MIXED_STATIC}",
        *(Sees.STATIC_IDS, Sees.ARRIVAL),
        promises=frozenset({Promise.BALANCED, Promise.BALANCED_PER_TOPIC}),
    ),
    _of(
        "librdkafka",
        _COOPERATIVE,
        librdkafka_cooperative_sticky,
        "A partition that two consumers claim can count for the wrong one, and consumers without "
        "topics are left out, whatever they own.",
        *(Sees.RACKS, Sees.OWNERS, Sees.ARRIVAL),
        target=librdkafka_cooperative_target,
        promises=_STICKY.promises - {Promise.BALANCED},
        certainty=OUTDATED_CLAIMS,
        certainty_by_group=of_librdkafka_sticky,
    ),
    _of("aiokafka", _RANGE, simple.aiokafka_range, f"{_SAME_EXTRAS} {_IGNORES}"),
    _of(
        "aiokafka",
        _ROUNDROBIN,
        simple.aiokafka_roundrobin,
        f"{_FIXED_ORDER} Static ids are ignored, so a restart under a new member id can move "
        "everything.",
    ),
    _of(
        "aiokafka",
        _STICKY,
        aiokafka_sticky,
        f"Members send no generation (aiokafka#1176): {_OLD_CLAIMS}",
        *(Sees.OWNERS, Sees.ARRIVAL),
        certainty=ONE_OF_TWO,
        certainty_by_group=of_python_sticky,
    ),
    _of(
        "kafka-python",
        _RANGE,
        kafka_python_range,
        "Where the group lists static and dynamic consumers mixed, only the last run of each kind "
        "gets anything: the rest of the group stays idle.",
        *(Sees.STATIC_IDS, Sees.ARRIVAL),
        promises=frozenset(),
    ),
    _of(
        "kafka-python",
        _ROUNDROBIN,
        kafka_python_roundrobin,
        "With unequal subscriptions it fails with a KeyError. Where static and dynamic consumers "
        "are listed mixed, only the last run of each kind gets anything.",
        *(Sees.STATIC_IDS, Sees.ARRIVAL),
        promises=frozenset(),
        certainty=_UNEQUAL_KAFKA_PYTHON,
        certainty_by_group=partial(if_unequal, _UNEQUAL_KAFKA_PYTHON),
    ),
    _of(
        "kafka-python",
        _STICKY,
        kafka_python_sticky,
        "The iteration order of a Python set, different in every process, decides which of "
        "several partitions goes back to an earlier owner first.",
        *(Sees.OWNERS, Sees.ARRIVAL),
        certainty=HASHED_SET,
        certainty_by_group=of_kafka_python_sticky,
    ),
    _of(
        "kafka-python",
        _COOPERATIVE,
        kafka_python_cooperative_sticky,
        f"Members send no generation: {_OLD_CLAIMS}",
        *(Sees.OWNERS, Sees.ARRIVAL),
        target=kafka_python_cooperative_target,
    ),
    _of(
        "kafka-go",
        _RANGE,
        simple.kafka_go_range,
        f"Each topic is divided on its own, and the last consumers get every extra partition. "
        f"{_IGNORES}",
    ),
    _of(
        "kafka-go",
        _ROUNDROBIN._replace(goals=_RANGE.goals[:1], scenario=_RANGE.scenario),
        simple.kafka_go_roundrobin,
        "Every topic starts with the first consumer again: of six topics with one partition each, "
        "the first of three consumers gets all six.",
        promises=_RANGE.promises,
    ),
    _of(
        "kafkajs",
        _ROUNDROBIN,
        simple.kafkajs_roundrobin,
        "Topics come in the order in which the group's leader lists them. With unequal "
        "subscriptions KafkaJS assigns partitions to consumers that do not read them.",
        certainty=_UNEQUAL_KAFKAJS,
        certainty_by_group=partial(if_unequal, _UNEQUAL_KAFKAJS),
    ),
    _of("sarama", _RANGE, simple.sarama_range, f"{_SAME_EXTRAS} {_IGNORES}"),
    _of(
        "sarama",
        _ROUNDROBIN,
        simple.sarama_roundrobin,
        "Partitions are ordered as text, 10 before 2, so co-partitioned topics end up with "
        "different consumers. Static ids are ignored.",
    ),
    _of(
        "sarama",
        _STICKY,
        go_sticky,
        "The iteration order of a Go map decides what moves, so two rebalances of the same group "
        "come out differently.",
        Sees.OWNERS,
        promises=_STICKY.promises - {Promise.FEWEST_MOVES},
        certainty=SARAMA_UNEQUAL,
        certainty_by_group=of_sarama_sticky,
    ),
    _of(
        "franz-go",
        _RANGE,
        simple.franz_go_range,
        f"{_SAME_EXTRAS} Racks count only with the option BalanceRacks.",
        Sees.STATIC_IDS,
        promises=_RANGE.promises | {Promise.RESTART_SAFE},
    ),
    _of(
        "franz-go",
        _ROUNDROBIN,
        simple.franz_go_roundrobin,
        f"{_FIXED_ORDER} If every topic has as many partitions as there are consumers, one of "
        "them gets partition 0 of every topic.",
        Sees.STATIC_IDS,
        promises=frozenset({Promise.BALANCED, Promise.BALANCED_PER_TOPIC, Promise.RESTART_SAFE}),
    ),
    *(
        _of(
            "franz-go",
            algorithm,
            assign,
            "The iteration order of a Go map decides which topic is assigned first. Racks count "
            "only with the option BalanceRacks.",
            *(Sees.STATIC_IDS, Sees.OWNERS),
            target=target,
            promises=_STICKY.promises - {Promise.FEWEST_MOVES},
            certainty=FRANZ_GO,
            certainty_by_group=of_franz_go_sticky,
            possible=possible_answers,
        )
        for algorithm, assign, target in (
            (_STICKY, franz_go_sticky, None),
            (_COOPERATIVE, franz_go_cooperative_sticky, franz_go_sticky),
        )
    ),
)

OTHER_CLIENTS: Final[Mapping[str, Strategy]] = {s.name: s for s in _IN_DISPLAY_ORDER}
"""The strategies of other clients by name, in display order."""
PREVIEWS: Final[Mapping[str, Strategy]] = {
    "uniform2": Strategy(
        name="uniform2",
        label="Uniform2 (preview)",
        assign=uniform2,
        kind=StrategyKind.PREVIEW,
        protocol=Protocol.BROKER,
        sees=frozenset({Sees.OWNERS}),
        promises=frozenset({Promise.BALANCED, Promise.BALANCED_PER_TOPIC}),
        goals=(
            "even counts within each topic",
            "even counts over all topics",
            "as few moves as both allow",
        ),
        weakness="A topic that is spread unevenly is reassigned, even if every consumer has as "
        "many partitions as any other.",
        scenario="uniform-unstable-KAFKA-18688",
        sources=("apache/kafka#23723",),
        certainty=WITHOUT_TOPIC_IDS,
        certainty_by_group=of_uniform2,
    )
}
"""Strategies that are proposed and in no release: their answers are those of their sources."""
ALL_STRATEGIES: Final[Mapping[str, Strategy]] = {**STRATEGIES, **PREVIEWS, **OTHER_CLIENTS}
"""Every strategy by name: Kafka's and custom ones first."""
