"""Every failure of a cluster is reported in one sentence."""

from contextlib import suppress
from socket import socket

import pytest

from live.client_config import ClientConfig
from live.properties import Properties
from live.read_options import CANCELLED, ReadOptions
from sources.errors import SourceError, UnexpectedError
from sources.live import config_of, list_groups, read_group
from tests.live.fake_broker import GROUP, broker, listening


def test_an_internal_error_is_one_sentence_on_the_page_too() -> None:
    no_text = ClientConfig(Properties({"bootstrap.servers": 9092}))  # type: ignore[dict-item]

    for read in (lambda: list_groups(no_text), lambda: read_group(no_text, "g")):
        with pytest.raises(UnexpectedError, match="the cluster cannot be read: our reader failed"):
            read()


@pytest.mark.proof
@pytest.mark.slow
def test_a_broker_that_crashes_the_client_does_not_crash_the_server() -> None:
    with broker([]) as (host, port):
        config = config_of("", f"{host}:{port}")
        with pytest.raises(SourceError, match="The Kafka client broke off in the middle"):
            read_group(config, GROUP)

        assert [group.id for group in list_groups(config).groups] == [GROUP]


@pytest.mark.slow
def test_a_reading_shows_its_progress() -> None:
    shown: list[str] = []
    with broker([]) as (host, port), suppress(SourceError):
        read_group(
            config_of("", f"{host}:{port}"),
            GROUP,
            ReadOptions(progress=lambda what, *_: shown.append(what)),
        )

    assert shown == ["group"]


@pytest.mark.slow
def test_a_reading_ends_when_it_is_cancelled() -> None:
    with listening(_say_nothing) as (host, port):
        config = config_of("", f"{host}:{port}")
        with pytest.raises(SourceError, match=CANCELLED):
            list_groups(config, ReadOptions(is_cancelled=lambda: True))


def _say_nothing(connection: socket) -> None:
    connection.recv(1)
