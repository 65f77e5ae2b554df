"""What visitors upload: only what a page asked them for, within bytes for each and for all.

Streamlit takes any number of files under any name, from whoever knows a session's id, and keeps
them until it forgets the session, which may be never.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

MOST_OF_SESSION: Final = 400_000_000
"""Bytes of one session's files: two of the largest, one of which replaces the other."""
MOST_OF_SERVER: Final = 1 << 30
"""Bytes of the files of all sessions."""
MOST_FILES: Final = 1_000
"""Files of a session that may be on their way or held."""
_LEAST: Final = 100_000
"""A file on its way brings at least this much in each ``Waits.silent_s``, or is dropped; bytes."""
_ADDRESS: Final = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)$")
_UNKNOWN: Final = "No page asked for this file."
_TOO_MUCH: Final = "The files that you uploaded take too much memory; remove some and try again."
_TOO_SLOW: Final = "The upload stopped on its way; try again."
_SERVER_FULL: Final = "This server holds too many uploads at the moment; try again in a minute."
_FOR_ANOTHER: Final = "This upload made room for another visitor's; try again in a minute."
_STATUSES: Final = {
    _UNKNOWN: 403,
    _TOO_SLOW: 408,
    _TOO_MUCH: 413,
    _SERVER_FULL: 413,
    _FOR_ANOTHER: 413,
}


class _GivenUpError(Exception):
    """A file is larger than what is left, or comes no further; the text says why."""


class Waits(NamedTuple):
    """How long a server waits for visitors."""

    grace_s: float = 60.0
    """A browser that lost its connection comes back within this, to its files."""
    silent_s: float = 30.0
    """A file on its way goes on within this."""


_WAITS: Final = Waits()


class _Coming:
    """A file on its way: how many bytes came, and by when more are due."""

    def __init__(self, receive: Receive, silent_s: float) -> None:
        self.came = 0
        self.is_given_up = False
        """Whether another visitor was given its place."""
        self._receive, self._silent_s = receive, silent_s
        self._wait: asyncio.Timeout | None = None
        self._due = 0
        self.add(0)

    async def heard(self) -> Message:
        try:
            async with asyncio.timeout_at(self._due_s) as self._wait:
                return await self._receive()
        except TimeoutError:
            raise _GivenUpError(_FOR_ANOTHER if self.is_given_up else _TOO_SLOW) from None

    def give_up(self) -> None:
        """End now, wherever it waits."""
        self.is_given_up = True
        self._due_s = 0.0
        if self._wait is not None and not self._wait.expired():
            self._wait.reschedule(self._due_s)

    def add(self, size: int) -> None:
        self.came += size
        if self.came >= self._due:
            self._due_s = asyncio.get_running_loop().time() + self._silent_s
            self._due = self.came + _LEAST


def _manager() -> MemoryUploadedFileManager:
    manager = Runtime.instance().uploaded_file_mgr
    assert isinstance(manager, MemoryUploadedFileManager)  # noqa: S101 -- Streamlit knows no other
    return manager


def _is_here(session: str) -> bool:
    return Runtime.exists() and Runtime.instance().is_active_session(session)


class Uploads:
    """The uploads of one server."""

    def __init__(
        self,
        manager: Callable[[], MemoryUploadedFileManager] = _manager,
        is_here: Callable[[str], bool] = _is_here,
        *,
        most_of_session: int = MOST_OF_SESSION,
        most_of_server: int = MOST_OF_SERVER,
        waits: Waits = _WAITS,
    ) -> None:
        """Begin with none."""
        self._manager, self._is_here, self._waits = manager, is_here, waits
        self._most_of_session, self._most_of_server = most_of_session, most_of_server
        self._offered: dict[str, dict[str, None]] = {}
        """Ids of files by session."""
        self._held: dict[str, dict[str, int]] = {}
        """Bytes of the files that came, by session, the oldest first."""
        self._coming: dict[str, list[_Coming]] = {}
        """Files on their way, by session."""
        self._bytes: Counter[str] = Counter()
        """The sum of both, by session: one addition a chunk, however many files there are."""
        self._all_bytes = 0

    def offer(self, frame: bytes) -> set[str]:
        """Note the files that the server asks for in a message, if any; return their sessions."""
        try:
            urls = ForwardMsg.FromString(frame).file_urls_response.file_urls
        except DecodeError:
            return set()
        found = [place.groups() for url in urls if (place := _ADDRESS.search(url.upload_url))]
        for session, file in found:
            ids = self._offered.setdefault(session, {})
            ids[file] = None
            while len(ids) > MOST_FILES:
                oldest = next(iter(ids))
                del ids[oldest]
                self._remove(session, oldest)
        return {session for session, _ in found}

    def leave(self, session: str) -> None:
        """Free a session's files unless its visitor comes back soon."""
        asyncio.get_running_loop().call_later(self._waits.grace_s, self._free, session)

    def _free(self, session: str) -> None:
        if not self._is_here(session):
            self._offered.pop(session, None)
            for file in [*self._held.get(session, ())]:
                self._remove(session, file)
            self._manager().remove_session_files(session)

    def is_upload(self, scope: Scope) -> bool:
        """Return whether a request brings or removes a file."""
        return scope["method"] in {"PUT", "DELETE"} and "/_stcore/upload_file/" in scope["path"]

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a file that a page asked for, while there is room for it."""
        place = _ADDRESS.search(scope["path"])
        session, file = place.groups() if place else ("", "")
        if file not in self._offered.get(session, {}):
            await PlainTextResponse(_UNKNOWN, 403)(scope, receive, send)
            return
        if scope["method"] == "DELETE":
            self._remove(session, file)
            await app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if why := self._why_not(session, int(declared) if declared.isdecimal() else 0):
            await PlainTextResponse(why, 413)(scope, receive, send)
            return
        await self._taken((session, file), app, scope, receive, send)

    async def _taken(
        self, place: tuple[str, str], app: ASGIApp, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Pass the file on, counting its bytes as they arrive, whatever its header says."""
        session, file = place
        coming, has_answered = _Coming(receive, self._waits.silent_s), False
        self._coming.setdefault(session, []).append(coming)

        async def counted() -> Message:
            message = await coming.heard()
            size = len(message.get("body", b""))
            if session not in self._offered:  # left meanwhile
                raise _GivenUpError(_UNKNOWN)
            if why := self._why_not(session, size):
                raise _GivenUpError(why)
            coming.add(size)
            self._count(session, size)
            return message

        async def answered(message: Message) -> None:
            nonlocal has_answered
            has_answered = True
            await send(message)

        try:
            await app(scope, counted, answered)
        except _GivenUpError as error:
            if not has_answered:
                why = str(error)
                await PlainTextResponse(why, _STATUSES[why])(scope, receive, send)
        finally:
            self._end(session, file, coming)

    def _end(self, session: str, file: str, coming: _Coming) -> None:
        """Count a file that is here instead of the one on its way."""
        self._coming[session].remove(coming)
        if not self._coming[session]:
            del self._coming[session]
        self._count(session, 0 if coming.is_given_up else -coming.came)
        if session not in self._offered:
            self._manager().remove_session_files(session)
            return
        if kept := self._manager().get_files(session, [file]):
            held = self._held.setdefault(session, {})
            self._count(session, len(kept[0].data) - held.pop(file, 0))
            held[file] = len(kept[0].data)

    def _why_not(self, session: str, further: int) -> str:
        """Make room for ``further`` bytes more; return why there is none, or nothing.

        A server that is full takes from whoever holds most, as long as that is more than the
        visitor who asks would hold: their oldest file, or else the one on its way.
        """
        wanted = self._bytes[session] + further
        if wanted > self._most_of_session:
            return _TOO_MUCH
        while self._all_bytes + further > self._most_of_server:
            largest, most = max(self._bytes.items(), key=lambda each: each[1])
            if most <= wanted:
                return _SERVER_FULL
            if largest in self._held:
                self._remove(largest, next(iter(self._held[largest])))
                continue
            for coming in self._coming[largest]:
                if not coming.is_given_up:
                    coming.give_up()
                    self._count(largest, -coming.came)
        return ""

    def _remove(self, session: str, file: str) -> None:
        held = self._held.get(session, {})
        if file not in held:
            return
        self._count(session, -held.pop(file))
        if not held:
            del self._held[session]
        self._manager().remove_file(session, file)

    def _count(self, session: str, further: int) -> None:
        """Add to what a session holds."""
        self._all_bytes += further
        self._bytes[session] += further
        if not self._bytes[session]:
            del self._bytes[session]
