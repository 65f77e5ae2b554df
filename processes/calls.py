"""Functions called in processes of their own, limited in time and memory.

A pool of ``multiprocessing`` is unsuitable: its processes start by importing the main module, which
under Streamlit is the page itself, and cannot be ended in the middle of a call.
"""

import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from pathlib import Path
from typing import Any, Final, TypeVar

from processes.limits import MEMORY_LIMIT, TIME_LIMIT, time_limit_s
from processes.messages import Message

CHECK_EVERY_S: Final = 0.1
_ROOT: Final = Path(__file__).resolve().parents[1]
_TOO_LARGE: Final = (
    "This computation ended without a result: most likely it needed more memory than it may take. "
    f"Try a smaller group; the operator can allow more with {MEMORY_LIMIT}."
)
_Result = TypeVar("_Result")


class StoppedError(Exception):
    """A computation ended without a result, because it reached a limit or its process died."""


class DiedError(StoppedError):
    """The process died: nearly always because memory ran out, unless a library in it crashes."""


def call(
    function: Callable[..., _Result],
    *arguments: Any,  # noqa: ANN401 -- the function's own
    checks: tuple[Callable[[], object], ...] = (),
    hear: Callable[..., object] = lambda *_: None,
    is_limited: bool = True,
    unchecked_s: float = 0.0,
) -> _Result:
    """Call a module's function in another process; return its result or raise its exception.

    The checks are called while waiting, once ``unchecked_s`` have passed, and ``hear`` with what
    the function tells (see processes.messages.tell); if one raises, the process ends. Without a
    limit the function sees to its own time. Raises StoppedError, DiedError if the process ended by
    itself.
    """
    limit_s = time_limit_s() if is_limited else math.inf
    worker = _idle_worker() or _Worker()
    try:
        kind, answer = _answer(
            worker, (function, arguments), _later(checks, unchecked_s), hear, limit_s
        )
    except BaseException:
        worker.end()
        raise
    _idle.append(worker)
    if kind is Message.RESULT:
        result: _Result = answer
        return result
    if isinstance(answer, MemoryError):
        raise StoppedError(_TOO_LARGE) from answer
    raise answer


def _later(checks: tuple[Callable[[], object], ...], unchecked_s: float) -> Callable[[], object]:
    """Return the checks as one, which does nothing before that many seconds have passed."""
    begins = time.monotonic() + unchecked_s

    def checked() -> None:
        if time.monotonic() >= begins:
            for check in checks:
                check()

    return checked


class _Worker:
    """A process that answers one request after another."""

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603 -- our own program
                [sys.executable, "-m", "processes.worker", str(theirs.fileno())],
                cwd=_ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # the server's may be a protocol's
                pass_fds=[theirs.fileno()],
            )

    def end(self) -> None:
        """Stop the process, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        self.connection.close()


_idle: Final[list[_Worker]] = []
"""Idle processes; no more than have run at the same time."""


def _idle_worker() -> _Worker | None:
    while _idle:
        with suppress(IndexError):  # another thread was faster
            worker = _idle.pop()
            if worker.process.poll() is None:
                return worker
    return None


def _answer(
    worker: _Worker,
    request: tuple[Callable[..., Any], tuple[Any, ...]],
    check: Callable[[], object],
    hear: Callable[..., object],
    limit_s: float,
) -> tuple[Message, Any]:
    give_up_at = time.monotonic() + limit_s
    with _death_in_words():
        worker.connection.send(request)
    while True:
        while not worker.connection.poll(
            min(CHECK_EVERY_S, max(give_up_at - time.monotonic(), 0.0))
        ):
            check()
            if time.monotonic() >= give_up_at:
                message = (
                    f"This computation took longer than {limit_s:g} seconds and was stopped. Try a "
                    f"smaller group; the operator can allow more with {TIME_LIMIT}."
                )
                raise StoppedError(message)
        with _death_in_words():
            answer: tuple[Message, Any] = worker.connection.recv()
        if answer[0] is not Message.TOLD:
            return answer
        hear(*answer[1])


@contextmanager
def _death_in_words() -> Iterator[None]:
    """Raise DiedError if the process has died."""
    try:
        yield
    except (EOFError, OSError) as error:
        raise DiedError(_TOO_LARGE) from error
