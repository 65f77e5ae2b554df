"""The Capacity page in a browser: one click stops a long search, and another resumes it."""

import pytest
from playwright.sync_api import FilePayload, Page, expect

from sources import group_json, samples
from tests.browser.compare_page import choose_page, opened, rerun, settle

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

BAND = "section.band"
TOPICS, PARTITIONS, CONSUMERS = 25, 40, 100


def test_a_search_is_stopped_by_a_click_and_goes_on_by_another(page: Page, dashboard: str) -> None:
    group = group_json.encode(samples.large(TOPICS, PARTITIONS, CONSUMERS))
    file = FilePayload(name="large.json", mimeType="application/json", buffer=group)
    opened(page, f"{dashboard}/?start=Upload")
    with rerun(page):
        page.set_input_files("input[type=file]", file)
    expect(page.get_by_text("100 consumers · 25 topics · 1,000 partitions")).to_be_visible()

    choose_page(page, "Consumers")
    page.get_by_role("button", name="Try it").click()
    stop = page.get_by_test_id("stMain").get_by_role("button", name="Stop")
    stop.first.click()

    stopped = page.get_by_text("Stopped:")
    expect(stopped).to_be_visible()
    expect(stop).to_have_count(0)
    expect(page.locator(BAND)).to_contain_text("consumers")

    page.get_by_role("button", name="Continue").click()
    expect(stop).to_have_count(1)
    expect(stopped).to_have_count(0)
    settle(page)
    expect(stop).to_have_count(0)
    expect(page.locator(BAND)).to_contain_text("consumers")
    expect(page.locator(BAND)).not_to_contain_text("Continue")
