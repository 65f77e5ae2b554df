"""The loop on a cluster that does not exist: verdicts, alerts, figures."""

import threading
from dataclasses import replace

from prometheus_client import CollectorRegistry

from evaluation.answering.compose import answer_of
from evaluation.measuring.offset_history import Moment, OffsetHistory
from sources.asking import given_of
from sources.live_groups import reading_of
from tests.watching.simulated import SimulatedCluster, SimulatedGroup
from watching.metrics import GroupCollector
from watching.watch import Pollable, Watch, WatchSettings


class Polled:
    """A watcher, and what it said."""

    def __init__(self, source: Pollable, **settings: object) -> None:
        self.said: list[str] = []
        self.sent: list[dict[str, object]] = []
        self.watch = Watch(
            source,
            replace(WatchSettings(), **settings),  # type: ignore[arg-type]
            self.sent.append,
            threading.Event(),
            self.said.append,
        )
        self.registry = CollectorRegistry()
        self.registry.register(GroupCollector(self.watch.found, None, 10_000))

    def poll(self, times: int = 1) -> None:
        for _ in range(times):
            self.watch.poll()

    def sample(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(name, labels)


def test_a_stopped_consumer_brings_one_alert_within_two_intervals_and_one_when_it_is_over() -> None:
    group = SimulatedGroup("orders-service")
    polled = Polled(SimulatedCluster([group]), page_url="https://lag.example.com")
    polled.poll(6)
    assert polled.sent == []

    group.stopped.add("b")
    polled.poll(2)

    (begun,) = polled.sent
    assert (begun["event"], begun["group"]) == ("begun", "orders-service")
    assert (begun["kind"], begun["severity"]) == ("stopped-consumers", "alarm")
    assert begun["hosts"] == ["host-b"]
    assert "b" in str(begun["headline"])
    assert begun["action"]
    assert str(begun["page"]).startswith("https://lag.example.com/?group=z1.")
    assert str(begun["runbook"]).endswith("#stopped-consumers")
    polled.poll(3)
    assert len(polled.sent) == 1

    group.stopped.clear()
    polled.poll(3)

    assert [each["event"] for each in polled.sent] == ["begun", "ended"]
    assert polled.sent[1]["was"] == {"kind": "stopped-consumers", "severity": "alarm"}


def test_the_verdict_is_that_of_the_same_snapshots_on_the_page() -> None:
    group = SimulatedGroup("orders-service", stopped={"a"})
    cluster = SimulatedCluster([group])
    polled = Polled(cluster)
    readings = []
    cluster.before = lambda: None
    for _ in range(4):
        polled.poll()
        readings.append((cluster.now_s, reading_of(group.read())))

    moments = tuple(Moment.of(reading.group, at_s) for at_s, reading in readings)
    history = OffsetHistory(moments, {"orders": cluster.retention_s})
    page = answer_of(given_of(replace(readings[-1][1], history=history)))
    labels = {"kind": page.verdict.kind.value, "severity": page.verdict.severity.name.lower()}
    assert polled.sample("kafka_group_verdict", group="orders-service", **labels) == 1
    lag = float(page.known.times.lag.sum())
    assert polled.sample("kafka_group_lag_records", group="orders-service") == lag


def test_a_dead_cluster_is_a_metric_and_its_groups_have_no_samples() -> None:
    cluster = SimulatedCluster([SimulatedGroup("g")])
    polled = Polled(cluster)
    polled.poll(2)
    last = polled.sample("kafka_assignments_last_success_timestamp_seconds")
    assert polled.sample("kafka_assignments_up") == 1
    assert last is not None

    cluster.is_dead = True
    polled.poll()

    assert polled.sample("kafka_assignments_up") == 0
    assert polled.sample("kafka_assignments_last_success_timestamp_seconds") == last
    assert polled.sample("kafka_group_lag_records", group="g") is None
    assert "No broker answered." in polled.said[-1]


def test_an_alert_does_not_end_because_the_cluster_does_not_answer() -> None:
    group = SimulatedGroup("g")
    cluster = SimulatedCluster([group])
    polled = Polled(cluster)
    polled.poll(3)
    group.stopped.add("a")
    polled.poll(3)

    cluster.is_dead = True
    polled.poll(3)
    cluster.is_dead = False
    polled.poll(1)

    assert [each["event"] for each in polled.sent] == ["begun"]


def test_the_alert_of_a_group_that_is_deleted_ends() -> None:
    group = SimulatedGroup("g")
    cluster = SimulatedCluster([group, SimulatedGroup("h", topic="payments")])
    polled = Polled(cluster)
    polled.poll(3)
    group.stopped.add("a")
    polled.poll(3)

    cluster.groups = cluster.groups[1:]
    polled.poll()

    assert [each["event"] for each in polled.sent] == ["begun", "ended"]
    assert polled.sample("kafka_group_lag_records", group="g") is None
    assert polled.sample("kafka_group_lag_records", group="h") == 0


def test_rebalances_and_needless_moves_are_counted() -> None:
    group = SimulatedGroup("g", partitions=4, consumers=("a", "b"))
    polled = Polled(SimulatedCluster([group]))
    polled.poll(2)
    group.consumers = ("b", "a")  # every partition moves, and counts were even before

    polled.poll(2)

    assert polled.sample("kafka_group_rebalances_seen_total", group="g") == 1
    assert polled.sample("kafka_group_moved_partitions_total", group="g") == 4
    assert polled.sample("kafka_group_needless_moves_total", group="g") == 4


def test_time_lag_has_its_basis_and_loss_comes_of_retention() -> None:
    group = SimulatedGroup("g")
    polled = Polled(SimulatedCluster([group], retention_s=3_600.0))
    polled.poll(2)
    group.stopped.add("a")
    polled.poll(3)

    age = polled.sample("kafka_group_time_lag_seconds", group="g", basis="between")
    loss = polled.sample(
        "kafka_group_partition_loss_seconds", group="g", topic="orders", partition="0"
    )

    assert age == 180
    assert loss == 3_600 - 180
    assert polled.sample("kafka_group_catch_up_seconds", group="g") == float("inf")


def test_each_topic_is_asked_for_its_retention_once_in_sixty_polls() -> None:
    cluster = SimulatedCluster([SimulatedGroup("g")])
    polled = Polled(cluster)

    polled.poll(61)

    assert cluster.asked == ["orders"]


def test_an_empty_group_has_no_figures_of_consumers_to_invent() -> None:
    polled = Polled(SimulatedCluster([SimulatedGroup("g", consumers=())]), per_consumer=True)

    polled.poll(2)

    assert polled.sample("kafka_group_consumers", group="g") == 0
    assert polled.sample("kafka_group_busiest_over_bound", group="g") is None


class _Behind(SimulatedGroup):
    """More arrives on the even partitions, all of them of one consumer, which stays behind."""

    def pass_(self, seconds: float) -> None:
        """Let records arrive, and most of them be read."""
        super().pass_(seconds)
        for partition in (0, 2):
            self.ends[partition] += 30_000
            self.committed[partition] = self.ends[partition] - 30_000


def test_a_better_spread_is_found_in_full_and_published_at_the_next_poll() -> None:
    cluster = SimulatedCluster([_Behind("g", partitions=4)])
    polled = Polled(cluster, interval_s=3_600.0)  # simulations get a tenth of it
    polled.poll(5)
    full = answer_of(polled.watch.tracks.given("g"))
    assert full.verdict.kind.value == "uneven"

    polled.watch.refresh(float("inf"))
    polled.poll()

    assert polled.sample("kafka_group_verdict", group="g", kind="uneven", severity="advice") == 1
    assert polled.sample("kafka_assignments_answers_waiting") == 0
