"""What the first visitor would wait for, begun before it is asked for.

Streamlit imports a page when it is first opened, and a browser learns of the script that draws
its pictures only from the page's answer. Both can begin when the server starts and when the browser
asks for the first byte.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module, util
from pathlib import Path
from threading import Thread
from typing import Final

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from processes.calls import StoppedError

_ROOT: Final = Path(__file__).resolve().parents[1]
STATIC: Final = Path(st.__file__).parent / "static"
_OURS: Final = ("BidiComponent", "Button", "MenuButton")
"""The scripts of components, such as ``ui.picture``, and of the header's buttons."""
_PLOTLY: Final = ("PlotlyChart",)
"""The largest script of all."""
_DRAWN_BY_PLOTLY: Final = {"rebalance", "capacity", "autoscaler", "fleet", "gallery"}
"""The pages whose first pictures wait for it."""


def prepare_in_background() -> None:
    """Import what the Group page imports and answer on its first example, in a thread."""
    Thread(target=_prepare, daemon=True).start()


def _prepare() -> None:
    for name in modules_of("compare"):
        import_module(name)
    # Streamlit looks once who started it, for which inspect asks every module for its file.
    inspect.stack()
    with suppress(StoppedError):  # whoever opens the page is told
        answers, samples = import_module("ui.answers"), import_module("sources.samples")
        answer = answers.answer_before_visits(samples.load(samples.SAMPLES[0].id))
        answers.refine_before_visits(answer)


def modules_of(page: str) -> Iterator[str]:
    """Yield the names of the modules that the script of a page imports."""
    for node in ast.walk(ast.parse((_ROOT / "pages" / f"{page}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            within = (f"{node.module}.{name.name}" for name in node.names)
            yield from (name for name in within if _is_module(name))


def _is_module(name: str) -> bool:
    try:
        return util.find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is a module without parts
        return False


class Hints:
    """ASGI middleware: tells a browser, with the page itself, which scripts it shows first."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before the application."""
        self._app = app
        self._links = {names: _link_to(names) for names in (_OURS, _PLOTLY)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on; answer a page with the hint."""
        page = scope.get("path", "").rstrip("/").rpartition("/")[2]
        link = self._links[_PLOTLY if page in _DRAWN_BY_PLOTLY else _OURS]

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers["Link"] = link
            await send(message)

        await self._app(scope, receive, sent)


def _link_to(scripts: Iterable[str]) -> str:
    found = (path for name in scripts for path in sorted(STATIC.glob(f"static/js/{name}.*.js")))
    paths = (path.relative_to(STATIC) for path in found)
    return ", ".join(f"<./{path.as_posix()}>; rel=modulepreload" for path in paths)
