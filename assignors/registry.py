"""Which strategies are there, and what does each claim? One entry each, in display order."""

from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Final

from assignors.alone import alone_of_many
from assignors.cooperative import cooperative_sticky, cooperative_target
from assignors.fair import fair, fair_of_many
from assignors.kafka_9987 import sticky_kafka_9987
from assignors.kafka_12464 import sticky_kafka_12464
from assignors.kafka_18688 import uniform_kafka_18688
from assignors.lag_based import lag_based, lag_based_of_many
from assignors.lag_capped import lag_capped, lag_capped_of_many
from assignors.lag_skew import lag_skew, lag_skew_of_many
from assignors.lag_sticky import lag_sticky, lag_sticky_of_many
from assignors.model import Assignor
from assignors.plain_groups import PlainAssignor
from assignors.range_ import range_, range_of_many
from assignors.roundrobin import roundrobin, roundrobin_of_many
from assignors.server_range import server_range
from assignors.sticky import sticky
from assignors.uniform import uniform

KAFKA_RULES: Final = "Apache Kafka's trunk of 25 October 2024"
"""The state of Kafka whose rules are followed, where a strategy is not older by its name."""


class Kind(Enum):
    """Where a strategy runs and who ships it.

    Algorithms of earlier Kafka clients count as Kafka's, although no setting chooses them
    today; what can be set is in ``client_class`` and ``remote_assignor``.
    """

    KAFKA_CLIENT = "Kafka client"
    KAFKA_BROKER = "Kafka broker"
    OTHER_CLIENT = "other client"
    CUSTOM = "custom assignor"

    @property
    def text(self) -> str:
        """The words that users see."""
        return self.value


class Protocol(Enum):
    """Who computes the assignment, and what the group does meanwhile."""

    EAGER = "eager: every consumer gives up everything, then takes its new partitions"
    COOPERATIVE = "cooperative: only partitions that move are given up, over two rounds (KIP-429)"
    BROKER = "broker-side: the coordinator assigns, members follow one by one (KIP-848)"


class Sees(Enum):
    """What a strategy takes into account; a change in anything else changes nothing."""

    LAG = "lag"
    RACKS = "racks"
    OWNERS = "present owners"
    STATIC_IDS = "static ids"
    ARRIVAL = "the order in which consumers are listed"


class Promise(Enum):
    """What a strategy guarantees; the conformance tests hold it to each."""

    BALANCED = "With equal subscriptions, partition counts differ by at most one."
    BALANCED_PER_TOPIC = "Within each topic, its subscribers' counts differ by at most one."
    STABLE = "With equal subscriptions, an even assignment stays as it is, unless racks differ."
    FEWEST_MOVES = (
        "With equal subscriptions, no more partitions move than balance and racks demand."
    )
    CO_PARTITIONED = "Topics with the same subscribers and as many partitions are owned alike."
    RESTART_SAFE = "A static consumer that restarts under a new member id keeps its partitions."
    LEAST_MAX_COUNT = "The fullest consumer has no more partitions than subscriptions demand."
    NEARLY_BALANCED = "With equal subscriptions, partition counts differ by at most three."
    BEATS_ROUNDROBIN = "With equal subscriptions, the largest lag is never above roundrobin's."
    FEW_MOVES = "Of the partitions that could stay, at most a tenth moves, rounded up."
    NO_FULLER = "Where every partition has a fit owner, the largest lag never grows."


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """One strategy with everything users are told about it."""

    name: str
    """As the command line and ``partition.assignment.strategy`` users write it."""
    label: str
    assign: Assignor
    """What the strategy returns for the coming round."""
    target: Assignor | None = None
    """Where cooperative rounds end, if that is not what ``assign`` returns."""
    assign_many: PlainAssignor | None = alone_of_many
    """The answer of ``settle`` for many plain groups without racks and static ids."""
    kind: Kind
    protocol: Protocol
    sees: frozenset[Sees]
    promises: frozenset[Promise]
    goals: tuple[str, ...]
    """What it strives for, the most important first."""
    weakness: str
    """One thing it does badly, in one sentence."""
    scenario: str
    """The sample in ``sample_data/`` that shows the weakness."""
    sources: tuple[str, ...]
    """KIPs and JIRA tickets that define it."""
    client_class: str | None = None
    """The value for ``partition.assignment.strategy``, where Kafka ships one."""
    remote_assignor: str | None = None
    """The value for ``group.remote.assignor``, where brokers ship one (KIP-848)."""

    @property
    def settle(self) -> Assignor:
        """Where the group ends up: the target of cooperative rounds, else the answer."""
        return self.target or self.assign


_IN_DISPLAY_ORDER: Final[tuple[Strategy, ...]] = (
    Strategy(
        name="range",
        label="Range",
        assign=range_,
        assign_many=range_of_many,
        kind=Kind.KAFKA_CLIENT,
        protocol=Protocol.EAGER,
        sees=frozenset({Sees.RACKS, Sees.STATIC_IDS}),
        promises=frozenset(
            {Promise.BALANCED_PER_TOPIC, Promise.CO_PARTITIONED, Promise.RESTART_SAFE}
        ),
        goals=(
            "even counts within each topic",
            "the same consumer for the same partition of co-partitioned topics",
            "partitions with a replica in the consumer's rack",
            "contiguous blocks",
        ),
        weakness=(
            "Each topic is cut alone, so the same consumers collect every extra partition: "
            "with 20 topics of 3 partitions, 7 of 10 consumers stay idle."
        ),
        scenario="range-many-topics",
        sources=("KIP-345", "KIP-881"),
        client_class="org.apache.kafka.clients.consumer.RangeAssignor",
    ),
    Strategy(
        name="roundrobin",
        label="Round robin",
        assign=roundrobin,
        assign_many=roundrobin_of_many,
        kind=Kind.KAFKA_CLIENT,
        protocol=Protocol.EAGER,
        sees=frozenset({Sees.STATIC_IDS}),
        promises=frozenset({Promise.BALANCED, Promise.BALANCED_PER_TOPIC, Promise.RESTART_SAFE}),
        goals=("even counts, if all consumers subscribe to the same topics",),
        weakness=(
            "Partitions are dealt in a fixed rhythm, whatever their lag: where it meets that of "
            "the topics, one consumer gets the hot partition of every topic."
        ),
        scenario="rr-aliasing-20",
        sources=("KIP-49", "KIP-345"),
        client_class="org.apache.kafka.clients.consumer.RoundRobinAssignor",
    ),
    Strategy(
        name="sticky",
        label="Sticky",
        assign=sticky,
        kind=Kind.KAFKA_CLIENT,
        protocol=Protocol.EAGER,
        sees=frozenset({Sees.RACKS, Sees.OWNERS, Sees.ARRIVAL}),
        promises=frozenset({Promise.BALANCED, Promise.STABLE, Promise.FEWEST_MOVES}),
        goals=(
            "even counts over all topics",
            "partitions with a replica in the consumer's rack",
            "partitions stay where they are",
        ),
        weakness=(
            "With unequal subscriptions it tries one move at a time and no exchange, so that one "
            "consumer can hold two partitions and another none where one each is possible."
        ),
        scenario="sticky-heterogeneous-not-optimal",
        sources=("KIP-54", "KIP-341", "KIP-881", "KAFKA-12675", "KAFKA-16277"),
        client_class="org.apache.kafka.clients.consumer.StickyAssignor",
    ),
    Strategy(
        name="cooperative-sticky",
        label="Cooperative sticky",
        assign=cooperative_sticky,
        target=cooperative_target,
        kind=Kind.KAFKA_CLIENT,
        protocol=Protocol.COOPERATIVE,
        sees=frozenset({Sees.RACKS, Sees.OWNERS, Sees.ARRIVAL}),
        promises=frozenset({Promise.BALANCED, Promise.STABLE, Promise.FEWEST_MOVES}),
        goals=(
            "nobody stops reading what it keeps",
            "even counts over all topics",
            "partitions with a replica in the consumer's rack",
            "partitions stay where they are",
        ),
        weakness=(
            "Between the two rounds nobody owns the partitions that move, and a consumer that "
            "joins reads nothing until the second."
        ),
        scenario="cooperative-two-rounds",
        sources=("KIP-429", "KIP-54", "KIP-881", "KAFKA-12984", "KAFKA-14639"),
        client_class="org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
    ),
    Strategy(
        name="sticky-kafka-12464",
        label="Sticky as of KAFKA-12464",
        assign=sticky_kafka_12464,
        kind=Kind.KAFKA_CLIENT,
        protocol=Protocol.EAGER,
        sees=frozenset({Sees.RACKS, Sees.OWNERS, Sees.ARRIVAL}),
        promises=frozenset({Promise.BALANCED, Promise.STABLE, Promise.FEWEST_MOVES}),
        goals=("even counts over all topics", "partitions stay where they are"),
        weakness=(
            "A consumer gives up what it lists last, topic by topic, so that one consumer can "
            "end up with all of one topic and another with all of the other."
        ),
        scenario="sticky-topic-clump-KAFKA-16277",
        sources=("KAFKA-12464", "KAFKA-9987"),
    ),
    Strategy(
        name="sticky-kafka-9987",
        label="Sticky as of KAFKA-9987",
        assign=sticky_kafka_9987,
        kind=Kind.KAFKA_CLIENT,
        protocol=Protocol.EAGER,
        sees=frozenset({Sees.RACKS, Sees.OWNERS, Sees.ARRIVAL}),
        promises=frozenset({Promise.BALANCED, Promise.STABLE, Promise.FEWEST_MOVES}),
        goals=("even counts over all topics", "partitions stay where they are"),
        weakness=(
            "Only the newest generation keeps anything: a consumer that missed one rebalance "
            "loses all it held, even what nobody else claims."
        ),
        scenario="sticky-stale-generation",
        sources=("KAFKA-9987",),
    ),
    Strategy(
        name="uniform",
        label="Uniform",
        assign=uniform,
        kind=Kind.KAFKA_BROKER,
        protocol=Protocol.BROKER,
        sees=frozenset({Sees.OWNERS}),
        promises=frozenset({Promise.BALANCED}),
        goals=("even counts over all topics", "partitions stay where they are"),
        weakness=(
            "The extra partitions belong to the first consumers, which can move one although "
            "counts are even. A real broker iterates a hash map of consumers and random topic "
            "ids, so that who gets an extra partition is not predictable."
        ),
        scenario="uniform-unstable-KAFKA-18688",
        sources=("KIP-848", "KAFKA-17710", "KAFKA-18688"),
        remote_assignor="uniform",
    ),
    Strategy(
        name="uniform-kafka-18688",
        label="Uniform, Kafka 4.1",
        assign=uniform_kafka_18688,
        kind=Kind.KAFKA_BROKER,
        protocol=Protocol.BROKER,
        sees=frozenset({Sees.OWNERS, Sees.ARRIVAL}),
        promises=frozenset({Promise.BALANCED, Promise.FEWEST_MOVES}),
        goals=("even counts over all topics", "partitions stay where they are"),
        weakness=(
            "Equally even answers are chosen by a hash map of consumer ids and by random topic "
            "ids: over several topics, who gets which partition beyond its own is not predictable."
        ),
        scenario="uniform-unstable-KAFKA-18688",
        sources=("KIP-848", "KAFKA-17710", "KAFKA-18688"),
        remote_assignor="uniform",
    ),
    Strategy(
        name="server-range",
        label="Range (broker)",
        assign=server_range,
        assign_many=range_of_many,
        kind=Kind.KAFKA_BROKER,
        protocol=Protocol.BROKER,
        sees=frozenset({Sees.STATIC_IDS}),
        promises=frozenset(
            {Promise.BALANCED_PER_TOPIC, Promise.CO_PARTITIONED, Promise.RESTART_SAFE}
        ),
        goals=(
            "even counts within each topic",
            "the same consumer for the same partition of co-partitioned topics",
            "contiguous blocks",
        ),
        weakness=(
            "Each topic is cut alone, so the same consumers collect every extra partition. A real "
            "broker iterates a hash map of consumers, whose ids are random unless static, and "
            "random topic ids, so that who gets an extra partition is not predictable."
        ),
        scenario="range-many-topics",
        sources=("KIP-848", "KIP-345"),
        remote_assignor="range",
    ),
    Strategy(
        name="fair",
        label="Fair",
        assign=fair,
        assign_many=fair_of_many,
        kind=Kind.CUSTOM,
        protocol=Protocol.EAGER,
        sees=frozenset(),
        promises=frozenset({Promise.BALANCED}),
        goals=("even counts over all topics, also with unequal subscriptions",),
        weakness=(
            "It knows neither present owners nor static ids: one consumer that restarts under "
            "a new member id can move every partition."
        ),
        scenario="range-dynamic-restart",
        sources=("KIP-49", "KAFKA-3297"),
    ),
    Strategy(
        name="lag-based",
        label="Lag-based",
        assign=lag_based,
        assign_many=lag_based_of_many,
        kind=Kind.CUSTOM,
        protocol=Protocol.EAGER,
        sees=frozenset({Sees.LAG}),
        promises=frozenset({Promise.BALANCED_PER_TOPIC}),
        goals=("even counts within each topic", "even lag within each topic"),
        weakness=(
            "Totals restart with each topic and ties go to the smallest id, so one consumer can "
            "get the hot partition of every topic, where range would not."
        ),
        scenario="lag-per-topic-reset",
        sources=("KAFKA-5337",),
    ),
    Strategy(
        name="lag-capped",
        label="Lag-capped",
        assign=lag_capped,
        assign_many=lag_capped_of_many,
        kind=Kind.CUSTOM,
        protocol=Protocol.EAGER,
        sees=frozenset({Sees.LAG}),
        promises=frozenset({Promise.BALANCED, Promise.LEAST_MAX_COUNT, Promise.BEATS_ROUNDROBIN}),
        goals=(
            "even counts over all topics, also with unequal subscriptions",
            "even lag over all topics",
        ),
        weakness=(
            "Present owners play no part: when lags have changed, nearly every partition moves."
        ),
        scenario="orders",
        sources=("KAFKA-5337",),
    ),
    Strategy(
        name="lag-skew",
        label="Lag-skew (2)",
        assign=partial(lag_skew, skew=2),
        assign_many=partial(lag_skew_of_many, skew=2),
        kind=Kind.CUSTOM,
        protocol=Protocol.EAGER,
        sees=frozenset({Sees.LAG}),
        promises=frozenset({Promise.NEARLY_BALANCED, Promise.BEATS_ROUNDROBIN}),
        goals=(
            "even lag over all topics",
            "counts within one partition of an even share",
        ),
        weakness=(
            "Whoever gets the hot partition still takes nearly an even count beside it; and "
            "present owners play no part, so nearly every partition moves."
        ),
        scenario="lag-count-first",
        sources=("KAFKA-5337",),
    ),
    Strategy(
        name="lag-sticky",
        label="Lag-sticky (a tenth)",
        assign=lag_sticky,
        assign_many=lag_sticky_of_many,
        kind=Kind.CUSTOM,
        protocol=Protocol.EAGER,
        sees=frozenset({Sees.LAG, Sees.OWNERS}),
        promises=frozenset({Promise.FEW_MOVES, Promise.NO_FULLER}),
        goals=(
            "at most a tenth of the owned partitions moved",
            "even lag over all topics",
        ),
        weakness=("Counts play no part, so without known lag a consumer that joins stays idle."),
        scenario="cooperative-two-rounds",
        sources=("KAFKA-5337",),
    ),
)

STRATEGIES: Final[dict[str, Strategy]] = {strategy.name: strategy for strategy in _IN_DISPLAY_ORDER}
"""Every strategy by name, in display order."""
