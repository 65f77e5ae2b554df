"""Long computations in separate processes: few at a time, limited in time and memory.

Streamlit runs the scripts of all visitors as threads of one process, of which Python runs one at a
time: a long computation there slows every visitor down and cannot be stopped.

A pool of ``multiprocessing`` is unsuitable: its processes start by importing the main module, which
under Streamlit is the page itself, and cannot be ended in the middle of a call.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from pathlib import Path
from typing import Any, Final, TypeVar

import streamlit as st

from assignors.model import Group
from sources.text import COLLECTED_ENDING
from ui.settings import MEMORY_LIMIT, TIME_LIMIT, time_limit_s
from ui.turns import CHECK_EVERY_S, StoppedError, Turns, this_visitor

_ROOT: Final = Path(__file__).resolve().parents[1]
_AT_ONCE: Final = max(1, min(4, (os.cpu_count() or 1) // 2))
_LONG: Final = 5_000_000
"""Partitions times consumers from which passing the group to a process pays off."""
_LONG_INPUT: Final = 100_000
"""Characters or bytes that take 0.05 s to read, and up to 2 s where no line makes sense."""
_TOO_LARGE: Final = (
    "This computation ended without a result: most likely it needed more memory than it may take. "
    f"Try a smaller group; the operator of this page can allow more with {MEMORY_LIMIT}."
)
_turns: Final = Turns(_AT_ONCE)
_Input = TypeVar("_Input", bound=str | Mapping[str, bytes])
_Result = TypeVar("_Result")


def computed(group: Group, function: Callable[..., _Result], *arguments: Any) -> _Result:  # noqa: ANN401 -- the function's own
    """Return ``function(group, *arguments)``, from a process of its own if the group is large.

    Where that takes too long, the page says so and ends there.
    """
    if group.partition_count * group.member_count < _LONG:
        return function(group, *arguments)
    return run_or_stop(function, group, *arguments)


def run_or_stop(function: Callable[..., _Result], *arguments: Any) -> _Result:  # noqa: ANN401 -- the function's own
    """Return the same as ``run``; where that takes too long, the page says so and ends there."""
    try:
        return run(function, *arguments)
    except StoppedError as error:
        st.error(str(error), icon=":material/timer_off:")
        st.stop()


def input_read(read: Callable[[_Input], _Result], given: _Input) -> _Result:
    """Return ``read(given)``, computed in another process if the input is large, or Parquet.

    Arrow trusts the sizes in a Parquet file, and a crash of Arrow would end the server.

    For the callbacks of forms, which a click cannot interrupt, because Streamlit would lose it.
    Raises StoppedError.
    """
    files = {"": given} if isinstance(given, str) else given
    is_long = sum(map(len, files.values())) >= _LONG_INPUT
    if is_long or any(name.lower().endswith(COLLECTED_ENDING) for name in files):
        return run(read, given, check=lambda: None)
    return read(given)


def run(
    function: Callable[..., _Result],
    *arguments: Any,  # noqa: ANN401 -- the function's own
    check: Callable[[], object] = lambda: "visitor" in st.session_state,
) -> _Result:
    """Call a module's function in another process; return its result or raise its exception.

    ``check`` is called while waiting; if it raises, the process ends. Reading the session state is
    enough for Streamlit to end the script of a visitor who clicked or left; that the page is still
    open is checked besides, because callbacks are not ended so. Raises StoppedError.
    """
    with _turns.turn(this_visitor(), check) as turn:
        worker = _idle_worker() or _Worker()
        try:
            is_result, answer = _answer(worker, (function, arguments), check, turn.check)
        except BaseException:
            worker.end()
            raise
        _idle.append(worker)
    if is_result:
        result: _Result = answer
        return result
    if isinstance(answer, MemoryError):
        raise StoppedError(_TOO_LARGE) from answer
    raise answer


class _Worker:
    """A process that answers one request after another."""

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603 -- our own program
                [sys.executable, "-m", "ui.worker", str(theirs.fileno())],
                cwd=_ROOT,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )

    def end(self) -> None:
        """Stop the process, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        self.connection.close()


_idle: Final[list[_Worker]] = []
"""Idle processes; no more than may run at the same time."""


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
    *checks: Callable[[], object],
) -> tuple[bool, Any]:
    limit_s = time_limit_s()
    give_up_at = time.monotonic() + limit_s
    with _death_in_words():
        worker.connection.send(request)
    while not worker.connection.poll(CHECK_EVERY_S):
        for check in checks:
            check()
        if time.monotonic() > give_up_at:
            message = (
                f"This computation took longer than {limit_s:g} seconds and was stopped. Try a "
                f"smaller group; the operator of this page can allow more with {TIME_LIMIT}."
            )
            raise StoppedError(message)
    with _death_in_words():
        answer: tuple[bool, Any] = worker.connection.recv()
    return answer


@contextmanager
def _death_in_words() -> Iterator[None]:
    """Raise StoppedError if the process has died, nearly always because memory ran out."""
    try:
        yield
    except (EOFError, OSError) as error:
        raise StoppedError(_TOO_LARGE) from error
