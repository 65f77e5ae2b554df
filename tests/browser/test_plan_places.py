"""Consumers and Autoscaler while they compute: what stands below the answer stays in its place."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.compare_page import BAND, boxes, settle
from tests.browser.test_group_page import SHIFTS, SIZES

pytestmark = [pytest.mark.proof, pytest.mark.slow, pytest.mark.needs("chromium")]

PATHS = ("capacity", "autoscaler")
ANSWER = ".st-key-awaits_verdict_and_figures"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_stands_below_does_not_move_when_the_answer_comes(
    page: Page, dashboard: str, path: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(SHIFTS)
    never_asked = 1000 + width
    page.goto(f"{dashboard}/{path}?total_rate=3000&throughput={never_asked}")
    expect(page.locator(BAND)).to_be_visible()
    settle(page)

    shifts = page.evaluate("window.shifts")

    assert sum(shifts) <= 0.1


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_table_has_its_height_before_it_comes(
    page: Page, dashboard: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(SHIFTS)
    page.goto(f"{dashboard}/strategies")
    settle(page)

    assert sum(page.evaluate("window.shifts")) <= 0.1


@pytest.mark.parametrize(
    ("path", "menu", "other"),
    [("capacity", "Plan", "Learn"), ("scenarios", "Plan", "Learn"), ("glossary", "Learn", "Plan")],
)
def test_the_bar_marks_the_menu_that_holds_the_page(
    page: Page, dashboard: str, path: str, menu: str, other: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{dashboard}/{path}")

    bar = page.get_by_test_id("stTopNavSection")

    expect(bar.filter(has_text=menu)).to_have_css("font-weight", "600")
    expect(bar.filter(has_text=other)).to_have_css("font-weight", "400")


@pytest.mark.parametrize("path", PATHS)
def test_where_nothing_can_be_computed_no_place_is_held(
    page: Page, dashboard: str, path: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{dashboard}/{path}?throughput=-1")
    refused = page.get_by_test_id("stAlert")
    expect(refused).to_be_visible()
    settle(page)

    (place,) = boxes(page, [ANSWER])
    (said,) = boxes(page, ["[data-testid=stAlert]"])

    assert place[3] - said[3] < 20
