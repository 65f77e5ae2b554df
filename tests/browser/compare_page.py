"""What the tests in a browser do with a page: open it, act on it, wait for what that changed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final
from weakref import WeakKeyDictionary

from playwright.sync_api import Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

CHARTS: Final = ".js-plotly-plot"
TITLE: Final = "[data-testid=stMain] h1"


_RUN_MS: Final = 60_000
_SOCKETS: Final[WeakKeyDictionary[Page, WebSocket]] = WeakKeyDictionary()
"""What each tab talks to Streamlit through."""


def follow(page: Page) -> None:
    """Listen to what Streamlit tells a tab, so that ``rerun`` can wait for it."""
    page.on("websocket", lambda socket: _SOCKETS.__setitem__(page, socket))


def settle(page: Page) -> None:
    """Wait until the page has drawn what it has been sent."""
    page.wait_for_timeout(300)
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_timeout(300)


@contextmanager
def rerun(page: Page) -> Iterator[None]:
    """Act on a settled page inside; on leaving, wait for the run that the action causes."""
    settle(page)
    with _SOCKETS[page].expect_event("framereceived", _ends_a_run, timeout=_RUN_MS):
        yield
    settle(page)


def _ends_a_run(frame: bytes | str) -> bool:
    """Return whether Streamlit says that a script ran to its end, not that it starts over."""
    message = ForwardMsg.FromString(frame.encode() if isinstance(frame, str) else frame)
    ended = (
        ForwardMsg.FINISHED_SUCCESSFULLY,
        ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
    )
    return message.WhichOneof("type") == "script_finished" and message.script_finished in ended


def opened(page: Page, address: str) -> None:
    """Open an address of the Compare page and wait for its first chart."""
    page.goto(address)
    expect(page.locator(TITLE)).to_be_visible(timeout=60_000)
    expect(page.locator(CHARTS).first).to_be_visible(timeout=60_000)
    settle(page)


def paste(page: Page, text: str) -> None:
    """Read a paste as a user does."""
    with rerun(page):
        page.get_by_role("radio", name="Paste").click()
    page.locator("textarea").first.fill(text)
    with rerun(page):
        page.get_by_role("button", name="Read it").click()


def too_wide(page: Page) -> int:
    """Return by how many pixels the page is wider than the screen."""
    script = """() => Math.max(...[document.documentElement,
        ...document.querySelectorAll('[data-testid=stMain]')]
        .map(box => box.scrollWidth - box.clientWidth))"""
    found: int = page.evaluate(script)
    return found


def boxes(page: Page, shapes: Sequence[str]) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of everything that a selector finds."""
    script = """shapes => shapes.flatMap(shape => [...document.querySelectorAll(shape)])
        .map(found => found.getBoundingClientRect())
        .map(box => [box.left, box.top, box.right, box.bottom])"""
    return [tuple(box) for box in page.evaluate(script, list(shapes))]
