"""The Autoscaler page at its own address: the conclusion, the chart, and the rule's settings."""

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.compare_page import CHARTS, rerun, settle, too_wide

ANSWER = "section.band"
pytestmark = [pytest.mark.proof, pytest.mark.slow, pytest.mark.needs("chromium")]


def test_a_profile_leads_to_a_picture_and_a_scaled_object_to_copy(
    page: Page, dashboard: str
) -> None:
    failed: list[str] = []

    def note(response: Response) -> None:
        if response.status >= 400:
            failed.append(response.url)

    page.on("response", note)
    page.goto(f"{dashboard}/autoscaler?hours=2.0&total_rate=3000&throughput=1000")
    expect(page.locator(CHARTS)).to_be_visible()
    settle(page)
    before = page.locator(ANSWER).inner_text()

    with rerun(page):
        page.get_by_role("combobox", name="Workload").click()
        page.get_by_role("option", name="bursts").click()
    expect(page.locator(ANSWER)).not_to_have_text(before, use_inner_text=True)
    page.get_by_role("button", name="How to set it").click()

    expect(page.get_by_text("kind: ScaledObject")).to_be_visible()
    expect(page.locator(f"{CHARTS} .ytitle")).to_have_text("Pods")
    expect(page.locator(f"{CHARTS} .y2title")).to_have_text("Time lag")
    page.set_viewport_size({"width": 390, "height": 844})
    settle(page)
    assert too_wide(page) == 0
    # Streamlit first looks for its server below the page's address.
    assert [url for url in failed if "/autoscaler/_stcore/" not in url] == []
    page.remove_listener("response", note)
