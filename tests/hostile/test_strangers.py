"""What strangers send past the pages: foreign Origins, rebound names, garbage, wrong settings."""

import asyncio
import os
import random
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import InvalidStatus, Origin, Subprotocol
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.dashboard import serving
from processes.limits import MEMORY_LIMIT, REFINING_LIMIT, TIME_LIMIT, check
from tests.test_assign import ROOT

pytestmark = pytest.mark.slow
EVIL: Final = "evil.test"
_DEEP: Final = 5_000
_HOSTS: Final = ("", "http://", "https://", "ws://", "null", "file://", "http://[::", "//", "http:")
_NAMES: Final = ("evil.test", "localhost", "127.0.0.1", "0.0.0.0", "[::1]", "10.0.0.1", "x" * 7_000)  # noqa: S104 -- an Origin


class Server(NamedTuple):
    """A dashboard, its log, and the requests it made to other hosts."""

    address: str
    log: Path
    asked: list[bytes]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[list[bytes]]:
    """What this process and its servers ask of other hosts: all goes to a proxy, which notes it."""
    asked: list[bytes] = []

    def note(listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                asked.append(connection.recv(1_000))

    with socket.create_server(("127.0.0.1", 0)) as listening, pytest.MonkeyPatch.context() as patch:
        proxy = f"http://127.0.0.1:{listening.getsockname()[1]}"
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
            patch.setenv(name, proxy)
        for name in ("no_proxy", "NO_PROXY"):
            patch.setenv(name, "")
        threading.Thread(target=note, args=(listening,), daemon=True).start()
        yield asked
        listening.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, elsewhere: list[bytes]) -> Iterator[Server]:
    """This module's dashboard."""
    log = tmp_path_factory.mktemp("strangers") / "log"
    with log.open("wb") as errors, serving(errors=errors) as address:
        yield Server(address, log, elsewhere)


def _socket(server: Server, host: str, origin: str | None) -> connect:
    return connect(
        f"ws://{host}:{server.port}/_stcore/stream",
        host="127.0.0.1",
        port=server.port,
        proxy=None,
        origin=None if origin is None else Origin(origin),
        subprotocols=[Subprotocol("streamlit")],
        max_size=None,
        close_timeout=0.1,  # as in benchmarks.load
    )


async def _is_let_in(server: Server, host: str, origin: str | None) -> bool:
    try:
        async with _socket(server, host, origin):
            return True
    except InvalidStatus as refused:
        assert refused.response.status_code == 403  # noqa: PT017 -- the other outcome
        return False


def _request(address: str, **headers: str) -> urllib.request.Request:
    return urllib.request.Request(address, headers=headers)  # noqa: S310 -- this test's own server


_OPENER: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def test_a_page_of_this_server_or_no_page_at_all_is_let_in(server: Server) -> None:
    for origin in (server.address, None):
        assert asyncio.run(_is_let_in(server, "127.0.0.1", origin))


@pytest.mark.parametrize(
    "origin",
    ["https://evil.test", "http://localhost:1", "null", "http://127.0.0.1.evil.test", "http://[::"],
)
def test_a_foreign_origin_is_refused_and_no_other_host_is_asked(
    server: Server, origin: str
) -> None:
    assert not asyncio.run(_is_let_in(server, "127.0.0.1", origin))

    with pytest.raises(urllib.error.HTTPError, match="403"):
        _OPENER.open(_request(server.address, Origin=origin))

    assert server.asked == []


def _drawn_origin(number: int) -> str:
    drawn = random.Random(number)  # noqa: S311 -- the same Origin for the same number
    port = drawn.choice(["", ":1", ":99999", ":x", "@evil.test", "/", "#", "?"])
    return drawn.choice(_HOSTS) + drawn.choice(_NAMES[: 7 if drawn.random() < 0.01 else 6]) + port


@pytest.mark.parametrize(
    "count", [pytest.param(40), pytest.param(_DEEP, marks=pytest.mark.deep, id="deep")]
)
def test_no_drawn_origin_makes_the_server_ask_another_host(server: Server, count: int) -> None:
    async def all_refused() -> list[str]:
        drawn = map(_drawn_origin, range(count))
        return [origin for origin in drawn if await _is_let_in(server, "127.0.0.1", origin)]

    assert asyncio.run(all_refused()) == []
    assert server.asked == []
    assert "Traceback" not in server.log.read_text()


def test_a_start_for_all_addresses_asks_no_other_host(elsewhere: list[bytes]) -> None:
    before = len(elsewhere)

    with serving(listening_on="0.0.0.0") as address:  # noqa: S104 -- a public page, for a moment
        _OPENER.open(_request(f"{address}/_stcore/health")).close()

    assert elsewhere[before:] == []


def test_a_page_that_rebinds_its_name_to_this_machine_is_not_offered_the_network(
    server: Server,
) -> None:
    async def shown(host: str) -> bytes:
        async with _socket(server, host, f"http://{host}:{server.port}") as visitor:
            return await _page(visitor, "start=Connect")

    assert b"connect_servers" in asyncio.run(shown("127.0.0.1"))
    assert b"connect_servers" not in asyncio.run(shown(EVIL))


async def _page(visitor: ClientConnection, query: str) -> bytes:
    asked = BackMsg()
    asked.rerun_script.query_string = query
    await visitor.send(asked.SerializeToString())
    said = b""
    async for data in visitor:
        frame = data if isinstance(data, bytes) else data.encode()
        said += frame
        if ForwardMsg.FromString(frame).WhichOneof("type") == "script_finished":
            break
    return said


def test_a_server_takes_the_files_that_a_page_asks_for_and_no_others(server: Server) -> None:
    async def statuses() -> list[int]:
        async with _socket(server, "127.0.0.1", server.address) as visitor:
            asked = BackMsg()
            asked.file_urls_request.file_names.append("a.csv")
            await visitor.send(asked.SerializeToString())
            async for data in visitor:
                answer = ForwardMsg.FromString(data if isinstance(data, bytes) else b"")
                if answer.WhichOneof("type") == "file_urls_response":
                    break
            path = answer.file_urls_response.file_urls[0].upload_url
            unknown = path.rpartition("/")[0] + "/unknown"
            return [await asyncio.to_thread(_put, server, each) for each in (unknown, path)]

    assert asyncio.run(statuses()) == [403, 204]


def _put(server: Server, path: str) -> int:
    """Upload a file as a browser does; return the status."""
    with _OPENER.open(_request(f"{server.address}/_stcore/health")) as answer:
        token = answer.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
    body = (
        b'--edge\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'
        b"topic\r\n--edge--\r\n"
    )
    request = urllib.request.Request(  # noqa: S310 -- this test's own server
        server.address + path,
        data=body,
        method="PUT",
        headers={
            "Content-Type": "multipart/form-data; boundary=edge",
            "Cookie": f"_streamlit_xsrf={token}",
            "X-Xsrftoken": token,
        },
    )
    try:
        with _OPENER.open(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_garbage_on_sockets_leaves_no_traceback_in_the_log(server: Server) -> None:
    async def thrown(number: int) -> None:
        frame: bytes | str = random.Random(number).randbytes(60)  # noqa: S311 -- repeatable
        async with _socket(server, "127.0.0.1", server.address) as visitor:
            await visitor.send((frame, "text", b"", BackMsg().SerializeToString())[number % 4])
            async for _ in visitor:
                pass

    async def all_thrown() -> None:
        await asyncio.gather(*map(thrown, range(20)), return_exceptions=True)

    asyncio.run(all_thrown())
    for number in range(20):
        _throw_bytes(server, number)

    assert "Traceback" not in server.log.read_text()
    with _OPENER.open(_request(server.address)) as page:
        assert page.status == 200


def _throw_bytes(server: Server, number: int) -> None:
    """Send what is no HTTP, or after a handshake what is no frame, or text that is not UTF-8."""
    noise = random.Random(number).randbytes(300)  # noqa: S311 -- repeatable
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        if number % 2:
            connection.sendall(
                f"GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            connection.recv(1_000)
            noise = noise if number % 4 == 1 else b"\x81\x85\0\0\0\0\xff\xfe\xfd\xfc\xfb"
        connection.sendall(noise + b"\r\n\r\n")
        connection.recv(1_000)


def test_no_other_page_can_frame_this_one_and_types_are_not_guessed(server: Server) -> None:
    for path in ("", "/_stcore/health", "/_stcore/host-config", "/no-such-page"):
        with _OPENER.open(_request(server.address + path)) as page:
            assert page.headers["X-Frame-Options"] == "SAMEORIGIN"
            assert page.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
            assert page.headers["X-Content-Type-Options"] == "nosniff"
            assert page.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        *((REFINING_LIMIT, value) for value in ("60s", "", "-1", "inf", "nan")),
        *((TIME_LIMIT, value) for value in ("60s", "1m", "", "0", "-5", "inf", "nan")),
        *((MEMORY_LIMIT, value) for value in ("8G", "8GiB", "512", "-1")),
    ],
)
def test_a_wrong_setting_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)

    with pytest.raises(SystemExit) as refused:
        check()

    assert str(refused.value).startswith(f"{variable}={value}: expected a plain number of ")
    assert "\n" not in str(refused.value)


@pytest.mark.proof
def test_a_server_with_a_wrong_setting_does_not_start() -> None:
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    started = subprocess.run(  # noqa: S603 -- our own server
        [*command, "--server.port=0"],
        cwd=ROOT,
        env={**os.environ, TIME_LIMIT: "60s"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert started.returncode == 1
    assert started.stderr.startswith(f"{TIME_LIMIT}=60s: expected")
    assert started.stderr.count("\n") == 1
