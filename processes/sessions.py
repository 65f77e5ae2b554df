"""Programs in process sessions of their own, which end as a whole.

A program and all that it starts share a session. It ends when the program that started it does,
even if that is killed: a pipe between the two then reaches its end.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import psutil

_PIPE: Final = "KAFKA_ASSIGNMENTS_PIPE"
"""File descriptor whose end of file tells a program that its supervisor is gone."""
_LOOK_EVERY_S: Final = 0.1
_TIMEOUT_S: Final = 10


def is_supervised() -> bool:
    """Return whether a supervisor ends every process that this one starts."""
    return _PIPE in os.environ


def started(words: Sequence[str], environ: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    """Start a program in a session that ends with this process."""
    reading, _ = os.pipe()  # the other end closes when this process ends
    return subprocess.Popen(  # noqa: S603 -- the caller's own program
        words,
        env={**environ, _PIPE: str(reading)},
        pass_fds=[reading],
        start_new_session=True,
    )


def end_with_supervisor() -> None:
    """End this process and its session when the supervisor ends, even if that is killed."""
    if pipe := os.environ.get(_PIPE):
        threading.Thread(target=_wait_for_end, args=(int(pipe),), daemon=True).start()


def run_until(program: "subprocess.Popen[bytes]", stops: Sequence[int]) -> None:
    """Wait for the program to end, or for an entry in ``stops`` (a signal's); end its session."""
    while program.poll() is None and not stops:
        with suppress(subprocess.TimeoutExpired):
            program.wait(_LOOK_EVERY_S)
    kill_session(program.pid)


def kill_session(session: int) -> None:
    """Kill every process of a session, including those that start meanwhile."""
    until = time.monotonic() + _TIMEOUT_S
    while (members := _members(session)) and time.monotonic() < until:
        for process in members:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(_LOOK_EVERY_S / 10)


def _wait_for_end(pipe: int) -> None:
    os.read(pipe, 1)
    kill_session(os.getsid(0))


def _members(session: int) -> list[int]:
    """Return the running processes of a session, this one last."""
    members = [process for process in psutil.pids() if _is_in(process, session)]
    return sorted(members, key=lambda process: process == os.getpid())


def _is_in(process: int, session: int) -> bool:
    try:
        is_member = os.getsid(process) == session
        return is_member and psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except (OSError, psutil.Error):  # the process has ended meanwhile
        return False
