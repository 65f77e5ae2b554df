"""Failures of a real broker: wrong passwords, missing rights, crashes while reading."""

import re
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)

from benchmarks.dashboard import HOST
from live.access import Access, access_to
from live.cluster import Cluster as LiveCluster
from live.cluster import connect
from live.errors import DeniedError, LiveError, LoginError, PropertyError, UnreachableError
from live.groups import list_groups
from live.model import GroupReading, Unread
from live.properties import Properties
from live.read_options import ReadOptions
from live.reading import read_group, read_groups
from live.subscriptions import subscriptions
from tests.broker.guarded import Guarded, guarded_cluster
from tests.live.on_a_broker import commit, consuming, make_topic
from tests.patience import await_

pytestmark = pytest.mark.needs("broker")

CANARY = "canary-9f3a"
_LONGEST_S = 75
"""librdkafka's own timeout; beyond it, the timeout would be the only known reason."""
BRIEFLY = ReadOptions(timeout_s=2)
"""For requests to a broker that cannot respond."""
TOPIC = "guarded"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with guarded_cluster(tmp_path_factory.mktemp("guarded"), CANARY) as guarded:
        make_topic(guarded.cluster.bootstrap, TOPIC, [4, 4])
        commit(guarded.cluster.bootstrap, "g", {(TOPIC, 0): 1})
        yield guarded


def _plain(guarded: Guarded) -> Properties:
    return Properties({"bootstrap.servers": guarded.cluster.bootstrap})


def _as(guarded: Guarded, user: str, password: str | None = None, **more: str) -> Properties:
    return Properties(
        {
            "bootstrap.servers": guarded.login,
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "PLAIN",
            "sasl.username": user,
            "sasl.password": password or f"{user}-{CANARY}",
            **{name.replace("_", "."): value for name, value in more.items()},
        }
    )


def _why(properties: Properties, access: Access | None = None, timeout_s: float = 30) -> LiveError:
    """Return why the group cannot be read, after checking the traceback for secrets."""
    with (
        pytest.raises(LiveError) as refused,
        connect(properties, ReadOptions(timeout_s=timeout_s), access) as cluster,
    ):
        read_group(cluster, "g")
    assert CANARY not in "".join(traceback.format_exception(refused.value))
    assert "\n" not in str(refused.value)
    return refused.value


def _allow(guarded: Guarded, resource: ResourceType, name: str) -> None:
    admin = AdminClient({"bootstrap.servers": guarded.cluster.bootstrap})
    rule = AclBinding(
        resource,
        name,
        ResourcePatternType.LITERAL,
        "User:mallory",
        "*",
        AclOperation.DESCRIBE,
        AclPermissionType.ALLOW,
    )
    admin.create_acls([rule])[rule].result(_LONGEST_S)


def test_with_the_right_password_the_group_is_read(guarded: Guarded) -> None:
    with connect(_as(guarded, "alice")) as cluster:
        found = read_group(cluster, "g")

    assert found.committed == {(TOPIC, 0): 1}


def test_the_other_client_logs_in_too(guarded: Guarded) -> None:
    servers = guarded.cluster.bootstrap
    settings = {"client.id": "first", "group.protocol": "consumer"}
    with consuming(servers, "modern", [f"^{TOPIC}"], settings):
        host, port = guarded.login.split(":")
        found = subscriptions(_as(guarded, "alice"), (host, int(port)), "modern", 30)
        refused = subscriptions(_as(guarded, "alice", "wrong"), (host, int(port)), "modern", 30)

    assert [member.topics([TOPIC, "other"]) for member in found.values()] == [(TOPIC,)]
    assert refused == {}


def test_a_wrong_password_is_refused_immediately(guarded: Guarded) -> None:
    why = _why(_as(guarded, "alice", f"wrong-{CANARY}"), timeout_s=_LONGEST_S)

    assert isinstance(why, LoginError)
    assert "Invalid username or password" in str(why)


def test_a_mechanism_the_broker_lacks_is_named_with_those_it_has(guarded: Guarded) -> None:
    why = _why(_as(guarded, "alice", sasl_mechanism="SCRAM-SHA-256"))

    assert isinstance(why, LoginError)
    assert "PLAIN" in str(why)


def test_tls_on_a_port_without_it_has_its_sentence(guarded: Guarded) -> None:
    why = _why(Properties({**_plain(guarded), "security.protocol": "SSL"}))

    assert isinstance(why, LoginError)
    assert "TLS failed" in str(why)


def test_a_property_without_sense_is_named_and_its_secret_value_not(guarded: Guarded) -> None:
    why = _why(Properties({**_plain(guarded), "security.protocol": "SSL", "ssl.key.pem": CANARY}))

    assert isinstance(why, PropertyError)
    assert "ssl.key.pem" in str(why)


def test_each_missing_right_is_named_until_all_are_granted(guarded: Guarded) -> None:
    mallory, servers = _as(guarded, "mallory"), guarded.cluster.bootstrap
    with connect(mallory) as cluster:
        listed = list_groups(cluster).groups
    before = _said(mallory, "g")

    with (
        consuming(servers, "m-classic", [TOPIC], {}),
        consuming(servers, "m-modern", [TOPIC], {"group.protocol": "consumer"}),
    ):
        for name in ("g", "m-classic", "m-modern"):
            _allow(guarded, ResourceType.GROUP, name)
        await_(lambda: "on the group" not in _said(mallory, "m-classic"))
        without_topic = [_said(mallory, name) for name in ("g", "m-classic", "m-modern")]
        _allow(guarded, ResourceType.TOPIC, TOPIC)
        await_(lambda: not _said(mallory, "m-classic"))
        with_topic = [_said(mallory, name) for name in ("g", "m-classic", "m-modern")]

    assert listed == ()
    assert "the group 'g': it lacks the DESCRIBE permission on the group" in before
    assert without_topic[0] == "", "its commits are hidden, not refused"
    assert f"the topic '{TOPIC}': it lacks the DESCRIBE permission on the topic" in without_topic[1]
    assert (
        "the group 'm-modern': it lacks the DESCRIBE permission on one of its" in without_topic[2]
    )
    assert with_topic == ["", "", ""]


def test_of_all_groups_those_that_may_not_be_read_say_so_and_the_others_come(
    guarded: Guarded,
) -> None:
    _allow(guarded, ResourceType.GROUP, "open")
    commit(guarded.cluster.bootstrap, "open", {(TOPIC, 1): 2})
    await_(lambda: not _said(_as(guarded, "mallory"), "open"))

    with connect(_as(guarded, "mallory")) as cluster:
        closed, opened = read_groups(cluster, ["closed", "open"])

    assert isinstance(closed, Unread)
    assert "DESCRIBE permission on the group" in closed.why
    assert isinstance(opened, GroupReading)


def test_a_page_that_may_not_go_there_does_not(guarded: Guarded) -> None:
    why = _why(_plain(guarded), access_to(["elsewhere:9092"]))

    assert isinstance(why, PropertyError)
    assert "allowed elsewhere:9092" in str(why)


def test_a_page_does_not_follow_where_an_allowed_server_sends_it(guarded: Guarded) -> None:
    port = guarded.cluster.nodes[0].port
    as_localhost = Properties({"bootstrap.servers": f"localhost:{port}"})

    why = _why(as_localhost, access_to([f"localhost:{port}"]))

    assert isinstance(why, PropertyError)
    assert f"sends clients on to {HOST}:{port}" in str(why)


@pytest.mark.parametrize("moment", ["topics", pytest.param("partitions", marks=pytest.mark.proof)])
def test_a_broker_killed_in_the_middle_is_named_and_read_again_after_its_restart(
    guarded: Guarded, moment: str
) -> None:
    killed: list[str] = []

    def kill(what: str, _done: int, _total: int) -> None:
        if what == moment and not killed:
            guarded.cluster.kill()
            cluster.read_options = BRIEFLY
            killed.append(what)

    with connect(_plain(guarded), ReadOptions(progress=kill)) as cluster:
        with _restarted_at_the_end(guarded), pytest.raises(UnreachableError) as refused:
            read_group(cluster, "g")
        found = _once_it_leads(cluster, "g")

    assert killed == [moment]
    # The second is what is said where the client noticed the crash first.
    away = rf"No broker could be reached at {guarded.cluster.bootstrap}\b.* the topic '{TOPIC}'"
    unled = rf"No broker leads the topic '{TOPIC}'(, partition \d+)? just now"
    assert re.match(f"{away}|{unled}", str(refused.value), re.DOTALL)
    assert found.committed == {(TOPIC, 0): 1}


@pytest.mark.proof
def test_a_broker_killed_between_groups_ends_the_reading_of_all(guarded: Guarded) -> None:
    with connect(_plain(guarded)) as cluster:
        with _restarted_at_the_end(guarded):
            guarded.cluster.kill()
            cluster.read_options = BRIEFLY
            with pytest.raises(UnreachableError, match="it stopped while"):
                list(read_groups(cluster, ["g", "h"]))
        _once_it_leads(cluster, "g")
        again = list(read_groups(cluster, ["g"]))

    assert [type(each) for each in again] == [GroupReading]


def test_a_broker_that_hangs_is_given_up_after_the_timeout(guarded: Guarded) -> None:
    with connect(_plain(guarded)) as cluster:
        guarded.cluster.pause()
        cluster.read_options = BRIEFLY
        try:
            with pytest.raises(UnreachableError, match=r"No response from|No broker could"):
                read_group(cluster, "g")
        finally:
            guarded.cluster.resume()


def test_a_port_without_a_listener_is_reported_immediately() -> None:
    with pytest.raises(UnreachableError, match="Connection refused"):
        connect(Properties({"bootstrap.servers": f"{HOST}:1"}), ReadOptions(timeout_s=_LONGEST_S))


def test_a_name_that_is_no_host_is_reported() -> None:
    with pytest.raises(UnreachableError, match=r"nowhere\.invalid"):
        connect(Properties({"bootstrap.servers": "nowhere.invalid:9092"}))


@contextmanager
def _restarted_at_the_end(guarded: Guarded) -> Iterator[None]:
    try:
        yield
    finally:
        guarded.cluster.restart()


def _once_it_leads(cluster: LiveCluster, group: str) -> GroupReading:
    """Read the group as soon as the restarted broker leads its partitions again."""
    cluster.read_options = ReadOptions()
    until = time.monotonic() + _LONGEST_S
    while True:
        try:
            return read_group(cluster, group)
        except UnreachableError:
            assert time.monotonic() < until, "the broker did not come back"


def _said(properties: Properties, group: str) -> str:
    """Return why the group cannot be read; "" if it can be."""
    try:
        with connect(properties, ReadOptions(timeout_s=30)) as cluster:
            read_group(cluster, group)
    except DeniedError as error:
        return str(error)
    return ""
