"""What the page says of a switch, compared with real groups led through its rolling restarts."""

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, permutations
from typing import Final, Literal

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from assignors.clients.registry import ALL_STRATEGIES
from evaluation.comparing.outlook import range_of
from tests.broker.consumers import ConfluentClient, JavaClient
from tests.broker.java_harness import Harness
from tests.broker.kafka_node import Cluster
from tests.broker.switches import Reached, Stage, Switch

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]

_JAVA: Final = (
    *("range", "roundrobin", "sticky", "cooperative-sticky"),
    *("uniform-kafka-18688", "server-range"),
)
_LIBRDKAFKA: Final = (
    ("librdkafka-range", "librdkafka-roundrobin"),
    ("librdkafka-roundrobin", "librdkafka-range"),
    ("librdkafka-range", "uniform-kafka-18688"),
    ("librdkafka-cooperative-sticky", "uniform-kafka-18688"),
    ("librdkafka-roundrobin", "server-range"),
    ("server-range", "uniform-kafka-18688"),
)
_DAILY: Final = (
    ("range", "cooperative-sticky"),
    ("range", "roundrobin"),
    ("cooperative-sticky", "uniform-kafka-18688"),
    ("uniform-kafka-18688", "range"),
)
_UNIFORM: Final = "uniform-kafka-18688"
_SIZES: Final = ((9,), (7, 5), (5, 4, 6))
_INSIDE: Final = 0.9
_SURE: Final = 0.01


def _switches(pairs: Sequence[tuple[str, str]], prefix: str) -> Iterator[Switch]:
    """Yield a switch for each pair; static ids, racks, sizes and speed take turns."""
    kinds = cycle([(s, r, n) for n in (True, False) for r in (False, True) for s in (False, True)])
    sizes = cycle(_SIZES)
    for number, (pair, size, (is_static, has_racks, is_noticed)) in enumerate(
        zip(pairs, sizes, kinds, strict=False)
    ):
        before, after = (ALL_STRATEGIES[name] for name in pair)
        yield Switch(
            group=f"{prefix}-{number:02}-{before.name}-{after.name}",
            before=before,
            after=after,
            sizes=size,
            is_static=is_static,
            has_racks=has_racks,
            is_noticed=is_noticed,
        )


def _played(
    cluster: Cluster, harness: Harness, by_client: dict[str, list[Switch]]
) -> list[Reached]:
    """Lead all groups through their switches at the same time."""
    java, confluent, servers = JavaClient(harness), ConfluentClient(), cluster.bootstrap
    cluster.await_coordinators()
    _fill(servers, [switch for switches in by_client.values() for switch in switches])
    stages = [Stage(switch, java, servers) for switch in by_client["java"]]
    stages += [Stage(switch, confluent, servers) for switch in by_client["confluent"]]
    try:
        with ThreadPoolExecutor(len(stages)) as pool:
            return list(pool.map(Stage.play, stages))
    finally:
        confluent.close_all()


def _fill(servers: str, switches: Sequence[Switch]) -> None:
    """Make the topics, each partition in one rack, with uneven numbers of records."""
    admin = AdminClient({"bootstrap.servers": servers})
    racks = [[1], [2], [3]]
    sizes = {t: n for each in switches for t, n in zip(each.topics, each.sizes, strict=True)}
    lags = {each.topics[0]: each.lags for each in switches if each.lags}
    made = admin.create_topics(
        [
            NewTopic(t, n, replica_assignment=[racks[p % 3] for p in range(n)])
            for t, n in sizes.items()
        ]
    )
    for future in made.values():
        future.result(60)
    chance = random.Random(27)  # noqa: S311 -- no secret
    producer = Producer({"bootstrap.servers": servers})
    for topic, count in sizes.items():
        for partition in range(count):
            drawn = int(chance.paretovariate(1.1) * 3) % 200
            for _ in range(lags[topic][partition] if topic in lags else drawn):
                producer.produce(topic, b"record", partition=partition)
        producer.poll(0)
    assert producer.flush(60) == 0


def _report(seen: Sequence[Reached], tell: Callable[[str], None]) -> None:
    for each in sorted(seen, key=lambda o: o.switch.group):
        low, high = range_of(each.stated.max_lags)
        kind = " ".join(
            word
            for word, holds in (
                ("static", each.switch.is_static),
                ("racks", each.switch.has_racks),
                ("slow" if each.switch.is_noticed else "quick", True),
            )
            if holds
        )
        tell(
            f"  {each.client:16}{each.switch.group:50}{kind:20}"
            f"{low:5}{each.median:5}{high:5}  real {each.real:4}"
            f"{'' if each.is_inside else '  outside'}"
        )


def assert_pastes_tell_as_much(seen: Sequence[Reached], tell: Callable[[str], None]) -> None:
    """A paste does not tell racks and static ids; where neither counts, it is as good as live.

    McNemar's exact test: of the switches that only one of the two foretold, about half are its own.
    """
    alike = [each for each in seen if not each.switch.has_racks and not each.switch.is_static]
    pasted = sum(each.is_inside_by_paste for each in alike)
    live = sum(each.is_inside for each in alike)
    tell(f"of {len(alike)} without racks and static ids, inside: {pasted} pasted, {live} live")
    only_live = sum(each.is_inside and not each.is_inside_by_paste for each in alike)
    apart = sum(each.is_inside is not each.is_inside_by_paste for each in alike)
    assert alike
    assert not apart or _chance(only_live, apart, alternative="greater") >= _SURE


def _chance(
    successes: int,
    tried: int,
    expected: float = 0.5,
    alternative: Literal["two-sided", "less", "greater"] = "two-sided",
) -> float:
    """Return the p-value of a binomial test."""
    from scipy.stats import binomtest  # noqa: PLC0415 -- takes a second, whoever collects this file

    return float(binomtest(successes, tried, expected, alternative).pvalue)


def _is_frequent(inside: int, tried: int) -> bool:
    """Return whether so many of so many are not clearly fewer than nine in ten."""
    return _chance(inside, tried, _INSIDE, "less") >= _SURE


def test_a_few_groups_end_in_the_range_that_was_stated(
    kafka_with_racks: Cluster, harness: Harness, tell: Callable[[str], None]
) -> None:
    switches = list(_switches(_DAILY, "daily"))

    seen = _played(kafka_with_racks, harness, {"java": switches, "confluent": []})

    _report(seen, tell)
    assert _is_frequent(sum(each.is_inside for each in seen), len(seen))
    assert_pastes_tell_as_much(seen, tell)


def test_quick_restarts_end_in_the_range_too_and_a_broker_moves_what_it_is_said_to(
    kafka_with_racks: Cluster, harness: Harness, tell: Callable[[str], None]
) -> None:
    named = {name: ALL_STRATEGIES[name] for name in ("range", "cooperative-sticky", _UNIFORM)}
    uneven = [
        Switch(
            group=f"uneven-{number}",
            before=named["range"],
            after=named["cooperative-sticky"],
            sizes=(3,),
            members=2,
            is_noticed=False,
            lags=(10, 50, 50),
        )
        for number in range(6)
    ]
    brokers = [
        Switch(
            group=f"brokers-{number}",
            before=named["range"],
            after=named[_UNIFORM],
            sizes=(45,),
            members=8,
            is_noticed=False,
            away_s=2.0,  # another consumer's heartbeat comes within 0.7 s on average
            lags=tuple(range(1, 46)),
        )
        for number in range(2)
    ]

    seen = _played(kafka_with_racks, harness, {"java": [*uneven, *brokers], "confluent": []})

    _report(seen, tell)
    assert all(each.is_inside for each in seen[:6])
    assert {each.real for each in seen[:6]} <= {60, 100}
    for each in seen[6:]:
        assert each.moved is not None
        low, high = each.stated.moves[[0, -1]].tolist()
        tell(f"  {each.switch.group}: {low} to {high} moved, real {each.moved}")
        beyond = (high - low) // 2  # one real switch in ten lies outside of some twenty draws
        assert low - beyond <= each.moved <= high + beyond


@pytest.mark.deep
def test_groups_led_through_every_switch_end_where_the_page_says(
    kafka_with_racks: Cluster, harness: Harness, tell: Callable[[str], None]
) -> None:
    java = [*permutations(_JAVA, 2)]
    by_client = {
        "java": list(_switches(java, "java")),
        "confluent": list(_switches(_LIBRDKAFKA, "confluent")),
    }

    seen = _played(kafka_with_racks, harness, by_client)

    _report(seen, tell)
    inside = sum(each.is_inside for each in seen)
    above = sum(each.real > each.median for each in seen)
    below = sum(each.real < each.median for each in seen)
    exact = sum(each.real == each.exact for each in seen)
    tell(f"after a switch: {inside} of {len(seen)} inside the stated range,")
    tell(f"  {above} above the median, {below} below; today's point prediction held in {exact}")
    assert len(seen) >= 24
    assert_pastes_tell_as_much(seen, tell)
    assert _is_frequent(inside, len(seen))
    assert _chance(above, above + below) >= _SURE
    # The control: what the next rebalance would bring without a restart is no forecast.
    assert not _is_frequent(exact, len(seen))
