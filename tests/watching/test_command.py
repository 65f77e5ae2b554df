"""The command as users start it: what it answers, and how it ends."""

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from urllib.error import HTTPError

import pytest

from tests.live.fake_broker import broker
from tests.patience import await_
from watching.command import main

ROOT = Path(__file__).resolve().parents[2]
_LIMIT_S = 300


@contextmanager
def watching(
    *words: str,
    command: Sequence[str] = (sys.executable, "-m", "kafka_assignments"),
    cwd: Path = ROOT,
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Run the command on a port of its own; yield the process and its address."""
    process = subprocess.Popen(  # noqa: S603 -- our own program
        [*command, "watch", "--listen", "127.0.0.1:0", *words],
        cwd=cwd,
        stderr=subprocess.PIPE,
        text=True,
    )
    limit = Timer(_LIMIT_S, process.kill)
    limit.start()
    try:
        with process:
            assert process.stderr is not None
            first = process.stderr.readline()
            found = re.search(r"http://\S+:\d+", first)
            assert found is not None, first + process.stderr.read()
            yield process, found[0]
            process.kill()
    finally:
        limit.cancel()
        process.kill()


def fetched(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=60) as response:  # noqa: S310 -- our own server
            return response.status, response.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.slow
def test_a_cluster_that_cannot_be_read_is_a_metric_and_sigterm_ends_it_cleanly() -> None:
    with (
        broker([]) as (host, port),
        watching(
            *("--bootstrap-server", f"{host}:{port}", "--interval", "1s", "--timeout", "1s")
        ) as (process, url),
    ):
        assert fetched(f"{url}/-/healthy")[0] == 200
        await_(lambda: fetched(f"{url}/-/ready")[0] == 200)
        _, text = fetched(f"{url}/metrics")
        assert re.search(r"^kafka_assignments_up [01]\.0$", text, re.MULTILINE)
        assert 'kafka_assignments_groups{outcome="read"} 0.0' in text
        assert process.poll() is None

        process.send_signal(signal.SIGTERM)

        assert process.wait(60) == 0


def test_sigterm_ends_a_poll_that_waits_for_a_broker() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:  # which takes connections, and no more
        server = f"127.0.0.1:{mute.getsockname()[1]}"
        with watching("--bootstrap-server", server, "--timeout", "600s") as (process, url):
            assert fetched(f"{url}/-/healthy")[0] == 200
            process.send_signal(signal.SIGTERM)
            sent_s = time.monotonic()

            assert process.wait(60) == 0
            assert time.monotonic() - sent_s < 30  # what Docker and systemd wait, or longer


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], "--bootstrap-server"),
        (["--prometheus", "file:///etc/passwd"], "http"),
        (["--bootstrap-server", "127.0.0.1:9", "--state", "/proc/nowhere/state"], "/proc/nowhere"),
        (["--bootstrap-server", "127.0.0.1:9", "--webhook", "ftp://x"], "webhook"),
        (["--bootstrap-server", "127.0.0.1:9", "--listen", "127.0.0.1:99999"], "HOST:PORT"),
        (["--bootstrap-server", "127.0.0.1:9", "--listen", "192.0.2.1:9308"], "listen"),
        (["--bootstrap-server", " "], "server"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(
    words: list[str],
    named: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["kafka-assignments watch", *words])

    try:
        status: object = main()
    except SystemExit as error:
        status = error.code

    assert status == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert named in last
