"""Helpers of the browser tests: open a page, act on it, wait for the effect."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from playwright.sync_api import Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

CHARTS: Final = ".js-plotly-plot"
PANELS: Final = ".panel"
"""What each choice brings, on Scenarios."""
BAND: Final = ".band h1"
"""The verdict, which leads the group's page and Consumers."""
PICTURE: Final = ".shown .switch, .incident, .matrix"
"""The large picture of the group's page, or of Scenarios, once it is drawn."""
TITLE: Final = "[data-testid=stMain] [data-testid=stHeading] :is(h1, h2)"
TIMEOUT_MS: Final = 120_000
"""Generous, because a busy machine is not a failure."""
_POLL_MS: Final = 20
_AT_REST: Final = """() => new Promise(resolve => {
    let timer;
    const end = performance.now() + 5000;
    const isDrawn = () => !document.querySelector('[data-testid=stSkeleton]') &&
        [...document.querySelectorAll('[data-testid=stPlotlyChart]')]
            .every(chart => chart.querySelector('.main-svg')) &&
        ![...document.querySelectorAll('*')]
            .some(host => host.shadowRoot?.querySelector('.drawing:empty'));
    const wait = () => {
        if (performance.now() > end && isDrawn()) return look();
        clearTimeout(timer);
        timer = setTimeout(() => requestIdleCallback(look, {timeout: 2000}), 250);
    };
    const changes = new MutationObserver(wait);
    const look = () => {
        if (!isDrawn()) return wait();
        changes.disconnect();
        resolve(true);
    };
    changes.observe(document, {subtree: true, childList: true, attributes: true});
    wait();
})"""
"""Resolves once all charts are drawn and the page is stable, or changes forever."""


@dataclass
class _Runs:
    """The script runs that Streamlit has reported to a page."""

    is_running: bool = True
    ended: int = 0

    def note(self, frame: bytes | str) -> None:
        message = ForwardMsg.FromString(frame.encode() if isinstance(frame, str) else frame)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.is_running = True
        elif kind == "script_finished" and message.script_finished in (
            ForwardMsg.FINISHED_SUCCESSFULLY,
            ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
        ):  # otherwise it starts over
            self.is_running = False
            self.ended += 1


_RUNS: Final[WeakKeyDictionary[Page, _Runs]] = WeakKeyDictionary()


def follow(page: Page) -> None:
    """Listen to Streamlit's messages to a tab, for ``settle`` and ``rerun``."""

    def listen(socket: WebSocket) -> None:
        _RUNS[page] = runs = _Runs()
        socket.on("framereceived", runs.note)

    page.on("websocket", listen)


_SECTIONS: Final = {
    **dict.fromkeys(("Consumers", "Scenarios", "Autoscaler"), "Plan"),
    **dict.fromkeys(("Strategies", "Gallery", "Glossary"), "Learn"),
}
"""The name in the menu that holds a page."""


def choose_page(page: Page, name: str) -> None:
    """Click a page's name in the menu."""
    menu = page.get_by_test_id("stTopNav")
    if name in _SECTIONS:
        menu.get_by_role("button", name=_SECTIONS[name], exact=True).click()
        page.get_by_test_id("stTopNavDropdownLink").filter(has_text=name).click()
    else:
        menu.get_by_role("link", name=name, exact=True).click()


def settle(page: Page) -> None:
    """Wait until all requested runs have finished and the page is drawn."""
    _await_runs(page, 1)
    page.wait_for_function(_AT_REST)


@contextmanager
def rerun(page: Page) -> Iterator[None]:
    """Act on a settled page in the body; on exit, wait for the run that the action causes."""
    settle(page)
    before = _RUNS[page].ended
    yield
    _await_runs(page, before + 1)
    settle(page)


def _await_runs(page: Page, ended: int) -> None:
    for _ in range(TIMEOUT_MS // _POLL_MS):
        runs = _RUNS.get(page)
        if runs is not None and runs.ended >= ended and not runs.is_running:
            return
        page.wait_for_timeout(_POLL_MS)
    message = f"the script of {page.url} did not run to its end"
    raise AssertionError(message)


def opened(page: Page, address: str) -> None:
    """Open an address and wait for its first picture.

    Without a group in it, that of the example without rates, where lags alone decide.
    """
    if "example=" not in address and "group=" not in address:
        address += f"{'&' if '?' in address else '?'}example=Orders%20with%20uneven%20lag"
    page.goto(address)
    expect(page.locator(f"{TITLE}, {BAND}").first).to_be_visible()
    expect(page.locator(f"{CHARTS}, {PANELS}, {PICTURE}").first).to_be_visible()
    settle(page)


def paste(page: Page, text: str) -> None:
    """Open a paste as a user does."""
    with rerun(page):
        page.get_by_role("button", name="Paste", exact=False).first.click()
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
    """Return left, top, right and bottom of every element that matches a selector."""
    script = """found => found.map(each => each.getBoundingClientRect())
        .map(box => [box.left, box.top, box.right, box.bottom])"""
    return [tuple(b) for shape in shapes for b in page.locator(shape).evaluate_all(script)]
