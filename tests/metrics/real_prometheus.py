"""A real Prometheus: of the PATH, or of Debian's package, unpacked into the user's cache."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

_WAIT_S: Final = 120
_READY: Final = 200
_CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))


@cache
def programs() -> Path:
    """Return the folder of ``prometheus`` and ``promtool``. Raises RuntimeError if unavailable."""
    found = shutil.which("prometheus")
    if found and shutil.which("promtool"):
        return Path(found).parent
    home = _CACHE / "kafka-assignments" / "prometheus"
    folder = home / "usr" / "bin"
    if not (folder / "promtool").is_file():
        _unpack(home)
    return folder


@cache
def is_to_be_had() -> bool:
    """Return whether there is one here."""
    try:
        programs()
    except RuntimeError:
        return False
    return True


def _unpack(home: Path) -> None:
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent) as folder:
        try:
            _run(["apt-get", "download", "prometheus"], Path(folder))
            package = next(Path(folder).glob("prometheus_*.deb"))
            aside = Path(folder) / "files"
            _run(["dpkg", "-x", str(package), str(aside)], Path(folder))
            if not home.exists():
                aside.rename(home)
        except (OSError, subprocess.SubprocessError, StopIteration) as error:
            message = "Debian's package prometheus is not to be had"
            raise RuntimeError(message) from error


def _run(words: list[str], folder: Path) -> None:
    subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=600)  # noqa: S603 -- Debian's own tools


def backfilled(folder: Path, lines: Iterator[str]) -> Path:
    """Return a database with these lines of OpenMetrics."""
    text = folder / "metrics.txt"
    with text.open("w") as file:
        file.writelines(lines)
    data = folder / "data"
    tool = str(programs() / "promtool")
    _run([tool, "tsdb", "create-blocks-from", "openmetrics", str(text), str(data)], folder)
    (data / "wal").mkdir(exist_ok=True)  # promtool dumps no database without one
    return data


def dumped(data: Path, to: Path) -> Path:
    """Write what promtool dumps of a database; return the file."""
    with to.open("wb") as file:
        subprocess.run(  # noqa: S603 -- Prometheus' own tool
            [str(programs() / "promtool"), "tsdb", "dump", str(data)],
            stdout=file, check=True, timeout=600,
        )  # fmt: skip
    return to


@contextmanager
def running(folder: Path, data: Path, scraped: str | None = None) -> Iterator[str]:
    """Start a server over a database, which scrapes an address each second; yield its URL."""
    jobs = (
        "[]"
        if scraped is None
        else f"[{{job_name: kafka, static_configs: [{{targets: ['{scraped}']}}]}}]"
    )
    config = folder / "prometheus.yml"
    config.write_text(
        f"global: {{scrape_interval: 1s, scrape_timeout: 1s}}\nscrape_configs: {jobs}\n"
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [
        str(programs() / "prometheus"), f"--config.file={config}", f"--storage.tsdb.path={data}",
        f"--web.listen-address=127.0.0.1:{port}", "--storage.tsdb.retention.time=50y",
        "--log.level=error",
    ]  # fmt: skip
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log)  # noqa: S603 -- Prometheus itself
        try:
            url = f"http://127.0.0.1:{port}"
            until(lambda: _is_ready(url), process)
            yield url
        finally:
            process.terminate()
            process.wait(_WAIT_S)


def until(holds: Callable[[], object], process: "subprocess.Popen[bytes] | None" = None) -> None:
    """Wait until something holds; fail if it never does, or if the process ends."""
    deadline = time.monotonic() + _WAIT_S
    while not holds():
        assert process is None or process.poll() is None, "Prometheus ended"
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.2)


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/-/ready", timeout=5) as answer:  # noqa: S310 -- ours
            return bool(answer.status == _READY)
    except OSError:
        return False
