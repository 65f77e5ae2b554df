"""The WebSockets of visitors: how many at once, how long one may stay silent, what it may send.

A socket costs a stranger nothing and the server open files, a session and its memory. Streamlit
limits none of it, lets any visitor clear the caches of all, and logs a traceback for every frame
that it cannot read.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from processes.limits import open_files
from ui.log_lines import MinuteLog
from ui.uploads import MOST_FILES, Uploads

_PROTOCOL_ERROR, _TRY_AGAIN_LATER = 1002, 1013
SILENT_S: Final = 10.0
"""A browser's first message follows its socket at once; nobody waits longer for one."""
IDLE_S: Final = 60.0
"""So long a visitor says nothing before the socket may make room for another's."""
MOST: Final = 1_000
"""Sockets at once, where the system allows the files."""
_FILES_KEPT, _FILES_OF_A_SOCKET = 584, 4
"""Open files for all else, most of them of 128 sessions that Streamlit keeps for two minutes, and
those of a visitor: the socket, and an event loop for the session's scripts."""
_OPERATIONS: Final = frozenset({"deferred_file", "dataframe_chunk"})
_LONGEST_ADDRESSES: Final = 1_000_000
"""Bytes of a message with the addresses of ``MOST_FILES`` uploads, amply."""


def most_sockets() -> int:
    """Return how many sockets this process may hold, so that files remain for all else."""
    return max(min(MOST, (open_files() - _FILES_KEPT) // _FILES_OF_A_SOCKET), 1)


@dataclass(eq=False)
class _Socket:
    """A visitor's connection."""

    heard_s: float
    """When the visitor last said something."""
    address: str = ""
    has_spoken: bool = False
    is_ended: bool = False
    """Whether another visitor has its place."""
    wait: "asyncio.Future[Message] | None" = None
    """What the visitor says next."""
    sessions: set[str] = field(default_factory=set)
    """Those that were given addresses for uploads."""
    addresses_due: int = 0


class Sockets:
    """The WebSockets of one server."""

    def __init__(
        self,
        uploads: Uploads,
        most: int | None = None,
        silent_s: float = SILENT_S,
        idle_s: float = IDLE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with none."""
        self._uploads = uploads
        self._most = most_sockets() if most is None else most
        self._silent_s, self._idle_s, self._clock = silent_s, idle_s, clock
        self._open: dict[_Socket, None] = {}
        self._log = MinuteLog(logging.getLogger(__name__))

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a visitor in if there is room; pass on what a page of ours sends, and no more.

        The application hears of a visitor with the first message, so that a silent one costs
        neither a session nor its files.
        """
        address = (scope.get("client") or ("",))[0]
        if not self._has_room(address):
            self._log.write(f"All {self._most} places for visitors are taken; one was refused.")
            await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})
            return
        socket = _Socket(self._clock(), address)
        self._open[socket] = None
        heard = self._heard(socket, receive, send)
        try:
            begun = [await receive()]
            await send({"type": "websocket.accept", "subprotocol": _protocol(scope)})
            begun.append(await heard())
            if begun[-1]["type"] == "websocket.receive":
                await app(scope, _after(begun, heard), self._said(socket, send))
        finally:
            self._open.pop(socket, None)
            for session in socket.sessions:
                self._uploads.leave(session)

    def _has_room(self, address: str) -> bool:
        """Make room, if there is none, by ending the first silent or the longest idle socket.

        Where none is idle, an address that holds more than half of the places gives one to another.
        """
        if len(self._open) < self._most:
            return True
        first = min(self._open, key=_waits)
        if first.has_spoken and self._clock() - first.heard_s < self._idle_s:
            held = Counter(socket.address for socket in self._open)
            most = max(held, key=held.__getitem__)
            if most == address or 2 * held[most] <= self._most:
                return False
            first = min((each for each in self._open if each.address == most), key=_waits)
        first.is_ended = True
        self._open.pop(first)
        if first.wait is not None:
            first.wait.cancel()
        self._log.write(f"All {self._most} places for visitors were taken; one was freed.")
        return True

    def _heard(self, socket: _Socket, receive: Receive, send: Send) -> Receive:
        """Return ``receive`` for what a page of ours sends; whatever is no message ends it."""

        async def received() -> Message:
            while True:
                try:
                    message = await self._next(socket, receive)
                except TimeoutError:
                    self._log.write("A visitor's socket that said nothing was closed.")
                    return await _closed(send, _TRY_AGAIN_LATER)
                except asyncio.CancelledError:
                    if not socket.is_ended:
                        raise
                    return await _closed(send, _TRY_AGAIN_LATER)
                if message["type"] != "websocket.receive":
                    return message
                asked = _read(message.get("bytes"))
                if asked is None:
                    return await _closed(send, _PROTOCOL_ERROR)
                if _is_of_a_page(asked):
                    socket.has_spoken, socket.heard_s = True, self._clock()
                    socket.addresses_due += asked.HasField("file_urls_request")
                    return message

        return received

    async def _next(self, socket: _Socket, receive: Receive) -> Message:
        socket.wait = asyncio.ensure_future(receive())
        left_s = socket.heard_s + self._silent_s - self._clock()
        try:
            return await asyncio.wait_for(socket.wait, None if socket.has_spoken else left_s)
        finally:
            socket.wait = None

    def _said(self, socket: _Socket, send: Send) -> Send:
        async def sent(message: Message) -> None:
            if message["type"] == "websocket.accept" or socket.is_ended:
                return
            frame = message.get("bytes")
            if socket.addresses_due and frame and len(frame) < _LONGEST_ADDRESSES:
                offered = self._uploads.offer(frame)
                socket.addresses_due -= bool(offered)
                socket.sessions |= offered
            await send(message)

        return sent


def _waits(socket: _Socket) -> tuple[bool, float]:
    """Order sockets: the silent ones first, then by when they were heard."""
    return socket.has_spoken, socket.heard_s


def _protocol(scope: Scope) -> str | None:
    """Return the subprotocol that Streamlit would choose; the others in the list are tokens."""
    return next(iter(scope["subprotocols"]), None)


def _after(begun: list[Message], heard: Receive) -> Receive:
    """Return ``receive`` for messages that have been read, and then for those to come."""

    async def received() -> Message:
        return begun.pop(0) if begun else await heard()

    return received


async def _closed(send: Send, code: int) -> Message:
    await send({"type": "websocket.close", "code": code})
    return {"type": "websocket.disconnect", "code": code}


def _read(frame: bytes | None) -> BackMsg | None:
    """Return a message of Streamlit's, or None for anything else."""
    try:
        asked = None if frame is None else BackMsg.FromString(frame)
    except DecodeError:
        return None
    return asked if asked is not None and asked.WhichOneof("type") else None


def _is_of_a_page(asked: BackMsg) -> bool:
    """Return whether our pages send this: a run, its end, an upload's address, a table, a file.

    What they do not send passes for nothing: ``clear_cache`` of a developer's menu would empty
    the caches of all visitors, ``install_skills`` would write files.
    """
    match asked.WhichOneof("type"):
        case "rerun_script":
            return True
        case "stop_script":
            return bool(asked.stop_script)
        case "file_urls_request":
            return len(asked.file_urls_request.file_names) <= MOST_FILES
        case "backend_operation_request":
            return asked.backend_operation_request.WhichOneof("payload") in _OPERATIONS
    return False
