"""Run commands that start Spark in a new process session, which ends as a whole.

Java, Spark's Python daemon and its workers are many processes that handle signals differently. All
commits are atomic, so the fastest end is safe: every process of the session is killed, their
scratch files are removed, and one line reports it.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_PIPE: Final = "KAFKA_ASSIGNMENTS_PIPE"
"""File descriptor whose end of file tells the child that its supervisor is gone."""
_LOG: Final = "KAFKA_ASSIGNMENTS_SPARK_LOG"
SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
"""Set in a process that Spark has started."""
_PREFIX: Final = "kafka-assignments-"
_LOCK: Final = "supervisor.lock"
"""A file in its scratch folder that a supervisor keeps locked."""
_LOOK_EVERY_S: Final = 0.1
_TIMEOUT_S: Final = 10
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def is_needed() -> bool:
    """Return whether this process should supervise: not below a supervisor or spark-submit."""
    return _PIPE not in os.environ and SUBMITTED not in os.environ and os.name == "posix"


def is_supervised() -> bool:
    """Return whether a supervisor ends every process that this one starts."""
    return _PIPE in os.environ


def supervise(arguments: Sequence[str], last_words: str) -> int:
    """Run the program in a child; return its exit status, or 130 or 143 after a signal."""
    received: list[int] = []
    for number in _SIGNALS:
        signal.signal(number, lambda number, _: received.append(number))
    sweep()
    scratch = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = os.open(scratch / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    _is_locked(lock)  # until this process ends, however it does
    try:
        child = _started(arguments, scratch)
        while child.poll() is None and not received:
            with suppress(subprocess.TimeoutExpired):
                child.wait(_LOOK_EVERY_S)
        kill_session(child.pid)
        if received:
            child.wait()
            sys.stderr.write(f"pipeline: {last_words}\n")
            return 128 + received[0]
        if child.returncode > 0:
            _keep_log(scratch / "spark.log")
        return child.returncode if child.returncode >= 0 else 128 - child.returncode
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        os.close(lock)


def sweep() -> None:
    """Remove the scratch folders of supervisors that were killed."""
    for place in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_LOCK}"):
        with suppress(OSError):  # another user's, or removed meanwhile
            lock = os.open(place, os.O_RDWR)
            if _is_locked(lock):
                shutil.rmtree(place.parent, ignore_errors=True)
            os.close(lock)


def _is_locked(lock: int) -> bool:
    """Lock a file unless another process has; return whether that succeeded."""
    import fcntl  # noqa: PLC0415 -- POSIX alone has it

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def end_with_supervisor() -> None:
    """End this process and its children when the supervisor ends, even if that is killed."""
    if pipe := os.environ.get(_PIPE):
        threading.Thread(target=_wait_for_end, args=(int(pipe),), daemon=True).start()


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


def _started(arguments: Sequence[str], scratch: Path) -> "subprocess.Popen[bytes]":
    reading, _ = os.pipe()  # the other end closes when this process ends
    places = {
        "TMPDIR": str(scratch),
        "SPARK_LOCAL_DIRS": str(scratch),
        _LOG: f"{scratch}/spark.log",
    }
    return subprocess.Popen(  # noqa: S603 -- this very program
        [sys.executable, "-m", "pipeline", *arguments],
        env={**places, **os.environ, "TMPDIR": str(scratch), _PIPE: str(reading)},
        pass_fds=[reading],
        start_new_session=True,
    )


def _wait_for_end(pipe: int) -> None:
    os.read(pipe, 1)
    kill_session(os.getsid(0))


def kill_session(session: int) -> None:
    """Kill every process of a session, including those that start meanwhile.

    Without ``/proc`` only the first process group can be killed.
    """
    if not Path("/proc").is_dir():
        with suppress(ProcessLookupError):
            os.killpg(session, signal.SIGKILL)
        return
    until = time.monotonic() + _TIMEOUT_S
    while (processes := _processes(session)) and time.monotonic() < until:
        for process in processes:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(_LOOK_EVERY_S / 10)


def _processes(session: int) -> list[int]:
    """Return the running processes of a session, this one last."""
    processes = [
        int(place.name) for place in Path("/proc").glob("[0-9]*") if _is_in(place, session)
    ]
    return sorted(processes, key=lambda process: process == os.getpid())


def _is_in(place: Path, session: int) -> bool:
    try:
        state, _, _, own = (place / "stat").read_text().rpartition(")")[2].split()[:4]
    except OSError:  # the process has ended meanwhile
        return False
    return own == str(session) and state != "Z"


def _keep_log(log: Path) -> None:
    """Keep Spark's log of a failed run."""
    if log.is_file():
        kept = Path(tempfile.gettempdir(), f"kafka-assignments-spark-{os.getpid()}.log")
        log.chmod(0o600)  # it may quote rows
        shutil.move(log, kept)
        sys.stderr.write(f"Spark's log is kept in {kept}\n")
