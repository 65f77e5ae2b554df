"""The assignor that runs inside brokers (KIP-848): weights from a file, racks, few moves."""

import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import pytest
from confluent_kafka import TopicCollection
from confluent_kafka.admin import AdminClient

from assignors.lag.load_sticky import load_sticky
from assignors.load_settings import USUAL
from assignors.model import Group
from assignors.naming import assignment_of
from assignors.numbering import Member, Topic, group_of
from live.cluster import connect
from live.groups import describe_groups
from live.model import GroupDescription
from live.properties import Properties
from plugins.build import BROKERS, build
from plugins.kafka_jars import classpath, java
from sources.group_json import as_json
from tests.broker.consumers import JavaClient, ToStart
from tests.broker.java_harness import Harness
from tests.broker.kafka_node import NEVER_KILLED, Cluster, running_cluster
from tests.broker.plugin_drawn import drawn_groups, here
from tests.broker.plugin_groups import make_topics
from tests.broker.plugin_rounds import Held
from tests.pipeline.rates import weights_file

pytestmark = pytest.mark.needs("broker")

_CLASS: Final = "kafkaassignments.broker.LoadStickyAssignor"
_TOPICS: Final = {"w-a": 12, "w-b": 8}
_RATES: Final = {
    "w-a": [90, 60, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "w-b": [30, 20, 10, 5, 4, 3, 2, 1],
}
_HORIZON_S: Final = 300
_WAIT_S: Final = 60
_DRAWN: Final = 300


@pytest.fixture(scope="module")
def weighted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A broker with the jar, and with the pipeline's rates under ids by the jar's own command."""
    rates = tmp_path_factory.mktemp("weights") / "rates"
    rates.write_text("")
    settings = {
        **NEVER_KILLED,
        "group.consumer.assignors": f"uniform,{_CLASS}",
        "assignor.load.weights.file": str(rates),
    }
    jar = build(BROKERS, None)
    folder = tmp_path_factory.mktemp("weighted")
    with running_cluster(folder, settings=settings, plugins=(jar,)) as cluster:
        make_topics(cluster.bootstrap, _TOPICS)
        named = weights_file(folder / "pipeline", {**_RATES, "gone": [7]})
        rates.write_text(_with_ids(cluster, jar, named))
        yield cluster


def _with_ids(cluster: Cluster, jar: Path, named: Path) -> str:
    command = [java(), "-cp", f"{jar}:{classpath()}", "kafkaassignments.broker.TopicIds"]
    done = subprocess.run(  # noqa: S603 - the machine's own Java
        [*command, cluster.bootstrap, str(named)],
        check=True,
        capture_output=True,
        text=True,
        timeout=_WAIT_S,
    )
    assert "# no such topic: gone 0 7.000" in done.stdout
    return done.stdout


@pytest.mark.proof
def test_every_rebalance_of_a_weighted_group_is_as_predicted(
    weighted: Cluster, harness: Harness
) -> None:
    client, missed = JavaClient(harness), []
    before: Held = {}
    ids = topic_ids(weighted)
    for event in ("c0", "c1", "c2", "c3", "-c1"):
        if event.startswith("-"):
            client.close(event.removeprefix("-"))
        else:
            client.start(_consumer(weighted, event))
        members = 3 if event == "-c1" else int(event[1]) + 1
        after = _settled(weighted, members)
        if after != _predicted(ids, before, after):
            missed.append(event)
        before = after
    for name in ("c0", "c2", "c3"):
        client.close(name)

    assert missed == []


def topic_ids(cluster: Cluster) -> dict[str, tuple[int, int]]:
    """Return the topics' ids as the pairs of signed numbers by which Java orders them."""
    admin = AdminClient({"bootstrap.servers": cluster.bootstrap})
    found = admin.describe_topics(TopicCollection(list(_TOPICS)))
    ids = {name: told.result(_WAIT_S).topic_id for name, told in found.items()}
    return {
        n: (i.get_most_significant_bits(), i.get_least_significant_bits()) for n, i in ids.items()
    }


def _predicted(ids: Mapping[str, tuple[int, int]], before: Held, after: Held) -> Held:
    """Return the next owners by the Python form; topics are renamed to the order of their ids."""
    order = sorted(_TOPICS, key=ids.__getitem__)
    renamed = {name: f"{at}" for at, name in enumerate(order)}
    topics = {
        renamed[t]: Topic(n, lags=[rate * _HORIZON_S for rate in _RATES[t]])
        for t, n in _TOPICS.items()
    }
    members = [
        Member(
            id=member,
            topics=list(topics),
            owned=[(renamed[t], p) for t, p in before.get(member, ())],
            generation=1,
        )
        for member in after
    ]
    group = group_of(topics, members)
    given = assignment_of(group, load_sticky(group))
    return {m: {(order[int(t)], p) for t, p in held} for m, held in given.items()}


def _consumer(cluster: Cluster, name: str) -> ToStart:
    config = {
        "bootstrap.servers": cluster.bootstrap,
        "group.id": "weighted",
        "client.id": name,
        "group.protocol": "consumer",
        "group.remote.assignor": "load-sticky",
    }
    return ToStart(name, config, list(_TOPICS))


def _settled(cluster: Cluster, members: int) -> Held:
    """Return what each member owns once targets are reached and everything is owned."""
    until = time.monotonic() + _WAIT_S
    with connect(Properties({"bootstrap.servers": cluster.bootstrap})) as live:
        while time.monotonic() < until:
            found = describe_groups(live, ["weighted"])["weighted"]
            if isinstance(found, GroupDescription) and len(found.members) == members:
                owned = {m.id: set(m.owned) for m in found.members}
                is_there = all(
                    m.target is None or set(m.target) == set(m.owned) for m in found.members
                )
                has_all = sum(map(len, owned.values())) == sum(_TOPICS.values())
                if is_there and has_all and all(owned.values()):  # a joiner waits for its target
                    return owned
            time.sleep(0.2)
    message = f"the group did not settle: {found}"
    raise AssertionError(message)


def test_without_rates_drawn_groups_get_the_same_owners_as_in_python(harness: Harness) -> None:
    groups = [
        _without_loads(group) for group in drawn_groups(_DRAWN) if not group.claims.is_contested
    ]

    different = [
        group.id for group in groups if _on_a_broker(harness, group) != here(load_sticky, group)
    ]

    assert len(groups) > _DRAWN / 2
    assert different == []


def test_without_rates_partitions_are_read_in_their_racks(harness: Harness) -> None:
    topics = {"t": Topic(9, racks=[[f"r{p % 3}"] for p in range(9)], lags=[0] * 9)}
    members = [Member(id=f"c{m}", topics=["t"], rack=f"r{2 - m}") for m in range(3)]

    owned = _on_a_broker(harness, group_of(topics, members))

    assert owned == {f"c{m}": [["t", 2 - m], ["t", 5 - m], ["t", 8 - m]] for m in range(3)}


def _without_loads(group: Group) -> Group:
    return replace(group.with_lags(np.zeros_like(group.lags)), load_settings=USUAL)


def _on_a_broker(harness: Harness, group: Group) -> dict[str, list[list[Any]]]:
    case = msgspec.json.decode(msgspec.json.encode(as_json(group)))
    answer = harness.ask("assign", case={**case, "strategy": "broker-load-sticky"})
    return {member: sorted(held) for member, held in answer.items()}
