"""What is published: bounded, and readable whatever the names are."""

from collections.abc import Iterator

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.openmetrics import exposition
from prometheus_client.openmetrics.parser import text_string_to_metric_families as of_openmetrics
from prometheus_client.parser import text_string_to_metric_families as of_text

from tests.watching.simulated import SimulatedCluster, SimulatedGroup
from tests.watching.test_watch import Polled
from watching.metrics import GroupCollector

HOSTILE = (
    'quote"',
    "line\nbreak",
    "back\\slash",
    'x"} 1\nkafka_group_verdict{group="forged',
    "\N{RIGHT-TO-LEFT OVERRIDE}txt",
    "é\N{PILE OF POO}",
    "\x00\x1b[31m",
    "# EOF",
    "a" * 1_000,
)


def registry(polled: Polled, most_series: int) -> CollectorRegistry:
    found = CollectorRegistry()
    found.register(GroupCollector(polled.watch.found, None, most_series))
    return found


def samples(found: CollectorRegistry) -> Iterator[tuple[str, dict[str, str], float]]:
    for family in of_text(generate_latest(found).decode()):
        for sample in family.samples:
            yield sample.name, dict(sample.labels), sample.value


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_name_is_a_label_and_nothing_else(name: str) -> None:
    group = SimulatedGroup(name, topic=name, consumers=(name, "b"))
    polled = Polled(SimulatedCluster([group]), cluster=name, per_consumer=True)
    polled.poll(2)

    found = registry(polled, 10_000)
    text = list(samples(found))
    families = list(of_openmetrics(exposition.generate_latest(found).decode()))

    verdicts = [labels for each, labels, _ in text if each == "kafka_group_verdict"]
    assert len(verdicts) == 1
    shown = name if len(name) <= 300 else f"{name[:150]}…{name[-150:]}"
    assert verdicts[0]["group"] == shown
    assert len(text) == sum(len(family.samples) for family in families)
    assert len(generate_latest(found)) < 100_000


def test_a_name_beyond_every_limit_is_a_group_that_cannot_be_read() -> None:
    group = SimulatedGroup("a" * 65_536, topic="b" * 65_536)
    polled = Polled(SimulatedCluster([group, SimulatedGroup("g")]))
    polled.poll(2)

    text = list(samples(registry(polled, 10_000)))

    assert ("kafka_assignments_groups", {"outcome": "unread"}, 1.0) in text
    assert {labels["group"] for _, labels, _ in text if "group" in labels} == {"g"}
    assert len(polled.said[-1]) < 1_000


def test_series_are_bounded_and_what_is_left_out_is_told() -> None:
    groups = [SimulatedGroup(f"g{n}", partitions=10 * n, topic=f"t{n}") for n in range(1, 6)]
    polled = Polled(SimulatedCluster(groups))
    polled.poll()

    found = registry(polled, 5 * 11 + 4 * (10 + 20 + 30))

    text = list(samples(found))
    shown = {
        labels["group"] for name, labels, _ in text if name.startswith("kafka_group_partition")
    }
    assert shown == {"g1", "g2", "g3"}
    assert sum(name.startswith("kafka_group") for name, _, _ in text) <= 5 * 11 + 4 * 60
    left_out = {
        labels["scope"]: value
        for name, labels, value in text
        if name == "kafka_assignments_groups_left_out"
    }
    assert left_out == {"group": 0, "partition": 2, "consumer": 0}


def test_more_groups_than_series_are_bounded_too() -> None:
    groups = [SimulatedGroup(f"g{n}", partitions=2, topic=f"t{n}") for n in range(30)]
    polled = Polled(SimulatedCluster(groups))
    polled.poll()

    text = list(samples(registry(polled, 110)))

    assert sum(name.startswith("kafka_group") for name, _, _ in text) <= 110
    assert ("kafka_assignments_groups_left_out", {"scope": "group"}, 20.0) in text


def test_what_is_unknown_has_no_sample() -> None:
    group = SimulatedGroup("g", partitions=1, consumers=("a",))
    group.committed = []
    cluster = SimulatedCluster([group])
    polled = Polled(cluster)
    cluster.before = group.committed.clear
    group.stopped = {"a"}

    polled.poll()

    names = {name for name, labels, _ in samples(registry(polled, 1_000)) if "group" in labels}
    assert "kafka_group_consumers" in names
    assert "kafka_group_verdict" in names
    assert not {each for each in names if "lag" in each or "loss" in each or "catch_up" in each}
