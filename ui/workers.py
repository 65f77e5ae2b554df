"""Long computations in processes of their own: few at a time, and limited in time.

Streamlit runs the scripts of all visitors as threads of one process, of which Python runs one
at a time: a computation of many seconds there slows every visitor down, and cannot be stopped.
"""

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from typing import Any, Final, TypeVar

import streamlit as st

from assignors.model import Group

TIME_LIMIT: Final = "KAFKA_ASSIGNMENTS_TIME_LIMIT"
"""Seconds that one computation may take; 60 unless the environment says otherwise."""
_ROOT: Final = Path(__file__).resolve().parents[1]
_AT_ONCE: Final = max(1, min(4, (os.cpu_count() or 1) // 2))
_LONG: Final = 5_000_000
"""Partitions times consumers from which starting a process (0.3 s) is worth it."""
_CHECK_EVERY_S: Final = 0.1
_slots: Final = BoundedSemaphore(_AT_ONCE)
_Result = TypeVar("_Result")


class TooLongError(Exception):
    """A computation was stopped because it took longer than the limit."""


def computed(group: Group, function: Callable[..., _Result], *arguments: Any) -> _Result:  # noqa: ANN401 -- the function's own
    """Return ``function(group, *arguments)``, from a process of its own if the group is large.

    Where that takes too long, the page says so and ends there.
    """
    if group.partition_count * group.member_count < _LONG:
        return function(group, *arguments)
    try:
        return run(function, group, *arguments)
    except TooLongError as error:
        st.error(str(error), icon=":material/timer_off:")
        st.stop()


def run(
    function: Callable[..., _Result],
    *arguments: Any,  # noqa: ANN401 -- the function's own
    check: Callable[[], object] = lambda: "visitor" in st.session_state,
) -> _Result:
    """Return what a module's function returns, or raise what it raises, in its own process.

    ``check`` is called while waiting; when it raises, the process ends. Reading the session
    state is where Streamlit ends the script of a visitor who clicked on or left. Raises
    TooLongError.
    """
    request = pickle.dumps((function, arguments))
    while not _slots.acquire(timeout=_CHECK_EVERY_S):
        check()
    try:
        is_result, answer = pickle.loads(_answered(request, check))  # noqa: S301 -- our own process
    finally:
        _slots.release()
    if is_result:
        result: _Result = answer
        return result
    raise answer


def _answered(request: bytes, check: Callable[[], object]) -> bytes:
    limit_s = float(os.environ.get(TIME_LIMIT, "60"))
    give_up_at = time.monotonic() + limit_s
    with _process(request) as process:
        while True:
            try:
                answer, _ = process.communicate(timeout=_CHECK_EVERY_S)
                break
            except subprocess.TimeoutExpired:
                check()
            if time.monotonic() > give_up_at:
                message = (
                    f"This computation took longer than {limit_s:g} seconds and was stopped. Try a "
                    f"smaller group; whoever runs this page can allow more with {TIME_LIMIT}."
                )
                raise TooLongError(message)
    if process.returncode:
        message = f"a computation ended with status {process.returncode}"
        raise RuntimeError(message)
    return answer


@contextmanager
def _process(request: bytes) -> Iterator["subprocess.Popen[bytes]"]:
    """Yield a process that works on the request; whatever happens, it ends.

    The request is a file, since ``communicate`` sends nothing more after its first timeout.
    """
    with TemporaryFile() as file:
        file.write(request)
        file.seek(0)
        with subprocess.Popen(
            [sys.executable, "-m", "ui.worker"], cwd=_ROOT, stdin=file, stdout=subprocess.PIPE
        ) as process:
            try:
                yield process
            finally:
                process.kill()
