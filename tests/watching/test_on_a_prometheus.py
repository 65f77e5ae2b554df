"""With a real Prometheus: it answers every panel of the dashboard, and `watch` reads from it."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Final

import pytest

from tests.metrics.real_prometheus import running, until
from tests.metrics.test_real_prometheus import ask, page_of, scraped
from tests.patience import await_
from tests.watching.test_command import ROOT, fetched, watching
from tests.watching.test_monitoring_files import DASHBOARD

__all__ = ["scraped"]
pytestmark = [pytest.mark.proof, pytest.mark.needs("prometheus")]
_GROUPS: Final = 100
_PARTITIONS: Final = 4
"""One fewer than the consumers of each group, so that one of them is idle."""


@contextmanager
def simulated() -> Iterator[int]:
    """Start a broker of groups that do not exist, one of which has a consumer that stopped."""
    words = [sys.executable, "-m", "benchmarks.watched_cluster", str(_GROUPS), str(_PARTITIONS)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as broker:  # noqa: S603 -- ours
        assert broker.stdout is not None
        try:
            yield int(broker.stdout.readline())
        finally:
            broker.kill()


def test_every_panel_of_the_dashboard_has_an_answer(tmp_path: Path) -> None:
    panels = [
        (panel["title"], target["expr"].replace("$group", ".*"))
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
    ]
    with (
        simulated() as port,
        watching("--bootstrap-server", f"127.0.0.1:{port}", "--interval", "5s") as (_, address),
        running(tmp_path, tmp_path / "data", address.removeprefix("http://")) as url,
    ):
        until(lambda: ask(url, 'kafka_group_verdict{severity="alarm"}'))
        for title, expr in panels:
            until(partial(ask, url, expr))
            assert ask(url, expr), title
        names = {each["metric"]["group"] for each in ask(url, "kafka_group_verdict")}

    assert len(panels) >= 15
    assert len(names) == _GROUPS


def test_groups_that_a_prometheus_has_of_an_exporter_are_watched(
    scraped: tuple[object, str], tmp_path: Path
) -> None:
    page, address = scraped
    is_over, read = Event(), 50

    def advance() -> None:
        nonlocal read
        while not is_over.wait(1.0):
            read += 1
            page.text = page_of({0: read, 1: 60})  # type: ignore[attr-defined]

    page.text = page_of({0: 50, 1: 60})  # type: ignore[attr-defined]
    thread = Thread(target=advance)
    thread.start()
    try:
        with (
            running(tmp_path, tmp_path / "data", address) as url,
            watching("--prometheus", url, "--interval", "5s") as (process, metrics),
        ):
            lag = re.compile(r'^kafka_group_lag_records\{group="g"\} (\d+)', re.MULTILINE)
            await_(lambda: lag.search(fetched(f"{metrics}/metrics")[1]))
            first = lag.findall(fetched(f"{metrics}/metrics")[1])
            await_(lambda: lag.findall(fetched(f"{metrics}/metrics")[1]) != first)
            text = fetched(f"{metrics}/metrics")[1]
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
    finally:
        is_over.set()
        thread.join()

    assert "kafka_assignments_up 1.0" in text
    assert 0 < int(lag.findall(text)[0]) < int(first[0]) <= 90
    assert 'kafka_group_partition_lag_records{group="g",partition="1",topic="t"} 40.0' in text
    assert "kafka_group_idle_consumers{" not in text
