"""A run of the pipeline on uploaded telemetry, in another process.

Upload and tables are in a temporary folder, which is removed when the run is replaced or forgotten
and when the server ends; the next run removes folders of killed servers.
"""

import json
import re
import shutil
import subprocess
import sys
import threading
import weakref
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO, Final, NamedTuple

from evaluation.judging import JudgeBy
from evaluation.wording import sentence
from processes.scratch import Scratch
from sources.errors import SourceError

PIPELINE: Final = (sys.executable, "-m", "pipeline")
ENDINGS: Final = ("json", "jsonl", "ndjson", "csv", "gz", "parquet")
MOST_BYTES: Final = 200_000_000
"""The largest upload; run the pipeline itself on larger files."""
MOST_S: Final = 1_800.0
"""The longest run: while it lasts, no other visitor can start one."""
_ROOT: Final = Path(__file__).parents[2]
_PREFIX: Final = "kafka-fleet-"
_KEPT_LINES: Final = 40
_GRACE_S: Final = 10
_OWN_WORDS: Final = "pipeline: "
"""The start of the pipeline's own error messages, unlike Spark's."""
_UNSAFE: Final = re.compile(r"[^\w.-]+")


class Upload(NamedTuple):
    """One uploaded file of telemetry."""

    name: str
    content: BinaryIO
    size: int


@dataclass
class JobProgress:
    """The last reported progress of a run; only the reader thread writes it."""

    stage: str = "starting"
    done: int = 0
    total: int = 0
    """0: unknown."""
    is_late: bool = False
    """Whether it was stopped for taking too long."""
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT_LINES))
    """The last lines of output other than progress, with the error."""

    @property
    def share(self) -> float | None:
        """The completed share of the stage, 0 to 1; None if unknown."""
        return min(self.done / self.total, 1.0) if self.total > 0 else None


class Job:
    """One run, created by ``start``."""

    def __init__(self, scratch: Scratch, process: "subprocess.Popen[str]", most_s: float) -> None:
        self.progress = JobProgress()
        self.is_cancelled = False
        self._ending: threading.Thread | None = None
        self._process = process
        self._scratch = scratch
        self._end = weakref.finalize(self, _end, process, scratch)
        assert process.stdout is not None  # noqa: S101 -- start asks for it
        self._reader = threading.Thread(
            target=_listen, args=(process, process.stdout, self.progress, most_s), daemon=True
        )
        self._reader.start()

    @property
    def tables(self) -> Path:
        """The folder of the tables once the run has finished."""
        return self._scratch.folder / "tables"

    @property
    def is_running(self) -> bool:
        """Whether the process is running, or its files are still being removed."""
        is_ending = self._ending is not None and self._ending.is_alive()
        return is_ending or self._process.poll() is None

    @property
    def problem(self) -> str:
        """A sentence on why there are no tables; empty while it runs and after success."""
        if self.is_running or self._process.returncode == 0:
            return ""
        if self.is_cancelled:
            return "The run was cancelled; nothing is kept of it."
        if self.progress.is_late:
            return (
                "The run took too long and was stopped, as others wait for it; run the pipeline "
                "where the files are, then choose its --output folder here."
            )
        self._reader.join(_GRACE_S)
        lines = [line.strip() for line in reversed(self.progress.last_lines) if line.strip()]
        own = next((line for line in lines if line.startswith(_OWN_WORDS)), None)
        code = self._process.returncode
        why = own or next(iter(lines), f"it ended with exit code {code} and no message")
        return sentence(f"the pipeline did not finish: {why.removeprefix(_OWN_WORDS)}")

    def cancel(self) -> None:
        """Stop the process and its children, which takes seconds, and remove its files."""
        self.is_cancelled = self.is_running
        if self.is_cancelled:
            left = (self._process, self._scratch)
            self._ending = threading.Thread(target=_end, args=left, daemon=True)
            self._ending.start()

    def forget(self) -> None:
        """Stop it if it is running, and remove all its files."""
        self._end()


_JOBS: Final["weakref.WeakSet[Job]"] = weakref.WeakSet()


def start(
    uploads: Sequence[Upload],
    program: Sequence[str] = PIPELINE,
    most_s: float = MOST_S,
    *,
    judge_by: JudgeBy = JudgeBy.LAG,
) -> Job:
    """Start the pipeline on uploaded files.

    ``program`` is the command before ``run``; after ``most_s`` seconds it is stopped. Raises
    SourceError for too little or too much input, while another run is going on this server, or
    if the program cannot start.
    """
    size = sum(upload.size for upload in uploads)
    if not uploads or not size:
        message = "the upload is empty; choose files of telemetry that hold rows"
        raise SourceError(message)
    if size > MOST_BYTES:
        message = (
            f"the files are {-(-size // 1_000_000):,} MB, over the limit of "
            f"{MOST_BYTES // 1_000_000:,} MB; run the pipeline where they are, then choose its "
            "--output folder here"
        )
        raise SourceError(message)
    if any(job.is_running for job in _JOBS):
        message = "another run is under way on this server; wait for it to finish, or cancel it"
        raise SourceError(message)
    scratch = Scratch(_PREFIX)
    try:
        job = Job(scratch, _launched(scratch.folder, uploads, judge_by, program), most_s)
    except OSError as error:
        scratch.remove()
        message = f"the pipeline cannot be started: {error.strerror or error}"
        raise SourceError(message) from error
    _JOBS.add(job)
    return job


def _launched(
    folder: Path, uploads: Sequence[Upload], judge_by: JudgeBy, program: Sequence[str]
) -> "subprocess.Popen[str]":
    """Write the files and start the program in a new process group."""
    (folder / "telemetry").mkdir()
    paths = []
    for number, upload in enumerate(uploads, start=1):
        path = folder / "telemetry" / f"{number}-{_safe(upload.name)}"
        with path.open("wb") as file:
            shutil.copyfileobj(upload.content, file)
        paths.append(str(path))
    options = ("--judge-by", judge_by.value, "--output", str(folder / "tables"))
    return subprocess.Popen(  # noqa: S603 -- our own program; names of files are made safe
        [*program, "run", "--progress", "json", *options, "--input", *paths],
        cwd=_ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )


def _safe(name: str) -> str:
    """Return the last part of a file's name, without unusual characters.

    >>> _safe("../../etc/pass wd.csv")
    'pass_wd.csv'
    """
    return _UNSAFE.sub("_", Path(name).name)[-100:]


def _listen(
    process: "subprocess.Popen[str]", lines: IO[str], progress: JobProgress, most_s: float
) -> None:
    """Read the program's output to the end."""
    timer = threading.Timer(most_s, _give_up, (process, progress))
    timer.daemon = True
    timer.start()
    for line in lines:
        step = _step(line)
        if step is None:
            progress.last_lines.append(line.rstrip("\n"))
        else:
            progress.stage, progress.done, progress.total = step
    timer.cancel()
    lines.close()


def _give_up(process: "subprocess.Popen[str]", progress: JobProgress) -> None:
    progress.is_late = True
    process.terminate()


def _step(line: str) -> tuple[str, int, int] | None:
    """Return stage, done and total of a line of progress; None for any other line.

    >>> _step('{"stage": "reading", "done": 2, "total": 8}')
    ('reading', 2, 8)
    >>> _step("error: there is no file a.csv")
    """
    try:
        step = json.loads(line)
        return str(step["stage"]), int(step.get("done") or 0), int(step.get("total") or 0)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _end(process: "subprocess.Popen[str]", scratch: Scratch) -> None:
    """Terminate the process and its children, or else kill them, and remove the folder."""
    process.terminate()
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    scratch.remove()
