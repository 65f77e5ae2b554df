"""A group read live, compared with the output of kafka-consumer-groups.sh."""

import subprocess
import time
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from assignors.naming import member_records, topic_records
from evaluation.reading import Reading
from live.cluster import Cluster, connect
from live.groups import describe_groups
from live.model import GroupDescription
from live.properties import Properties
from plugins.kafka_jars import classpath, java
from sources.live import config_of, read_group
from sources.text import read_text
from tests.broker.consumers import ConfluentClient, ToStart
from tests.broker.kafka_node import Cluster as Kafka
from tests.live.on_a_broker import commit, make_topic

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]

_TOOL: Final = "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand"
_GROUPS: Final = ("cli-classic", "cli-consumer", "cli-empty", "cli-fresh")
_RANGE: Final = {"partition.assignment.strategy": "range"}
_TIMEOUT_S: Final = 60


@pytest.fixture(scope="module")
def servers(kafka_with_racks: Kafka) -> Iterator[str]:
    """The address of a broker with groups of every kind.

    A classic one with a static and an idle member, one of the consumer protocol, one without
    consumers and one that never committed.
    """
    servers = kafka_with_racks.bootstrap
    client = ConfluentClient()
    make_topic(servers, "cli-topic", [5, 0, 7])
    for group in _GROUPS[:3]:
        commit(servers, group, {("cli-topic", 0): 3, ("cli-topic", 2): 7})
    for number in range(4):
        static = {"group.instance.id": "static-one"} if number == 0 else {}
        client.start(_reader("cli-classic", number, servers, static | _RANGE))
    for number in range(2):
        client.start(_reader("cli-consumer", number, servers, {"group.protocol": "consumer"}))
    client.start(_reader("cli-fresh", 0, servers, _RANGE))
    with connect(Properties({"bootstrap.servers": servers})) as cluster:
        for group, members in (("cli-classic", 4), ("cli-consumer", 2), ("cli-fresh", 1)):
            _await_settled(cluster, group, members)
    yield servers
    client.close_all()


def _reader(group: str, number: int, servers: str, own: dict[str, str]) -> ToStart:
    config = {"bootstrap.servers": servers, "group.id": group, "client.id": f"{group}-{number}"}
    return ToStart(f"{group}/{number}", {**config, **own}, ["cli-topic"])


def _await_settled(cluster: Cluster, group: str, members: int) -> None:
    until = time.monotonic() + _TIMEOUT_S
    while time.monotonic() < until:
        found = describe_groups(cluster, [group])[group]
        if isinstance(found, GroupDescription) and len(found.members) == members:
            owned = [place for member in found.members for place in member.owned]
            if found.state == "Stable" and len(owned) == 3:
                return
        time.sleep(0.3)
    message = f"{group} did not settle"
    raise AssertionError(message)


@cache
def printed(servers: str, *view: str) -> str:
    """Return the tool's output about the groups."""
    named = [word for group in _GROUPS for word in ("--group", group)]
    patient = ["--timeout", "60000"]  # its own five seconds are few on a busy machine
    command = [java(), "-XX:TieredStopAtLevel=1", "-cp", classpath(), _TOOL, *patient]
    return subprocess.run(  # noqa: S603 - the machine's own Java
        [*command, "--bootstrap-server", servers, "--describe", *named, *view],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout


def live(servers: str, group: str) -> Reading:
    return read_group(config_of("", servers), group)


def offsets_of(reading: Reading) -> dict[tuple[str, int], tuple[int | None, ...]]:
    """Return committed offset, end offset and lag by partition."""
    return {
        (name, number): tuple(
            None if values is None else values[number]
            for values in (topic.committed, topic.end, topic.lags)
        )
        for name, topic in topic_records(reading.group).items()
        for number in range(topic.partitions)
    }


def any_known(values: tuple[int | None, ...]) -> bool:
    return any(value is not None for value in values)


def owners_of(reading: Reading) -> dict[str, set[tuple[str, int]]]:
    """Return the partitions of each member that has any."""
    members = member_records(reading.group)
    return {member.id: set(member.owned) for member in members if member.owned}


def test_offsets_lags_and_owners_are_those_that_the_tool_prints(servers: str) -> None:
    pasted = {reading.group.id: reading for reading in read_text(printed(servers))}

    for name in _GROUPS:
        found = live(servers, name)
        # For a group without consumers the tool omits partitions without commits.
        shown = {p: known for p, known in offsets_of(pasted[name]).items() if any_known(known)}
        assert shown == {p: known for p, known in offsets_of(found).items() if p in shown}
        assert len(shown) == (2 if name == "cli-empty" else 3)
        assert owners_of(pasted[name]) == owners_of(found)


def test_members_and_assignments_are_those_that_the_tool_prints(servers: str) -> None:
    text = printed(servers, "--members", "--verbose")

    pasted = {reading.group.id: reading for reading in read_text(text)}

    for name in _GROUPS[:2]:
        found = live(servers, name)
        assert owners_of(pasted[name]) == owners_of(found)
        assert set(pasted[name].group.members) == set(found.group.members)
        assert sorted(map(str, pasted[name].group.layout.instance_ids)) == sorted(
            map(str, found.group.layout.instance_ids)
        )


@pytest.mark.parametrize(
    "view",
    [(), ("--offsets", "--verbose"), ("--members",), ("--members", "--verbose")],
    ids=" ".join,
)
def test_every_line_the_tool_prints_is_read(servers: str, view: tuple[str, ...]) -> None:
    text = printed(servers, *view)

    readings = read_text(text)

    assert {r.group.id for r in readings} >= set(_GROUPS[:2])
    assert not [line for reading in readings for line in reading.ignored], text


def test_states_are_those_that_the_tool_prints(servers: str) -> None:
    text = printed(servers) + printed(servers, "--state")

    readings = read_text(text)

    assert {reading.group.id for reading in readings} == set(_GROUPS)
    assert not [line for reading in readings for line in reading.ignored], text
    assert {r.strategy for r in readings if r.group.id == "cli-classic"} == {"range"}
