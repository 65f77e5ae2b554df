"""Turns at the worker processes: first come, first served, and one for each visitor."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Event
from typing import Final

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from processes.calls import CHECK_EVERY_S, StoppedError

MOST_WAIT_S: Final = 20.0
"""How long a computation waits for its turn before the visitor is told to try again."""


class Turn:
    """A visitor's place in the queue, or at a process."""

    def __init__(self, visitor: str | None) -> None:
        """Take a place for a session, or for a caller outside any."""
        self.visitor = visitor
        self.has_begun = False
        self.is_given_up = False

    def check(self) -> None:
        """Raise StoppedError if nobody waits for the result any more."""
        if self.is_given_up:
            message = "This computation was stopped, because you have started another."
            raise StoppedError(message)
        if self.visitor is not None and not _is_here(self.visitor):
            message = "This computation was stopped, because its page was closed."
            raise StoppedError(message)


class Turns:
    """The queue: as many at once as there are places, the rest in the order of arrival."""

    def __init__(self, places: int, most_wait_s: float = MOST_WAIT_S) -> None:
        """Open the queue."""
        self._places = places
        self._most_wait_s = most_wait_s
        self._turns: list[Turn] = []
        self._changed = Condition()

    @contextmanager
    def turn(self, visitor: str | None, check: Callable[[], object]) -> Iterator[Turn]:
        """Wait for a turn and hold it; an earlier one of the same visitor is given up.

        ``check`` is called while waiting. Raises StoppedError, at the latest after ``most_wait_s``
        in the queue.
        """
        turn = Turn(visitor)
        with self._changed:
            for earlier in self._turns:
                earlier.is_given_up |= visitor is not None and earlier.visitor == visitor
            self._turns.append(turn)
        try:
            self._wait(turn, check)
            yield turn
        finally:
            with self._changed:
                self._turns.remove(turn)
                self._changed.notify_all()

    def wait_until_free(self, most_wait_s: float, given_up: Event) -> None:
        """Wait until nobody is in the queue, or at a process: for what nobody's page waits for.

        At most that many seconds, so that it is done on a busy server, too. Raises StoppedError
        once it is given up.
        """
        end = time.monotonic() + most_wait_s
        with self._changed:
            while self._turns and not given_up.is_set() and (left := end - time.monotonic()) > 0:
                self._changed.wait(min(left, CHECK_EVERY_S))
        if given_up.is_set():
            message = "Nobody waits for this computation any more."
            raise StoppedError(message)

    def _wait(self, turn: Turn, check: Callable[[], object]) -> None:
        give_up_at = time.monotonic() + self._most_wait_s
        while not self._is_next(turn):
            check()
            turn.check()
            if time.monotonic() > give_up_at:
                message = (
                    "Other visitors' computations keep this server busy: this one waited "
                    f"{self._most_wait_s:g} seconds for its turn. Try again in a minute."
                )
                raise StoppedError(message)

    def _is_next(self, turn: Turn) -> bool:
        with self._changed:
            turn.has_begun = self._changed.wait_for(lambda: turn in self._first(), CHECK_EVERY_S)
            return turn.has_begun

    def _first(self) -> list[Turn]:
        """Return whose turn it is: who has begun, then who waits, in the order of arrival."""
        return sorted(self._turns, key=lambda each: not each.has_begun)[: self._places]


def this_visitor() -> str | None:
    """Return the session of the running script; None outside any."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else None


def _is_here(session: str) -> bool:
    """Return whether a session's page is open; without a server nobody can leave."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)
