"""Strangers on connections: many that ask nothing, half a request, an answer that nobody takes."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from ui.connections import Connection, Connections, watch

_HALF = b"GET / HTTP/1.1\r\nHost: h\r\nX-"
_WHOLE = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"
_LARGE = PlainTextResponse("x" * 50_000_000)


@pytest.fixture(autouse=True)
def _unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give uvicorn its own protocol back after each test."""
    for name in ("connection_made", "handle_websocket_upgrade", "connection_lost"):
        monkeypatch.setattr(AutoHTTPProtocol, name, getattr(AutoHTTPProtocol, name))


@asynccontextmanager
async def _server(
    connections: Connections, listening: socket.socket | None = None
) -> AsyncIterator[int]:
    watch(connections)
    config = uvicorn.Config(_LARGE, port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listening] if listening else None))
    while not server.started:  # noqa: ASYNC110 -- uvicorn has no event for it
        await asyncio.sleep(0.01)
    yield (listening or server.servers[0].sockets[0]).getsockname()[1]
    server.should_exit = server.force_exit = True
    await serving


async def _is_closed(port: int, *said: bytes) -> bool:
    """Say something, read nothing of any answer, and return whether the server ends it."""
    _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
    for each in said:
        writer.write(each)
        await asyncio.sleep(0.05)
    try:
        async with asyncio.timeout(5.0):
            while not writer.is_closing():
                writer.write(b"-")
                await writer.drain()
                await asyncio.sleep(0.05)
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    finally:
        writer.transport.abort()
    return True


@pytest.mark.parametrize("said", [(), (_HALF,), (b"G", b"E")], ids=["nothing", "half", "letters"])
def test_who_sends_no_whole_request_is_closed(said: tuple[bytes, ...]) -> None:
    async def visit() -> bool:
        async with _server(Connections(10, head_s=0.2)) as port:
            return await _is_closed(port, *said)

    assert asyncio.run(visit())


def test_who_reads_no_answer_is_closed() -> None:
    async def visit() -> bool:
        async with _server(Connections(10, head_s=0.1, unread_s=0.1)) as port:
            return await _is_closed(port, _WHOLE)

    assert asyncio.run(visit())


def test_who_reads_slowly_gets_the_whole_answer() -> None:
    async def visit() -> int:
        async with _server(Connections(10, head_s=0.05)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(_WHOLE)
            await asyncio.sleep(0.2)  # several heads' time
            size = 0
            while size < len(_LARGE.body) and (part := await reader.read(1_000_000)):
                size += len(part)
            writer.transport.abort()
            return size

    assert asyncio.run(visit()) >= len(_LARGE.body)


def test_those_that_ask_nothing_make_room_for_who_does() -> None:
    async def visits() -> bytes:
        async with _server(Connections(3, head_s=60.0)) as port:
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(10)]
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(_WHOLE)
            answer = await asyncio.wait_for(reader.read(12), 5.0)
            for _, each in [*silent, (reader, writer)]:
                each.transport.abort()
            return answer

    assert asyncio.run(visits()) == b"HTTP/1.1 200"


def test_no_answer_waits_for_the_packet_before_it_to_be_acknowledged() -> None:
    """Streamlit's sockets name no protocol, for which asyncio leaves Nagle's algorithm on."""
    seen: list[int] = []

    class Noting(Connections):
        def begin(self, connection: Connection) -> None:
            opened: socket.socket = connection.transport.get_extra_info("socket")
            seen.append(opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            super().begin(connection)

    async def visit() -> None:
        listening = socket.create_server(("127.0.0.1", 0))
        assert listening.proto == 0
        async with _server(Noting(10), listening) as port:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            while not seen:  # noqa: ASYNC110 -- the server has no event for it
                await asyncio.sleep(0.01)
            writer.transport.abort()

    asyncio.run(visit())
    assert seen[0] != 0
