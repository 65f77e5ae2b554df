"""What only a browser shows of the gallery: leaving it by a button, and its width on a phone."""

import pytest
from playwright.sync_api import Page, expect

from sources.gallery import CARDS, tell
from tests.browser.test_dashboard import opened, settle

pytestmark = pytest.mark.needs("chromium")


def test_a_filtered_gallery_opens_an_example_and_needs_no_sideways_scrolling(
    page: Page, dashboard: str
) -> None:
    card = next(card for card in CARDS if "cooperative-sticky" in card.strategies)
    opened(page, dashboard)
    page.get_by_role("link", name="Gallery").click()
    page.get_by_role("button", name="Cooperative sticky").click()
    settle(page)
    page.set_viewport_size({"width": 390, "height": 900})
    too_wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")

    page.get_by_role("button", name="Open it").first.click()

    expect(page.get_by_role("heading", level=1)).to_have_text(tell(card).title)
    assert too_wide <= 0
