"""The strategies of clients other than Java's, by client and version, in display order.

They stand beside ``registry.STRATEGIES``: what is shown and replayed unless asked otherwise
stays Kafka's own and the custom assignors. Each is held by vectors of the real library.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from assignors.certainty import EXACT, Certainty, Known, if_unequal
from assignors.clients.franz_go import franz_go_range, franz_go_roundrobin
from assignors.clients.kafka_go import kafka_go_range, kafka_go_roundrobin
from assignors.clients.kafkajs import kafkajs_roundrobin
from assignors.clients.librdkafka import librdkafka_range, librdkafka_roundrobin
from assignors.clients.sarama import sarama_range, sarama_roundrobin
from assignors.model import Assignor, Group
from assignors.registry import STRATEGIES, Kind, Promise, Protocol, Sees, Strategy

_PER_TOPIC: Final = frozenset({Promise.BALANCED_PER_TOPIC, Promise.CO_PARTITIONED})
_EVEN: Final = ("even counts, provided that all consumers subscribe to the same topics",)
_EVEN_PER_TOPIC: Final = (
    "even counts within each topic",
    "the same owner for the same partition of co-partitioned topics",
    "contiguous blocks of partitions",
)
_STATIC: Final = frozenset({Sees.STATIC_IDS})
_UNEQUAL_KAFKAJS: Final = Certainty(
    Known.NOT_PREDICTABLE,
    "With unequal subscriptions KafkaJS assigns partitions to consumers that do not read them; no "
    "assignment that follows the protocol can agree with it.",
)


def _eager(  # noqa: PLR0913 -- what differs between them
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
) -> Strategy:
    return Strategy(
        name=name,
        label=label,
        assign=assign,
        kind=Kind.OTHER_CLIENT,
        protocol=Protocol.EAGER,
        sees=sees,
        promises=promises,
        goals=goals,
        weakness=weakness,
        scenario=scenario,
        sources=(source,),
        certainty=certainty,
        certainty_by_group=certainty_by_group,
    )


_IN_DISPLAY_ORDER: Final = (
    _eager(
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
    _eager(
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
    _eager(
        "kafka-go-range",
        "Range (kafka-go 0.4)",
        kafka_go_range,
        goals=_EVEN_PER_TOPIC,
        promises=_PER_TOPIC,
        weakness="Each topic is divided on its own, and the last consumers get every extra "
        "partition. Static ids and racks are ignored.",
        source="segmentio/kafka-go v0.4.51",
    ),
    _eager(
        "kafka-go-roundrobin",
        "Round robin (kafka-go 0.4)",
        kafka_go_roundrobin,
        goals=("even counts within each topic",),
        promises=_PER_TOPIC,
        weakness="Every topic starts with the first consumer again: of six topics with one "
        "partition each, the first of three consumers gets all six.",
        source="segmentio/kafka-go v0.4.51",
    ),
    _eager(
        "kafkajs-roundrobin",
        "Round robin (KafkaJS 2)",
        kafkajs_roundrobin,
        goals=_EVEN,
        promises=frozenset({Promise.BALANCED}),
        weakness="Topics come in the order in which the group's leader lists them. With unequal "
        "subscriptions KafkaJS assigns partitions to consumers that do not read them.",
        source="tulios/kafkajs v2.2.4",
        certainty=_UNEQUAL_KAFKAJS,
        certainty_by_group=partial(if_unequal, _UNEQUAL_KAFKAJS),
        scenario="rr-aliasing-20",
    ),
    _eager(
        "sarama-range",
        "Range (Sarama 1)",
        sarama_range,
        goals=_EVEN_PER_TOPIC,
        promises=_PER_TOPIC,
        weakness="Each topic is divided on its own, so the same consumers get every extra "
        "partition. Static ids and racks are ignored.",
        source="IBM/sarama v1.61.1",
    ),
    _eager(
        "sarama-roundrobin",
        "Round robin (Sarama 1)",
        sarama_roundrobin,
        goals=_EVEN,
        promises=frozenset({Promise.BALANCED}),
        weakness="Partitions are ordered as text, 10 before 2, so co-partitioned topics end up "
        "with different consumers. Static ids are ignored.",
        source="IBM/sarama v1.61.1",
        scenario="rr-aliasing-20",
    ),
    _eager(
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
    _eager(
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
)

OTHER_CLIENTS: Final[Mapping[str, Strategy]] = {s.name: s for s in _IN_DISPLAY_ORDER}
"""The strategies of other clients by name, in display order."""
ALL_STRATEGIES: Final[Mapping[str, Strategy]] = {**STRATEGIES, **OTHER_CLIENTS}
"""Every strategy by name: Kafka's and custom ones first."""
