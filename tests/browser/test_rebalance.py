"""The Rebalance page in a browser: choosing, typing, drawn charts, no sideways scrolling."""

import pytest
from playwright.sync_api import Page, expect

from sources.histories import GUIDES
from tests.browser.compare_page import opened, rerun, settle, too_wide

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

RESTART = next(guide for guide in GUIDES if guide.id == "range-dynamic-restart")


def rebalance_page(page: Page, dashboard: str) -> None:
    opened(page, f"{dashboard}/rebalance")


def load(page: Page, title: str) -> None:
    page.get_by_label("What to play").click()
    with rerun(page):
        page.get_by_role("option", name=title).click()


def ribbons(page: Page) -> list[str]:
    """Return the moves between consumers that the browser drew."""
    script = """() => [...document.querySelectorAll('.js-plotly-plot')]
        .flatMap(plot => plot.data).filter(trace => trace.hoverinfo === 'text')
        .flatMap(trace => trace.hovertext.slice(0, trace.hovertext.length / 2))"""
    found: list[str] = page.evaluate(script)
    return found


def add_event(page: Page, consumer: str) -> None:
    consumers = page.get_by_label("Consumers", exact=True)
    if not consumers.is_visible():  # as while the last one is refused
        page.get_by_role("button", name="Add an event").click()
    consumers.fill(consumer)
    with rerun(page):
        page.get_by_role("button", name="Add to the history").click()


def test_the_first_screen_has_the_conclusion_the_figures_and_both_pictures(
    page: Page, dashboard: str
) -> None:
    rebalance_page(page, dashboard)

    for width, height in ((1440, 900), (1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)

        bottoms = page.evaluate("""() => ['[data-testid=stMetricValue]', '.js-plotly-plot']
            .flatMap(shape => [...document.querySelectorAll(shape)])
            .map(found => found.getBoundingClientRect())
            .map(place => [place.top, Math.min(place.bottom, place.top + 200)])""")
        assert len(bottoms) == 5 + 2
        assert all(top > 0 and bottom < height for top, bottom in bottoms)


def test_a_guided_history_and_one_event_more_are_drawn_and_an_id_that_is_taken_is_refused(
    page: Page, dashboard: str
) -> None:
    rebalance_page(page, dashboard)

    load(page, RESTART.title)
    restarted = ribbons(page)
    add_event(page, "m-b")
    expect(page.get_by_text("the group has a consumer 'm-b' already")).to_be_visible()
    refused = ribbons(page)
    add_event(page, "m-0")

    assert [ribbon.partition(":")[0] for ribbon in restarted] == [
        "m-a (left) → m-b",
        "m-b → m-c",
        "m-c → m-z",
    ]
    assert refused == restarted
    expect(page.get_by_label("Step", exact=True)).to_have_value("2 of 2: m-0 joins")
    expect(page.get_by_role("button", name="Add to the history")).to_be_hidden()
    assert "m-b → m-0: 2 partitions" in ribbons(page)
    assert "history_guide=A+dynamic+consumer+restarts" in page.url
    assert "events=" in page.url


def test_no_width_needs_sideways_scrolling(page: Page, dashboard: str) -> None:
    rebalance_page(page, dashboard)
    load(page, RESTART.title)

    for width in (1920, 700, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)

        assert too_wide(page) <= 0, width
