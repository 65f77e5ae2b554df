"""Groups that a server of metrics tells of, watched as those of a cluster."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sources.metrics import metrics_of
from tests.metrics.stub import prometheus
from tests.watching.simulated import SimulatedCluster, SimulatedGroup
from tests.watching.test_watch import Polled
from watching.metered import WatchedBoth, WatchedMetrics

Samples = dict[str, dict[int, float | None]]


def add(table: Samples, at: int, ends: tuple[float, float], read: tuple[float, float]) -> None:
    """Add a scrape of kafka_exporter: a group of two consumers on a topic of two partitions."""
    for p in (0, 1):
        end = f'kafka_topic_partition_current_offset{{topic="t",partition="{p}"}}'
        table.setdefault(end, {})[at] = ends[p]
        of = f'consumergroup="g",topic="t",partition="{p}"'
        table.setdefault(f"kafka_consumergroup_current_offset{{{of}}}", {})[at] = read[p]
    table.setdefault('kafka_consumergroup_members{consumergroup="g"}', {})[at] = 2


@contextmanager
def watched(table: Samples) -> Iterator[Polled]:
    """Yield a watcher of a server with these samples."""
    with prometheus(table) as url:
        source = WatchedMetrics(metrics_of(url, None, None), (), 10.0, lambda: False)
        yield Polled(source, per_consumer=True)


def test_a_group_of_metrics_has_its_figures_and_none_that_hang_on_owners() -> None:
    table: Samples = {}
    now = int(time.time()) // 15 * 15
    with watched(table) as polled:
        for minute in (2, 1, 0):
            table.clear()
            more = 600 * (2 - minute)
            add(table, now - 60 * minute, (1_000 + more, 1_000 + more), (990 + more, 900))
            polled.poll()

    assert polled.sample("kafka_group_lag_records", group="g") == 10 + 1_300
    assert polled.sample("kafka_group_consumers", group="g") == 2
    where = {"group": "g", "topic": "t", "partition": "1"}
    assert polled.sample("kafka_group_partition_lag_records", **where) == 1_300
    oldest = polled.sample("kafka_group_partition_time_lag_seconds", **where, basis="at-rate")
    assert oldest == pytest.approx(130)
    for name in ("idle_consumers", "busiest_over_bound", "rebalances_seen_total"):
        assert polled.sample(f"kafka_group_{name}", group="g") is None
    assert polled.sample("kafka_assignments_up") == 1


def test_a_sample_that_is_told_twice_is_one_snapshot() -> None:
    table: Samples = {}
    add(table, int(time.time()) // 15 * 15 - 30, (100, 100), (90, 80))

    with watched(table) as polled:
        polled.poll(3)

    assert len(polled.watch.tracks.track("g").moments) == 1


def test_an_exporter_that_is_gone_is_a_metric_and_ends_no_alert() -> None:
    table: Samples = {}
    now = int(time.time()) // 15 * 15
    with watched(table) as polled:
        for minute in (3, 2, 1, 0):
            table.clear()
            add(table, now - 60 * minute, (1_000 - 600 * minute, 1_000), (500 - 600 * 3, 900))
            polled.poll()
        before = [each["event"] for each in polled.sent]

        table.clear()
        polled.poll(3)

    assert polled.sample("kafka_assignments_up") == 0
    assert "no lags or offsets" in polled.said[-1]
    assert [each["event"] for each in polled.sent] == before


def test_of_a_group_that_a_cluster_has_metrics_are_not_read() -> None:
    table: Samples = {}
    add(table, int(time.time()) // 15 * 15 - 30, (100, 100), (90, 80))
    with prometheus(table) as url:
        metrics = WatchedMetrics(metrics_of(url, None, None), (), 10.0, lambda: False)
        alone = Polled(WatchedBoth(SimulatedCluster([SimulatedGroup("h")]), metrics))
        alone.poll()
        both = Polled(WatchedBoth(SimulatedCluster([SimulatedGroup("g")]), metrics))
        both.poll()

    assert {state.group for state in alone.watch.found().states} == {"g", "h"}
    assert [state.group for state in both.watch.found().states] == ["g"]
    assert both.sample("kafka_group_lag_records", group="g") == 0
