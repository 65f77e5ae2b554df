"""What only a browser shows of the Fleet page: clicking a row, leaving by a button, its width."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.compare_page import settle
from tests.fleets import publish, small

pytestmark = pytest.mark.needs("chromium")


def fleet_page(page: Page, dashboard: str, folder: Path) -> None:
    link = urlencode({"tables": "A folder", "folder": publish(folder / "fleet", small())})
    page.goto(f"{dashboard}/fleet?{link}")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible(timeout=60_000)
    settle(page)


def test_a_click_on_a_row_shows_the_group_which_opens_in_the_editor(
    page: Page, dashboard: str, tmp_path: Path
) -> None:
    fleet_page(page, dashboard, tmp_path)

    grid = page.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    assert grid is not None
    page.mouse.click(grid["x"] + 18, grid["y"] + 35 * 1.5)
    settle(page)
    expect(page.get_by_text("Replayed under each strategy")).to_be_visible()
    link = page.url
    page.get_by_role("button", name="Open in the editor").click()

    assert "fleet_view=One+group" in link
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("orders at 2026-03-03 00:10:00 UTC", timeout=60_000)


@pytest.mark.parametrize("width", [390, 1920])
def test_no_width_needs_sideways_scrolling(
    page: Page, dashboard: str, tmp_path: Path, width: int
) -> None:
    fleet_page(page, dashboard, tmp_path)

    page.set_viewport_size({"width": width, "height": 900})
    settle(page)

    too_wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert too_wide <= 0
