"""The strategies of clients other than Java's, by client and version, in display order.

They are kept apart from ``registry.STRATEGIES``: by default pages show and pipelines replay only
Kafka's own and the custom assignors. Vectors of the real library test each of them.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final

from assignors.certainty import Certainty, Known, if_unequal
from assignors.clients import franz_go, librdkafka, librdkafka_sticky, python, sarama_sticky
from assignors.clients import range_roundrobin as simple
from assignors.clients.algorithms import COOPERATIVE, RANGE, ROUNDROBIN, STICKY, of_client
from assignors.registry import IN_RACK, STRATEGIES
from assignors.strategy import Family, Promise, Sees, Strategies, Strategy

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
_IN_DISPLAY_ORDER: Final = (
    of_client(
        "librdkafka",
        RANGE._replace(goals=(RANGE.goals[0], IN_RACK, RANGE.goals[2])),
        librdkafka.librdkafka_range,
        f"{_SAME_EXTRAS} {_MIXED_STATIC}",
        *(Sees.RACKS, Sees.STATIC_IDS, Sees.ARRIVAL),
        traced=librdkafka.librdkafka_range,
    ),
    of_client(
        "librdkafka",
        ROUNDROBIN,
        librdkafka.librdkafka_roundrobin,
        f"{_FIXED_ORDER} {_MIXED_STATIC}",
        *(Sees.STATIC_IDS, Sees.ARRIVAL),
        promises=frozenset({Promise.BALANCED, Promise.BALANCED_PER_TOPIC}),
        traced=librdkafka.librdkafka_roundrobin,
    ),
    of_client(
        "librdkafka",
        COOPERATIVE,
        librdkafka_sticky.librdkafka_cooperative_sticky,
        "A partition that two consumers claim can count for the wrong one, and consumers without "
        "topics are left out, whatever they own.",
        *(Sees.RACKS, Sees.OWNERS, Sees.ARRIVAL),
        target=librdkafka_sticky.librdkafka_cooperative_target,
        promises=STICKY.promises - {Promise.BALANCED},
        certainty=librdkafka_sticky.OUTDATED_CLAIMS,
        certainty_by_group=librdkafka_sticky.of_librdkafka_sticky,
    ),
    of_client(
        "aiokafka",
        RANGE,
        simple.aiokafka_range,
        f"{_SAME_EXTRAS} {_IGNORES}",
        traced=simple.aiokafka_range,
    ),
    of_client(
        "aiokafka",
        ROUNDROBIN,
        simple.aiokafka_roundrobin,
        f"{_FIXED_ORDER} Static ids are ignored, so a restart under a new member id can move "
        "everything.",
        traced=simple.aiokafka_roundrobin,
    ),
    of_client(
        "aiokafka",
        STICKY,
        python.aiokafka_sticky,
        f"Members send no generation (aiokafka#1176): {_OLD_CLAIMS}",
        *(Sees.OWNERS, Sees.ARRIVAL),
        certainty=python.ONE_OF_TWO,
        certainty_by_group=python.of_aiokafka_sticky,
        possible=python.aiokafka_answers,
        traced=python.aiokafka_sticky,
    ),
    of_client(
        "kafka-python",
        RANGE,
        python.kafka_python_range,
        "Where the group lists static and dynamic consumers mixed, only the last run of each kind "
        "gets anything: the rest of the group stays idle.",
        *(Sees.STATIC_IDS, Sees.ARRIVAL),
        promises=frozenset(),
    ),
    of_client(
        "kafka-python",
        ROUNDROBIN,
        python.kafka_python_roundrobin,
        "With unequal subscriptions it fails with a KeyError. Where static and dynamic consumers "
        "are listed mixed, only the last run of each kind gets anything.",
        *(Sees.STATIC_IDS, Sees.ARRIVAL),
        promises=frozenset(),
        certainty=_UNEQUAL_KAFKA_PYTHON,
        certainty_by_group=partial(if_unequal, _UNEQUAL_KAFKA_PYTHON),
    ),
    of_client(
        "kafka-python",
        STICKY,
        python.kafka_python_sticky,
        "The iteration order of a Python set, different in every process, decides which of "
        "several partitions goes back to an earlier owner first.",
        *(Sees.OWNERS, Sees.ARRIVAL),
        certainty=python.HASHED_SET,
        certainty_by_group=python.of_kafka_python_sticky,
        possible=python.kafka_python_answers,
        traced=python.kafka_python_sticky,
    ),
    of_client(
        "kafka-python",
        COOPERATIVE,
        python.kafka_python_cooperative_sticky,
        f"Members send no generation: {_OLD_CLAIMS}",
        *(Sees.OWNERS, Sees.ARRIVAL),
        target=python.kafka_python_cooperative_target,
        certainty=python.LATE_CHOICE,
        certainty_by_group=python.of_kafka_python_cooperative,
        possible=python.kafka_python_cooperative_answers,
        traced=python.kafka_python_cooperative_target,
    ),
    of_client(
        "kafka-go",
        RANGE,
        simple.kafka_go_range,
        f"Each topic is divided on its own, and its last consumer gets one of the larger blocks. "
        f"{_IGNORES}",
        traced=simple.kafka_go_range,
    ),
    of_client(
        "kafka-go",
        ROUNDROBIN._replace(goals=RANGE.goals[:1], family=Family.ROUND_ROBIN_PER_TOPIC),
        simple.kafka_go_roundrobin,
        "Every topic starts with the first consumer again: of six topics with one partition each, "
        "the first of three consumers gets all six.",
        promises=RANGE.promises,
        traced=simple.kafka_go_roundrobin,
    ),
    of_client(
        "kafkajs",
        ROUNDROBIN,
        simple.kafkajs_roundrobin,
        "Topics come in the order in which the group's leader lists them. With unequal "
        "subscriptions KafkaJS assigns partitions to consumers that do not read them.",
        certainty=_UNEQUAL_KAFKAJS,
        certainty_by_group=partial(if_unequal, _UNEQUAL_KAFKAJS),
        traced=simple.kafkajs_roundrobin,
    ),
    of_client(
        "sarama",
        RANGE,
        simple.sarama_range,
        f"{_SAME_EXTRAS} {_IGNORES}",
        traced=simple.sarama_range,
    ),
    of_client(
        "sarama",
        ROUNDROBIN,
        simple.sarama_roundrobin,
        "Partitions are ordered as text, 10 before 2, so co-partitioned topics end up with "
        "different consumers. Static ids are ignored.",
        traced=simple.sarama_roundrobin,
    ),
    *(
        of_client(
            "sarama",
            algorithm,
            assign,
            "The iteration order of a Go map decides what moves, so two rebalances of the same "
            "group come out differently.",
            Sees.OWNERS,
            target=target,
            promises=STICKY.promises - {Promise.FEWEST_MOVES},
            certainty=sarama_sticky.SARAMA_UNCLEAR,
            certainty_by_group=sarama_sticky.of_sarama_sticky,
            traced=sarama_sticky.sarama_sticky,
        )
        for algorithm, assign, target in (
            (STICKY, sarama_sticky.sarama_sticky, None),
            (
                COOPERATIVE,
                sarama_sticky.sarama_cooperative_sticky,
                sarama_sticky.sarama_sticky,
            ),
        )
    ),
    of_client(
        "franz-go",
        RANGE,
        simple.franz_go_range,
        f"{_SAME_EXTRAS} Racks count only with the option BalanceRacks.",
        Sees.STATIC_IDS,
        promises=RANGE.promises | {Promise.RESTART_SAFE},
        traced=simple.franz_go_range,
    ),
    of_client(
        "franz-go",
        ROUNDROBIN,
        simple.franz_go_roundrobin,
        f"{_FIXED_ORDER} If every topic has as many partitions as there are consumers, one of "
        "them gets partition 0 of every topic.",
        Sees.STATIC_IDS,
        promises=frozenset({Promise.BALANCED, Promise.BALANCED_PER_TOPIC, Promise.RESTART_SAFE}),
        traced=simple.franz_go_roundrobin,
    ),
    *(
        of_client(
            "franz-go",
            algorithm,
            assign,
            "The iteration order of a Go map decides which topic is assigned first. Racks count "
            "only with the option BalanceRacks.",
            *(Sees.STATIC_IDS, Sees.OWNERS),
            target=target,
            promises=STICKY.promises - {Promise.FEWEST_MOVES},
            certainty=franz_go.FRANZ_GO,
            certainty_by_group=franz_go.of_franz_go_sticky,
            possible=franz_go.possible_answers,
        )
        for algorithm, assign, target in (
            (STICKY, franz_go.franz_go_sticky, None),
            (
                COOPERATIVE,
                franz_go.franz_go_cooperative_sticky,
                franz_go.franz_go_sticky,
            ),
        )
    ),
)

OTHER_CLIENTS: Final[Mapping[str, Strategy]] = {s.name: s for s in _IN_DISPLAY_ORDER}
"""The strategies of other clients by name, in display order."""
ALL_STRATEGIES: Final[Mapping[str, Strategy]] = Strategies(
    (*STRATEGIES.values(), *OTHER_CLIENTS.values())
)
"""Every strategy by name: Kafka's and custom ones first."""
DEFAULTS: Final[Mapping[str, Strategy]] = {
    client: ALL_STRATEGIES[name]
    for client, name in (
        ("java", "range"),
        ("librdkafka", "librdkafka-range"),
        ("kafka-go", "kafka-go-range"),
        ("kafkajs", "kafkajs-roundrobin"),
        ("sarama", "sarama-range"),
        ("franz-go", "franz-go-cooperative-sticky"),
        ("aiokafka", "aiokafka-roundrobin"),
        ("kafka-python", "kafka-python-range"),
    )
}
"""What a client's consumers run unless a setting says otherwise, of several the preferred one."""
