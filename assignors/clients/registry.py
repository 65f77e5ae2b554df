"""The strategies of clients other than Java's, by client and version, in display order.

They stand beside ``registry.STRATEGIES``: what is shown and replayed unless asked otherwise
stays Kafka's own and the custom assignors. Each is held by vectors of the real library.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from assignors.certainty import EXACT, WITHOUT_TOPIC_IDS, Certainty, Known, if_unequal
from assignors.clients.franz_go import franz_go_range, franz_go_roundrobin
from assignors.clients.franz_go_sticky import (
    FRANZ_GO,
    franz_go_cooperative_sticky,
    franz_go_sticky,
    of_franz_go_sticky,
    possible_answers,
)
from assignors.clients.go_sticky import SARAMA_UNEQUAL, go_sticky, of_sarama_sticky
from assignors.clients.kafka_go import kafka_go_range, kafka_go_roundrobin
from assignors.clients.kafkajs import kafkajs_roundrobin
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
    aiokafka_roundrobin,
    aiokafka_sticky,
    kafka_python_cooperative_sticky,
    kafka_python_cooperative_target,
    kafka_python_range,
    kafka_python_roundrobin,
    kafka_python_sticky,
    of_kafka_python_sticky,
    of_python_sticky,
)
from assignors.clients.sarama import sarama_range, sarama_roundrobin
from assignors.model import Assignor, Group, Owners
from assignors.registry import STRATEGIES, Kind, Promise, Protocol, Sees, Strategy
from assignors.uniform.uniform2 import of_uniform2, uniform2

_PER_TOPIC: Final = frozenset({Promise.BALANCED_PER_TOPIC, Promise.CO_PARTITIONED})
_EVEN: Final = ("even counts, provided that all consumers subscribe to the same topics",)
_EVEN_PER_TOPIC: Final = (
    "even counts within each topic",
    "the same owner for the same partition of co-partitioned topics",
    "contiguous blocks of partitions",
)
_EVENLY: Final = frozenset({Promise.BALANCED})
_STICKY: Final = ("even counts over all topics", "as few moves as possible")
_STABLE: Final = frozenset({Promise.BALANCED, Promise.STABLE, Promise.FEWEST_MOVES})
_AIOKAFKA: Final = "aio-libs/aiokafka v0.14.0"
_KAFKA_PYTHON: Final = "dpkp/kafka-python v3.0.12"
_STATIC: Final = frozenset({Sees.STATIC_IDS})
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


def _of(  # noqa: PLR0913 -- what differs between them
    name: str,
    label: str,
    assign: Assignor,
    *,
    goals: tuple[str, ...],
    promises: frozenset[Promise],
    weakness: str,
    source: str,
    sees: frozenset[Sees] = frozenset(),
    scenario: str = "range-many-topics",
    certainty_by_group: Callable[[Group], Certainty] | None = None,
    certainty: Certainty = EXACT,
    target: Assignor | None = None,
    possible: Callable[[Group], tuple[Owners, ...]] | None = None,
) -> Strategy:
    return Strategy(
        name=name,
        label=label,
        assign=assign,
        target=target,
        kind=Kind.OTHER_CLIENT,
        protocol=Protocol.COOPERATIVE if target else Protocol.EAGER,
        sees=sees,
        promises=promises,
        goals=goals,
        weakness=weakness,
        scenario=scenario,
        sources=(source,),
        certainty=certainty,
        certainty_by_group=certainty_by_group,
        possible=possible,
    )


_IN_DISPLAY_ORDER: Final = (
    _of(
        "librdkafka-range",
        "Range (librdkafka 2)",
        librdkafka_range,
        goals=(
            "even counts within each topic",
            "partitions with a replica in the consumer's rack",
            "contiguous blocks of partitions",
        ),
        promises=frozenset({Promise.BALANCED_PER_TOPIC, Promise.CO_PARTITIONED}),
        weakness="Each topic is divided on its own, so the same consumers get every extra "
        "partition. Where some consumers are static and others are not, a restart can reorder all.",
        source="confluentinc/librdkafka v2.16.0",
        sees=frozenset({Sees.RACKS, Sees.STATIC_IDS, Sees.ARRIVAL}),
    ),
    _of(
        "librdkafka-roundrobin",
        "Round robin (librdkafka 2)",
        librdkafka_roundrobin,
        goals=_EVEN,
        promises=frozenset({Promise.BALANCED, Promise.BALANCED_PER_TOPIC}),
        weakness="Partitions are assigned in a fixed order, whatever their lag. Where some "
        "consumers are static and others are not, a restart can reorder all.",
        source="confluentinc/librdkafka v2.16.0",
        sees=frozenset({Sees.STATIC_IDS, Sees.ARRIVAL}),
        scenario="rr-aliasing-20",
    ),
    _of(
        "librdkafka-cooperative-sticky",
        "Cooperative sticky (librdkafka 2)",
        librdkafka_cooperative_sticky,
        target=librdkafka_cooperative_target,
        goals=_STICKY,
        promises=_STABLE - {Promise.BALANCED},
        weakness="A partition that two consumers claim can be assigned by the wrong one's count, "
        "and consumers without topics are left out, whatever they own.",
        source="confluentinc/librdkafka v2.16.0",
        sees=frozenset({Sees.RACKS, Sees.OWNERS, Sees.ARRIVAL}),
        scenario="cooperative-two-rounds",
        certainty=OUTDATED_CLAIMS,
        certainty_by_group=of_librdkafka_sticky,
    ),
    _of(
        "aiokafka-range",
        "Range (aiokafka 0.14)",
        sarama_range,  # the same rule
        goals=_EVEN_PER_TOPIC,
        promises=_PER_TOPIC,
        weakness="Each topic is divided on its own, so the same consumers get every extra "
        "partition. Static ids and racks are ignored.",
        source=_AIOKAFKA,
    ),
    _of(
        "aiokafka-roundrobin",
        "Round robin (aiokafka 0.14)",
        aiokafka_roundrobin,
        goals=_EVEN,
        promises=_EVENLY,
        weakness="Partitions are assigned in a fixed order, whatever their lag. Static ids are "
        "ignored, so a restart under a new member id can move everything.",
        source=_AIOKAFKA,
        scenario="rr-aliasing-20",
    ),
    _of(
        "aiokafka-sticky",
        "Sticky (aiokafka 0.14)",
        aiokafka_sticky,
        goals=_STICKY,
        promises=_STABLE,
        weakness="Members send no generation (aiokafka#1176): what a consumer still claims after "
        "missing a rebalance counts as much as what another owns now.",
        source=_AIOKAFKA,
        sees=frozenset({Sees.OWNERS, Sees.ARRIVAL}),
        scenario="sticky-stale-generation",
        certainty=ONE_OF_TWO,
        certainty_by_group=of_python_sticky,
    ),
    _of(
        "kafka-python-range",
        "Range (kafka-python 3)",
        kafka_python_range,
        goals=_EVEN_PER_TOPIC,
        promises=frozenset(),
        weakness="Where static and other consumers come mixed in the group's list, only the last "
        "row of each gets anything: the rest of the group stays idle.",
        source=_KAFKA_PYTHON,
        sees=frozenset({Sees.STATIC_IDS, Sees.ARRIVAL}),
    ),
    _of(
        "kafka-python-roundrobin",
        "Round robin (kafka-python 3)",
        kafka_python_roundrobin,
        goals=_EVEN,
        promises=frozenset(),
        weakness="With unequal subscriptions it fails with a KeyError. Where static and other "
        "consumers come mixed, only the last row of each gets anything.",
        source=_KAFKA_PYTHON,
        sees=frozenset({Sees.STATIC_IDS, Sees.ARRIVAL}),
        scenario="rr-aliasing-20",
        certainty=_UNEQUAL_KAFKA_PYTHON,
        certainty_by_group=partial(if_unequal, _UNEQUAL_KAFKA_PYTHON),
    ),
    _of(
        "kafka-python-sticky",
        "Sticky (kafka-python 3)",
        kafka_python_sticky,
        goals=_STICKY,
        promises=_STABLE,
        weakness="Which of several partitions goes back to an earlier owner first is up to the "
        "order of a Python set, another in every process.",
        source=_KAFKA_PYTHON,
        sees=frozenset({Sees.OWNERS, Sees.ARRIVAL}),
        scenario="sticky-stale-generation",
        certainty=HASHED_SET,
        certainty_by_group=of_kafka_python_sticky,
    ),
    _of(
        "kafka-python-cooperative-sticky",
        "Cooperative sticky (kafka-python 3)",
        kafka_python_cooperative_sticky,
        target=kafka_python_cooperative_target,
        goals=_STICKY,
        promises=_STABLE,
        weakness="Members send no generation: what a consumer still claims after missing a "
        "rebalance counts as much as what another owns now.",
        source=_KAFKA_PYTHON,
        sees=frozenset({Sees.OWNERS, Sees.ARRIVAL}),
        scenario="cooperative-two-rounds",
    ),
    _of(
        "kafka-go-range",
        "Range (kafka-go 0.4)",
        kafka_go_range,
        goals=_EVEN_PER_TOPIC,
        promises=_PER_TOPIC,
        weakness="Each topic is divided on its own, and the last consumers get every extra "
        "partition. Static ids and racks are ignored.",
        source="segmentio/kafka-go v0.4.51",
    ),
    _of(
        "kafka-go-roundrobin",
        "Round robin (kafka-go 0.4)",
        kafka_go_roundrobin,
        goals=("even counts within each topic",),
        promises=_PER_TOPIC,
        weakness="Every topic starts with the first consumer again: of six topics with one "
        "partition each, the first of three consumers gets all six.",
        source="segmentio/kafka-go v0.4.51",
    ),
    _of(
        "kafkajs-roundrobin",
        "Round robin (KafkaJS 2)",
        kafkajs_roundrobin,
        goals=_EVEN,
        promises=_EVENLY,
        weakness="Topics come in the order in which the group's leader lists them. With unequal "
        "subscriptions KafkaJS assigns partitions to consumers that do not read them.",
        source="tulios/kafkajs v2.2.4",
        certainty=_UNEQUAL_KAFKAJS,
        certainty_by_group=partial(if_unequal, _UNEQUAL_KAFKAJS),
        scenario="rr-aliasing-20",
    ),
    _of(
        "sarama-range",
        "Range (Sarama 1)",
        sarama_range,
        goals=_EVEN_PER_TOPIC,
        promises=_PER_TOPIC,
        weakness="Each topic is divided on its own, so the same consumers get every extra "
        "partition. Static ids and racks are ignored.",
        source="IBM/sarama v1.61.1",
    ),
    _of(
        "sarama-roundrobin",
        "Round robin (Sarama 1)",
        sarama_roundrobin,
        goals=_EVEN,
        promises=_EVENLY,
        weakness="Partitions are ordered as text, 10 before 2, so co-partitioned topics end up "
        "with different consumers. Static ids are ignored.",
        source="IBM/sarama v1.61.1",
        scenario="rr-aliasing-20",
    ),
    _of(
        "sarama-sticky",
        "Sticky (Sarama 1)",
        go_sticky,
        goals=_STICKY,
        promises=_STABLE - {Promise.FEWEST_MOVES},
        weakness="What moves is decided by the order of a Go map, so that two rebalances of the "
        "same group come out differently.",
        source="IBM/sarama v1.61.1",
        sees=frozenset({Sees.OWNERS}),
        scenario="sticky-stale-generation",
        certainty=SARAMA_UNEQUAL,
        certainty_by_group=of_sarama_sticky,
    ),
    _of(
        "franz-go-range",
        "Range (franz-go 1)",
        franz_go_range,
        goals=_EVEN_PER_TOPIC,
        promises=_PER_TOPIC | {Promise.RESTART_SAFE},
        weakness="Each topic is divided on its own, so the same consumers get every extra "
        "partition. Racks count only with the option BalanceRacks.",
        source="twmb/franz-go v1.22.2",
        sees=_STATIC,
    ),
    _of(
        "franz-go-roundrobin",
        "Round robin (franz-go 1)",
        franz_go_roundrobin,
        goals=_EVEN,
        promises=frozenset({Promise.BALANCED, Promise.BALANCED_PER_TOPIC, Promise.RESTART_SAFE}),
        weakness="Partitions are assigned in a fixed order, whatever their lag. If every topic has "
        "as many partitions as there are consumers, one of them gets partition 0 of every topic.",
        source="twmb/franz-go v1.22.2",
        sees=_STATIC,
        scenario="rr-aliasing-20",
    ),
    _of(
        "franz-go-sticky",
        "Sticky (franz-go 1)",
        franz_go_sticky,
        goals=_STICKY,
        promises=_STABLE - {Promise.FEWEST_MOVES},
        weakness="Which topic is assigned first is decided by the order of a Go map. Racks count "
        "only with the option BalanceRacks.",
        source="twmb/franz-go v1.22.2",
        sees=_STATIC | {Sees.OWNERS},
        scenario="sticky-stale-generation",
        certainty=FRANZ_GO,
        certainty_by_group=of_franz_go_sticky,
        possible=possible_answers,
    ),
    _of(
        "franz-go-cooperative-sticky",
        "Cooperative sticky (franz-go 1)",
        franz_go_cooperative_sticky,
        target=franz_go_sticky,
        goals=_STICKY,
        promises=_STABLE - {Promise.FEWEST_MOVES},
        weakness="Which topic is assigned first is decided by the order of a Go map. Racks count "
        "only with the option BalanceRacks.",
        source="twmb/franz-go v1.22.2",
        sees=_STATIC | {Sees.OWNERS},
        scenario="cooperative-two-rounds",
        certainty=FRANZ_GO,
        certainty_by_group=of_franz_go_sticky,
        possible=possible_answers,
    ),
)

OTHER_CLIENTS: Final[Mapping[str, Strategy]] = {s.name: s for s in _IN_DISPLAY_ORDER}
"""The strategies of other clients by name, in display order."""
PREVIEWS: Final[Mapping[str, Strategy]] = {
    "uniform2": Strategy(
        name="uniform2",
        label="Uniform2 (preview)",
        assign=uniform2,
        kind=Kind.PREVIEW,
        protocol=Protocol.BROKER,
        sees=frozenset({Sees.OWNERS}),
        promises=frozenset({Promise.BALANCED, Promise.BALANCED_PER_TOPIC}),
        goals=(
            "even counts within each topic",
            "even counts over all topics",
            "as few moves as both allow",
        ),
        weakness="A topic that is spread unevenly is spread anew, even if every consumer has as "
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
