"""The port that Prometheus scrapes: ``/metrics``, ``/-/healthy`` and ``/-/ready``."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

_TIMEOUT_S: Final = 30
_PLAIN: Final = "text/plain; charset=utf-8"


class ListenError(ValueError):
    """An address that cannot be listened on."""


class MetricsPage:
    """The text of the last poll, encoded once for each format that is asked for."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        self._lock = threading.Lock()
        self._of: dict[str, bytes] = {}
        self.is_ready = False
        """Whether a poll has ended."""

    def renew(self) -> None:
        """Forget the text, as there is something new to tell."""
        with self._lock:
            self._of.clear()

    def in_format_of(self, accept: str) -> tuple[bytes, str]:
        """Return the text in a format that the client accepts, and its content type."""
        encode, content_type = choose_encoder(accept)
        with self._lock:
            if content_type not in self._of:
                self._of[content_type] = encode(self._registry)
            return self._of[content_type], content_type


@contextmanager
def serving(host: str, port: int, page: MetricsPage) -> Iterator[int]:
    """Serve the page, and yield the port. Raises ListenError."""
    try:
        server = ThreadingHTTPServer((host, port), _handler_of(page))
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        message = f"cannot listen on {host}:{port}: {reason}; choose another --listen"
        raise ListenError(message) from error
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def _handler_of(page: MetricsPage) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers GET."""

        timeout = _TIMEOUT_S

        def do_GET(self) -> None:
            match self.path.partition("?")[0]:
                case "/metrics":
                    body, content_type = page.in_format_of(self.headers.get("Accept", ""))
                    self._answer(HTTPStatus.OK, body, content_type)
                case "/-/healthy":
                    self._answer(HTTPStatus.OK, b"healthy\n")
                case "/-/ready" if page.is_ready:
                    self._answer(HTTPStatus.OK, b"ready\n")
                case "/-/ready":
                    self._answer(HTTPStatus.SERVICE_UNAVAILABLE, b"the first poll has not ended\n")
                case _:
                    self._answer(HTTPStatus.NOT_FOUND, b"see /metrics\n")

        def _answer(self, status: HTTPStatus, body: bytes, content_type: str = _PLAIN) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the library's
            """Log no requests."""

    return Handler
