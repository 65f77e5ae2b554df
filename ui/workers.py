"""Long computations in separate processes: few at a time, limited in time and memory.

Streamlit runs the scripts of all visitors as threads of one process, of which Python runs one at a
time: a long computation there slows every visitor down and cannot be stopped.
"""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, Final, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from assignors.model import Group
from processes.calls import CHECK_EVERY_S, StoppedError, call
from sources.text import COLLECTED_ENDING
from ui.turns import Turns, this_visitor

_AT_ONCE: Final = max(1, min(4, (os.cpu_count() or 1) // 2))
_LONG: Final = 5_000_000
"""Partitions times consumers from which passing the group to a process pays off."""
_LONG_INPUT: Final = 100_000
"""Characters or bytes that take 0.05 s to read, and up to 2 s where no line makes sense."""
_BRIEF_S: Final = 1.0
"""Computations usually end sooner; a process that is ended takes half of that to start again."""
_MOST_WAIT_ASIDE_S: Final = 2.0
"""How long what is done aside lets others go first, each time."""
_turns: Final = Turns(_AT_ONCE)
_aside: Final = ThreadPoolExecutor(1, "aside")
_Input = TypeVar("_Input", bound=str | Mapping[str, bytes])
_Result = TypeVar("_Result")


def computed(
    group: Group,
    function: Callable[..., _Result],
    *arguments: Any,  # noqa: ANN401 -- the function's own
    largest: int = 0,
) -> _Result:
    """Return ``function(group, *arguments)``, from a process of its own if the group is large.

    ``largest`` is partitions times consumers of the largest group on the way, if larger than this
    one. Where that takes too long, the page reports it and ends there.
    """
    if max(group.partition_count * group.member_count, largest) < _LONG:
        return function(group, *arguments)
    return run_or_stop(function, group, *arguments)


def run_or_stop(function: Callable[..., _Result], *arguments: Any) -> _Result:  # noqa: ANN401 -- the function's own
    """Return the same as ``run``; where that takes too long, the page reports it and ends there.

    Outside any page it raises StoppedError.
    """
    try:
        return run(function, *arguments)
    except StoppedError as error:
        if get_script_run_ctx(suppress_warning=True) is None:
            raise
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


def _end_if_left() -> None:
    """Let Streamlit end the script, if this is one, of a visitor who clicked or left."""
    if get_script_run_ctx(suppress_warning=True) is not None:
        st.session_state.get("visitor")  # reading is enough


def run(
    function: Callable[..., _Result],
    *arguments: Any,  # noqa: ANN401 -- the function's own
    check: Callable[[], object] = _end_if_left,
) -> _Result:
    """Call a module's function in another process; return its result or raise its exception.

    ``check`` is called while waiting for a turn, and once the computation takes longer than most;
    if it raises, the process ends. That the page is still open
    is checked besides, because callbacks are not ended so. Raises StoppedError.
    """
    with _turns.turn(this_visitor(), check) as turn:
        return call(function, *arguments, checks=(check, turn.check), unchecked_s=_BRIEF_S)


def aside(
    function: Callable[..., _Result],
    *arguments: Any,  # noqa: ANN401 -- the function's own
    check: Callable[[], object] = _end_if_left,
) -> _Result:
    """Return ``function(*arguments)``, called in a thread beside which nobody's page waits.

    One is called after another, and each once no page waits for a process. If ``check`` raises
    meanwhile, what has begun goes on to its end, so that a click is answered at once and no process
    dies for it; what waits is dropped. Raises StoppedError once the server ends.
    """
    given_up, done = Event(), Event()

    def when_free() -> _Result:
        _turns.wait_until_free(_MOST_WAIT_ASIDE_S, given_up)
        return function(*arguments)

    try:
        future = _aside.submit(when_free)
    except RuntimeError as error:
        message = "The server is ending."
        raise StoppedError(message) from error
    future.add_done_callback(lambda _: done.set())
    try:
        while not done.wait(CHECK_EVERY_S):
            check()
    finally:
        given_up.set()
        future.cancel()
    return future.result()
