"""The Fleet page in a browser: clicks on names, its width, hostile names."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.compare_page import rerun, settle, too_wide
from tests.fleets import quiet, write

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

HOSTILE = (
    "[a](https://evil.example/1) https://evil.example/2 www.evil.example me@evil.example <b>b</b> "
    "<a href='https://evil.example/3'>x</a> ![i](https://evil.example/i.png) :red[c] $y^2$ `d` "
    ":material/home: :smile: a -> b"
)


def fleet_page(page: Page, dashboard: str, folder: str, **link: str) -> None:
    query = urlencode({"tables": "A folder", "folder": folder, **link})
    page.goto(f"{dashboard}/fleet?{query}")
    page.get_by_role("button", name="Open this folder").click()


def ranking(page: Page, dashboard: str, folder: Path) -> None:
    fleet_page(page, dashboard, write(folder / "fleet", quiet()))
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    settle(page)


def test_a_click_on_a_name_shows_the_group_which_opens_in_compare(
    page: Page, dashboard: str, tmp_path: Path
) -> None:
    ranking(page, dashboard, tmp_path)

    grid = page.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    assert grid is not None
    with rerun(page):
        page.mouse.click(grid["x"] + 250, grid["y"] + 35 + 52 / 2)
    expect(page.get_by_text("Replayed under each strategy")).to_be_visible()
    link = page.url
    page.get_by_role("button", name="Open the group").click()

    assert "fleet_view=One+group" in link
    title = page.get_by_role("heading", name="orders at 2026-03-03 00:10:00 UTC")
    expect(title).to_be_visible()


def test_the_answer_and_the_ranking_are_on_the_first_screen(
    page: Page, dashboard: str, tmp_path: Path
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    ranking(page, dashboard, tmp_path)

    expect(page.get_by_text("of 1 of 3 groups")).to_be_in_viewport()
    expect(page.get_by_test_id("stPlotlyChart")).to_be_in_viewport(ratio=1)
    grid = page.get_by_test_id("stDataFrame").bounding_box()
    assert grid is not None
    assert grid["y"] + 4 * 35 < 900


def test_no_width_needs_sideways_scrolling(page: Page, dashboard: str, tmp_path: Path) -> None:
    ranking(page, dashboard, tmp_path)

    for width in (1920, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)

        assert too_wide(page) <= 0, width


def test_a_hostile_folder_is_one_plain_sentence(page: Page, dashboard: str) -> None:
    fleet_page(page, dashboard, f"/tmp/{HOSTILE.replace('[', '').replace(']', '')}")  # noqa: S108

    error = page.get_by_test_id("stAlert")
    expect(error).to_contain_text("does not exist")
    assert error.locator("a, img, b").count() == 0
