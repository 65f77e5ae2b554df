"""A page's own address works, even as the first request to a fresh server."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.compare_page import opened, settle

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]


@pytest.mark.parametrize("name", ["rebalance", "strategies"])
def test_a_fresh_server_shows_a_pages_own_address_with_the_menu(
    page: Page, fresh_dashboard: str, name: str
) -> None:
    page.goto(f"{fresh_dashboard}/{name}")

    expect(page.get_by_test_id("stTopNav").get_by_role("button", name="Plan")).to_be_visible()
    expect(page.locator("h1")).to_be_visible()
    assert page.url.rstrip("/").endswith(name)
    width = page.locator("[data-testid=stMainBlockContainer]").bounding_box()
    assert width is not None
    assert width["width"] > 1_000


@pytest.mark.parametrize("address", ["compare?client=kafkajs", "capacity?client=kafkajs"])
def test_earlier_addresses_open_with_their_choices_under_five_names(
    page: Page, dashboard: str, address: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})

    page.goto(f"{dashboard}/{address}")

    # Consumers may ask for a rate instead of a picture, or search for long.
    expect(page.locator("h1").first).to_be_visible()
    assert "client=kafkajs" in page.url
    menu = page.get_by_test_id("stTopNav")
    names = menu.get_by_test_id("stMarkdownContainer").all_inner_texts()
    assert names == ["Group", "Rebalance", "Fleet", "Plan", "Learn"]
    for name in names:
        expect(menu.get_by_text(name, exact=True)).to_be_in_viewport()
    settle(page)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_first_screen_takes_less_than_five_megabytes(page: Page, dashboard: str) -> None:
    received: list[float] = []
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.clearBrowserCache")
    network.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))

    opened(page, dashboard)
    network.detach()

    assert 1e6 < sum(received) < 5e6


def test_the_first_pictures_ask_for_no_library_of_charts(page: Page, dashboard: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    for address in (dashboard, f"{dashboard}/scenarios"):
        opened(page, address)

    assert any("BidiComponent" in url for url in asked)
    assert not any("PlotlyChart" in url for url in asked)
