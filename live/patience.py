"""How long to wait for a cluster, whom to tell how far it is, and when to give up."""

import concurrent.futures
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from live.errors import CancelledError

_LOOK_EVERY_S: Final = 0.1
_GRACE_S: Final = 2.0
"""The client itself ends a request after its timeout; this much later we no longer trust it."""

Progress = Callable[[str, int, int], None]
"""Told what is being read, how much of it has been, and how much there is."""


def _to_nobody(what: str, done: int, total: int) -> None:
    """Take no notice of progress."""


def _never() -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Patience:
    """What the caller bears: ``timeout_s`` seconds for each request, as long as he wants."""

    timeout_s: float = 15.0
    progress: Progress = _to_nobody
    is_cancelled: Callable[[], bool] = _never

    def wait(self, futures: Iterable["Future[Any]"], look: Callable[[], object]) -> bool:
        """Wait until all are done and return True, or False after the timeout.

        ``look`` is called now and then meanwhile. Raises CancelledError.
        """
        waiting = set(futures)
        give_up = time.monotonic() + self.timeout_s + _GRACE_S
        while waiting and time.monotonic() < give_up:
            self.check()
            waiting = concurrent.futures.wait(waiting, _LOOK_EVERY_S).not_done
            look()
        return not waiting

    def check(self) -> None:
        """Raise CancelledError if the answer is no longer wanted."""
        if self.is_cancelled():
            message = "Reading the cluster was cancelled."
            raise CancelledError(message)
