"""Measure the pages in a real Chromium: ``python -m benchmarks.page``.

Needs Chromium on the PATH. Group: each size gets a new server and browser: cold is their first
visit, warm the second, in another tab. The other pages: one server and browser for each size, which
have shown Group before. Page and server share the machine, so the times are upper bounds; an
element counts once the browser's document contains it. Each row is printed as it is measured.
"""

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import BrowserContext, FilePayload, Page, sync_playwright
from playwright.sync_api import TimeoutError as WaitedTooLong

from benchmarks.dashboard import CHROMIUM_OPTIONS, chromium_path, serving
from sources import group_json, samples

_TIMEOUT_S: Final = 120
_GLANCE_MS: Final = 20
_QUIET_S: Final = 2
"""The page is stable after this many seconds without a change; a chart may be drawn twice."""
_OURS: Final = """
() => {
  const texts = [...document.querySelectorAll('[data-testid="stMarkdownContainer"]')]
    .filter(element => !element.closest('[data-stale="true"]'))
    .map(element => element.textContent)
  const size = texts.find(text => / consumers · .* partitions/.test(text))
  const hosts = [...document.querySelectorAll('[data-testid="stMain"] *')].filter(e => e.shadowRoot)
  const within = shape => hosts.map(host => host.shadowRoot.querySelector(shape)).find(Boolean)
  const verdict = within('.band'), chart = within('.shown, .incident')
  return {
    conclusion: size && verdict ? size + verdict.textContent : '',
    chart: chart ? chart.innerHTML : '',
  }
}
"""
"""Reads the verdict and the size, as the size changes even if the sentence does not."""
_SHIFTS: Final = """
window.shifted = 0
new PerformanceObserver(list => list.getEntries()
  .filter(each => !each.hadRecentInput)
  .forEach(each => { window.shifted += each.value })
).observe({type: 'layout-shift', buffered: true})
"""
"""Adds up what Chromium counts as shifts of the layout, other than half a second after input."""
_BYTES_OF_BASE64: Final = 3 / 4
_PICTURE: Final = (
    ".js-plotly-plot .cartesianlayer:has(.trace), .deck svg, .panel, .shown, .incident"
)
_STANDS: Final = """
() => document.querySelector('[data-testid="stStatusWidget"]')
  ? '' : document.querySelector('[data-testid="stMain"]').innerHTML
"""
"""Reads the page once no script runs for it."""
PAGES: Final = {  # Plans need arrivals: without any they ask for them, and draw nothing.
    "Slides": "?slide=1",
    "Rebalance": "rebalance",
    "Capacity": "capacity?total_rate=6000&throughput=1000",
    "Scenarios": "scenarios",
    "Autoscaler": "autoscaler?total_rate=6000",
}


class Size(NamedTuple):
    """A group to open."""

    name: str
    query: dict[str, str]
    upload: bytes = b""
    """Group JSON, or a text, to upload once the page is open; timing starts with the upload."""
    file: str = "large.json"


def sizes() -> tuple[Size, ...]:
    """Return the groups: the first example, the large one, and one from a file."""
    file = group_json.encode(samples.large(100, 1000, 1000))
    return (
        Size("134 partitions, 12 consumers", {}),
        Size("10,000 partitions, 500 consumers", {"example": "A large group"}),
        Size("100,000 partitions, 1,000 consumers, uploaded", {"start": "Upload"}, file),
        Size("a hot partition, 296, 40 consumers", {"start": "Upload"}, hot_pair(), "hot.txt"),
    )


def hot_pair() -> bytes:
    """Return two outputs of ``--describe``, a minute apart: one partition gets 9,000/s of 9,226."""
    rows = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    texts = []
    for minute in range(2):
        text = f"2026-11-27T10:0{minute}:00Z\n{rows}"
        for topic, count in (("orders", 120), ("payments", 48), ("clicks", 128)):
            for partition in range(count):
                end, lag = 1_000_000 + minute * 2_400, 1_500
                if (topic, partition) == ("payments", 17):
                    end, lag = 60_000_000 + minute * 540_000, 5_100_000 + minute * 360_000
                k = partition * 40 // count
                who = f"shop-{k}-00000000-0000-4000-a000-{k:012x} /10.0.0.{k} shop-{k}"
                text += f"shop {topic} {partition} {end - lag} {end} {lag} {who}\n"
        texts.append(text)
    return "\n".join(texts).encode()


_BOTH: Final = frozenset({"conclusion", "chart"})
_VERDICT: Final = frozenset({"conclusion"})
"""What more consumers change at least: a picture of arrivals stays as it is."""


class PageChange(NamedTuple):
    """When an element of the page first stood, and when it last changed, in seconds."""

    first: float
    last: float


def visit(context: BrowserContext, address: str, size: Size) -> dict[str, str]:
    """Open the group in a new tab, then add ten consumers; return seconds, shift and megabytes.

    Megabytes are those received until the group is shown, with messages uncompressed.
    """
    page = context.new_page()
    received = _count_bytes(context, page)
    url = f"{address}/?{urlencode(size.query)}"
    opened = _seconds(page, lambda: page.goto(url, wait_until="commit"))
    if size.upload:
        file = FilePayload(name=size.file, mimeType="", buffer=size.upload)
        opened = _seconds(page, lambda: page.set_input_files("input[type=file]", file))
    megabytes, shifted = sum(received) / 1e6, page.evaluate("window.shifted")
    page.get_by_role("button", name="Edit", exact=True).click()
    more = page.get_by_role("button", name="+10", exact=True)
    more.wait_for()
    edited = _seconds(page, more.click, _VERDICT)
    page.close()
    return {
        "verdict, s": f"{opened['conclusion'].first:.2f}",
        "picture, s": f"{opened['chart'].first:.2f}",
        "final, s": f"{max(each.last for each in opened.values()):.2f}",
        "+10: verdict, s": f"{edited['conclusion'].first:.2f}",
        "+10: final, s": f"{max(each.last for each in edited.values()):.2f}",
        "layout shift": f"{shifted:.3f}",
        "MB received": f"{megabytes:.1f}",
    }


def _seconds(
    page: Page, act: Callable[[], object], until: frozenset[str] = _BOTH
) -> dict[str, PageChange]:
    """Run the action; return when conclusion and first chart changed, ``until`` at least these."""
    before: dict[str, str] = page.evaluate(_OURS)
    started, seen, stood = time.perf_counter(), before, dict[str, PageChange]()
    act()
    while True:
        now: dict[str, str] = page.evaluate(_OURS)
        passed_s = time.perf_counter() - started
        for part, value in now.items():
            if value not in {"", before[part], seen[part]}:
                stood[part] = PageChange(stood[part].first if part in stood else passed_s, passed_s)
        seen = {part: value or seen[part] for part, value in now.items()}
        if stood.keys() >= until:
            is_running = page.locator("[data-testid=stStatusWidget]").count()
            if passed_s >= max(each.last for each in stood.values()) + _QUIET_S and not is_running:
                return stood
        if passed_s > _TIMEOUT_S:
            message = f"Of {sorted(until)}, only {[*stood]} changed within {_TIMEOUT_S} s."
            raise TimeoutError(message)
        page.wait_for_timeout(_GLANCE_MS)


def open_page(context: BrowserContext, address: str, path: str, size: Size) -> dict[str, str]:
    """Open one of the other pages for the group; return seconds to its first picture and end.

    The end is the last change of the page before it stands still without a running script, within
    two minutes.
    """
    page = context.new_page()
    around, _, query = path.partition("?")
    started = time.perf_counter()
    url = f"{address}/{around}?{query}&{urlencode(size.query)}"
    page.goto(url, wait_until="commit")
    try:
        page.wait_for_selector(_PICTURE, state="attached", timeout=_TIMEOUT_S * 1e3)
    except WaitedTooLong:
        page.close()
        return dict.fromkeys(("first picture, s", "stands, s"), f"over {_TIMEOUT_S}")
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
    """Print a row per size, cold and warm, and one per page and size."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start\n")
    for size in sizes():
        with serving() as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium_path(), args=CHROMIUM_OPTIONS
            )
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            context.add_init_script(_SHIFTS)
            for name in ("cold", "warm"):
                _tell({"group": size.name, "visit": name} | visit(context, address, size))
            for name, path in PAGES.items() if not size.upload else ():
                opened = open_page(context, address, path, size)
                _tell({"group": size.name, "page": name} | opened)
            browser.close()


def _tell(row: Mapping[str, str]) -> None:
    print(", ".join(f"{name}: {cell}" for name, cell in row.items()), flush=True)


if __name__ == "__main__":
    main()
