"""The matrix of Scenarios: aligned, whole at every size, worked by keyboard, and going on."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.compare_page import BAND, boxes, opened, rerun, too_wide

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

BUSY = "example=Orders%3A%20one%20busy%20partition"
SIZES = [(1440, 900), (1280, 720), (390, 844)]
CUT = """() => [...document.querySelectorAll('*')].flatMap(host => host.shadowRoot
    ? [...host.shadowRoot.querySelectorAll('.matrix :is(b, .cap, .status, button)')] : [])
    .filter(each => each.getBoundingClientRect().width && each.scrollWidth > each.clientWidth + 1
        && getComputedStyle(each).display !== 'inline')
    .map(each => each.textContent)"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_matrix_is_one_grid_and_only_it_scrolls(
    page: Page, dashboard: str, size: tuple[int, int], theme: str
) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    opened(page, f"{dashboard}/scenarios?{BUSY}")

    assert too_wide(page) <= 0
    assert page.evaluate(CUT) == []
    heads = boxes(page, [".matrix thead .case"])
    (first, *others) = page.locator(".matrix tbody tr").all()
    for row in (first, *others):
        cells = row.locator(".case").evaluate_all(
            "found => found.map(each => each.getBoundingClientRect().left)"
        )
        assert cells == [left for left, *_ in heads]
    page.locator(".scroll").evaluate("each => { each.scrollLeft = 1000 }")
    (choice,) = boxes(page, [".matrix tbody tr:first-child .who"])
    (place,) = boxes(page, [".scroll"])
    assert choice[0] == place[0]  # it stays while the cases scroll


def test_a_choice_is_removed_and_opened_by_keyboard(page: Page, dashboard: str) -> None:
    opened(page, f"{dashboard}/scenarios?{BUSY}")
    choices = page.locator(".matrix tbody tr")
    before = choices.count()

    with rerun(page):
        page.get_by_role("button", name="Remove the choice As today").focus()
        page.keyboard.press("Enter")
    expect(choices).to_have_count(before - 1)

    with rerun(page):
        page.get_by_role("button", name="Open +3 consumers as").focus()
        page.keyboard.press("Enter")
    expect(page.get_by_text("15 consumers, 8 topics, 134 partitions")).to_be_visible()


def test_a_case_that_no_choice_stands_is_planned_for_on_consumers(
    page: Page, dashboard: str
) -> None:
    opened(page, f"{dashboard}/scenarios?{BUSY}")
    expect(page.locator(BAND)).to_contain_text("1.5 times the arrivals")

    page.get_by_role("button", name="Plan this case").click()

    expect(page.get_by_label("Peak, times the arrivals", exact=True)).to_have_value("1.5")
    assert "/capacity" in page.url
