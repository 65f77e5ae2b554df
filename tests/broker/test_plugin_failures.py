"""The Java assignor when something is broken: every partition stays with one consumer."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Final

import pytest

from plugins.kafka_jars import clients, java
from tests.broker.guarded import Guarded, guarded_cluster
from tests.broker.java_harness import Harness, running_harness
from tests.broker.kafka_node import NEVER_KILLED, Cluster, running_cluster
from tests.broker.plugin_groups import (
    PluginGroup,
    coordinator,
    fill,
    leaders_saw,
    make_topics,
)
from tests.patience import await_

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]

_STILL: Final = {"assignor.load.horizon.ms": "0"}
_CANARY: Final = "canary-c41b"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with guarded_cluster(tmp_path_factory.mktemp("guarded"), _CANARY) as guarded:
        make_topics(guarded.cluster.bootstrap, {"t": 12})
        fill(guarded.cluster.bootstrap, {("t", p): p for p in range(12)})
        yield guarded


@pytest.mark.parametrize(
    ("password", "told"),
    [(f"mallory-{_CANARY}", "AuthorizationException"), ("wrong", "SaslAuthenticationException")],
    ids=["no rights", "a wrong password"],
)
def test_who_may_not_read_offsets_gets_even_counts(
    guarded: Guarded, harness: Harness, password: str, told: str
) -> None:
    admin = {
        "bootstrap.servers": guarded.login,
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "PLAIN",
        "sasl.jaas.config": "org.apache.kafka.common.security.plain.PlainLoginModule required "
        f'username="mallory" password="{password}";',
    }
    config = {f"assignor.load.admin.{name}": value for name, value in admin.items()}
    group = PluginGroup(
        harness, guarded.cluster.bootstrap, f"denied-{told}", {"t": 12}, {**_STILL, **config}
    )

    group.start("c0", "c1")
    group.settle()
    group.start("c2")
    after = group.settle()
    _close(group)

    assert [len(held) for held in after.of.values()] == [4, 4, 4]
    assert after.rounds <= 2
    assert group.held_twice == []
    log = harness.log.read_text()
    assert told in log
    assert password not in log


def test_a_leader_killed_between_the_rounds_leaves_nothing_unowned(
    kafka: Cluster, harness: Harness, kafkas_classes: str, tmp_path: Path
) -> None:
    topics = {"killed": 16}
    make_topics(kafka.bootstrap, topics)
    fill(kafka.bootstrap, {("killed", p): 2000 // (p + 1) for p in range(16)})
    group = PluginGroup(
        harness, kafka.bootstrap, "killed", topics, {**_STILL, "session.timeout.ms": "8000"}
    )
    with running_harness(kafkas_classes, tmp_path / "leader.log", java()) as doomed:
        group.start("c0", harness=doomed)
        group.settle()
        group.start("c1", "c2")
        group.settle()
        led = len(list(leaders_saw(doomed)))
        group.start("c3")
        await_(lambda: len(list(leaders_saw(doomed))) > led)
        doomed.process.kill()
        del group.running["c0"]
        after = group.settle()
    _close(group)

    assert after.of["c3"]
    assert group.held_twice == []


@pytest.mark.parametrize("theirs", ["cooperative-sticky", "range"])
def test_a_rolling_switch_there_and_back_leaves_nothing_unowned_and_nothing_owned_twice(
    kafka: Cluster, harness: Harness, theirs: str
) -> None:
    topics = {f"rolled-{theirs}": 12}
    make_topics(kafka.bootstrap, topics)
    fill(kafka.bootstrap, {(t, p): 1000 // (p + 1) for t in topics for p in range(12)})
    group = PluginGroup(harness, kafka.bootstrap, f"rolled-{theirs}", topics, _STILL)
    key, ours = "partition.assignment.strategy", "load-sticky"
    group.start("c0", "c1", config={key: theirs})
    seen = {theirs: group.settle().seen}

    for strategies in (f"{ours},{theirs}", ours, f"{theirs},{ours}", f"{theirs} again"):
        for name in ("c0", "c1"):
            group.close(name)
            group.settle()
            group.start(name, config={key: strategies.removesuffix(" again")})
            seen[strategies] = group.settle().seen
    _close(group)

    assert seen[theirs] == seen[f"{theirs} again"] == []
    assert seen[ours]
    assert group.held_twice == []


def test_a_static_member_that_restarts_keeps_its_partitions_without_an_assignment(
    kafka: Cluster, harness: Harness
) -> None:
    topics = {"static": 8}
    make_topics(kafka.bootstrap, topics)
    group = PluginGroup(harness, kafka.bootstrap, "static", topics, _STILL)
    for name in ("c0", "c1"):
        group.start(name, config={"group.instance.id": name})
        before = group.settle()

    for name in ("c1", "c0"):  # c0 leads
        group.close(name)
        group.start(name, config={"group.instance.id": name})
        await_(lambda: all(held for _, held in group.newest.values()))
    newest = group.newest
    _close(group)

    assert newest == {name: (group.generation, held) for name, held in before.of.items()}


@pytest.mark.deep
def test_a_hung_broker_leaves_its_own_partitions_unknown_and_moves_nothing(
    tmp_path: Path, harness: Harness, tell: Callable[[str], None]
) -> None:
    with running_cluster(tmp_path, nodes=3, settings=NEVER_KILLED) as cluster:
        topics = {"t": 24}
        make_topics(cluster.bootstrap, topics, {"t": [[p % 3 + 1] for p in range(24)]})
        fill(cluster.bootstrap, {("t", p): 2000 // (p + 1) for p in range(24)})
        group = PluginGroup(harness, cluster.bootstrap, "hung", topics, _STILL)
        group.start("c0", "c1", "c2")
        before = group.settle()
        hung = cluster.nodes[1 if coordinator(cluster, "hung") == 3 else 2]
        assert hung.process is not None

        hung.process.send_signal(SIGSTOP)
        start = time.monotonic()
        group.rebalance()
        during = group.settle()
        tell(f"one of three brokers hung: stable after {time.monotonic() - start:.1f} s")
        hung.process.send_signal(SIGCONT)
        group.rebalance()
        after = group.settle()
        _close(group)

    known = [lag for seen in during.seen for lag in seen["lags"]["t"] if lag is not None]
    assert during.of == before.of
    assert during.rounds == 1
    assert len(known) in (0, 16)
    assert after.of == before.of
    assert group.held_twice == []


@pytest.mark.deep
@pytest.mark.parametrize("release", ["3.4.1", "3.9.2"])
def test_older_clients_run_the_same_classes_with_the_same_result(
    kafka: Cluster, kafkas_classes: str, tmp_path: Path, release: str
) -> None:
    topics = {f"old-{release}": 12}
    make_topics(kafka.bootstrap, topics)
    fill(kafka.bootstrap, {(t, p): 1000 // (p + 1) for t in topics for p in range(12)})
    own, *newest = kafkas_classes.split(":")
    rest = [jar for jar in newest if "/kafka-clients-" not in jar]
    paths = ":".join([own, clients(release), *rest])

    with running_harness(paths, tmp_path / "old.log", java()) as old:
        group = PluginGroup(old, kafka.bootstrap, f"old-{release}", topics)
        group.start("c0", "c1")
        start = group.settle()
        group.start("c2")
        join = group.settle()
        _close(group)

    assert start.is_as_predicted
    assert join.is_as_predicted
    assert join.rounds <= 2


def _close(group: PluginGroup) -> None:
    for name in list(group.running):
        group.close(name)
