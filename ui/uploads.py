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
_STATUSES: Final = {_UNKNOWN: 403, _TOO_SLOW: 408, _TOO_MUCH: 413, _SERVER_FULL: 413}


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
        self._receive, self._silent_s = receive, silent_s
        self._due = 0
        self.add(0)

    async def heard(self) -> Message:
        try:
            async with asyncio.timeout_at(self._due_s):
                return await self._receive()
        except TimeoutError:
            raise _GivenUpError(_TOO_SLOW) from None

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
        self._coming: Counter[str] = Counter()
        """Bytes of files on their way, by session."""

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
                self._manager().remove_file(session, oldest)
        return {session for session, _ in found}

    def leave(self, session: str) -> None:
        """Free a session's files unless its visitor comes back soon."""
        asyncio.get_running_loop().call_later(self._waits.grace_s, self._free, session)

    def _free(self, session: str) -> None:
        if not self._is_here(session):
            self._offered.pop(session, None)
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
            await app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if why := self._why_not(session, int(declared) if declared.isdecimal() else 0):
            await PlainTextResponse(why, 413)(scope, receive, send)
            return
        await self._taken(session, app, scope, receive, send)

    async def _taken(
        self, session: str, app: ASGIApp, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Pass the file on, counting its bytes as they arrive, whatever its header says."""
        coming, has_answered = _Coming(receive, self._waits.silent_s), False

        async def counted() -> Message:
            message = await coming.heard()
            size = len(message.get("body", b""))
            if session not in self._offered:  # left meanwhile
                raise _GivenUpError(_UNKNOWN)
            if why := self._why_not(session, size):
                raise _GivenUpError(why)
            coming.add(size)
            self._coming[session] += size
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
            self._coming[session] -= coming.came
            if not self._coming[session]:
                del self._coming[session]
            if session not in self._offered:
                self._manager().remove_session_files(session)

    def _why_not(self, session: str, further: int) -> str:
        """Return why ``further`` bytes more are too many, or nothing."""
        files = self._manager().file_storage
        held = {each: sum(len(file.data) for file in files[each].values()) for each in [*files]}
        if held.get(session, 0) + self._coming[session] + further > self._most_of_session:
            return _TOO_MUCH
        if sum(held.values()) + self._coming.total() + further > self._most_of_server:
            return _SERVER_FULL
        return ""
