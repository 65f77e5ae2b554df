"""A dashboard on a port of its own, and the Chromium that opens it."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from benchmarks.ports import HOST, free_port

_ROOT: Final = Path(__file__).resolve().parents[1]
_STARTUP_S: Final = 120
CHROMIUM_OPTIONS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def chromium_path() -> str | None:
    """Return where a Chromium is, if there is one."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def serving(port: int = 0, app: str = "app.py", errors: IO[bytes] | None = None) -> Iterator[str]:
    """Run a dashboard that only this machine reaches; yield its address.

    Port 0: any free one. ``errors``: the file for what it logs, if not this process's own.
    """
    port = port or free_port()
    options = ("headless=true", f"address={HOST}", "fileWatcherType=none", f"port={port}")
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
        with suppress(OSError), socket.create_connection((HOST, port)):
            return
        time.sleep(0.1)
    message = f"The dashboard accepted no connection within {_STARTUP_S} s; its errors are above."
    raise RuntimeError(message)
