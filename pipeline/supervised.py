"""Run commands that start Spark in a new process session, which ends as a whole.

Java, Spark's Python daemon and its workers are many processes that handle signals differently. All
commits are atomic, so the fastest end is safe: every process of the session is killed, their
scratch files are removed, and one line reports it.
"""

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from processes.scratch import Scratch
from processes.sessions import is_supervised, run_until, started

_LOG: Final = "KAFKA_ASSIGNMENTS_SPARK_LOG"
SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
"""Set in a process that Spark has started."""
_PREFIX: Final = "kafka-assignments-"
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def is_needed() -> bool:
    """Return whether this process should supervise: not below a supervisor or spark-submit."""
    return not is_supervised() and SUBMITTED not in os.environ and os.name == "posix"


def supervise(arguments: Sequence[str], last_words: str) -> int:
    """Run the program in a child; return its exit status, or 130 or 143 after a signal."""
    received: list[int] = []
    for number in _SIGNALS:
        signal.signal(number, lambda number, _: received.append(number))
    scratch = Scratch(_PREFIX)
    try:
        words = [sys.executable, "-m", "pipeline", *arguments]
        child = started(words, _environ(scratch.folder))
        run_until(child, received)
        if received:
            child.wait()
            sys.stderr.write(f"pipeline: {last_words}\n")
            return 128 + received[0]
        if child.returncode > 0:
            _keep_log(scratch.folder / "spark.log")
        return child.returncode if child.returncode >= 0 else 128 - child.returncode
    finally:
        scratch.remove()


@contextmanager
def spark_log() -> Iterator[None]:
    """Redirect the output of processes that start meanwhile to Spark's log."""
    if _LOG not in os.environ:
        yield
        return
    sys.stdout.flush()
    sys.stderr.flush()
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    with Path(os.environ[_LOG]).open("ab") as log:
        for stream in kept:
            os.dup2(log.fileno(), stream)
        try:
            yield
        finally:
            for stream, own in kept.items():
                os.dup2(own, stream)
                os.close(own)


def has_logged(word: str) -> bool:
    """Return whether Spark's log contains a word."""
    return _LOG in os.environ and word in Path(os.environ[_LOG]).read_text(errors="replace")


def _environ(scratch: Path) -> dict[str, str]:
    folders = {"SPARK_LOCAL_DIRS": str(scratch), _LOG: f"{scratch}/spark.log"}
    return {**folders, **os.environ, "TMPDIR": str(scratch)}


def _keep_log(log: Path) -> None:
    """Keep Spark's log of a failed run."""
    if log.is_file():
        kept = Path(tempfile.gettempdir(), f"kafka-assignments-spark-{os.getpid()}.log")
        log.chmod(0o600)  # it may quote rows
        shutil.move(log, kept)
        sys.stderr.write(f"Spark's log is kept in {kept}\n")
