"""Prometheus' HTTP API: range and instant queries, within limits of time and size.

Only the host and port of the given URL are contacted: redirects are not followed. Queries are
posted, so that their length is not limited by a URL's. An answer has a deadline as a whole, since
one that drips a byte a second would never time out, and a most of bytes.
"""

import math
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Annotated, Final
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from live.access import Access
from live.errors import (
    CancelledError,
    DeniedError,
    LiveError,
    LoginError,
    PropertyError,
    UnreachableError,
)
from live.prometheus.http_config import HttpConfig
from live.read_options import CANCELLED

MOST_POINTS: Final = 11_000
"""Of a series in one answer; Prometheus refuses more."""
MOST_BYTES: Final = 256_000_000
_AT_ONCE: Final = 1 << 20
_PORTS: Final = {"http": 80, "https": 443}
_DENIED: Final = frozenset({401, 403})
_REDIRECTS: Final = range(300, 400)
_OK: Final = 200
_QUOTED: Final = 200
_TOO_MUCH: Final = ("too many samples", "maximum resolution", "timed out", "timeout", "limit")
"""What Prometheus, Thanos and Mimir say of a query that a shorter range would have let pass."""
_EXAMPLE: Final = "http://HOST:9090 or https://HOST/prometheus, without a login"


class TooMuchError(LiveError):
    """The server or this client refuses the size of an answer; a smaller question may pass."""


class RawSeries(msgspec.Struct):
    """One series of an answer: its labels, and its values as text by time."""

    metric: dict[str, str]
    values: list[tuple[float, str]] = []
    value: tuple[float, str] | None = None


class _Data(msgspec.Struct):
    result: list[RawSeries]


class _Answer(msgspec.Struct):
    status: str
    data: _Data | None = None
    error: Annotated[str, msgspec.Meta(max_length=10_000_000)] = ""


_DECODER: Final = msgspec.json.Decoder(_Answer)


def _never() -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class PrometheusApi:
    """A server of Prometheus' API, asked one question at a time.

    Raises PropertyError for a URL that is none or not allowed. No message quotes a secret.
    """

    url: str
    config: HttpConfig = field(default_factory=HttpConfig)
    access: Access | None = None
    """Which servers a visitor's page may connect to."""
    timeout_s: float = 60.0
    """For a whole answer."""
    most_bytes: int = MOST_BYTES
    is_cancelled: Callable[[], bool] = _never

    def __post_init__(self) -> None:
        """Check the URL."""
        _, host, port, _ = self._place()
        if self.access is not None and not self.access.allows(host, port):
            message = (
                f"This page may not connect to {host}:{port}; its operator has allowed "
                f"{', '.join(self.access.servers or ())}."
            )
            raise PropertyError(message)

    @property
    def server(self) -> str:
        """Host and port."""
        _, host, port, _ = self._place()
        return f"{host}:{port}"

    def range(self, query: str, start_s: int, end_s: int, step_s: int) -> list[RawSeries]:
        """Return the values of each series at ``start_s``, a step later, ... up to ``end_s``."""
        asked = {"query": query, "start": start_s, "end": end_s, "step": step_s}
        return self._asked("query_range", asked)

    def instant(self, query: str, at_s: float) -> list[RawSeries]:
        """Return the value of each series at a time."""
        return self._asked("query", {"query": query, "time": f"{at_s:.3f}"})

    def _asked(self, name: str, asked: Mapping[str, object]) -> list[RawSeries]:
        timeout = f"{max(1, math.ceil(self.timeout_s))}s"
        status, body = self._posted(name, urlencode({**asked, "timeout": timeout}))
        try:
            answer = _DECODER.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            if status != _OK:
                message = f"{self.server} answers with status {status}."
                raise LiveError(message) from None
            what = _quotable(str(error))
            message = f"{self.server} does not answer as Prometheus' API does: {what}."
            raise LiveError(message) from None
        if answer.status != "success" or answer.data is None:
            why = _quotable(answer.error).rstrip(".") or f"status {status}"
            kind = TooMuchError if any(word in why for word in _TOO_MUCH) else LiveError
            message = f"{self.server} refuses the query: {why}."
            raise kind(message)
        return answer.data.result

    def _posted(self, name: str, form: str) -> tuple[int, bytearray]:
        scheme, host, port, path = self._place()
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        if self.config.authorization is not None:
            headers["Authorization"] = self.config.authorization
        is_late = threading.Event()
        connection = self._connection(scheme, host, port)
        try:
            with _until(self.timeout_s, connection, is_late):
                connection.request("POST", f"{path}/api/v1/{name}", form, headers)
                with connection.getresponse() as response:
                    body = self._body(response)
        except (OSError, HTTPException, ValueError) as error:
            raise self._failed(TimeoutError() if is_late.is_set() else error) from error
        finally:
            connection.close()
        if is_late.is_set():
            raise self._failed(TimeoutError())
        self._check_status(response)
        return response.status, body

    def _connection(self, scheme: str, host: str, port: int) -> HTTPConnection:
        if scheme == "http":
            return HTTPConnection(host, port, timeout=self.timeout_s)
        context = self.config.context()
        name = self.config.tls.get("server_name")
        if not name:
            return HTTPSConnection(host, port, timeout=self.timeout_s, context=context)
        connection = HTTPSConnection(host, port, timeout=self.timeout_s, context=context)
        plain = socket.create_connection((host, port), self.timeout_s)
        try:
            connection.sock = context.wrap_socket(plain, server_hostname=str(name))
        except (OSError, ValueError) as error:
            plain.close()
            raise self._failed(error) from error
        return connection

    def _body(self, response: HTTPResponse) -> bytearray:
        body = bytearray()
        while part := response.read1(_AT_ONCE):
            if self.is_cancelled():
                raise CancelledError(CANCELLED)
            body += part
            if len(body) > self.most_bytes:
                message = (
                    f"{self.server} answers with more than {self.most_bytes:,} bytes; ask for a "
                    "shorter time or fewer groups."
                )
                raise TooMuchError(message)
        return body

    def _failed(self, error: Exception) -> LiveError:
        if isinstance(error, LiveError):
            return error
        if isinstance(error, TimeoutError):
            message = f"{self.server} did not finish its answer within {self.timeout_s:g} s."
            return UnreachableError(message)
        why = _quotable(str(error)) or type(error).__name__
        return UnreachableError(f"No answer from {self.server}: {why}.")

    def _check_status(self, response: HTTPResponse) -> None:
        if response.status in _DENIED:
            message = (
                f"{self.server} refuses the login (status {response.status}); give one with "
                "--http-config, in the format of Prometheus' own HTTP clients."
            )
            raise (LoginError if self.config.authorization else DeniedError)(message)
        if response.status in _REDIRECTS:
            message = (
                f"{self.server} redirects (status {response.status}), which is not followed; give "
                "the address that answers itself."
            )
            raise LiveError(message)

    def _place(self) -> tuple[str, str, int, str]:
        """Return scheme, host, port and the path before ``/api``."""
        text = self.url.strip()
        try:
            parts = urlsplit(text if "://" in text else f"http://{text}")
            port = _PORTS.get(parts.scheme, 0) if parts.port is None else parts.port
        except ValueError:
            parts, port = urlsplit(""), 0
        port *= parts.scheme in _PORTS
        has_login = parts.username or parts.password
        if not port or not parts.hostname or has_login or parts.query or parts.fragment:
            message = f"The address of Prometheus is {_EXAMPLE}."
            raise PropertyError(message)
        return parts.scheme, parts.hostname, port, quote(parts.path.rstrip("/"), safe="/%")


def _quotable(text: str) -> str:
    """Return the start of what a server says, on one line, without what a terminal would obey."""
    return "".join(each if each.isprintable() else " " for each in text[:_QUOTED]).strip()


@contextmanager
def _until(
    timeout_s: float, connection: HTTPConnection, is_late: threading.Event
) -> Iterator[None]:
    """End the connection after a time, in whatever it waits for: socket timeouts are per read."""
    if connection.sock is None:
        connection.connect()
    sock = connection.sock

    def end() -> None:
        is_late.set()
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(timeout_s, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
