"""Allowed servers may name others, but the client neither connects nor logs in to those."""

import time

import pytest
from confluent_kafka import cimpl

from live import connection_guard
from live.access import Access, access_to
from live.cluster import Cluster, connect
from live.errors import PropertyError
from live.groups import describe_groups, list_groups
from live.properties import Properties
from live.read_options import ReadOptions
from tests.live.fake_broker import GROUP, Address, broker, stranger


def _properties(address: Address) -> Properties:
    return Properties(
        {
            "bootstrap.servers": _written(address),
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "PLAIN",
            "sasl.username": "alice",
            "sasl.password": "canary-9f3a",
        }
    )


def _written(address: Address) -> str:
    return f"{address[0]}:{address[1]}"


def _only(address: Address) -> Access:
    return access_to([_written(address)])


def test_a_listed_server_is_read() -> None:
    with broker([]) as listed, connect(_properties(listed), access=_only(listed)) as cluster:
        assert [group.id for group in list_groups(cluster).groups] == [GROUP]


def test_a_broker_that_is_not_listed_gets_no_connection() -> None:
    with (
        stranger() as other,
        broker([other.address]) as listed,
        pytest.raises(PropertyError, match="sends clients on to"),
    ):
        connect(_properties(listed), access=_only(listed))
    time.sleep(0.5)

    assert other.connections == []


def test_a_coordinator_that_is_not_listed_gets_no_connection() -> None:
    with (
        stranger() as other,
        broker([], other.address) as listed,
        connect(_properties(listed), access=_only(listed)) as cluster,
        pytest.raises(PropertyError, match="sends clients on to"),
    ):
        describe_groups(cluster, [GROUP])
    time.sleep(0.5)

    assert other.connections == []


def test_a_broker_named_after_the_first_answer_gets_no_connection() -> None:
    others: list[Address] = []
    with (
        stranger() as other,
        broker(others) as listed,
        connect(_properties(listed), access=_only(listed)) as cluster,
    ):
        others.append(other.address)
        cluster.id()  # requests metadata again
        with pytest.raises(PropertyError, match="sends clients on to"):
            list_groups(cluster)
        time.sleep(0.5)

    assert other.connections == []


@pytest.mark.parametrize(
    "host", ["127.1", "0x7f.1", "2130706433", "localhost", "::ffff:127.0.0.1", "127.0.0.1"]
)
def test_however_an_address_is_written_it_gets_no_connection(host: str) -> None:
    with (
        stranger() as other,
        broker([(host, other.address[1])], (host, other.address[1])) as listed,
    ):
        access = access_to([_written(listed), f"*.example.com:{other.address[1]}"])
        cluster = Cluster(_properties(listed), ReadOptions(), access)
        with cluster, pytest.raises(PropertyError, match="sends clients on to"):
            list_groups(cluster)
        time.sleep(0.2)

    assert other.connections == []


def test_a_client_whose_library_is_not_found_connects_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cimpl, "__file__", None)  # as in a build that hides librdkafka
    connection_guard._library.cache_clear()

    with stranger() as listed, pytest.raises(PropertyError, match="cannot be held to listed"):
        connect(_properties(listed.address), access=_only(listed.address))

    assert listed.connections == []
