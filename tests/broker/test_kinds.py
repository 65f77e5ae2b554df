"""Forecasts of Streams, share groups and Connect beside what a real cluster then did."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from json import dumps
from pathlib import Path
from typing import Final

import pytest

from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from benchmarks.dashboard import free_port
from evaluation.kinds.asking import forecast
from evaluation.kinds.forecast import Forecast, KindGroup, OtherMembers
from sources.errors import SourceError
from sources.live import config_of, read_group
from sources.reading import Reading
from sources.text import read_text
from tests.broker.kafka_node import Cluster, running_cluster
from tests.broker.kind_members import KindMembers, kind_members, told_by_tool
from tests.live.on_a_broker import make_topic

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]

_PATIENCE_S: Final = 90
_TOOLS: Final = {
    "streams": "org.apache.kafka.tools.streams.StreamsGroupCommand",
    "share": "org.apache.kafka.tools.consumer.group.ShareGroupCommand",
}
_SETTINGS: Final = {
    "group.share.session.timeout.ms": "5000",
    "group.share.min.session.timeout.ms": "5000",
    "group.share.min.heartbeat.interval.ms": "500",
    "group.share.heartbeat.interval.ms": "500",
    "group.streams.session.timeout.ms": "5000",
    "group.streams.min.session.timeout.ms": "5000",
    "group.streams.min.heartbeat.interval.ms": "500",
    "group.streams.heartbeat.interval.ms": "500",
    "share.coordinator.state.topic.num.partitions": "2",
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One node with the topics that the members read."""
    with running_cluster(tmp_path_factory.mktemp("kinds"), settings=_SETTINGS) as kafka:
        kafka.await_coordinators()
        make_topic(kafka.bootstrap, "orders", [3] * 4)
        make_topic(kafka.bootstrap, "jobs", [3] * 5)
        yield kafka


@pytest.fixture
def members(tmp_path: Path) -> Iterator[KindMembers]:
    """The class of members, compiled."""
    with kind_members(tmp_path) as running:
        yield running


def _instance(cluster: Cluster, members: KindMembers, app: str, name: str, protocol: str) -> None:
    settings = {
        "bootstrap.servers": cluster.bootstrap,
        "application.id": app,
        "state.dir": str(members.folder / name),
        "num.stream.threads": "2",
        "group.protocol": protocol,
        "commit.interval.ms": "500",
    }
    if protocol == "classic":
        settings |= {"num.standby.replicas": "1", "session.timeout.ms": "6000"}
    members.start(name, "streams", "orders", settings)


def _read_classic(cluster: Cluster, app: str) -> Callable[[], Reading | None]:
    def read() -> Reading | None:
        try:
            found = read_group(config_of("", cluster.bootstrap), app)
        except SourceError:
            return None
        return found if found.state == "Stable" and found.as_kind is not None else None

    return read


def _read_by_tool(cluster: Cluster, kind: str, group: str) -> Callable[[], Reading | None]:
    def read() -> Reading | None:
        words = ("--bootstrap-server", cluster.bootstrap, "--describe", "--group", group)
        text = told_by_tool(_TOOLS[kind], *words, "--members", "--verbose")
        try:
            found = read_text(text)
        except SourceError:
            return None
        return found[0] if found[0].as_kind is not None else None

    return read


def _settled(read: Callable[[], Reading | None], is_right: Callable[[Forecast], bool]) -> KindGroup:
    """Return the group once what its members hold fits, and stays so."""
    until, last = time.monotonic() + _PATIENCE_S, None
    while time.monotonic() < until:
        reading = read()
        group = None if reading is None else reading.as_kind
        if group is not None and is_right(found := forecast(group)):
            if last == found.now:
                return group
            last = found.now
        time.sleep(0.5)
    pytest.fail(f"the group did not settle; it last held {last}")


def _active(found: Forecast) -> list[str]:
    return sorted(item for held in found.now.values() for item in next(iter(held.values())))


def _by_home(found: Forecast, *, is_then: bool) -> dict[str, frozenset[str]]:
    """Return the active tasks of each instance."""
    tasks: dict[str, set[str]] = {}
    for name, held in (found.then if is_then else found.now).items():
        tasks.setdefault(found.homes[name], set()).update(held["active"])
    return {home: frozenset(each) for home, each in tasks.items()}


def _all_tasks_of(instances: int) -> Callable[[Forecast], bool]:
    tasks = [f"{sub}_{number}" for sub in (0, 1) for number in range(4)]
    return lambda found: _active(found) == tasks and len(set(found.homes.values())) == instances


def test_a_classic_application_loses_and_gains_an_instance_as_predicted(
    cluster: Cluster, members: KindMembers
) -> None:
    read = _read_classic(cluster, "classic-app")
    for name in ("one", "two"):
        _instance(cluster, members, "classic-app", name, "classic")
    group = _settled(read, _all_tasks_of(2))
    assert isinstance(group, StreamsApplication)
    assert [(s.id, s.is_stateful) for s in group.subtopologies] == [(0, False), (1, True)]
    assert group.settings.standbys == 1

    more = forecast(group, OtherMembers(more=1))
    _instance(cluster, members, "classic-app", "three", "classic")
    joined = _settled(read, _all_tasks_of(3))

    counts = Counter(len(each) for each in _by_home(more, is_then=True).values())
    assert (
        Counter(len(each) for each in _by_home(forecast(joined), is_then=False).values()) == counts
    )

    before = _by_home(forecast(joined), is_then=False)
    members.kill("three")
    left = _settled(read, _all_tasks_of(2))

    stayed = set(_by_home(forecast(left), is_then=False))
    (gone,) = set(before) - stayed
    fewer = forecast(joined, OtherMembers(without=(gone,)))
    assert _by_home(forecast(left), is_then=False) == _by_home(fewer, is_then=True)


def test_a_streams_group_of_the_broker_loses_an_instance_as_predicted(
    cluster: Cluster, members: KindMembers
) -> None:
    read = _read_by_tool(cluster, "streams", "broker-app")
    for name in ("one", "two", "three"):
        _instance(cluster, members, "broker-app", name, "streams")
    group = _settled(read, _all_tasks_of(3))
    assert isinstance(group, StreamsGroup)
    assert forecast(group, release=(4, 4)).then == forecast(group).now

    before = set(_by_home(forecast(group), is_then=False))
    members.kill("three")
    left = _settled(read, _all_tasks_of(2))

    now = forecast(left)
    (gone,) = before - set(now.homes.values())
    fewer = forecast(group, OtherMembers(without=(gone,)), release=(4, 4))
    counts = Counter(len(each) for each in _by_home(fewer, is_then=True).values())
    assert Counter(len(each) for each in _by_home(now, is_then=False).values()) == counts


def test_a_share_group_gains_and_loses_a_consumer_as_predicted(
    cluster: Cluster, members: KindMembers
) -> None:
    read = _read_by_tool(cluster, "share", "share-group")
    settings = {"bootstrap.servers": cluster.bootstrap, "group.id": "share-group"}

    def of(count: int) -> Callable[[Forecast], bool]:
        return lambda found: len(found.now) == count and len(set(_active(found))) == 5

    for name in ("one", "two"):
        members.start(name, "share", "jobs", settings)
    group = _settled(read, of(2))

    more = forecast(group, OtherMembers(more=1))
    members.start("three", "share", "jobs", settings)
    joined = _settled(read, of(3))

    held = sorted(len(each["reads"]) for each in more.then.values())
    assert sorted(len(each["reads"]) for each in forecast(joined).now.values()) == held

    members.kill("three")
    left = forecast(_settled(read, of(2)))
    (gone,) = set(forecast(joined).now) - set(left.now)
    fewer = forecast(joined, OtherMembers(without=(gone,)))
    held = sorted(len(each["reads"]) for each in fewer.then.values())  # topic ids are not told
    assert sorted(len(each["reads"]) for each in left.now.values()) == held


def test_connects_workers_gain_and_lose_one_as_predicted(
    cluster: Cluster, members: KindMembers
) -> None:
    ports = [free_port() for _ in range(3)]
    for at in (0, 1):
        members.start_worker(str(at), _worker(cluster, ports[at]))
    for name, tasks in (("a", 3), ("b", 2)):
        _configure(ports[0], name, tasks)

    def read() -> Reading | None:
        try:
            return read_group(config_of("", cluster.bootstrap), "workers")
        except SourceError:
            return None

    def of(count: int) -> Callable[[Forecast], bool]:
        tasks = ["a-0", "a-1", "a-2", "b-0", "b-1"]
        return lambda found: (
            len(found.now) == count
            and sorted(task for held in found.now.values() for task in held["tasks"]) == tasks
        )

    group = _settled(read, of(2))
    more = forecast(group, OtherMembers(more=1))
    members.start_worker("2", _worker(cluster, ports[2]))
    joined = _settled(read, of(3))
    now = forecast(joined).now
    held = sorted(len(each["tasks"]) for each in more.then.values())
    assert sorted(len(each["tasks"]) for each in now.values()) == held

    members.kill("2")
    gone = next(name for name in now if f":{ports[2]}-" in name)
    fewer = forecast(joined, OtherMembers(without=(gone,)))
    left = forecast(_settled(read, of(2))).now
    assert left == fewer.then


def _worker(cluster: Cluster, port: int) -> dict[str, str]:
    converter = "org.apache.kafka.connect.json.JsonConverter"
    storage = {
        f"{what}.storage.{name}": value
        for what in ("offset", "config", "status")
        for name, value in (("topic", f"workers-{what}"), ("replication.factor", "1"))
    }
    return storage | {
        "bootstrap.servers": cluster.bootstrap,
        "group.id": "workers",
        "key.converter": converter,
        "value.converter": converter,
        "offset.storage.partitions": "1",
        "status.storage.partitions": "1",
        "listeners": f"http://127.0.0.1:{port}",
        "rest.advertised.host.name": "127.0.0.1",
        "session.timeout.ms": "6000",
        "heartbeat.interval.ms": "1000",
        "scheduled.rebalance.max.delay.ms": "4000",
    }


def _configure(port: int, name: str, tasks: int) -> None:
    """Create a connector, once the worker answers."""
    body = dumps({"connector.class": "NumbersSource", "tasks.max": str(tasks)})
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until:
        connection = HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            headers = {"Content-Type": "application/json"}
            connection.request("PUT", f"/connectors/{name}/config", body, headers)
            if connection.getresponse().status in {200, 201}:
                return
        except OSError:
            pass
        finally:
            connection.close()
        time.sleep(0.5)
    pytest.fail("no worker took the connector")
