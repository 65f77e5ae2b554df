"""What only a browser shows: typing into grids, drawn charts, links, no sideways scrolling."""

from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Page, expect

from sources import samples
from tests.browser.compare_page import (
    PANELS,
    boxes,
    choose_page,
    opened,
    paste,
    rerun,
    settle,
    too_wide,
)

pytestmark = pytest.mark.needs("chromium")

PASTE_24 = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID\n" + "".join(
    f"billing invoices {p} 10 {10 + 7 * p * p} {7 * p * p} app-{p % 4}\n" for p in range(24)
)


def bar_heights(page: Page, panel: int) -> list[int]:
    """Return the loads that the bars of one panel say under the pointer."""
    settle(page)
    page.locator(PANELS).nth(panel).scroll_into_view_if_needed()
    said = page.locator(".said").nth(panel)
    found = []
    for left, _, right, bottom in boxes(page, [f"{PANELS} >> nth={panel} >> .load"]):
        page.mouse.move((left + right) / 2, bottom - 1)
        found.append(int(said.inner_text().partition(": ")[2].split(" ")[0].replace(",", "")))
    return found


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
    pasted = bar_heights(page, 0)
    with rerun(page):
        page.get_by_text("Edit", exact=True).click()
    for _ in range(3):
        with rerun(page):
            page.get_by_role("button", name="+1", exact=True).click()
    grown = bar_heights(page, 0)
    with rerun(page):
        page.get_by_role("radio", name="Lags and owners").click()
    type_into_cell(page, "Lag", 0, "77000000")
    changed = bar_heights(page, 0)

    assert len(grown) == len(pasted) + 3
    assert max(changed) >= 77_000_000 > max(grown)
    expect(page.get_by_test_id("stMetricValue").first).to_contain_text("M")


def test_what_a_viewer_chose_is_in_the_link_and_comes_back(page: Page, dashboard: str) -> None:
    opened(page, dashboard)

    for choice in (
        page.get_by_role("radio", name="Topics"),
        page.get_by_role("radio", name="Heatmap"),
        page.get_by_text("Edit", exact=True),
        page.get_by_role("radio", name="Subscriptions"),
    ):
        with rerun(page):
            choice.click()
    link = page.url
    page.goto("about:blank")
    opened(page, link)

    chosen = {name: values[0] for name, values in parse_qs(urlparse(link).query).items()}
    assert chosen == {
        "view": "Topics", "picture": "Heatmap", "edit": "true", "table": "Subscriptions",
    }  # fmt: skip
    expect(page.get_by_text("Consumer by topic")).to_be_visible()
    expect(page.get_by_text("Lag of each consumer", exact=True)).to_be_visible()
    expect(page.get_by_role("textbox", name="Topic name contains")).to_be_visible()


def test_the_client_of_a_link_goes_along_from_page_to_page(page: Page, dashboard: str) -> None:
    opened(page, f"{dashboard}/?client=kafkajs")

    for name in ("Strategies", "Rebalance", "Gallery", "Group"):
        with rerun(page):
            choose_page(page, name)

    expect(page.get_by_role("button", name="KafkaJS strategies")).to_be_visible()
    assert parse_qs(urlparse(page.url).query)["client"] == ["kafkajs"]


def test_the_first_screen_holds_the_conclusion_the_figures_and_every_panel(
    page: Page, dashboard: str
) -> None:
    opened(page, dashboard)
    check_first_screen(page)

    page.set_viewport_size({"width": 1440, "height": 1000})
    paste(page, PASTE_24)
    expect(page.get_by_text("4 consumers, 1 topic, 24 partitions")).to_be_visible()
    check_first_screen(page)


def check_first_screen(page: Page) -> None:
    for width, height in ((1440, 900), (1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)

        sentence = boxes(page, ["[data-testid=stMain] h3"])
        figures = boxes(page, ["[data-testid=stMetric]"])
        panels = boxes(page, [PANELS])
        assert (len(sentence), len(figures), len(panels)) == (1, 4, 6)
        assert all(top > 0 and bottom < height for _, top, _, bottom in sentence + figures)
        assert all(top + 150 < height for _, top, _, _ in panels)
        assert len({top for _, top, _, _ in panels}) == 1


def test_a_bar_says_its_figures_while_it_is_pointed_at(page: Page, dashboard: str) -> None:
    opened(page, dashboard)
    said, names = page.locator(".said").first, page.locator(PANELS).first.locator(".name")
    bars = boxes(page, [f"{PANELS} >> nth=0 >> .load"])

    for (left, _, right, bottom), name in zip(bars, names.all_text_contents(), strict=True):
        page.mouse.move((left + right) / 2, bottom - 1)
        expect(said).to_contain_text(f"{name}: ")
        expect(said).to_contain_text("partition")
    page.mouse.move(bars[0][0] - 20, bars[0][3] - 1)  # left of the bars stand the amounts

    expect(said).to_be_hidden()


def test_on_a_phone_no_title_covers_another_and_nothing_scrolls_sideways(
    page: Page, dashboard: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, dashboard)

    titles = boxes(page, ["[data-testid=stMarkdown]:has(.stMarkdownBadge)"])
    charts = boxes(page, [PANELS])

    assert len(titles) == len(charts) == 6
    assert not any(overlap(a, b) for a in titles for b in titles + charts if a is not b)
    assert too_wide(page) <= 0
    assert boxes(page, ["[data-testid=stMain] h3"])[0][1] < 250


def overlap(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> bool:
    """Return whether two boxes share more than an edge."""
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > 1
        and min(one[3], other[3]) - max(one[1], other[1]) > 1
    )


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
    expect(page.locator(PANELS).first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_what_is_downloaded_holds_the_edit_of_the_same_run(page: Page, dashboard: str) -> None:
    opened(page, f"{dashboard}/?edit=true&table=Lags+and+owners&view=Assignment")

    type_into_cell(page, "Lag", 0, "77000001")
    for button in ("JSON", "Report", "Download"):
        place = page.get_by_test_id("stMain")
        if button == "Download":
            page.get_by_role("button", name="Share").click()
            place = page.get_by_test_id("stPopoverBody")
        with page.expect_download() as saved:
            place.get_by_role("button", name=button).last.click()

        text = saved.value.path().read_text(encoding="utf-8")
        assert "77000001" in text or "77,000,001" in text, button
