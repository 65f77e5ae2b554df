"""What a browser gets before the page's own answer: Streamlit's scripts, early and packed.

A page needs some sixty of them, 4 MB. Streamlit sends each as it is, through a thread that opens
the file, and names those of its components only once the page's answer asks for them: half a second
in which the server answers nobody else. The page itself gets a style of ours, which holds places.
"""

import gzip
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.picture import places

STATIC: Final = Path(st.__file__).parent / "static"
_MEDIA_TYPES: Final = {".js": "text/javascript", ".css": "text/css"}
_IMPORTED: Final = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')
_OURS: Final = ("BidiComponent", "Button", "MenuButton", "ButtonGroup")
"""Components, such as ``ui.picture``; the header's buttons; the tabs."""
_PLOTLY: Final = ("PlotlyChart",)
"""The largest script of all."""
_HEAD_ENDS: Final = b"</head>"
_STYLE: Final = f"<style>{places.STYLE}</style>".encode()
_DRAWN_BY_PLOTLY: Final = {"rebalance", "capacity", "autoscaler", "gallery"}
"""The pages whose first pictures wait for it."""


class Packed:
    """ASGI middleware: answers for scripts and styles from memory, packed once."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before the application."""
        self._app = app
        files = (path for kind in ("js", "css") for path in STATIC.glob(f"static/{kind}/*.{kind}"))
        self._files = {path.relative_to(STATIC).as_posix(): path for path in files}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a script, or pass it on."""
        _, at, name = scope.get("path", "").rpartition("static/")
        file = self._files.get(at + name)
        if file is None or scope.get("method") != "GET" or not _takes_packed(scope):
            await self._app(scope, receive, send)
            return
        headers = {
            "Content-Encoding": "gzip",
            "Vary": "Accept-Encoding",
            # As Streamlit's own: a script's name holds the digest of its text.
            "Cache-Control": "public, immutable, max-age=31536000",
        }
        answer = Response(_packed(file), media_type=_MEDIA_TYPES[file.suffix], headers=headers)
        await answer(scope, receive, send)


def _takes_packed(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return "gzip" in headers.get("accept-encoding", "") and "range" not in headers


@cache
def _packed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), compresslevel=6, mtime=0)


def pack_first() -> None:
    """Pack what the first page asks for, so that its visitor does not wait for it."""
    for file in {*_named_by_index(), *(file for names in (_OURS, _PLOTLY) for file in _of(names))}:
        _packed(file)


class Hints:
    """ASGI middleware: a page names the scripts it shows first, and has the style of places."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before the application."""
        self._app = app
        self._links = {names: _link_to(names) for names in (_OURS, _PLOTLY)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on; answer a page with the hint."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        page = scope.get("path", "").rstrip("/").rpartition("/")[2]
        link = self._links[_PLOTLY if page in _DRAWN_BY_PLOTLY else _OURS]
        as_it_is = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
        start: Message = {}
        is_page, body = False, b""

        async def sent(message: Message) -> None:
            nonlocal is_page, start, body
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_page = headers.get("content-type", "").startswith("text/html")
                if is_page:
                    headers["Link"] = link
                    start = message
                    return
            elif is_page:
                body += message.get("body", b"")
                if message.get("more_body"):
                    return
                body = body.replace(_HEAD_ENDS, _STYLE + _HEAD_ENDS, 1)
                MutableHeaders(scope=start)["Content-Length"] = str(len(body))
                await send(start)
                message = {**message, "body": body}
            await send(message)

        await self._app({**scope, "headers": as_it_is}, receive, sent)


def _link_to(scripts: Iterable[str]) -> str:
    known = set(_named_by_index())
    paths = (file.relative_to(STATIC) for file in _of(scripts) if file not in known)
    return ", ".join(f"<./{path.as_posix()}>; rel=modulepreload" for path in paths)


def _named_by_index() -> list[Path]:
    """Return the scripts and styles that every page asks for by itself."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    return [STATIC / name for name in re.findall(r'"\./(static/(?:js|css)/[^"]+)"', text)]


def _of(scripts: Iterable[str]) -> list[Path]:
    """Return the files of scripts, by name, and of what they import."""
    found = [file for name in scripts for file in sorted(STATIC.glob(f"static/js/{name}.*.js"))]
    for file in found:  # grows
        imported = _IMPORTED.findall(file.read_text(encoding="utf-8"))
        found += [other for name in imported if (other := file.parent / name) not in found]
    return found
