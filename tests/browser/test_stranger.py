"""A stranger builds a group, compares four scenarios, shares the link and shows the slides."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.compare_page import (
    BAND,
    TITLE,
    choose_page,
    opened,
    rerun,
    settle,
    too_wide,
)

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]


def go(page: Page, name: str) -> None:
    """Open a page by its link in the menu."""
    with rerun(page):
        choose_page(page, name)


def build(page: Page) -> None:
    """Create a group of 3 topics and 10 consumers from counts."""
    with rerun(page):
        page.get_by_role("button", name="Open", exact=True).click()
        page.get_by_role("menuitem", name="New").click()
    page.get_by_label("Name of the group").fill("checkout")
    page.get_by_label("Partitions of each topic").fill("24, 48, 12")
    page.get_by_label("Consumers", exact=True).first.fill("10")
    with rerun(page):
        page.get_by_role("button", name="Create it").click()


def test_a_stranger_builds_compares_shares_and_presents(page: Page, dashboard: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=dashboard)
    opened(page, dashboard)

    build(page)
    expect(page.locator(TITLE)).to_have_text("checkout")
    expect(page.get_by_text("10 consumers · 3 topics · 84 partitions")).to_be_visible()
    assert too_wide(page) == 0

    go(page, "Scenarios")
    choices = page.locator(".matrix tbody tr")
    expect(choices.first).to_be_visible()
    before = choices.count()
    page.get_by_role("button", name="Add a choice").click()
    page.get_by_label("Consumers more or fewer").fill("10")
    with rerun(page):
        page.get_by_role("button", name="Add choice").click()
    expect(choices).to_have_count(before + 1)
    expect(page.get_by_label("Consumers more or fewer")).to_have_count(0)
    expect(page.locator(BAND)).to_contain_text("No backlog is known")
    assert too_wide(page) == 0

    go(page, "Group")
    with rerun(page):
        page.get_by_role("button", name="Present", exact=True).click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link: str = page.evaluate("() => navigator.clipboard.readText()")

    opened(page, link)
    expect(page.locator(TITLE)).to_have_text("checkout")
    go(page, "Scenarios")
    expect(choices).to_have_count(before + 1)
    go(page, "Group")

    with rerun(page):
        page.get_by_role("button", name="Present", exact=True).click()
    with rerun(page):
        page.get_by_role("button", name="Slides", exact=True).first.click()
    deck = page.locator(".deck")
    expect(deck.locator("h1").first).to_have_text("No partition has an owner yet.")
    over: list[int] = deck.evaluate(
        "deck => [...deck.querySelectorAll('.slide')].map(s => s.scrollHeight - s.clientHeight)"
    )
    assert len(over) == 4
    assert max(over) <= 0
    with rerun(page):
        page.keyboard.press("End")
    expect(deck.locator(".slide h1").last).to_be_in_viewport()
    with rerun(page):
        page.keyboard.press("Escape")
    expect(deck).to_have_count(0)
    settle(page)
