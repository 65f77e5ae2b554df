"""The gallery in a browser: leaving it by a button, and its width on a phone."""

import pytest
from playwright.sync_api import Page, expect

from sources.gallery import CARDS, filled
from tests.browser.compare_page import TITLE, choose_page, opened, rerun, settle

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]


def test_a_filtered_gallery_opens_an_example_and_needs_no_sideways_scrolling(
    page: Page, dashboard: str
) -> None:
    card = next(card for card in CARDS if "cooperative-sticky" in card.strategies)
    opened(page, dashboard)
    with rerun(page):
        choose_page(page, "Gallery")
    with rerun(page):
        page.get_by_role("button", name="Cooperative sticky").click()
    page.set_viewport_size({"width": 390, "height": 900})
    too_wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")

    page.get_by_role("button", name="Open it").first.click()

    expect(page.locator(TITLE)).to_have_text(filled(card).title)
    assert too_wide <= 0


@pytest.mark.parametrize(
    ("width", "number"), [(1440, 15), pytest.param(390, 20, marks=pytest.mark.proof)]
)
def test_an_example_opens_at_the_top_of_the_page(
    page: Page, dashboard: str, width: int, number: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{dashboard}/gallery")
    settle(page)
    button = page.get_by_role("button", name="Open it").nth(number)
    button.scroll_into_view_if_needed()

    with rerun(page):
        button.click()
    expect(page.locator(TITLE)).to_have_text(filled(CARDS[number]).title)

    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop === 0")


def test_scrolling_is_left_alone_while_the_visitor_stays_on_a_page(
    page: Page, dashboard: str
) -> None:
    opened(page, dashboard)
    with rerun(page):
        choose_page(page, "Gallery")
    page.get_by_role("button", name="Replay it").nth(2).scroll_into_view_if_needed()
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(scrolled)

    page.evaluate("window.dispatchEvent(new Event('resize'))")
    with rerun(page):
        page.keyboard.press("r")  # Streamlit runs the script once more

    assert before > 0
    assert page.evaluate(scrolled) == before
