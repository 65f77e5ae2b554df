"""What every request passes before Streamlit sees it: its Origin, frames, address, headers.

Streamlit compares the Origin of a WebSocket with the server's public address, which it asks a host
of Amazon for, in the event loop, whatever a stranger sent. Here a foreign Origin is refused
first, by the text of its headers alone, so that question never comes up.
"""

import errno
import logging
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.log_lines import MinuteLog
from ui.sockets import Sockets
from ui.uploads import Uploads

_HEADERS: Final = {
    "Content-Security-Policy": "frame-ancestors 'self'",
    "X-Frame-Options": "SAMEORIGIN",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # a link can hold a whole group
}
_POLICY_VIOLATION: Final = 1008
_REFUSED: Final = (
    "This page answers requests of its own pages alone, and this one came from another: the "
    "browser sent the Origin {origin!r} to the Host {host!r}. A proxy must pass the Host header on "
    "unchanged; the operator can allow other pages with --server.corsAllowedOrigins."
)
_EARLIER: Final = "compare"
"""The Group page in links of earlier releases; Streamlit would say that there is no such page."""
_SHOWN: Final = 200
"""Characters of a stranger's header in a message."""


class Gate:
    """ASGI middleware: refuses foreign Origins and broken frames, and adds the safe headers."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before the application."""
        self._app = app
        self._uploads = Uploads()
        self._sockets = Sockets(self._uploads)
        self._log = MinuteLog(logging.getLogger(__name__))
        logging.getLogger("uvicorn.error").addFilter(_in_one_line)
        logging.getLogger("asyncio").addFilter(_OutOfFiles())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_foreign = not is_own(headers, _other_origins())
        if scope["type"] == "websocket":
            if is_foreign:
                self._log.write(_refusal(headers))
                await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            else:
                await self._sockets.serve(self._app, scope, receive, send)
            return
        app = PlainTextResponse(_refusal(headers), 403) if is_foreign else self._app
        if not is_foreign and (address := _today(scope)):
            app = RedirectResponse(address)
        if app is self._app and self._uploads.is_upload(scope):
            await self._uploads.serve(app, scope, receive, _with_headers(send))
        else:
            await app(scope, receive, _with_headers(send))


def _today(scope: Scope) -> str:
    """Return where an address of an earlier release leads today, relative to it, or nothing."""
    path, slash = scope["path"].rstrip("/"), scope["path"].endswith("/")
    if path.rpartition("/")[2] != _EARLIER:
        return ""
    return f"{'..' if slash else '.'}/?{scope['query_string'].decode('latin-1')}"


def _in_one_line(record: logging.LogRecord) -> bool:
    """Keep a stranger's broken text to one line of the log; uvicorn adds a traceback."""
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    return True


class _OutOfFiles(logging.Filter):
    """Turns asyncio's traceback a second, while no file is left to open, into a line a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._log = MinuteLog(logging.getLogger(__name__))

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not (isinstance(error, OSError) and error.errno in {errno.EMFILE, errno.ENFILE}):
            return True
        self._log.write("No file is left to open for another connection; see ulimit -n.")
        return False


def is_own(headers: Headers, others: Iterable[str] = ()) -> bool:
    """Return whether a request comes from a page of this server, or from no page at all.

    ``others`` are Origins that the operator allows. Nothing is resolved or asked.

    >>> is_own(Headers({"Host": "h:80", "Origin": "http://h:80"})), is_own(Headers({"Host": "h"}))
    (True, True)
    >>> is_own(Headers({"Host": "h", "Origin": "https://evil.test"}))
    False
    """
    host = headers.get("host", "").lower()
    allowed = {other.strip().lower().rstrip("/") for other in others}
    return all(
        origin.lower() in allowed or (host and _host_of(origin) == host)
        for origin in headers.getlist("origin")
    )


def _host_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _other_origins() -> list[str]:
    origins: list[str] = st.get_option("server.corsAllowedOrigins")
    return origins


def _refusal(headers: Headers) -> str:
    origin, host = (headers.get(name, "")[:_SHOWN] for name in ("origin", "host"))
    return _REFUSED.format(origin=origin, host=host)


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
        await send(message)

    return sent
