"""Listed servers may name others: the client connects to none of them, and sends no password."""

import time

import pytest

from live.access import Access, access_to
from live.cluster import connect
from live.errors import PropertyError
from live.groups import describe_groups, list_groups
from live.properties import Properties
from live.read_options import ReadOptions
from tests.live.fake_broker import GROUP, Address, broker, stranger

BRIEFLY = ReadOptions(timeout_s=3)


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
    with broker([]) as listed, connect(_properties(listed), BRIEFLY, _only(listed)) as cluster:
        assert [group.id for group in list_groups(cluster).groups] == [GROUP]


def test_a_broker_that_is_not_listed_gets_no_connection() -> None:
    with (
        stranger() as other,
        broker([other.address]) as listed,
        pytest.raises(PropertyError, match="sends clients on to"),
    ):
        connect(_properties(listed), BRIEFLY, _only(listed))
    time.sleep(0.5)

    assert other.connections == []


def test_a_coordinator_that_is_not_listed_gets_no_connection() -> None:
    with (
        stranger() as other,
        broker([], other.address) as listed,
        connect(_properties(listed), BRIEFLY, _only(listed)) as cluster,
        pytest.raises(PropertyError, match="sends clients on to"),
    ):
        list(describe_groups(cluster, [GROUP]))
    time.sleep(0.5)

    assert other.connections == []


def test_a_broker_named_after_the_first_answer_gets_no_connection() -> None:
    others: list[Address] = []
    with (
        stranger() as other,
        broker(others) as listed,
        connect(_properties(listed), BRIEFLY, _only(listed)) as cluster,
    ):
        others.append(other.address)
        cluster.id()  # asks for metadata anew
        with pytest.raises(PropertyError, match="sends clients on to"):
            list_groups(cluster)
        time.sleep(0.5)

    assert other.connections == []
