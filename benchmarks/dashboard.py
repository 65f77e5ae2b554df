"""A dashboard on a free port, and the path of the Chromium that opens it."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from typing import IO, Final

HOST: Final = "127.0.0.1"
_FIRST, _LAST = 10_000, 32_000
"""Ports below the ephemeral range: an outgoing connection could take an ephemeral port
before its server starts or while it restarts."""
_OF_A_PROCESS: Final = 50
"""Ports per process, so that concurrent processes choose different ones."""
_START: Final = _FIRST + os.getpid() * _OF_A_PROCESS % (_LAST - _FIRST)
_PORTS: Final[Iterator[int]] = cycle([*range(_START, _LAST), *range(_FIRST, _START)])
_ROOT: Final = Path(__file__).resolve().parents[1]
_STARTUP_S: Final = 120
CHROMIUM_OPTIONS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def free_port() -> int:
    """Return a free port of this machine, a different one on each call."""
    while True:
        port = next(_PORTS)
        with suppress(OSError), socket.create_server((HOST, port)):
            return port


def chromium_path() -> str | None:
    """Return the path of Chromium, if installed."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def serving(
    app: str = "app.py", errors: IO[bytes] | None = None, listening_on: str = HOST
) -> Iterator[str]:
    """Run a dashboard, on loopback unless told otherwise; yield its address once it answers.

    ``errors`` is the file for its log; by default, the log goes to this process's standard error.
    """
    port = free_port()
    options = ("headless=true", f"address={listening_on}", "fileWatcherType=none", f"port={port}")
    flags = [f"--server.{option}" for option in options]
    command = [sys.executable, "-m", "streamlit", "run", app, *flags]
    server = subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.DEVNULL, stderr=errors)
    try:
        _wait_for(server, port)
        yield f"http://{HOST}:{port}"
    finally:
        server.terminate()
        server.wait()


def _wait_for(server: "subprocess.Popen[bytes]", port: int) -> None:
    end = time.monotonic() + _STARTUP_S
    while server.poll() is None and time.monotonic() < end:
        with suppress(OSError), closing(HTTPConnection(HOST, port, timeout=_STARTUP_S)) as asked:
            asked.request("GET", "/_stcore/health")  # by no proxy
            if asked.getresponse().status == HTTPStatus.OK:
                return
        time.sleep(0.1)
    message = f"The dashboard answered nobody within {_STARTUP_S} s; its errors are above."
    raise RuntimeError(message)
