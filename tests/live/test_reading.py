"""Groups of a real broker, read by the AdminClient as users read them."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from confluent_kafka import Consumer

from live.changelogs import read_changelogs
from live.cluster import connect
from live.errors import CancelledError, UnknownGroupError, UnknownTopicError
from live.groups import list_groups
from live.model import GroupReading, LiveMember, LiveTopic, NamedPartition
from live.offsets import LATEST, listed_offsets, read_topics
from live.properties import Properties
from live.read_options import ReadOptions
from live.reading import read_group, read_groups
from tests.broker.kafka_node import Cluster
from tests.live.on_a_broker import commit, consuming, make_topic

pytestmark = pytest.mark.needs("broker")

ORDERS, AUDIT = "live-orders", "live-audit"
BOTH = [ORDERS, AUDIT]
CONSUMER = {"group.protocol": "consumer"}
PATTERN = "^live-(orders|audit)"


@pytest.fixture(scope="module", autouse=True)
def _groups(kafka: Cluster) -> Iterator[None]:
    servers = kafka.bootstrap
    make_topic(servers, ORDERS, [10, 20, 30, 40])
    make_topic(servers, AUDIT, [5, 0])
    commit(servers, "live-empty", {(ORDERS, 1): 7})
    classic = (
        {"client.id": "first", "client.rack": "rack-a"},
        {"client.id": "second", "group.instance.id": "static-1"},
    )
    modern = (
        {"client.id": "third", **CONSUMER},
        {"client.id": "fourth", "group.instance.id": "static-2", **CONSUMER},
    )
    with (
        consuming(servers, "live-classic", BOTH, *classic) as consumers,
        consuming(servers, "live-modern", BOTH, *modern),
        consuming(servers, "live-fresh", [AUDIT], {"client.id": "fifth"}),
        consuming(servers, "live-pattern", [PATTERN], {"client.id": "sixth", **CONSUMER}),
    ):
        _commit_three_each(consumers)
        yield


def _commit_three_each(consumers: list[Consumer]) -> None:
    for consumer in consumers:
        places = [place for place in consumer.assignment() if place.topic == ORDERS]
        for place in places:
            place.offset = 3
        consumer.commit(offsets=places, asynchronous=False)


def _read(kafka: Cluster, group: str) -> GroupReading:
    with connect(Properties({"bootstrap.servers": kafka.bootstrap})) as cluster:
        return read_group(cluster, group)


def _by_client(found: GroupReading) -> dict[str, LiveMember]:
    return {member.client_id: member for member in found.description.members}


def _places(*topics: tuple[str, int]) -> set[NamedPartition]:
    return {(name, number) for name, count in topics for number in range(count)}


def test_groups_are_listed_with_state_and_protocol(kafka: Cluster) -> None:
    with connect(Properties({"bootstrap.servers": kafka.bootstrap})) as cluster:
        found = list_groups(cluster)

    listed = {g.id: (g.state, g.protocol) for g in found.groups if g.id.startswith("live-")}
    assert listed == {
        "live-classic": ("Stable", "classic"),
        "live-empty": ("Empty", "classic"),
        "live-fresh": ("Stable", "classic"),
        "live-modern": ("Stable", "consumer"),
        "live-pattern": ("Stable", "consumer"),
    }
    assert found.errors == ()


def test_a_partition_that_no_broker_leads_has_an_unknown_offset_beside_the_others(
    kafka: Cluster,
) -> None:
    places = [(ORDERS, 3), (ORDERS, 99)]
    with connect(Properties({"bootstrap.servers": kafka.bootstrap})) as cluster:
        ends = listed_offsets(cluster, dict.fromkeys(places, LATEST))

    assert ends == {(ORDERS, 3): 40, (ORDERS, 99): None}


def test_a_classic_group_comes_with_the_subscriptions_of_its_members(kafka: Cluster) -> None:
    found = _read(kafka, "live-classic")

    members = _by_client(found)
    assert (found.description.protocol, found.description.assignor) == ("classic", "range")
    assert {member.subscription for member in members.values()} == {(AUDIT, ORDERS)}
    assert (members["first"].rack, members["first"].instance_id) == ("rack-a", None)
    assert (members["second"].rack, members["second"].instance_id) == (None, "static-1")
    assert members["second"].id.startswith("static-1-")
    assert {member.host for member in members.values()} == {"127.0.0.1"}
    owned = [place for member in members.values() for place in member.owned]
    assert len(owned) == len(set(owned))
    assert set(owned) == _places((ORDERS, 4), (AUDIT, 2))


def test_a_group_of_the_consumer_protocol_comes_with_present_and_target_owners(
    kafka: Cluster,
) -> None:
    found = _read(kafka, "live-modern")

    members = _by_client(found)
    assert (found.description.protocol, found.description.assignor) == ("consumer", "uniform")
    assert members["fourth"].instance_id == "static-2"
    assert all(member.target == member.owned for member in members.values())
    assert {p for m in members.values() for p in m.owned} == _places((ORDERS, 4), (AUDIT, 2))
    assert {member.subscription for member in members.values()} == {(AUDIT, ORDERS)}


def test_a_pattern_of_the_consumer_protocol_becomes_the_topics_it_matches(
    kafka: Cluster,
) -> None:
    (member,) = _read(kafka, "live-pattern").description.members

    assert member.subscription == (AUDIT, ORDERS)


def test_offsets_and_racks_are_those_of_the_broker(kafka: Cluster) -> None:
    found = _read(kafka, "live-classic")

    orders = found.topics[ORDERS]
    assert orders.begin == (0, 0, 0, 0)
    assert orders.end == (10, 20, 30, 40)
    assert orders.racks == (("rack-a",),) * 4
    assert len(orders.id or "") == 22
    assert found.committed == dict.fromkeys(_places((ORDERS, 4)), 3)


def test_an_empty_group_has_its_commits(kafka: Cluster) -> None:
    found = _read(kafka, "live-empty")

    assert (found.description.state, found.description.members) == ("Empty", ())
    assert found.committed == {(ORDERS, 1): 7}
    assert list(found.topics) == [ORDERS]


def test_a_group_that_has_committed_nothing_has_its_topics(kafka: Cluster) -> None:
    found = _read(kafka, "live-fresh")

    assert found.committed == {}
    assert found.topics[AUDIT].end == (5, 0)


def test_a_group_that_does_not_exist_is_unknown(kafka: Cluster) -> None:
    with pytest.raises(UnknownGroupError, match="knows no group 'live-nowhere'"):
        _read(kafka, "live-nowhere")


def test_all_groups_are_read_each_as_if_alone(kafka: Cluster) -> None:
    names = ["live-classic", "live-modern", "live-empty", "live-fresh"]
    steps: list[tuple[str, int, int]] = []
    read_options = ReadOptions(progress=lambda *step: steps.append(step))

    with connect(Properties({"bootstrap.servers": kafka.bootstrap}), read_options) as cluster:
        found = list(read_groups(cluster, names))

    assert [each.id for each in found] == names
    for each in found:
        assert isinstance(each, GroupReading)
        alone = _read(kafka, each.id)
        assert (each.committed, each.topics) == (alone.committed, alone.topics)
        owned = {member.id: member.owned for member in each.description.members}
        assert owned == {member.id: member.owned for member in alone.description.members}
    assert ("groups", 4, 4) in steps


@pytest.mark.parametrize(
    ("ends_then", "partitions", "begin"),
    [((0, 7, 0, 0), 4, 9), ((0, 8, 0, 0), 4, 0), ((0, 0, 0), 3, 0)],
    ids=["read past what there was", "late", "fewer partitions then"],
)
def test_of_a_known_topic_only_ends_are_read_unless_something_may_be_lost(
    kafka: Cluster, ends_then: tuple[int, ...], partitions: int, begin: int
) -> None:
    then = LiveTopic(ORDERS, ((),) * partitions, (9,) * partitions, ends_then)
    name = "live-empty" if partitions == 4 else "live-classic"

    with connect(Properties({"bootstrap.servers": kafka.bootstrap})) as cluster:
        (found,) = read_groups(cluster, [name], {ORDERS: then})

    assert isinstance(found, GroupReading)
    assert found.topics[ORDERS].end == (10, 20, 30, 40)
    assert found.topics[ORDERS].begin == (begin,) * 4


def test_a_known_topic_that_is_deleted_is_unknown_or_has_no_ends(kafka: Cluster) -> None:
    known = {"live-gone": LiveTopic("live-gone", ((),), (0,), (5,))}

    with connect(Properties({"bootstrap.servers": kafka.bootstrap})) as cluster:
        alone = read_topics(cluster, ["live-gone"], known)
        beside = read_topics(cluster, ["live-gone", ORDERS], known)

    assert isinstance(alone["live-gone"], UnknownTopicError)
    gone = beside["live-gone"]
    assert isinstance(gone, UnknownTopicError) or gone == replace(known["live-gone"], end=(None,))


def test_reading_ends_when_the_answer_is_no_longer_wanted(kafka: Cluster) -> None:
    read_options = ReadOptions(is_cancelled=lambda: True)

    with pytest.raises(CancelledError):
        connect(Properties({"bootstrap.servers": kafka.bootstrap}), read_options)


@pytest.mark.proof
def test_each_partition_has_the_racks_of_its_replicas(kafka_with_racks: Cluster) -> None:
    make_topic(kafka_with_racks.bootstrap, "live-spread", [1, 1, 1])
    commit(kafka_with_racks.bootstrap, "live-racks", {("live-spread", 0): 1})

    found = _read(kafka_with_racks, "live-racks")

    racks = [rack for (rack,) in found.topics["live-spread"].racks]
    assert sorted(racks) == ["rack-a", "rack-b", "rack-c"]


def test_changelogs_are_those_of_the_application_and_not_of_one_whose_id_begins_alike(
    kafka: Cluster,
) -> None:
    servers = kafka.bootstrap
    make_topic(servers, "live-app-counts-changelog", [3, 4])
    make_topic(servers, "live-app-counts-repartition", [1, 1])
    make_topic(servers, "live-app-eu-sums-changelog", [5])
    make_topic(servers, "live-app-eu-orders", [1])
    commit(servers, "live-app-eu", {("live-app-eu-orders", 0): 1})

    with connect(Properties({"bootstrap.servers": servers})) as cluster:
        ours, theirs = (read_changelogs(cluster, name) for name in ("live-app", "live-app-eu"))

    assert {name: each.end for name, each in ours.items()} == {"counts": (3, 4)}
    assert {name: each.end for name, each in theirs.items()} == {"sums": (5,)}
