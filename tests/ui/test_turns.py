"""The queue for worker processes: order, one place for each visitor, and an end to waiting."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from threading import Event

import pytest

from processes.calls import StoppedError
from ui.turns import Turns


class LeftError(Exception):
    """Raised when the visitor has left."""


def _goes_on() -> None:
    return


class Visits:
    """Threads that take turns; each holds its turn until it is let go."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.began: list[str] = []
        self.done: dict[str, Event] = {}
        self.pool = ThreadPoolExecutor(50)

    def ask(
        self, name: str, visitor: str | None, check: Callable[[], object] = _goes_on
    ) -> Future[None]:
        self.done[name] = Event()
        queued = len(self.turns._turns)
        future = self.pool.submit(self._hold, name, visitor, check)
        until(lambda: future.done() or len(self.turns._turns) > queued or name in self.began)
        return future

    def _hold(self, name: str, visitor: str | None, check: Callable[[], object]) -> None:
        with self.turns.turn(visitor, check) as turn:
            self.began.append(name)
            while not self.done[name].wait(0.01):
                check()
                turn.check()


def until(happens: Callable[[], bool]) -> None:
    """Wait for what must happen; a test that waits in vain is stopped as hanging."""
    while not happens():
        time.sleep(0.005)


@pytest.fixture
def visits() -> Iterator[Visits]:
    """One place, and much patience."""
    visits = Visits(Turns(1, most_wait_s=600))
    yield visits
    for event in visits.done.values():
        event.set()
    visits.pool.shutdown()


def test_turns_come_in_the_order_of_arrival(visits: Visits) -> None:
    futures = [visits.ask(name, name) for name in "abcd"]
    for name in "abcd":
        until(lambda name=name: name in visits.began)  # type: ignore[misc]
        visits.done[name].set()
    for future in futures:
        future.result()

    assert visits.began == list("abcd")


def test_who_has_left_gives_up_the_place_in_the_queue(visits: Visits) -> None:
    gone = Event()

    def leave() -> None:
        if gone.is_set():
            raise LeftError

    visits.ask("works", "a")
    others = [visits.ask(f"leaves {n}", f"b{n}", leave) for n in range(3)]
    stays = visits.ask("stays", "c")
    gone.set()
    for other in others:
        with pytest.raises(LeftError):
            other.result()
    visits.done["works"].set()
    visits.done["stays"].set()

    stays.result()
    assert visits.began == ["works", "stays"]


def test_a_visitor_has_one_place_and_the_newest_question_counts(visits: Visits) -> None:
    visits.ask("works", "other")
    first = visits.ask("first", "me")
    second = visits.ask("second", "me")
    with pytest.raises(StoppedError, match="you have started another"):
        first.result()
    visits.done["works"].set()
    visits.done["second"].set()

    second.result()
    assert visits.began == ["works", "second"]


def test_a_second_computation_of_a_visitor_ends_the_first(visits: Visits) -> None:
    first = visits.ask("first", "me")
    visits.ask("second", "me")

    with pytest.raises(StoppedError, match="you have started another"):
        first.result()
    until(lambda: visits.began == ["first", "second"])


def test_calls_outside_any_session_do_not_end_each_other(visits: Visits) -> None:
    first = visits.ask("first", None)
    second = visits.ask("second", None)
    visits.done["first"].set()
    visits.done["second"].set()

    first.result()
    second.result()


def test_whoever_waits_too_long_is_told_to_try_again() -> None:
    turns = Turns(1, most_wait_s=0.3)
    with turns.turn("a", _goes_on), pytest.raises(StoppedError, match="Try again in a minute"):
        turns.turn("b", _goes_on).__enter__()

    with turns.turn("c", _goes_on):
        pass


@pytest.mark.parametrize(
    "count", [pytest.param(60), pytest.param(1_000_000, marks=pytest.mark.deep, id="deep")]
)
def test_however_visitors_come_and_go_the_queue_empties_and_is_never_overfull(count: int) -> None:
    turns, places = Turns(2, most_wait_s=600), threading.Lock()
    at_work, most = 0, 0

    def visit(number: int) -> None:
        nonlocal at_work, most
        drawn = Random(number)  # noqa: S311 -- the same visit for the same number
        checks_left = drawn.choice([0, 1, 5, 1_000])

        def check() -> None:
            nonlocal checks_left
            checks_left -= 1
            if checks_left < 0:
                raise LeftError

        with turns.turn(drawn.choice([None, *"abc"]), check) as turn:
            with places:
                at_work += 1
                most = max(most, at_work)
            time.sleep(drawn.random() / 1_000)
            with places:
                at_work -= 1
            turn.check()

    with ThreadPoolExecutor(20) as pool:
        futures = [pool.submit(visit, number) for number in range(count)]
    ends = [type(future.exception()) for future in futures]

    assert {type(None)} < set(ends) <= {type(None), LeftError, StoppedError}
    assert 0 < most <= 2
    assert turns._turns == []


def test_what_nobody_waits_for_begins_once_the_queue_is_empty(visits: Visits) -> None:
    visits.ask("holds", "a")
    visits.ask("waits", "b")

    aside = visits.pool.submit(visits.turns.wait_until_free, 600.0, Event())
    visits.done["holds"].set()
    until(lambda: "waits" in visits.began)
    was_done = aside.done()
    visits.done["waits"].set()

    assert not was_done
    assert aside.result() is None


def test_on_a_busy_server_it_begins_all_the_same_after_its_seconds(visits: Visits) -> None:
    visits.ask("holds", "a")

    visits.turns.wait_until_free(0.01, Event())

    assert "holds" in visits.began
    assert not visits.done["holds"].is_set()


def test_given_up_before_the_queue_is_empty_it_does_not_begin(visits: Visits) -> None:
    given_up = Event()
    visits.ask("holds", "a")

    aside = visits.pool.submit(visits.turns.wait_until_free, 600.0, given_up)
    given_up.set()

    with pytest.raises(StoppedError):
        aside.result()
