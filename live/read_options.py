"""Timeouts, and the progress callback called while waiting for a response."""

import concurrent.futures
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from live.errors import CancelledError

CANCELLED: Final = "Reading the cluster was cancelled."
_POLL_INTERVAL_S: Final = 0.1
_CLIENT_TIMEOUT_FACTOR: Final = 4.0

Progress = Callable[[str, int, int], None]
"""Called with what is being read, how much has been read, and how much there is in all."""


def _show_nothing(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


def _never() -> bool:
    """Return False: nobody cancels."""
    return False


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """The caller's limits: ``timeout_s`` seconds for each request, until cancelled."""

    timeout_s: float = 15.0
    progress: Progress = _show_nothing
    is_cancelled: Callable[[], bool] = _never

    @property
    def client_timeout_s(self) -> float:
        """The client's own timeout: longer, so that ours always expires first.

        librdkafka 2.16 aborts the whole process when a broker returns after a request to a
        coordinator timed out within the client (its issue 4605). So the caller gives up first and
        drops the client with its pending requests.
        """
        return self.timeout_s * _CLIENT_TIMEOUT_FACTOR

    def wait(self, futures: Iterable["Future[Any]"], poll: Callable[[], object]) -> bool:
        """Wait until all are done and return True, or False after the timeout.

        Calls ``poll`` meanwhile. Raises CancelledError.
        """
        waiting = set(futures)
        deadline = time.monotonic() + self.timeout_s
        while waiting and time.monotonic() < deadline:
            if self.is_cancelled():
                raise CancelledError(CANCELLED)
            waiting = concurrent.futures.wait(waiting, _POLL_INTERVAL_S).not_done
            poll()
        return not waiting
