"""What only a browser shows: typing into the grids, charts drawn, links, no sideways scrolling."""

import re
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Page, expect

from sources import samples

pytestmark = pytest.mark.needs("chromium")

BARS = ".js-plotly-plot"
_ROW_HEIGHT = 35
_GRID_MS = 200
"""The grid takes a key only when it has drawn what the last one did."""


def settle(page: Page) -> None:
    """Wait until the page has drawn what the last action changed."""
    page.wait_for_timeout(400)
    page.wait_for_function(
        "() => !document.querySelector('[data-testid=stApp][data-test-script-state=running]')"
    )
    page.wait_for_timeout(300)


def opened(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("h1")).to_be_visible(timeout=60_000)
    expect(page.locator(BARS).first).to_be_visible(timeout=60_000)
    settle(page)


def paste(page: Page, text: str) -> None:
    page.get_by_role("radio", name="Paste").click()
    page.locator("textarea").first.fill(text)
    page.get_by_role("button", name="Read it").click()
    settle(page)


def bar_heights(page: Page, chart: int, panel: int) -> list[int]:
    """Return the heights of the bars that the browser drew in one panel."""
    script = """([chart, panel]) => {
        const drawn = document.querySelectorAll('.js-plotly-plot')[chart];
        const bars = drawn.data.filter(trace => trace.type === 'bar')[panel];
        return Array.from(drawn.calcdata[drawn.data.indexOf(bars)], bar => bar.s);
    }"""
    found: list[int] = page.evaluate(script, [chart, panel])
    return found


def type_into_cell(page: Page, row: int, column: int, value: str) -> None:
    """Overwrite one cell of the first grid of fixed rows, counted from 0 without its header."""
    canvas = page.locator("[data-testid=stDataFrame] canvas").first
    canvas.scroll_into_view_if_needed()
    settle(page)
    grid = canvas.bounding_box()
    assert grid is not None
    page.mouse.click(grid["x"] + 20, grid["y"] + _ROW_HEIGHT * (row + 1.5))
    for _ in range(column):
        page.wait_for_timeout(_GRID_MS)
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(_GRID_MS)
    page.keyboard.press("Enter")
    editor = page.locator("#portal input, #portal textarea").first
    editor.fill(value)
    editor.press("Enter")
    settle(page)


def test_a_paste_three_more_consumers_and_a_changed_lag_reach_charts_and_figures(
    page: Page, dashboard: str
) -> None:
    opened(page, dashboard)

    paste(page, samples.PASTE.read_text())
    pasted = bar_heights(page, 0, 0)
    edit = page.get_by_role("radiogroup", name="Edit")
    edit.get_by_role("radio", name="Consumers").click()
    settle(page)
    page.get_by_role("button", name="Add or remove many").click()
    page.get_by_label("How many").fill("3")
    page.get_by_role("button", name="Add", exact=True).click()
    settle(page)
    page.keyboard.press("Escape")
    grown = bar_heights(page, 0, 0)
    page.get_by_role("radio", name="Lags and owners").click()
    settle(page)
    type_into_cell(page, 0, 2, "77000000")
    changed = bar_heights(page, 0, 0)

    assert len(grown) == len(pasted) + 3
    assert sum(changed) > 77_000_000 > sum(grown)
    expect(page.get_by_text("77").first).to_be_visible()


def test_what_a_viewer_chose_is_in_the_link_and_comes_back(page: Page, dashboard: str) -> None:
    opened(page, dashboard)

    page.get_by_role("radio", name="Heatmaps").click()
    page.get_by_role("radio", name="Subscriptions").click()
    settle(page)
    link = page.url
    page.goto("about:blank")
    opened(page, link)

    chosen = parse_qs(urlparse(link).query)
    assert (chosen["view"], chosen["table"]) == (["Heatmaps"], ["Subscriptions"])
    expect(page.get_by_text("Consumer by strategy")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1024, 1920])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_width_needs_sideways_scrolling(
    page: Page, dashboard: str, width: int, scheme: str
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    opened(page, dashboard)

    too_wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert too_wide <= 0


def test_nonsense_is_answered_in_one_sentence_and_the_charts_stay(
    page: Page, dashboard: str
) -> None:
    opened(page, dashboard)

    paste(page, "no table here")

    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.locator(BARS).first).to_be_visible()
    assert not page.get_by_text(re.compile("Traceback")).count()
