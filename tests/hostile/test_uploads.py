"""Strangers who upload: files that no page asked for, more than fits, and files left behind."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from statistics import median
from time import process_time

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from ui.uploads import MOST_FILES, Uploads, Waits


@dataclass
class Server:
    """A server's uploads, of which a session may hold 100 bytes and all sessions 150."""

    here: set[str] = field(default_factory=lambda: {"s", "t", "u"})
    files: MemoryUploadedFileManager = field(default_factory=lambda: MemoryUploadedFileManager(""))

    def __post_init__(self) -> None:
        self.uploads = Uploads(
            lambda: self.files,
            self.here.__contains__,
            most_of_session=100,
            most_of_server=150,
            waits=Waits(grace_s=0.05, silent_s=0.2),
        )

    def ask(self, session: str, *ids: str) -> set[str]:
        """Give a page the addresses of files, as the server does when a visitor chooses some."""
        given = ForwardMsg()
        for each in ids:
            url = given.file_urls_response.file_urls.add()
            url.file_id, url.upload_url = each, f"/_stcore/upload_file/{session}/{each}"
        return self.uploads.offer(given.SerializeToString())

    async def put(
        self, session: str, file: str, *chunks: bytes, declared: int | None = None
    ) -> int:
        """Upload a file; return the status."""

        async def body() -> AsyncIterator[bytes]:
            for chunk in chunks:
                await asyncio.sleep(0)
                yield chunk

        size = sum(map(len, chunks)) if declared is None else declared
        return await self.drip(session, file, body(), size)

    async def drip(self, session: str, file: str, body: AsyncIterator[bytes], size: int = 0) -> int:
        """Upload a file as it comes; return the status."""
        scope: Scope = {
            "type": "http",
            "method": "PUT",
            "path": f"/base/_stcore/upload_file/{session}/{file}",
            "headers": [(b"content-length", str(size).encode())],
        }
        sent: list[Message] = []

        async def receive() -> Message:
            chunk = await anext(body, None)
            more = chunk is not None
            return {"type": "http.request", "body": chunk or b"", "more_body": more}

        async def send(message: Message) -> None:
            sent.append(message)

        assert self.uploads.is_upload(scope)
        await self.uploads.serve(self._app, scope, receive, send)
        return int(sent[0]["status"])

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Do what Streamlit does: read a file to its end, and keep it."""
        data, more = b"", True
        while more:
            message = await receive()
            data += message["body"]
            more = message["more_body"]
        session, file = scope["path"].split("/")[-2:]
        self.files.add_file(session, UploadedFileRec(file, "a.csv", "text/csv", data))
        await send({"type": "http.response.start", "status": 204, "headers": []})

    @property
    def held(self) -> int:
        return sum(
            len(file.data) for files in self.files.file_storage.values() for file in files.values()
        )


def test_a_file_that_no_page_asked_for_is_refused() -> None:
    server = Server()
    server.ask("s", "known")

    assert asyncio.run(server.put("s", "unknown", b"x")) == 403
    assert asyncio.run(server.put("t", "known", b"x")) == 403
    assert asyncio.run(server.put("s", "known/", b"x")) == 403
    assert asyncio.run(server.put("s", "known", b"x")) == 204
    assert server.held == 1


@pytest.mark.parametrize("declared", [None, 0, 1])
def test_bytes_are_counted_as_they_arrive_for_each_session_and_for_all(
    declared: int | None,
) -> None:
    server = Server()
    for session in "stu":
        server.ask(session, "a", "b")

    async def puts() -> list[int]:
        return [
            await server.put("s", "a", b"x" * 60, declared=declared),
            await server.put("s", "b", b"x" * 30, b"x" * 30, declared=declared),  # 120 of 100
            await server.put("t", "a", b"x" * 75, declared=declared),
            await server.put("u", "a", b"x" * 76, declared=declared),  # 211 of 150, and the most
            await server.put("u", "b", b"x" * 15, declared=declared),
        ]

    assert asyncio.run(puts()) == [204, 413, 204, 413, 204]
    assert server.held == 150


def test_files_on_their_way_at_once_are_counted_together() -> None:
    server = Server()
    server.ask("s", "a", "b", "c")

    async def puts() -> list[int]:
        chunks = [b"x" * 10] * 4
        return await asyncio.gather(*(server.put("s", each, *chunks, declared=0) for each in "abc"))

    assert sorted(asyncio.run(puts())) == [204, 204, 413]
    assert server.held == 80


def test_who_leaves_frees_what_was_uploaded_and_who_returns_finds_it() -> None:
    server = Server()

    async def visits() -> list[int]:
        seen = []
        for session in "st":
            server.ask(session, "a")
            await server.put(session, "a", b"x" * 50)
        server.here.discard("s")
        for session in "st":
            server.uploads.leave(session)
        seen.append(server.held)
        await asyncio.sleep(0.1)
        seen.extend([server.held, await server.put("s", "a", b"x"), server.held])
        return seen

    assert asyncio.run(visits()) == [100, 50, 403, 50]


def test_a_session_has_a_number_of_files() -> None:
    server = Server()

    async def puts() -> list[int]:
        server.ask("s", "first")
        before = await server.put("s", "first", b"x")
        server.ask("s", *map(str, range(MOST_FILES)))
        return [before, await server.put("s", "first", b"x"), await server.put("s", "0", b"x")]

    assert asyncio.run(puts()) == [204, 403, 204]
    assert server.held == 1


@pytest.mark.parametrize("is_here", [True, False])
def test_a_file_that_stops_on_its_way_is_dropped_and_so_is_one_whose_visitor_left(
    is_here: bool,
) -> None:
    server = Server()
    for session in "st":
        server.ask(session, "a")

    async def drips() -> AsyncIterator[bytes]:
        yield b"x" * 90
        for _ in range(100):
            await asyncio.sleep(0.02)
            yield b"x" * (not is_here)

    async def statuses() -> list[int]:
        begun = asyncio.create_task(server.drip("s", "a", drips()))
        await asyncio.sleep(0.02)
        full = await server.put("t", "a", b"x" * 95)
        if not is_here:
            server.here.discard("s")
            server.uploads.leave("s")
        ended = await asyncio.wait_for(begun, 1.5)
        return [full, ended, await server.put("t", "a", b"x" * 95)]

    assert asyncio.run(statuses()) == [413, 408 if is_here else 403, 204]


def test_who_holds_most_makes_room_for_who_holds_less() -> None:
    server = Server()
    for session in "stu":
        server.ask(session, "a", "b")

    async def puts() -> list[int]:
        return [
            await server.put("s", "a", b"x" * 50),
            await server.put("s", "b", b"x" * 50),
            await server.put("t", "a", b"x" * 50),
            await server.put("u", "a", b"x" * 50),  # in the place of the oldest of s
            await server.put("t", "b", b"x" * 10),  # s holds no more than t would
        ]

    assert asyncio.run(puts()) == [204, 204, 204, 204, 413]
    assert {each: [*files] for each, files in server.files.file_storage.items()} == {
        "s": ["b"],
        "t": ["a"],
        "u": ["a"],
    }


def test_a_large_file_on_its_way_makes_room_at_once() -> None:
    server = Server()
    for session in "st":
        server.ask(session, "a")
    has_come = asyncio.Event()

    async def stuck() -> AsyncIterator[bytes]:
        yield b"x" * 90
        has_come.set()
        await asyncio.Event().wait()

    async def statuses() -> list[int]:
        slow = asyncio.create_task(server.drip("s", "a", stuck()))
        await has_come.wait()
        return [await server.put("t", "a", b"x" * 70), await slow]

    assert asyncio.run(statuses()) == [204, 413]
    assert server.held == 70


def test_a_chunk_costs_the_same_however_many_files_are_held() -> None:
    server = Server()
    server.uploads = Uploads(lambda: server.files, server.here.__contains__)

    async def one(file: int) -> float:
        server.ask("s", str(file))
        began_s = process_time()
        await server.put("s", str(file), *[b"x"] * 20)
        return process_time() - began_s

    async def costs() -> list[float]:
        return [await one(file) for file in range(MOST_FILES)]

    found = asyncio.run(costs())

    assert median(found[-100:]) < 3 * median(found[:100])
