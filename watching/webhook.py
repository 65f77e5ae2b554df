"""Alerts sent in the background: in order, retried after growing pauses, at most 1,000 waiting."""

import http.client
import json
import threading
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from assignors import __version__

_MOST_WAITING: Final = 1_000
_TIMEOUT_S: Final = 10.0
_LONGEST_PAUSE_S: Final = 60.0
_MOST_TRIES: Final = 12
"""About eight minutes in all."""
_AGAIN: Final = frozenset({408, 425, 429})
"""Statuses below 500 after which the same request may succeed."""


class WebhookError(ValueError):
    """An address that alerts cannot be sent to."""


@dataclass
class Webhook:
    """Sends JSON objects to one address, from a thread of its own."""

    url: str
    first_pause_s: float = 1.0
    counts: Counter[str] = field(default_factory=Counter)
    """By outcome: ``sent``, ``retried``, ``dropped``."""

    def __post_init__(self) -> None:
        """Check the address, and start. Raises WebhookError."""
        try:
            parts = urlsplit(self.url)
            is_address = parts.scheme in {"http", "https"} and bool(
                parts.hostname and parts.port != 0
            )
        except ValueError:  # a port out of range, half a bracket
            is_address = False
        if not is_address:
            message = "the webhook must be an address such as https://hooks.example.com/kafka"
            raise WebhookError(message)
        self._parts = parts
        self._waiting: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._is_stopped = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def send(self, alert: Mapping[str, object]) -> None:
        """Queue an alert; with a thousand waiting, the oldest is dropped."""
        with self._changed:
            if len(self._waiting) >= _MOST_WAITING:
                self._waiting.popleft()
                self.counts["dropped"] += 1
            self._waiting.append(json.dumps(alert).encode())
            self._changed.notify()

    @property
    def waiting(self) -> int:
        """Alerts that are not sent yet."""
        return len(self._waiting)

    def stop(self, within_s: float = 1.0) -> None:
        """Give what waits a last moment to be sent."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting, within_s)
        self._is_stopped.set()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                body = self._waiting[0]
            self.counts["sent" if self._is_delivered(body) else "dropped"] += 1
            with self._changed:
                if self._waiting and self._waiting[0] is body:  # not dropped meanwhile
                    self._waiting.popleft()
                self._changed.notify_all()

    def _is_delivered(self, body: bytes) -> bool:
        pause_s = self.first_pause_s
        for _ in range(_MOST_TRIES):
            status = self._posted(body)
            if status is not None and status < 500 and status not in _AGAIN:  # noqa: PLR2004 -- HTTP's classes
                return status < 300  # noqa: PLR2004 -- a redirect is for whoever configures this
            self.counts["retried"] += 1
            if self._is_stopped.wait(pause_s):
                return False
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
        return False

    def _posted(self, body: bytes) -> int | None:
        """Send one request; return its status, None without an answer."""
        kind = (
            http.client.HTTPSConnection
            if self._parts.scheme == "https"
            else http.client.HTTPConnection
        )
        path = self._parts.path or "/"
        query = f"?{self._parts.query}" if self._parts.query else ""
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"kafka-assignments/{__version__}",
        }
        try:
            connection = kind(str(self._parts.hostname), self._parts.port, timeout=_TIMEOUT_S)
            try:
                connection.request("POST", path + query, body, headers)
                return connection.getresponse().status
            finally:
                connection.close()
        except (OSError, http.client.HTTPException):
            return None
