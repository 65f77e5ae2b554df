"""Watching a group in a browser ends when the visitor turns it off or leaves the page."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.broker.kafka_node import Cluster
from tests.browser.compare_page import choose_page, rerun, settle
from tests.live.on_a_broker import commit, make_topic

pytestmark = [pytest.mark.proof, pytest.mark.needs("broker"), pytest.mark.needs("chromium")]
_GROUP: Final = "watched-in-a-browser"
_INTERVAL_S: Final = 2
"""The shortest interval that the page offers."""
_LONGEST_S: Final = 60
_ENDS: Final = ("Watch", "Consumers")
_TAKEN: Final = re.compile(r"^\d+ snapshots")
"""How the strip of snapshots begins, which the verdict's own words do not."""


def _server(address: str) -> psutil.Process:
    port = f"--server.port={address.rpartition(':')[2]}"
    children = psutil.Process().children(recursive=True)
    return next(process for process in children if port in process.cmdline())


def _is_connected(server: psutil.Process, kafka: Cluster) -> bool:
    """Return whether the server, or a process in which it reads, is connected to a broker."""
    ports = {node.port for node in kafka.nodes}
    for process in (server, *server.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # it has read, and has ended
            if any(c.raddr and c.raddr.port in ports for c in process.net_connections("tcp")):
                return True
    return False


def _becomes(is_so: Callable[[], bool], within_s: float) -> bool:
    """Wait for a condition; return whether it became true."""
    until = time.monotonic() + within_s
    while not (found := is_so()) and time.monotonic() < until:
        time.sleep(0.05)
    return found


@pytest.fixture(scope="module")
def group(kafka: Cluster) -> str:
    """A group that lags behind."""
    make_topic(kafka.bootstrap, _GROUP, [5, 5])
    commit(kafka.bootstrap, _GROUP, {(_GROUP, 0): 3, (_GROUP, 1): 5})
    return _GROUP


def test_nothing_is_read_once_the_switch_is_off_or_the_page_is_left(
    page: Page, dashboard: str, kafka: Cluster, group: str
) -> None:
    page.goto(f"{dashboard}/?start=Connect")
    page.get_by_role("textbox", name="Bootstrap servers").fill(kafka.bootstrap)
    page.get_by_role("button", name=re.compile("List groups$")).click()
    page.get_by_role("button", name=re.compile(r"^\S*\s*\d+ groups?$")).click()
    with rerun(page):
        page.get_by_label("Name contains").fill(group)
        page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    server = _server(dashboard)
    threads = server.num_threads()

    for leave in _ENDS:
        with rerun(page):
            page.get_by_text("Watch", exact=True).click()
        every = page.get_by_role("combobox", name="Every")
        every.scroll_into_view_if_needed()
        settle(page)
        every.click()  # scrolling would close it again
        page.get_by_role("option", name="every 2 s", exact=True).click()
        expect(page.get_by_text("2 snapshots")).to_be_visible()
        assert _becomes(lambda: _is_connected(server, kafka), _LONGEST_S)
        if leave == "Watch":
            page.get_by_text("Watch", exact=True).click()
        else:
            choose_page(page, leave)
        expect(page.get_by_text(_TAKEN)).to_have_count(0)
        assert _becomes(lambda: not _is_connected(server, kafka), _LONGEST_S)
        assert not _becomes(lambda: _is_connected(server, kafka), 2 * _INTERVAL_S)

    assert _becomes(lambda: server.num_threads() <= threads + 2, _LONGEST_S)
