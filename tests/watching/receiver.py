"""A server that takes alerts."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """What was posted, and the statuses to answer with: first these, then 204."""

    url: str = ""
    alerts: list[dict[str, Any]] = field(default_factory=list)
    """Of the requests that were taken."""
    statuses: list[int] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


@contextmanager
def receiving(*statuses: int) -> Iterator[Receiver]:
    """Run the server."""
    found = Receiver(statuses=list(statuses))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status = found.statuses.pop(0) if found.statuses else 204
            found.paths.append(self.path)
            if status < 300:
                found.alerts.append(body)
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the library's
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}/hook?token=1"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
