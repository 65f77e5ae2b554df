"""The Rebalance page in a browser: choosing, typing, the pictures drawn, no sideways scrolling."""

import pytest
from playwright.sync_api import Page, expect

from sources.histories import GUIDES
from tests.browser.test_dashboard import opened, settle

pytestmark = pytest.mark.needs("chromium")

RESTART = next(guide for guide in GUIDES if guide.id == "range-dynamic-restart")


def rebalance_page(page: Page, dashboard: str) -> None:
    opened(page, dashboard)
    page.get_by_role("link", name="Rebalance").click()
    settle(page)


def load(page: Page, title: str) -> None:
    page.get_by_label("Scenario").click()
    page.get_by_role("option", name=title).click()
    settle(page)


def ribbons(page: Page) -> list[str]:
    """Return who hands to whom, as the browser drew it."""
    script = """() => document.querySelectorAll('.js-plotly-plot')[0].data
        .filter(trace => trace.meta).map(trace => trace.name)"""
    found: list[str] = page.evaluate(script)
    return found


def test_a_guided_history_and_one_event_more_are_drawn(page: Page, dashboard: str) -> None:
    rebalance_page(page, dashboard)

    load(page, RESTART.title)
    restarted = ribbons(page)
    page.get_by_label("Consumers", exact=True).fill("m-0")
    page.get_by_role("button", name="Add to the history").click()
    settle(page)

    assert restarted == ["m-a (left) → m-b", "m-b → m-c", "m-c → m-z"]
    expect(page.get_by_text("2. m-0 joins").first).to_be_visible()
    assert "m-b → m-0" in ribbons(page)
    assert page.url.endswith("history_guide=A+dynamic+consumer+restarts")


def test_an_id_that_is_taken_is_refused_and_the_pictures_stay(page: Page, dashboard: str) -> None:
    rebalance_page(page, dashboard)
    load(page, RESTART.title)

    page.get_by_label("Consumers", exact=True).fill("m-b")
    page.get_by_role("button", name="Add to the history").click()
    settle(page)

    expect(page.get_by_text("the group has a consumer 'm-b' already")).to_be_visible()
    assert len(ribbons(page)) == 3


@pytest.mark.parametrize("width", [390, 700, 1920])
def test_no_width_needs_sideways_scrolling(page: Page, dashboard: str, width: int) -> None:
    rebalance_page(page, dashboard)
    load(page, RESTART.title)

    page.set_viewport_size({"width": width, "height": 900})
    settle(page)

    too_wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert too_wide <= 0
