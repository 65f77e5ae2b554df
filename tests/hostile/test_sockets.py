"""Strangers on WebSockets: many of them, silent ones, and what no page of ours says."""

import asyncio
import logging
import subprocess
import sys
from dataclasses import dataclass, field

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from tests.test_assign import ROOT
from ui.log_lines import MinuteLog
from ui.sockets import Sockets
from ui.uploads import MOST_FILES, Uploads

SCOPE: Scope = {"type": "websocket", "subprotocols": ["streamlit", "token"]}
RUN = BackMsg()
RUN.rerun_script.query_string = ""


@dataclass
class Clock:
    """Seconds that pass when a test says so."""

    now_s: float = 0.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Visitor:
    """A browser's end of a socket, and what the application heard of it."""

    sockets: Sockets
    address: str = "10.0.0.1"
    said: "asyncio.Queue[Message]" = field(default_factory=asyncio.Queue)
    told: list[Message] = field(default_factory=list)
    heard: list[Message] = field(default_factory=list)
    task: "asyncio.Task[None] | None" = None

    async def come(self) -> "Visitor":
        self.said.put_nowait({"type": "websocket.connect"})
        scope = {**SCOPE, "client": (self.address, 1)}
        self.task = asyncio.create_task(
            self.sockets.serve(self._app, scope, self.said.get, self._send)
        )
        return await self.settle()

    async def say(self, *messages: BackMsg | bytes) -> "Visitor":
        for each in messages:
            frame = each if isinstance(each, bytes) else each.SerializeToString()
            self.said.put_nowait({"type": "websocket.receive", "bytes": frame})
        return await self.settle()

    async def settle(self) -> "Visitor":
        for _ in range(20):
            await asyncio.sleep(0)
        return self

    @property
    def is_closed(self) -> bool:
        return any(message["type"] == "websocket.close" for message in self.told)

    async def _send(self, message: Message) -> None:
        self.told.append(message)

    async def _app(self, _: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            self.heard.append(message)
            if message["type"] == "websocket.connect":
                await send({"type": "websocket.accept", "subprotocol": "streamlit"})


def sockets(most: int = 10, silent_s: float = 10.0, clock: Clock | None = None) -> Sockets:
    uploads = Uploads(lambda: MemoryUploadedFileManager(""), lambda _: True)
    return Sockets(uploads, most, silent_s, 60.0, clock or Clock())


def test_the_application_hears_of_a_visitor_with_the_first_message() -> None:
    async def visit() -> tuple[int, list[Message], Visitor]:
        visitor = await Visitor(sockets()).come()
        before, told = len(visitor.heard), [*visitor.told]
        return before, told, await visitor.say(RUN)

    before, told, visitor = asyncio.run(visit())

    assert (before, told) == (0, [{"type": "websocket.accept", "subprotocol": "streamlit"}])
    assert [message["type"] for message in visitor.heard] == [
        "websocket.connect",
        "websocket.receive",
    ]
    assert visitor.told == told


def test_who_says_nothing_is_closed() -> None:
    async def visits() -> list[bool]:
        shared = sockets(silent_s=0.05)
        silent = await Visitor(shared).come()
        speaking = await (await Visitor(shared).come()).say(RUN)
        await asyncio.sleep(0.1)
        return [silent.is_closed, speaking.is_closed]

    assert asyncio.run(visits()) == [True, False]


def test_the_silent_make_room_first_then_the_idle_and_nobody_who_speaks() -> None:
    async def visits() -> list[list[bool]]:
        clock, seen = Clock(), []
        shared = sockets(most=2, clock=clock)
        first = await (await Visitor(shared).come()).say(RUN)
        silent = await Visitor(shared).come()
        third = await (await Visitor(shared).come()).say(RUN)
        everybody = [first, silent, third]
        seen.append([each.is_closed for each in everybody])
        clock.now_s = 59.0
        await third.say(RUN)
        everybody.append(await Visitor(shared).come())
        seen.append([each.is_closed for each in everybody])
        clock.now_s = 61.0
        everybody.append(await Visitor(shared).come())
        seen.append([each.is_closed for each in everybody])
        return seen

    full, busy, idle = asyncio.run(visits())

    assert full == [False, True, False]
    assert busy == [False, True, False, True]
    assert idle == [True, True, False, True, False]


def test_an_address_that_holds_most_places_makes_room_for_another_and_not_for_itself() -> None:
    async def visits() -> list[bool]:
        shared = sockets(most=4)
        many = [await (await Visitor(shared).come()).say(RUN) for _ in range(3)]
        other = await (await Visitor(shared, "10.0.0.2").come()).say(RUN)
        own = await Visitor(shared).come()
        third = await (await Visitor(shared, "10.0.0.3").come()).say(RUN)
        fourth = await Visitor(shared, "10.0.0.4").come()
        return [each.is_closed for each in (*many, other, own, third, fourth)]

    assert asyncio.run(visits()) == [True, False, False, False, True, False, True]


def _saying(kind: str) -> BackMsg:
    asked = BackMsg()
    match kind:
        case "rerun_script":
            asked.rerun_script.query_string = "a=b"
        case "file_urls_request":
            asked.file_urls_request.file_names.append("a.csv")
        case "too_many_files":
            asked.file_urls_request.file_names.extend(["a"] * (MOST_FILES + 1))
        case "deferred_file" | "dataframe_chunk" | "install_skills" | "dismiss_skills_nudge":
            getattr(asked.backend_operation_request, kind).SetInParent()
        case _:
            setattr(asked, kind, True)
    return asked


SENT_BY_PAGES = {"rerun_script", "stop_script", "file_urls_request", "deferred_file"}
SENT_BY_PAGES |= {"dataframe_chunk"}
KINDS = {
    *(field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields),
    *("deferred_file", "dataframe_chunk", "install_skills", "dismiss_skills_nudge"),
    "too_many_files",
} - {"backend_operation_request"}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_what_our_pages_send_passes_and_nothing_else(kind: str) -> None:
    async def visit() -> Visitor:
        return await (await (await Visitor(sockets()).come()).say(RUN)).say(_saying(kind), RUN)

    visitor = asyncio.run(visit())

    heard = [message["bytes"] for message in visitor.heard if "bytes" in message]
    passed = heard == [each.SerializeToString() for each in (RUN, _saying(kind), RUN)]
    assert passed == (kind in SENT_BY_PAGES)
    assert not visitor.is_closed


def test_what_strangers_cause_is_a_line_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    log = MinuteLog(logging.getLogger("strangers"), clock)

    for second in range(121):
        clock.now_s = second
        log.write("refused")

    assert [record.getMessage() for record in caplog.records] == [
        "refused",
        "refused (59 such lines were left out before it.)",
        "refused (59 such lines were left out before it.)",
    ]


def test_the_server_raises_the_limit_of_open_files_that_a_shell_leaves() -> None:
    program = (
        "import resource; from processes.limits import raise_open_files, open_files; "
        "from ui.sockets import most_sockets; print(open_files(), most_sockets()); "
        "raise_open_files(); print(open_files(), most_sockets(), "
        "resource.getrlimit(resource.RLIMIT_NOFILE)[1])"
    )

    said = subprocess.run(  # noqa: S603 -- ours
        ["/bin/sh", "-c", f'ulimit -S -n 1024 && exec "{sys.executable}" -c "{program}"'],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()

    assert said[0] == "1024 110"
    now, places, hard = map(int, said[1].split())
    assert now == min(hard, 65_536) if hard >= 0 else 65_536
    assert places == min(1_000, (now - 584) // 4)
