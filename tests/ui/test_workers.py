"""Long computations run outside the server's process, within limits, and can be stopped."""

import operator
import os
import shlex
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from assignors.numbering import Member, Topic, group_of
from evaluation.comparing.outcomes import at_next_rebalance
from processes import calls
from processes.calls import StoppedError
from processes.limits import MEMORY_LIMIT, TIME_LIMIT
from sources.errors import SourceError
from sources.text import read_text
from tests.named import named
from tests.test_assign import ROOT
from ui import workers
from ui.workers import aside, computed, input_read, run, run_or_stop

LARGE = group_of({"t": Topic(2_500)}, [Member(f"c{n}", ["t"]) for n in range(2_000)])


class LeftError(Exception):
    """Raised when the visitor has left."""


def test_a_result_comes_from_another_process_and_an_error_too() -> None:
    assert run(operator.add, 2, 3) == 5
    assert run(os.getpid) != os.getpid()
    with pytest.raises(ZeroDivisionError):
        run(operator.truediv, 1, 0)


def test_a_request_larger_than_a_pipe_holds_arrives_whole() -> None:
    assert run(len, bytes(10_000_000)) == 10_000_000


@pytest.mark.slow
def test_only_large_groups_use_a_process() -> None:
    small = group_of({"t": Topic(2)}, [Member("c", ["t"])])

    assert computed(small, _process_of) == os.getpid()
    assert computed(LARGE, _process_of) != os.getpid()


def test_a_group_is_assigned_in_a_process_as_here() -> None:
    (outcome,) = computed(LARGE, at_next_rebalance, named("sticky"))

    assert outcome.owners.tolist() == at_next_rebalance(LARGE, named("sticky"))[0].owners.tolist()


def test_large_input_alone_is_read_in_a_process_and_refused_in_its_sentence() -> None:
    table = "topic,partition,lag,consumer\n"
    small = table + "t,0,5,c\n"
    large = table + "".join(f"t,{n},5,c\n" for n in range(40_000))

    assert input_read(_process_of, small) == os.getpid()
    assert input_read(_process_of, large) != os.getpid()
    assert input_read(_process_of, {"a.csv": large.encode()}) != os.getpid()
    assert input_read(_process_of, {"a.parquet": b"small"}) != os.getpid()
    (reading,) = input_read(read_text, large)
    assert reading.group.lags.sum() == 5 * 40_000
    with pytest.raises(SourceError, match="expected a whole number"):
        input_read(read_text, large + "t,x,5,c\n")


@pytest.mark.slow
def test_a_computation_that_takes_too_long_is_stopped_with_advice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(TIME_LIMIT, "0.5")
    with pytest.raises(StoppedError, match=r"longer than 0\.5 seconds.*" + TIME_LIMIT):
        run(time.sleep, 3_600)  # the test would be stopped for hanging


def test_outside_any_page_a_computation_that_takes_too_long_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(TIME_LIMIT, "0.001")
    with pytest.raises(StoppedError, match="longer than"):
        run_or_stop(time.sleep, 3_600)


def test_a_computation_that_takes_too_much_memory_is_refused_with_advice() -> None:
    with pytest.raises(StoppedError, match="more memory.*" + MEMORY_LIMIT):
        run(bytes, 20 << 30)

    assert run(operator.add, 2, 3) == 5


@pytest.mark.slow
def test_a_lower_limit_on_the_servers_memory_holds_for_its_processes() -> None:
    program = "from ui.workers import run; import os; print(run(os.getpid) != os.getpid())"
    limited = f"ulimit -v 6000000; exec {shlex.quote(sys.executable)} -c {shlex.quote(program)}"

    done = subprocess.run(["sh", "-c", limited], cwd=ROOT, capture_output=True, check=False)  # noqa: S603, S607 -- our own words

    assert (done.returncode, done.stdout) == (0, b"True\n")


def test_an_abandoned_computation_ends_and_frees_its_slot() -> None:
    def leave() -> None:
        raise LeftError

    for _ in range(workers._AT_ONCE + 1):
        with pytest.raises(LeftError):
            run(time.sleep, 60, check=leave)

    assert run(operator.add, 2, 3) == 5


def test_what_is_to_be_done_aside_stops_once_the_server_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = ThreadPoolExecutor(1)
    ended.shutdown()
    monkeypatch.setattr(workers, "_aside", ended)

    with pytest.raises(StoppedError):
        aside(list)


def test_a_click_leaves_what_is_done_aside_to_its_end_and_drops_what_waits() -> None:
    began, may_end, seen = Event(), Event(), list[str]()

    def first() -> None:
        began.set()
        may_end.wait()
        seen.append("first")

    def leave() -> None:
        if began.is_set():
            raise LeftError

    with pytest.raises(LeftError):
        aside(first, check=leave)
    with pytest.raises(LeftError):
        aside(seen.append, "second", check=leave)
    may_end.set()
    aside(seen.append, "third")

    assert seen == ["first", "third"]


def test_a_process_that_died_is_replaced() -> None:
    with pytest.raises(StoppedError, match="ended without a result"):
        run(os._exit, 1)
    pid = run(os.getpid)
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)

    assert run(os.getpid) != pid


def test_a_process_that_dies_as_it_is_given_work_is_a_sentence() -> None:
    worker = calls._Worker()
    worker.end()

    with pytest.raises(StoppedError, match="ended without a result"):
        calls._answer(worker, (os.getpid, ()), lambda: None, print, 60)


@pytest.mark.proof
@pytest.mark.slow
def test_concurrency_is_limited_and_every_call_returns() -> None:
    count = 2 * workers._AT_ONCE + 1
    with ThreadPoolExecutor(count) as visitors:
        spans = list(visitors.map(lambda _: run(_span), range(count)))

    busy = [sum(began <= at < ended for began, ended in spans) for at, _ in spans]
    assert max(busy) <= workers._AT_ONCE


def _process_of(_group: object) -> int:
    return os.getpid()


def _span() -> tuple[float, float]:
    began = time.monotonic()
    time.sleep(1)
    return began, time.monotonic()
