"""Measure the pages in a real Chromium: ``python -m benchmarks.page``.

Needs Chromium on the PATH. Compare: each size gets a new server and browser: cold is their first
visit, warm the second, in another tab. The other pages: one server and browser for each size, which
have shown Compare before. Page and server share the machine, so the times are upper bounds; an
element counts once the browser's document contains it.
"""

import os
import sys
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import BrowserContext, FilePayload, Page, sync_playwright

from benchmarks.dashboard import CHROMIUM_OPTIONS, chromium_path, serving
from benchmarks.measuring import markdown
from sources import group_json, samples

_TIMEOUT_S: Final = 120
_GLANCE_MS: Final = 20
_QUIET_S: Final = 2
"""The page is stable after this many seconds without a change; a chart may be drawn twice."""
_OURS: Final = """
() => {
  const texts = [...document.querySelectorAll('[data-testid="stMarkdownContainer"]')]
    .filter(element => !element.closest('[data-stale="true"]'))
    .map(element => element.innerText)
  const size = texts.find(text => / consumers · .* partitions/.test(text))
  const hosts = [...document.querySelectorAll('[data-testid="stMain"] *')].filter(e => e.shadowRoot)
  const within = shape => hosts.map(host => host.shadowRoot.querySelector(shape)).find(Boolean)
  const verdict = within('.band'), chart = within('.shown, .incident')
  return {
    conclusion: size && verdict ? size + verdict.innerText : '',
    chart: chart ? chart.innerHTML : '',
  }
}
"""
"""Reads the verdict and the size, as the size changes even if the sentence does not."""
_BYTES_OF_BASE64: Final = 3 / 4
_PICTURE: Final = (
    ".js-plotly-plot .cartesianlayer:has(.trace), .deck svg, .panel, .shown, .incident"
)
_STANDS: Final = """
() => document.querySelector('[data-testid="stStatusWidget"]')
  ? '' : document.querySelector('[data-testid="stMain"]').innerHTML
"""
"""Reads the page once no script runs for it."""
PAGES: Final = {
    "Slides": "?slide=1",
    "Rebalance": "rebalance",
    "Capacity": "capacity",
    "Scenarios": "scenarios",
    "Autoscaler": "autoscaler?total_rate=6000",
}


class Size(NamedTuple):
    """A group to open."""

    name: str
    query: dict[str, str]
    upload: bytes = b""
    """Group JSON to upload once the page is open; timing starts with the upload."""


def sizes() -> tuple[Size, ...]:
    """Return the groups: the first example, the large one, and one from a file."""
    file = group_json.encode(samples.large(100, 1000, 1000))
    return (
        Size("134 partitions, 12 consumers", {}),
        Size("10,000 partitions, 500 consumers", {"example": "A large group"}),
        Size("100,000 partitions, 1,000 consumers, uploaded", {"start": "Upload"}, file),
    )


def visit(context: BrowserContext, address: str, size: Size) -> dict[str, str]:
    """Open the group in a new tab, then add ten consumers; return seconds and megabytes.

    Megabytes are those received until the group is shown, with messages uncompressed.
    """
    page = context.new_page()
    received = _count_bytes(context, page)
    url = f"{address}/?{urlencode({**size.query, 'edit': 'true'})}"
    opened = _seconds(page, lambda: page.goto(url, wait_until="commit"))
    if size.upload:
        file = FilePayload(name="large.json", mimeType="application/json", buffer=size.upload)
        opened = _seconds(page, lambda: page.set_input_files("input[type=file]", file))
    megabytes = sum(received) / 1e6
    edited = _seconds(page, lambda: page.get_by_role("button", name="+10", exact=True).click())
    page.close()
    return {
        "conclusion, s": f"{opened['conclusion']:.2f}",
        "first chart, s": f"{opened['chart']:.2f}",
        "+10: conclusion, s": f"{edited['conclusion']:.2f}",
        "+10: chart, s": f"{edited['chart']:.2f}",
        "MB received": f"{megabytes:.1f}",
    }


def _seconds(page: Page, act: Callable[[], object]) -> dict[str, float]:
    """Run the action; return the seconds until conclusion and first chart last changed."""
    before: dict[str, str] = page.evaluate(_OURS)
    started, seen, stood = time.perf_counter(), before, dict[str, float]()
    act()
    while True:
        now: dict[str, str] = page.evaluate(_OURS)
        passed_s = time.perf_counter() - started
        changed = {part for part in now if now[part] not in ("", before[part], seen[part])}
        stood |= dict.fromkeys(changed, passed_s)
        seen = {part: now[part] or seen[part] for part in now}
        if len(stood) == len(before) and passed_s >= max(stood.values()) + _QUIET_S:
            return stood
        if passed_s > _TIMEOUT_S:
            message = f"Of conclusion and chart, only {[*stood]} changed in {_TIMEOUT_S} s."
            raise TimeoutError(message)
        page.wait_for_timeout(_GLANCE_MS)


def open_page(context: BrowserContext, address: str, path: str, size: Size) -> dict[str, str]:
    """Open one of the other pages for the group; return seconds to its first picture and end.

    The end is the last change of the page before it stands still without a running script.
    """
    page = context.new_page()
    around, _, query = path.partition("?")
    started = time.perf_counter()
    url = f"{address}/{around}?{query}&{urlencode(size.query)}"
    page.goto(url, wait_until="commit")
    page.wait_for_selector(_PICTURE, state="attached", timeout=_TIMEOUT_S * 1e3)
    first_s, last_s, seen = time.perf_counter() - started, 0.0, ""
    while (passed_s := time.perf_counter() - started) < last_s + _QUIET_S or not seen:
        if (now := page.evaluate(_STANDS)) != seen:
            last_s, seen = passed_s, now
        if passed_s > _TIMEOUT_S:
            break
        page.wait_for_timeout(_GLANCE_MS)
    page.close()
    return {"first picture, s": f"{first_s:.2f}", "stands, s": f"{last_s:.2f}"}


def _count_bytes(context: BrowserContext, page: Page) -> list[float]:
    """Return a list to which the size of everything the browser receives is appended."""
    received: list[float] = []
    network = context.new_cdp_session(page)
    network.send("Network.enable")

    def frame(event: dict[str, Any]) -> None:
        received.append(len(event["response"]["payloadData"]) * _BYTES_OF_BASE64)

    network.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    network.on("Network.webSocketFrameReceived", frame)
    return received


def main() -> None:
    """Print a row per size, cold and warm, and then one per page and size."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start\n")
    compare, others = list[dict[str, str]](), list[dict[str, str]]()
    for size in sizes():
        print(size.name, file=sys.stderr)
        with serving() as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium_path(), args=CHROMIUM_OPTIONS
            )
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            compare += [
                {"group": size.name, "visit": name} | visit(context, address, size)
                for name in ("cold", "warm")
            ]
            others += [
                {"group": size.name, "page": name} | open_page(context, address, path, size)
                for name, path in PAGES.items()
                if not size.upload
            ]
            browser.close()
    print(f"{markdown(compare)}\n\n{markdown(others)}")


if __name__ == "__main__":
    main()
