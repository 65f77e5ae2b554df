"""The report as a browser opens it: offline, from a file, on paper."""

from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from evaluation.bounds import best_possible_max_lag
from evaluation.compare import compare
from sources import samples
from ui.compare.report import written

pytestmark = pytest.mark.needs("chromium")

DARK_GROUND = "rgb(18, 22, 28)"


@pytest.fixture
def report(tmp_path: Path) -> str:
    group = samples.load("kip-49").group
    outcomes = compare(group, ["range", "fair"])
    bound = best_possible_max_lag(group)
    path = tmp_path / "report.html"
    path.write_text(written("KIP-49", group, outcomes, bound, date(2026, 2, 3)), encoding="utf-8")
    return path.as_uri()


def test_the_report_asks_for_nothing_but_itself_and_draws_every_chart(
    page: Page, report: str
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto(report)

    expect(page.locator(".js-plotly-plot .main-svg .draglayer").first).to_be_attached()
    assert page.locator(".js-plotly-plot").count() == 3
    assert asked == [report]


@pytest.mark.parametrize(("scheme", "is_dark"), [("light", False), ("dark", True)])
def test_page_and_charts_follow_the_readers_colours(
    page: Page, report: str, scheme: str, is_dark: bool
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    page.goto(report)

    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    ink = page.evaluate("document.querySelector('.js-plotly-plot').layout.font.color").strip()
    assert (ground == DARK_GROUND) == is_dark
    assert ink == ("#e7ecf2" if is_dark else "#1b2430")


def test_the_report_needs_no_sideways_scrolling_on_a_phone(page: Page, report: str) -> None:
    page.set_viewport_size({"width": 390, "height": 900})

    page.goto(report)

    assert page.evaluate("document.documentElement.scrollWidth") <= 390
