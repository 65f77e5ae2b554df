"""Connect's REST API, asked of a real server on this machine: one request, to nobody else."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO, StringIO
from json import loads
from threading import Thread

import pytest

import assign
from assignors.kinds import GroupKind
from live.access import Access, access_to
from live.connect_rest import connectors
from live.errors import DeniedError, LiveError, PropertyError, UnreachableError
from sources.live import read_workers
from tests.kinds.texts import A, B, rest


@contextmanager
def worker(
    status: int = 200, headers: tuple[tuple[str, str], ...] = ()
) -> Iterator[tuple[str, list[str]]]:
    """Serve one answer for every path; yield the address and the paths that were asked for."""
    asked: list[str] = []
    body = rest(sink=[A, A, B]).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- its own name
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_workers_are_read_by_one_request_that_asks_for_no_settings() -> None:
    with worker() as (url, asked):
        (reading,) = read_workers(url)

    assert (reading.kind, reading.is_live) == (GroupKind.CONNECT, True)
    assert reading.as_kind is not None
    assert asked == ["/connectors?expand=status"]


def test_the_command_line_reads_workers_by_their_address() -> None:
    out = BytesIO()
    with worker() as (url, _):
        status = assign.main(("--connect-url", url, "--more", "1"), None, out, StringIO())

    assert status == 0
    assert loads(out.getvalue())["kind"] == "connect"


def test_a_server_that_is_not_listed_is_not_asked() -> None:
    with worker() as (url, asked), pytest.raises(PropertyError, match="may not connect"):
        connectors(url, access_to(["connect.example.com:8083"]))

    assert asked == []


def test_a_redirect_is_not_followed() -> None:
    with (
        worker() as (other, asked),
        worker(302, (("Location", f"{other}/connectors"),)) as (url, _),
        pytest.raises(LiveError, match="status 302"),
    ):
        connectors(url, Access())

    assert asked == []


def test_a_login_and_an_absent_worker_are_told_apart() -> None:
    with worker(401) as (url, _), pytest.raises(DeniedError, match="login"):
        connectors(url)
    with pytest.raises(UnreachableError, match="No worker answered"):
        connectors(url, timeout_s=2)


@pytest.mark.parametrize(
    "url", ["", "ftp://host:1", "http://", "http://u:secret@host:8083", "http://host:x"]
)
def test_what_is_no_address_is_refused_without_being_quoted(url: str) -> None:
    with pytest.raises(PropertyError) as refused:
        connectors(url)

    assert "secret" not in str(refused.value)
