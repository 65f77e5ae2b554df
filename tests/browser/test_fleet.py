"""The Fleet page in a browser: what is first, clicks on names, widths, shifts, hostile names."""

from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.compare_page import rerun, settle, too_wide
from tests.fleets import quiet, write

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

BAND = "section.band"
SIZE = "text => parseFloat(getComputedStyle(text).fontSize)"
CUT_OR_OVERLAPPING = """rows => rows.flatMap(row => {
  const shown = [...row.children].filter(cell => cell.offsetParent && cell.textContent.trim());
  const boxes = shown.map(cell => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect();
  });
  const cut = shown.filter((cell, k) => {
    const box = cell.getBoundingClientRect();
    const end = row.getBoundingClientRect().bottom;
    return boxes[k].right > box.right + 1 || boxes[k].bottom > end + 1;
  });
  const meet = (one, two, from, to) => one[from] < two[to] - 1 && two[from] < one[to] - 1;
  const over = boxes.filter((one, k) => boxes.slice(k + 1).some(
    two => meet(one, two, "left", "right") && meet(one, two, "top", "bottom")));
  return [...cut.map(cell => cell.textContent), ...over.map(() => row.textContent)];
})"""
SHIFTS = """new PerformanceObserver(list => {
  for (const each of list.getEntries())
    if (!each.hadRecentInput) window.shifted = (window.shifted || 0) + each.value;
}).observe({ type: "layout-shift", buffered: true });"""
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
    fleet_page(page, dashboard, write(folder / "fleet", quiet()), fleet_view="By gain")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    settle(page)


def rows(page: Page, dashboard: str) -> Locator:
    """Open the sample's fleet; return its rows, once all have been checked."""
    page.goto(f"{dashboard}/fleet")
    expect(page.locator(".fleet section.red")).to_be_visible(timeout=120_000)
    settle(page)
    return page.locator(".fleet section:not(.folded) .row")


def test_a_click_on_a_name_shows_the_group_which_opens_in_compare(
    page: Page, dashboard: str, tmp_path: Path
) -> None:
    ranking(page, dashboard, tmp_path)

    grid = page.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    assert grid is not None
    with rerun(page):
        page.mouse.click(grid["x"] + 250, grid["y"] + 35 + 35 / 2)
    expect(page.get_by_text("Replayed under each strategy")).to_be_visible()
    link = page.url
    page.get_by_role("button", name="Open the group").click()

    assert "fleet_view=One+group" in link
    title = page.get_by_role("heading", name="orders at 2026-03-03 00:10:00 UTC")
    expect(title).to_be_visible()


def test_the_answer_and_the_first_groups_are_on_the_first_screen(
    page: Page, dashboard: str
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    found = rows(page, dashboard)

    expect(page.locator(BAND)).to_be_in_viewport(ratio=1)
    for place in range(4):
        expect(found.nth(place)).to_be_in_viewport(ratio=1)
    sizes = [
        text.evaluate(SIZE) for text in (page.locator(f"{BAND} h1"), found.locator(".do").first)
    ]
    assert sizes[0] > sizes[1] >= 12


@pytest.mark.parametrize("width", [1920, 1440, 1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_of_a_row_is_cut_and_no_two_cells_overlap(
    page: Page, dashboard: str, width: int, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 844})
    found = rows(page, dashboard)
    first = found.count()
    page.get_by_role("button", name="Show the other").click()

    assert page.locator(".fleet .row .name:visible").count() > first
    assert too_wide(page) <= 0
    assert page.locator(".fleet .row:not(.head)").evaluate_all(CUT_OR_OVERLAPPING) == []


def test_a_row_of_the_list_opens_its_group_by_keyboard_too(page: Page, dashboard: str) -> None:
    found = rows(page, dashboard)
    first = found.locator(".name").first
    name = first.inner_text()

    first.focus()
    with rerun(page):
        page.keyboard.press("Enter")

    expect(page.get_by_text("Replayed under each strategy")).to_be_visible()
    assert f"of_group={name}" in page.url


def test_what_is_stopped_or_never_ends_is_red_and_what_is_well_is_not(
    page: Page, dashboard: str
) -> None:
    found = rows(page, dashboard)
    tones = [page.locator(f".fleet section.{tone} .now").first for tone in ("red", "neutral")]

    red, ink = (each.evaluate("cell => getComputedStyle(cell).color") for each in tones)

    assert found.first.locator(".now").evaluate("cell => getComputedStyle(cell).color") == red
    assert (red, ink) == ("rgb(194, 47, 58)", ink)
    assert red != ink


@pytest.mark.parametrize("size", [(1920, 1080), (1440, 900), (1280, 720), (390, 844)])
def test_what_is_drawn_stays_where_it_is_until_all_has_come(
    page: Page, dashboard: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.add_init_script(SHIFTS)

    rows(page, dashboard)

    assert page.evaluate("window.shifted || 0") <= 0.05


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
