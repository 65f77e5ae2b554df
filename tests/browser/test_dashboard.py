"""What only a browser shows: typing into grids, drawn charts, links, no sideways scrolling."""

import re
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Locator, Page, expect

from sources import samples
from tests.browser.compare_page import (
    PICTURE,
    choose_page,
    opened,
    paste,
    rerun,
    settle,
    too_wide,
)

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

PASTE_24 = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID\n" + "".join(
    f"billing invoices {p} 10 {10 + 7 * p * p} {7 * p * p} app-{p % 4}\n" for p in range(24)
)


def shown_loads(page: Page, column: int) -> list[int]:
    """Return the loads that one column of the picture tells, a row each."""
    settle(page)
    with_all = page.get_by_role("button", name="All side by side")
    if with_all.count() and with_all.get_attribute("aria-pressed") != "true":
        with rerun(page):
            with_all.click()
    said = page.locator(f".grid .line > :nth-child({column + 2})[data-said][role=cell]")
    told = said.evaluate_all("cells => cells.map(cell => cell.dataset.said)")
    found = [re.search(r": ([\d,]+) records", each) for each in told]
    return [int(each[1].replace(",", "")) if each else 0 for each in found]


def type_into_cell(page: Page, column: str, row: int, value: str) -> None:
    """Type over one cell of the table; rows count from 0."""
    page.locator(f"input[aria-label^='{column}, ']").nth(row).click()
    page.keyboard.type(value)
    with rerun(page):
        page.keyboard.press("Enter")


def test_a_paste_three_more_consumers_and_a_changed_lag_reach_charts_and_figures(
    page: Page, dashboard: str
) -> None:
    opened(page, dashboard)

    paste(page, samples.PASTE.read_text())
    with rerun(page):  # of one snapshot, where the lag is comes first
        page.get_by_text("Would another assignor help?").click()
    pasted = shown_loads(page, 0)
    with rerun(page):
        page.get_by_role("button", name="Edit", exact=True).click()
    for _ in range(3):
        with rerun(page):
            page.get_by_role("button", name="+1", exact=True).click()
    grown = shown_loads(page, 0)
    with rerun(page):
        page.get_by_role("radio", name="Lags and owners").click()
    type_into_cell(page, "Lag", 0, "77000000")
    changed = shown_loads(page, 0)

    assert len(pasted) == 5
    assert len(grown) == 5 + 3
    assert max(changed) >= 77_000_000 > max(grown)
    expect(page.get_by_text("M records behind")).to_be_visible()


def test_what_a_viewer_chose_is_in_the_link_and_comes_back(page: Page, dashboard: str) -> None:
    opened(page, dashboard)

    for choice in (
        page.locator(".st-key-view").get_by_role("radio", name="Topics"),
        page.get_by_role("button", name="Heatmap"),
        page.get_by_role("button", name="Edit", exact=True),
        page.get_by_role("radio", name="Subscriptions"),
    ):
        with rerun(page):
            choice.click()
    link = page.url
    page.goto("about:blank")
    opened(page, link)

    chosen = {name: values[0] for name, values in parse_qs(urlparse(link).query).items()}
    chosen.pop("example", None)
    assert chosen == {
        "view": "Topics", "picture": "heat", "edit": "true", "table": "Subscriptions",
    }  # fmt: skip
    expect(page.get_by_text("Consumer by topic")).to_be_visible()
    expect(page.locator(".tile").first).to_be_visible()
    expect(page.get_by_role("textbox", name="Topic name contains")).to_be_visible()


def test_the_client_of_a_link_goes_along_from_page_to_page(page: Page, dashboard: str) -> None:
    opened(page, f"{dashboard}/?client=kafkajs")

    for name in ("Strategies", "Rebalance", "Gallery", "Group"):
        with rerun(page):
            choose_page(page, name)

    expect(page.get_by_text("KafkaJS ·")).to_be_visible()
    assert parse_qs(urlparse(page.url).query)["client"] == ["kafkajs"]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.proof)])
def test_no_width_needs_sideways_scrolling(page: Page, dashboard: str, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    opened(page, f"{dashboard}/?edit=true")

    for width in (1920, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)

        assert too_wide(page) <= 0, width


def test_nonsense_is_answered_in_one_sentence_and_the_charts_stay(
    page: Page, dashboard: str
) -> None:
    opened(page, dashboard)

    paste(page, "no table here")

    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.locator(PICTURE).first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_what_is_downloaded_holds_the_edit_of_the_same_run(page: Page, dashboard: str) -> None:
    opened(page, f"{dashboard}/?edit=true&table=Lags+and+owners&view=Partitions")

    type_into_cell(page, "Lag", 0, "77000001")
    page.get_by_test_id("stMain").get_by_role("button", name="⋮").last.click()
    saved = page.get_by_test_id("stPopoverBody").get_by_role("button", name="JSON")
    taken = {"the table": _saved(page, saved)}
    page.keyboard.press("Escape")
    with rerun(page):
        page.get_by_role("button", name="Present", exact=True).click()
    for name in ("Report", "Group as JSON"):
        button = page.get_by_test_id("stPopoverBody").get_by_role("button", name=name)
        taken[name] = _saved(page, button)

    for name, text in taken.items():
        assert "77000001" in text or "77,000,001" in text, name


def _saved(page: Page, button: Locator) -> str:
    with page.expect_download() as saved:
        button.click()
    return saved.value.path().read_text(encoding="utf-8")
