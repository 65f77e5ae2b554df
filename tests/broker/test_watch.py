"""Watching a real group: joins and departures are named, and the outcome is as predicted."""

import time
from typing import Final

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.broker.consumers import ConfluentClient, ToStart
from tests.broker.kafka_node import Cluster
from tests.live.on_a_broker import make_topic
from tests.pages.compare_page import button, opened, texts
from ui.connect.policy import VARIABLE

pytestmark = pytest.mark.needs("broker")
_GROUP: Final = "watched"
_TIMEOUT_S: Final = 90


def _reader(servers: str, number: int) -> ToStart:
    config = {"bootstrap.servers": servers, "group.id": _GROUP, "client.id": f"reader-{number}"}
    own = {"partition.assignment.strategy": "range", "auto.offset.reset": "earliest"}
    return ToStart(str(number), {**config, **own}, ["watched-topic"])


def _watching(servers: str) -> AppTest:
    page = opened(start="Connect")
    page.text_input(key="connect_servers").set_value(servers)
    until = time.monotonic() + _TIMEOUT_S
    while not any(field.key == "connect_filter" for field in page.text_input):
        assert time.monotonic() < until, texts(page)
        button(page, "List groups").click().run()
    page.text_input(key="connect_filter").set_value(_GROUP).run()
    page.toggle(key="connect_watch").set_value(True).run()
    assert not page.exception
    return page


def _await_first_reader(page: AppTest) -> None:
    """Take snapshots until the group is stable with a consumer in it."""
    until = time.monotonic() + _TIMEOUT_S
    while (seen := page.session_state["watch"].stable) is None or not seen.group.member_count:
        assert time.monotonic() < until, texts(page)
        page.run()


def _await_page_of(page: AppTest, consumers: int) -> None:
    """Run until the whole page, not the live line alone, shows this many consumers."""
    until = time.monotonic() + _TIMEOUT_S
    while page.session_state["scenario"].group.member_count != consumers:
        assert time.monotonic() < until, texts(page)
        page.run()
        assert not page.exception
        time.sleep(0.5)
    assert page.session_state["scenario"].title == _GROUP


def _events(page: AppTest, count: int) -> pd.DataFrame:
    """Take snapshots until this many rebalances have been observed."""
    until = time.monotonic() + _TIMEOUT_S
    while time.monotonic() < until:
        page.run()
        assert not page.exception
        found = [table.value for table in page.dataframe if "timed out" in table.value]
        if found and len(found[0]) >= count:
            return found[0]
        time.sleep(0.5)
    raise AssertionError(texts(page))


@pytest.mark.proof
def test_a_join_and_a_leave_are_seen_named_and_predicted(
    kafka: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, kafka.bootstrap)
    make_topic(kafka.bootstrap, "watched-topic", [5, 5, 5, 5])
    client = ConfluentClient()
    try:
        client.start(_reader(kafka.bootstrap, 0))
        page = _watching(kafka.bootstrap)
        _await_first_reader(page)
        client.start(_reader(kafka.bootstrap, 1))
        joined = _events(page, 1).iloc[0]
        _await_page_of(page, 2)
        client.close("1")
        left = _events(page, 2).iloc[0]
        _await_page_of(page, 1)
    finally:
        client.close_all()

    assert (joined["joined"], joined["left"]) == ("reader-1", "")
    assert (left["joined"], left["left"]) == ("", "reader-1")
    for event in (joined, left):
        assert (event["moved"], event["needless"], event["unlike prediction"]) == (2, 0, 0)
