"""What begins before the first visitor asks for it: imports, and the script that draws pictures."""

import asyncio
from importlib.util import find_spec
from pathlib import Path

import pytest
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Message

from ui.first_screen import STATIC, Hints, modules_of


def _link(answer: Response, path: str = "/") -> str:
    """Return the Link header with which the answer to a page passes."""
    started: list[Message] = []

    async def send(message: Message) -> None:
        started.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = {"type": "http", "method": "GET", "path": path, "headers": []}
    asyncio.run(Hints(answer)(scope, receive, send))
    headers = dict(started[0]["headers"])
    return str(headers.get(b"link", b"").decode())


@pytest.mark.parametrize(
    ("page", "script"),
    [
        ("/", "BidiComponent"),
        ("/scenarios", "BidiComponent"),
        ("/behind/a/proxy/", "BidiComponent"),
        ("/capacity", "PlotlyChart"),
        ("/behind/a/proxy/fleet", "PlotlyChart"),
    ],
)
def test_a_page_names_the_script_of_its_first_picture_and_it_exists(page: str, script: str) -> None:
    path, _, rel = _link(HTMLResponse("<html></html>"), page).removeprefix("<./").partition(">")
    assert (STATIC / path).is_file()
    assert Path(path).name.startswith(script)
    assert rel == "; rel=modulepreload"


def test_what_is_no_page_gets_no_hint() -> None:
    assert not _link(PlainTextResponse("ok"))


def test_the_modules_of_a_page_are_those_that_its_script_imports() -> None:
    modules = set(modules_of("compare"))
    assert {"ui", "ui.compare.answer", "ui.strategy_choice", "ui.compare.views"} <= modules
    assert all(find_spec(name) for name in modules)
