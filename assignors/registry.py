"""Every strategy of Kafka and every custom assignor, with what it promises, in display order."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from assignors.certainty import (
    AS_DESCRIBED,
    AS_MERGED,
    HASHED_MEMBERS,
    WITHOUT_TOPIC_IDS,
    of_uniform,
)
from assignors.fair import fair
from assignors.lag.based import lag_based
from assignors.lag.load_sticky import cooperative_load_sticky, load_sticky
from assignors.lag.skew import lag_capped, lag_skew
from assignors.range_ import range_, server_range
from assignors.roundrobin import roundrobin
from assignors.sticky.faults import of_kafka_sticky
from assignors.sticky.kafka import cooperative_sticky, sticky
from assignors.sticky.kafka_9987 import sticky_kafka_9987
from assignors.sticky.kafka_12464 import sticky_kafka_12464
from assignors.strategy import Family, Promise, Protocol, Sees, Strategies, Strategy, StrategyKind
from assignors.uniform.kafka_18688 import uniform_kafka_18688
from assignors.uniform.uniform import uniform

KAFKA_RULES: Final = "Apache Kafka 4.4.0"
"""The release that strategies follow unless their name gives an older one; its classes were run on
all golden vectors (docs/exactness.md)."""

_RANGE: Final = frozenset(
    {Promise.BALANCED_PER_TOPIC, Promise.CO_PARTITIONED, Promise.RESTART_SAFE}
)
RANGE_GOALS: Final = (
    "even counts within each topic",
    "the same owner for the same partition of co-partitioned topics",
    "contiguous blocks of partitions",
)
STICKY_PROMISES: Final = frozenset({Promise.BALANCED, Promise.STABLE, Promise.FEWEST_MOVES})
_EVEN: Final = "even counts over all topics"
_FEW_MOVES: Final = "as few moves as possible"
IN_RACK: Final = "partitions with a replica in the consumer's rack"
_SEEN_BY_STICKY: Final = frozenset({Sees.RACKS, Sees.OWNERS, Sees.ARRIVAL})
_IN_DISPLAY_ORDER: Final[tuple[Strategy, ...]] = (
    Strategy(
        name="range",
        label="Range",
        assign=range_,
        traced=range_,
        kind=StrategyKind.KAFKA_CLIENT,
        client="java",
        sees=frozenset({Sees.RACKS, Sees.STATIC_IDS}),
        promises=_RANGE,
        goals=(*RANGE_GOALS[:2], IN_RACK, RANGE_GOALS[2]),
        weakness="Each topic is divided on its own, so the same consumers get every extra "
        "partition: with 20 topics of 3 partitions, 7 of 10 consumers stay idle.",
        sources=("KIP-345", "KIP-881"),
        family=Family.RANGE,
        client_class="org.apache.kafka.clients.consumer.RangeAssignor",
    ),
    Strategy(
        name="roundrobin",
        label="Round robin",
        assign=roundrobin,
        traced=roundrobin,
        kind=StrategyKind.KAFKA_CLIENT,
        client="java",
        sees=frozenset({Sees.STATIC_IDS}),
        promises=frozenset({Promise.BALANCED, Promise.BALANCED_PER_TOPIC, Promise.RESTART_SAFE}),
        goals=("even counts, provided that all consumers subscribe to the same topics",),
        weakness="Partitions are assigned in a fixed order, whatever their lag. If every topic has "
        "as many partitions as there are consumers, one of them gets partition 0 of every topic.",
        sources=("KIP-49", "KIP-345"),
        family=Family.ROUND_ROBIN,
        client_class="org.apache.kafka.clients.consumer.RoundRobinAssignor",
    ),
    Strategy(
        name="sticky",
        label="Sticky",
        assign=sticky,
        traced=sticky,
        kind=StrategyKind.KAFKA_CLIENT,
        client="java",
        sees=_SEEN_BY_STICKY,
        promises=STICKY_PROMISES,
        goals=(_EVEN, IN_RACK, _FEW_MOVES),
        weakness="With unequal subscriptions it moves partitions one at a time and never swaps "
        "two. One consumer can end up with two partitions and another with none, although one "
        "each is possible.",
        sources=("KIP-54", "KIP-341", "KIP-881", "KAFKA-12675", "KAFKA-16277"),
        family=Family.STICKY,
        client_class="org.apache.kafka.clients.consumer.StickyAssignor",
        certainty_by_group=of_kafka_sticky,
    ),
    Strategy(
        name="cooperative-sticky",
        label="Cooperative sticky",
        assign=cooperative_sticky,
        target=sticky,
        traced=sticky,
        kind=StrategyKind.KAFKA_CLIENT,
        client="java",
        protocol=Protocol.COOPERATIVE,
        sees=_SEEN_BY_STICKY,
        promises=STICKY_PROMISES,
        goals=("uninterrupted reading of the partitions that stay", _EVEN, IN_RACK, _FEW_MOVES),
        weakness="Between the two rounds nobody owns the partitions that move, and a consumer that "
        "joins reads nothing until the second round.",
        sources=("KIP-429", "KIP-54", "KIP-881", "KAFKA-12984", "KAFKA-14639"),
        family=Family.STICKY,
        client_class="org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
        certainty_by_group=of_kafka_sticky,
    ),
    Strategy(
        name="sticky-kafka-12464",
        label="Sticky as of KAFKA-12464",
        assign=sticky_kafka_12464,
        traced=sticky_kafka_12464,
        kind=StrategyKind.KAFKA_CLIENT,
        client="java",
        sees=_SEEN_BY_STICKY,
        promises=STICKY_PROMISES,
        goals=(_EVEN, _FEW_MOVES),
        weakness="What is revoked comes from the end of a consumer's list, which is ordered by "
        "topic. One consumer can end up with all of one topic, and another with all of the other.",
        sources=("KAFKA-12464", "KAFKA-9987"),
        family=Family.STICKY,
        certainty=AS_MERGED,
    ),
    Strategy(
        name="sticky-kafka-9987",
        label="Sticky as of KAFKA-9987",
        assign=sticky_kafka_9987,
        traced=sticky_kafka_9987,
        kind=StrategyKind.KAFKA_CLIENT,
        client="java",
        sees=_SEEN_BY_STICKY,
        promises=STICKY_PROMISES,
        goals=(_EVEN, _FEW_MOVES),
        weakness="Only members of the newest generation keep their partitions: a consumer that "
        "missed one rebalance loses all of them, even those that nobody else claims.",
        sources=("KAFKA-9987",),
        family=Family.STICKY,
        certainty=AS_DESCRIBED,
    ),
    Strategy(
        name="uniform",
        label="Uniform (Kafka 4.0.0)",
        assign=uniform,
        traced=uniform,
        kind=StrategyKind.KAFKA_BROKER,
        protocol=Protocol.BROKER,
        sees=frozenset({Sees.OWNERS}),
        promises=frozenset({Promise.BALANCED}),
        goals=(_EVEN, _FEW_MOVES),
        weakness="The extra partitions always go to the first consumers, so one can move although "
        "counts are already even.",
        sources=("KIP-848", "KAFKA-17710", "KAFKA-18688"),
        family=Family.UNIFORM,
        remote_assignor="uniform",
        certainty=HASHED_MEMBERS,
    ),
    Strategy(
        name="uniform-kafka-18688",
        label="Uniform (Kafka 4.0.1+)",
        assign=uniform_kafka_18688,
        traced=uniform_kafka_18688,
        kind=StrategyKind.KAFKA_BROKER,
        protocol=Protocol.BROKER,
        sees=frozenset({Sees.OWNERS, Sees.ARRIVAL}),
        promises=frozenset({Promise.BALANCED, Promise.FEWEST_MOVES}),
        goals=(_EVEN, _FEW_MOVES),
        weakness="A hash map of member ids and random topic ids decide between equally even "
        "assignments, so a restart under a new member id can move other consumers' extras.",
        sources=("KIP-848", "KAFKA-17710", "KAFKA-18688"),
        family=Family.STICKY,
        remote_assignor="uniform",
        certainty=WITHOUT_TOPIC_IDS,
        certainty_by_group=of_uniform,
    ),
    Strategy(
        name="server-range",
        label="Range (broker)",
        assign=server_range,
        traced=server_range,
        kind=StrategyKind.KAFKA_BROKER,
        protocol=Protocol.BROKER,
        sees=frozenset({Sees.STATIC_IDS}),
        promises=_RANGE,
        goals=RANGE_GOALS,
        weakness="Each topic is divided on its own, so the same consumers get every extra "
        "partition; which ones changes at every restart, as their ids are random unless static.",
        sources=("KIP-848", "KIP-345"),
        family=Family.RANGE,
        remote_assignor="range",
    ),
    Strategy(
        name="fair",
        label="Fair",
        assign=fair,
        traced=fair,
        kind=StrategyKind.CUSTOM,
        sees=frozenset(),
        promises=frozenset({Promise.BALANCED}),
        goals=("even counts over all topics, even with unequal subscriptions",),
        weakness="It ignores present owners and static ids: when one consumer restarts under a new "
        "member id, every partition can move.",
        plugin_class="kafkaassignments.FairAssignor",
        sources=("KIP-49", "KAFKA-3297"),
        family=Family.FAIR,
    ),
    Strategy(
        name="lag-based",
        label="Lag-based",
        assign=lag_based,
        traced=lag_based,
        kind=StrategyKind.CUSTOM,
        sees=frozenset({Sees.LAG}),
        promises=frozenset({Promise.BALANCED_PER_TOPIC}),
        goals=("even counts within each topic", "even lag within each topic"),
        weakness="Totals start from zero in each topic and ties go to the smallest id, so one "
        "consumer can get the hot partition of every topic where range spreads them.",
        plugin_class="kafkaassignments.LagBasedAssignor",
        sources=("KAFKA-5337",),
        family=Family.LAG_BASED,
    ),
    Strategy(
        name="lag-capped",
        label="Lag-capped",
        assign=lag_capped,
        traced=lag_capped,
        kind=StrategyKind.CUSTOM,
        sees=frozenset({Sees.LAG}),
        promises=frozenset({Promise.BALANCED, Promise.LEAST_MAX_COUNT, Promise.BEATS_ROUNDROBIN}),
        goals=(
            "even counts over all topics, even with unequal subscriptions",
            "even lag over all topics",
        ),
        weakness="It ignores present owners: once lags have changed, nearly every partition moves.",
        plugin_class="kafkaassignments.LagCappedAssignor",
        sources=("KAFKA-5337",),
        family=Family.LAG_EVENED,
    ),
    Strategy(
        name="lag-skew",
        label="Lag-skew",
        assign=partial(lag_skew, skew=2),
        traced=partial(lag_skew, skew=2),
        kind=StrategyKind.CUSTOM,
        sees=frozenset({Sees.LAG}),
        promises=frozenset({Promise.NEARLY_BALANCED, Promise.BEATS_ROUNDROBIN}),
        goals=("even lag over all topics", "counts within one partition of an even share"),
        weakness="The consumer with the hot partition still gets nearly an even share of the "
        "others. It ignores present owners, so nearly every partition moves.",
        sources=("KAFKA-5337",),
        family=Family.LAG_EVENED,
    ),
    Strategy(
        name="load-sticky",
        label="Load-sticky",
        assign=cooperative_load_sticky,
        target=load_sticky,
        traced=load_sticky,
        keeps_promises=True,
        other_names=("lag-sticky", "load-sticky-eager"),
        kind=StrategyKind.CUSTOM,
        protocol=Protocol.COOPERATIVE,
        sees=frozenset({Sees.LAG, Sees.OWNERS, Sees.RACKS}),
        promises=frozenset(
            {
                Promise.FEW_MOVES,
                Promise.NEVER_WORSE,
                Promise.NOBODY_IDLE,
                Promise.AT_REST,
                Promise.TWO_ROUNDS,
            }
        ),
        goals=(
            "partitions for every consumer",
            "at most a tenth of the owned partitions moved",
            "even load over all topics",
        ),
        weakness="Each rebalance moves at most a tenth of the partitions, so a group far from even "
        "takes several; while some lags are unknown it moves nothing by choice.",
        plugin_class="kafkaassignments.LoadStickyAssignor",
        sources=("KAFKA-5337",),
        family=Family.LOAD_STICKY,
    ),
)

STRATEGIES: Final[Mapping[str, Strategy]] = Strategies(_IN_DISPLAY_ORDER)
"""Every strategy by name, in display order."""
