"""How long to wait for a cluster, whom to tell how far it is, and when to give up."""

import concurrent.futures
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from live.errors import CancelledError

_LOOK_EVERY_S: Final = 0.1
_CLIENT_WAITS_LONGER: Final = 4.0

Progress = Callable[[str, int, int], None]
"""Told what is being read, how much of it has been, and how much there is."""


def _to_nobody(what: str, done: int, total: int) -> None:
    """Take no notice of progress."""


def _never() -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """What the caller bears: ``timeout_s`` seconds for each request, as long as he wants."""

    timeout_s: float = 15.0
    progress: Progress = _to_nobody
    is_cancelled: Callable[[], bool] = _never

    @property
    def client_timeout_s(self) -> float:
        """What the client is told, so that it is never the first to give up.

        librdkafka 2.16 aborts the whole process when a broker returns after a request to a
        coordinator timed out within the client (its issue 4605). So the caller gives up
        first, and the client is dropped with whatever it still waits for.
        """
        return self.timeout_s * _CLIENT_WAITS_LONGER

    def wait(self, futures: Iterable["Future[Any]"], look: Callable[[], object]) -> bool:
        """Wait until all are done and return True, or False after the timeout.

        ``look`` is called now and then meanwhile. Raises CancelledError.
        """
        waiting = set(futures)
        give_up = time.monotonic() + self.timeout_s
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
