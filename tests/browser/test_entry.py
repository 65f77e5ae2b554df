"""A page's own address works, even as the first request to a fresh server."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.parametrize("name", ["rebalance", "strategies"])
def test_a_fresh_server_shows_a_pages_own_address_with_the_menu(
    page: Page, fresh_dashboard: str, name: str
) -> None:
    page.goto(f"{fresh_dashboard}/{name}")

    expect(page.get_by_role("link", name="Capacity")).to_be_visible()
    expect(page.locator("h1")).to_be_visible()
    assert page.url.rstrip("/").endswith(name)
    width = page.locator("[data-testid=stMainBlockContainer]").bounding_box()
    assert width is not None
    assert width["width"] > 1_000
