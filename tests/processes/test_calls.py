"""Functions in processes of their own: what they tell on the way, and how they end."""

import os
import subprocess
import sys
import time
from multiprocessing import Pipe

import pytest

from processes.calls import DiedError, call
from processes.limits import TIME_LIMIT
from processes.messages import tell


def _counting(to: int) -> int:
    for number in range(to):
        tell(number, to)
    return to


def test_what_a_function_tells_is_heard_in_order_before_its_result() -> None:
    heard: list[tuple[object, ...]] = []

    assert call(_counting, 3, hear=lambda *words: heard.append(words)) == 3
    assert heard == [(0, 3), (1, 3), (2, 3)]


def test_whoever_stops_listening_ends_the_process_and_the_next_call_has_another() -> None:
    def refuse(*_words: object) -> None:
        raise LookupError

    with pytest.raises(LookupError):
        call(_counting, 3, hear=refuse)

    assert call(_counting, 2) == 2


def test_a_crash_ends_the_call_and_not_the_caller() -> None:
    with pytest.raises(DiedError):
        call(os.abort)

    assert call(os.getpid) != os.getpid()


def test_a_call_without_a_limit_may_take_longer_than_the_operators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(TIME_LIMIT, "0.2")

    assert call(time.sleep, 0.5, is_limited=False) is None


def test_a_worker_whose_server_ends_while_it_works_says_nothing() -> None:
    ours, theirs = Pipe()
    with theirs:
        worker = subprocess.Popen(  # noqa: S603 -- our own program
            [sys.executable, "-m", "processes.worker", str(theirs.fileno())],
            stderr=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
        )
    ours.send((time.sleep, (0.5,)))
    ours.close()

    _, said = worker.communicate()

    assert (worker.returncode, said) == (0, b"")
