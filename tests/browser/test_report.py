"""The report as a browser opens it: offline, from a file, on paper."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sources import plans, samples
from tests.browser.compare_page import PICTURE, choose_page, opened, rerun
from tests.reports import report_on

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

DARK_GROUND = "rgb(18, 22, 28)"
LIGHT_INK = "rgb(231, 236, 242)"


@pytest.fixture
def report(tmp_path: Path) -> str:
    path = tmp_path / "report.html"
    group = samples.load("orders").group
    path.write_text(report_on(group), encoding="utf-8")
    return path.as_uri()


def test_the_report_asks_for_nothing_but_itself_and_draws_every_chart(
    page: Page, report: str
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto(report)

    assert page.locator("main svg rect").first.is_visible()
    assert page.locator("main figure svg.panel").count() == 3
    assert asked == [report]


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_answer_fits_on_the_first_printed_page(page: Page, report: str, paper: str) -> None:
    # The space inside margins of 14 mm, at 96 dots per inch.
    width, height = {"A4": (688, 1016), "Letter": (710, 950)}[paper]
    page.emulate_media(media="print")
    page.set_viewport_size({"width": width, "height": height})

    page.goto(report)

    box = page.locator("main").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= height


@pytest.mark.parametrize(("scheme", "is_dark"), [("light", False), ("dark", True)])
def test_page_and_charts_follow_the_readers_colours(
    page: Page, report: str, scheme: str, is_dark: bool
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    page.goto(report)

    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    ink = page.evaluate("getComputedStyle(document.querySelector('main svg text.name')).fill")
    assert (ground == DARK_GROUND) == is_dark
    assert (ink == LIGHT_INK) == is_dark


def test_the_report_needs_no_sideways_scrolling_on_a_phone(page: Page, report: str) -> None:
    page.set_viewport_size({"width": 390, "height": 900})

    page.goto(report)

    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_report_holds_what_the_session_saw_on_other_pages(page: Page, dashboard: str) -> None:
    opened(page, f"{dashboard}/?total_rate=2000&throughput=290")
    for name in ("Rebalance", "Consumers", "Group"):
        with rerun(page):
            choose_page(page, name)
        expect(page.locator(f"[data-testid=stMetric], {PICTURE}").first).to_be_visible()

    with rerun(page):
        page.get_by_role("button", name="Present", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Report").click()

    text = saved.value.path().read_text(encoding="utf-8")
    assert text.index("<h2>Rebalance</h2>") < text.index("<h2>Consumers</h2>")


def test_a_saved_plan_holds_what_was_stated(page: Page, dashboard: str) -> None:
    opened(page, f"{dashboard}/scenarios?total_rate=2000&throughput=290")

    page.get_by_text("Keep this plan").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the plan").click()

    plan = plans.decode(saved.value.path().read_bytes())
    assert plan.stated.items() >= {"total_rate": "2000", "throughput": "290"}.items()
