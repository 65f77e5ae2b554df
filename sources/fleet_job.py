"""A run of the pipeline on uploaded telemetry: a program of its own, watched and cleaned up after.

The upload and the tables lie in a temporary folder that goes with the run: when it is
replaced or forgotten, and when the server ends. What a killed server left behind goes
when the next run starts.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO, Final, NamedTuple

from sources.errors import SourceError

PIPELINE: Final = (sys.executable, "-m", "pipeline")
ENDINGS: Final = ("json", "jsonl", "ndjson", "csv", "gz", "parquet")
MOST_BYTES: Final = 200_000_000
"""Of one upload; more belongs on a disk that the pipeline reads itself."""
_ROOT: Final = Path(__file__).parent.parent
_PREFIX: Final = "kafka-fleet-"
_KEPT_LINES: Final = 40
_PATIENCE_S: Final = 10
_OWN_WORDS: Final = "pipeline: "
"""How the sentence begins by which the pipeline says what is wrong; Spark's words differ."""
_UNSAFE: Final = re.compile(r"[^\w.-]+")


class Upload(NamedTuple):
    """One file of telemetry as it was uploaded."""

    name: str
    content: BinaryIO
    size: int


@dataclass
class Progress:
    """How far a run is, as it said last; its reader writes, everybody else reads."""

    stage: str = "starting"
    done: int = 0
    total: int = 0
    """0: not known."""
    said: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT_LINES))
    """The last lines that were no progress: what went wrong stands there."""

    @property
    def share(self) -> float | None:
        """How much of the stage is done, 0 to 1; None: not known."""
        return min(self.done / self.total, 1.0) if self.total > 0 else None


class Job:
    """One run; ``start`` makes it."""

    def __init__(self, folder: Path, process: "subprocess.Popen[str]") -> None:
        self.progress = Progress()
        self.is_cancelled = False
        self._ending: threading.Thread | None = None
        self._process = process
        self._folder = folder
        self._end = weakref.finalize(self, _end, process, folder)
        assert process.stdout is not None  # noqa: S101 -- start asks for it
        self._reader = threading.Thread(
            target=_listen, args=(process.stdout, self.progress), daemon=True
        )
        self._reader.start()

    @property
    def tables(self) -> Path:
        """Where the tables stand once it has finished."""
        return self._folder / "tables"

    @property
    def is_running(self) -> bool:
        """Whether the program still works, or what it wrote is still being removed."""
        is_ending = self._ending is not None and self._ending.is_alive()
        return is_ending or self._process.poll() is None

    @property
    def problem(self) -> str:
        """Why there are no tables, in a sentence; empty while it runs and when it went well."""
        if self.is_running or self._process.returncode == 0:
            return ""
        if self.is_cancelled:
            return "The run was cancelled; nothing is kept of it."
        self._reader.join(_PATIENCE_S)
        lines = [line.strip() for line in reversed(self.progress.said) if line.strip()]
        own = next((line for line in lines if line.startswith(_OWN_WORDS)), None)
        code = self._process.returncode
        why = own or next(iter(lines), f"it ended with code {code} and said nothing")
        return f"The pipeline did not finish: {why.removeprefix(_OWN_WORDS).rstrip('.')}."

    def cancel(self) -> None:
        """Stop the program and those it started, which takes a few seconds; remove everything."""
        self.is_cancelled = self.is_running
        if self.is_cancelled:
            told = (self._process, self._folder)
            self._ending = threading.Thread(target=_end, args=told, daemon=True)
            self._ending.start()

    def forget(self) -> None:
        """Stop it if it runs, and remove everything it wrote."""
        self._end()


_JOBS: Final["weakref.WeakSet[Job]"] = weakref.WeakSet()


def start(uploads: Sequence[Upload], program: Sequence[str] = PIPELINE) -> Job:
    """Start the pipeline on uploaded files.

    ``program`` is what stands before ``run``. Raises SourceError when there is nothing to
    read or too much, another run is under way on this server, or the program cannot start.
    """
    size = sum(upload.size for upload in uploads)
    if not uploads or not size:
        message = "the upload is empty; choose files of telemetry"
        raise SourceError(message)
    if size > MOST_BYTES:
        message = (
            f"the files have {size // 1_000_000:,} MB, and at most {MOST_BYTES // 1_000_000:,} MB "
            "are taken here; let the pipeline run on the machine that has them, and "
            "choose its --output folder"
        )
        raise SourceError(message)
    if any(job.is_running for job in _JOBS):
        message = "a run is under way on this server already; wait for its end, or cancel it"
        raise SourceError(message)
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    try:
        job = Job(folder, _launched(folder, uploads, program))
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        message = f"the pipeline cannot be started: {error.strerror or error}"
        raise SourceError(message) from error
    _JOBS.add(job)
    return job


def _launched(
    folder: Path, uploads: Sequence[Upload], program: Sequence[str]
) -> "subprocess.Popen[str]":
    """Write the files and start the program, in a process group of its own."""
    (folder / "telemetry").mkdir()
    paths = []
    for number, upload in enumerate(uploads, start=1):
        path = folder / "telemetry" / f"{number}-{_safe(upload.name)}"
        with path.open("wb") as file:
            shutil.copyfileobj(upload.content, file)
        paths.append(str(path))
    return subprocess.Popen(  # noqa: S603 -- our own program; names of files are made safe
        [
            *(*program, "run", "--progress", "json"),
            *("--output", str(folder / "tables")),
            *("--input", *paths),
        ],
        cwd=_ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )


def _safe(name: str) -> str:
    """Return the file's own name without what could lead elsewhere.

    >>> _safe("../../etc/pass wd.csv")
    'pass_wd.csv'
    """
    return _UNSAFE.sub("_", Path(name).name)[-100:]


def _listen(lines: IO[str], progress: Progress) -> None:
    """Take in what the program says until it ends."""
    for line in lines:
        told = _told(line)
        if told is None:
            progress.said.append(line.rstrip("\n"))
        else:
            progress.stage, progress.done, progress.total = told
    lines.close()


def _told(line: str) -> tuple[str, int, int] | None:
    """Return stage, done and total of a line of progress; None for any other line.

    >>> _told('{"stage": "reading", "done": 2, "total": 8}')
    ('reading', 2, 8)
    >>> _told("error: there is no file a.csv")
    """
    try:
        found = json.loads(line)
        return str(found["stage"]), int(found.get("done") or 0), int(found.get("total") or 0)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _end(process: "subprocess.Popen[str]", folder: Path) -> None:
    _stop(process)
    shutil.rmtree(folder, ignore_errors=True)


def _stop(process: "subprocess.Popen[str]") -> None:
    """End the program, kindly at first, and all it started."""
    if process.poll() is not None:
        return
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_PATIENCE_S)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _sweep() -> None:
    """Remove the folders of servers that are no more."""
    for folder in _left_behind():
        shutil.rmtree(folder, ignore_errors=True)


def _left_behind() -> Iterator[Path]:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not _is_alive(int(owner)):
            yield folder


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's, and alive
        return True
    return True
