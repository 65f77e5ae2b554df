"""What a browser gets before the page's own answer: scripts, packed and early; the style."""

import asyncio
import gzip
from pathlib import Path
from typing import NamedTuple

import pytest
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message

from ui.browser_files import STATIC, Hints, Packed
from ui.picture import places

ASKED = {"accept": "text/html,*/*", "accept-encoding": "gzip, br"}


class Got(NamedTuple):
    """What a browser was sent."""

    headers: Headers
    body: bytes


def got(app: ASGIApp, path: str, asked: dict[str, str] = ASKED, method: str = "GET") -> Got:
    """Ask an application for a path."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    headers = [(name.encode(), value.encode()) for name, value in asked.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}

    async def answered() -> None:
        await app(scope, receive, send)

    asyncio.run(answered())
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Got(Headers(raw=sent[0]["headers"]), body)


def _names(page: str, answer: Response) -> list[str]:
    link = got(Hints(answer), page).headers.get("link", "")
    paths = [
        each.removeprefix("<./").removesuffix(">; rel=modulepreload") for each in link.split(", ")
    ]
    assert not link or all((STATIC / path).is_file() for path in paths)
    return [Path(path).name.partition(".")[0] for path in paths if path]


@pytest.mark.parametrize(
    ("page", "scripts"),
    [
        ("/", {"BidiComponent", "Button", "MenuButton", "ButtonGroup", "serialization"}),
        ("/scenarios", {"BidiComponent", "Button", "MenuButton", "ButtonGroup"}),
        ("/behind/a/proxy/", {"BidiComponent", "Button", "MenuButton"}),
        ("/capacity", {"PlotlyChart"}),
        ("/behind/a/proxy/gallery", {"PlotlyChart"}),
    ],
)
def test_a_page_names_the_scripts_of_what_it_shows_first_and_what_they_import(
    page: str, scripts: set[str]
) -> None:
    names = _names(page, HTMLResponse("<html></html>"))
    assert scripts <= set(names)
    assert len(names) == len(set(names))


def test_a_page_has_the_style_of_places_before_anything_is_drawn() -> None:
    page = got(Hints(HTMLResponse("<head></head><body>é</body>")), "/")
    assert f"<style>{places.STYLE}</style></head>" in page.body.decode()
    assert int(page.headers["content-length"]) == len(page.body)


def test_what_is_no_page_gets_no_hint_and_no_style() -> None:
    told = got(Hints(PlainTextResponse("<head></head>")), "/")
    assert "link" not in told.headers
    assert told.body == b"<head></head>"


def _script() -> Path:
    return next(iter(sorted(STATIC.glob("static/js/index.*.js"))))


@pytest.mark.parametrize("before", ["/", "/behind/a/proxy/"])
def test_a_script_comes_packed_and_is_the_same(before: str) -> None:
    file = _script()
    answer = got(Packed(PlainTextResponse("passed on")), f"{before}static/js/{file.name}")

    assert gzip.decompress(answer.body) == file.read_bytes()
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    ("path", "asked", "method"),
    [
        ("/static/js/../../index.html", ASKED, "GET"),
        ("/static/js/none.js", ASKED, "GET"),
        ("/app/static/own.js", ASKED, "GET"),
        ("/", ASKED, "GET"),
        ("script", {"accept-encoding": "br"}, "GET"),
        ("script", ASKED | {"range": "bytes=0-9"}, "GET"),
        ("script", ASKED, "HEAD"),
    ],
)
def test_whatever_else_is_asked_for_passes_on(
    path: str, asked: dict[str, str], method: str
) -> None:
    path = f"/static/js/{_script().name}" if path == "script" else path
    assert got(Packed(PlainTextResponse("passed on")), path, asked, method).body == b"passed on"
