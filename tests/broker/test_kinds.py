"""Forecasts of Streams, share groups and Connect beside what a real cluster then did.

Each rebalance is forecast before it happens: as far as the forecast claims to know anything, and
member for member once the ids of newcomers are known, which they draw when they start. Groups of
all kinds live on one broker at the same time, each led by a thread of the test.
"""

import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
from confluent_kafka import Producer

from plugins.kafka_jars import KAFKA, java
from tests.broker import kind_broker_streams, kind_classic, kind_connect, kind_share
from tests.broker.kafka_node import Cluster, running_cluster
from tests.broker.kind_broker_streams import BrokerGroup
from tests.broker.kind_classic import ClassicGroup
from tests.broker.kind_connect import ConnectWorkers
from tests.broker.kind_events import Seen
from tests.broker.kind_members import KindMembers, kind_members, running_teller
from tests.broker.kind_share import ShareConsumers
from tests.live.on_a_broker import make_topic

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof, pytest.mark.timeout(1_800)]

_KINDS: Final = tuple(
    module.KIND for module in (kind_classic, kind_broker_streams, kind_connect, kind_share)
)
_BEHIND: Final = "behind"
"""The application whose copies restore while it rebalances: how far they are, nobody reports, and
what moves at once hangs on it. What it comes to is stated."""
_DISTURBED: Final = 1
"""Of each kind, a rebalance may end elsewhere: on a busy machine a member's heartbeat comes late,
the broker drops it, and it joins again."""
_FEWEST: Final = 30
"""Rebalances that are compared."""
_RECORDS: Final = 400
_AGAIN: Final = "return on the same disk"
_SETTINGS: Final = {
    f"group.{kind}.{name}": value
    for kind in ("share", "streams")
    for name, value in (
        ("session.timeout.ms", "10000"),
        ("min.session.timeout.ms", "10000"),
        ("heartbeat.interval.ms", "500"),
        ("min.heartbeat.interval.ms", "500"),
    )
} | {
    "group.streams.num.standby.replicas": "1",
    "group.streams.task.offset.interval.ms": "1000",
    "group.streams.min.task.offset.interval.ms": "1000",
    "share.coordinator.state.topic.num.partitions": "2",
    "broker.session.timeout.ms": "60000",
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One node with the topics that the members read."""
    with running_cluster(tmp_path_factory.mktemp("kinds"), settings=_SETTINGS) as kafka:
        kafka.await_coordinators()
        for topic, partitions in {"orders": 4, **kind_share.TOPICS}.items():
            make_topic(kafka.bootstrap, topic, [0] * partitions)
        producer = Producer({"bootstrap.servers": kafka.bootstrap})
        for number in range(_RECORDS):
            producer.produce("orders", str(number).encode(), partition=number % 4)
        assert producer.flush(60) == 0
        yield kafka


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KindMembers]:
    """The class of members, compiled."""
    with kind_members(tmp_path_factory.mktemp("members")) as running:
        yield running


@pytest.fixture(scope="module")
def seen(cluster: Cluster, members: KindMembers) -> list[Seen]:
    """The rebalances of all groups, which run at the same time."""
    servers = cluster.bootstrap
    with running_teller(members, servers) as teller:
        steady, behind = (
            ClassicGroup(servers, members, app, lag)
            for app, lag in (("classic", 10_000), (_BEHIND, 10))
        )
        broker = BrokerGroup(servers, members, teller, "broker", _topology(members))
        workers = ConnectWorkers(servers, members, "workers")
        readers = ShareConsumers(servers, members, teller, "readers")
        lives: list[Callable[[], None]] = [
            lambda: _classic(steady, members),
            lambda: _behind(behind, members),
            lambda: _broker(broker, members),
            lambda: _workers(workers, members),
            lambda: _readers(readers, members),
        ]
        with ThreadPoolExecutor(len(lives)) as pool:
            for life in [pool.submit(each) for each in lives]:
                life.result()
    return [each for of in (steady, behind, broker, workers, readers) for each in of.seen]


def _topology(members: KindMembers) -> str:
    command = [java(), "-cp", members.paths, "KindMember", "topology", "orders"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout


def _classic(app: ClassicGroup, members: KindMembers) -> None:
    """Copies are close enough everywhere, so what moves moves at once."""
    for name in ("one", "two", "three"):
        app.join(name)
    app.leave("three", "kill -9", members.kill)
    app.join("three", _AGAIN)
    app.leave("two", "leave", members.end)
    app.join("two", _AGAIN)


def _behind(app: ClassicGroup, members: KindMembers) -> None:
    """A new copy is too far behind, so tasks warm up before they move."""
    for name in ("one", "two", "three"):
        app.join(name)
    app.probe()
    app.leave("one", "kill -9", members.kill)


def _broker(app: BrokerGroup, members: KindMembers) -> None:
    for name in ("one", "two", "three"):
        app.join(name)
    app.leave("three", "kill -9", members.kill)
    app.join("three", _AGAIN)
    app.leave("two", "leave", members.end)
    app.join("two", _AGAIN)
    app.leave("one", "kill -9", members.kill)


def _workers(workers: ConnectWorkers, members: KindMembers) -> None:
    """Of the workers that follow one is lost, one leaves; then the leading one is lost."""
    workers.begin("one", "two")
    workers.join("three")
    lost = workers.following
    workers.leave(lost, "kill -9", members.kill)
    workers.join(lost, "return")
    left = workers.following
    workers.leave(left, "leave", members.end)
    workers.join(left, "return")
    workers.leave(workers.leading, "kill -9 of the leader", members.kill)


def _readers(readers: ShareConsumers, members: KindMembers) -> None:
    for name in ("a", "b", "c", "d"):
        readers.join(name)
    readers.leave("b", "kill -9", members.kill)
    readers.join("e")
    readers.leave("c", "leave", members.end)
    readers.join("f")
    readers.leave("a", "kill -9", members.kill)


@pytest.mark.parametrize("kind", _KINDS)
def test_each_rebalance_ends_as_was_forecast_before(seen: list[Seen], kind: str) -> None:
    of_kind = [each for each in seen if each.kind == kind]

    assert of_kind
    assert [(each.group, each.event) for each in of_kind if not each.is_as_stated] == []
    certain = [each for each in of_kind if each.group != _BEHIND]
    wrong = [each.detail for each in certain if not each.is_right]
    assert len(wrong) <= _DISTURBED, wrong


def test_thirty_rebalances_of_four_kinds_are_told(
    seen: list[Seen], tell: Callable[[str], None]
) -> None:
    assert len(seen) >= _FEWEST

    tell(f"Kafka {KAFKA}, rebalances of other kinds of groups as forecast:")
    tell(f"  {'':18}{'as stated':>12}{'by instance':>14}{'by thread':>12}{'one of several':>16}")
    for kind in _KINDS:
        of_kind = [each for each in seen if each.kind == kind]
        told = [
            f"{sum(values)} of {len(of_kind)}"
            for values in (
                [each.is_as_stated for each in of_kind],
                [each.is_right for each in of_kind],
                [each.is_right_by_thread for each in of_kind],
            )
        ]
        several = sum(not each.is_sole for each in of_kind)
        tell(f"  {kind:18}{told[0]:>12}{told[1]:>14}{told[2]:>12}{several:>16}")
    for (kind, event), count in Counter((each.kind, each.event) for each in seen).items():
        tell(f"    {kind}: {event}, {count}")
