"""The slides as a room sees them: keys, sizes, contrast, swipes, paper, and files."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Locator, Page, expect

from charts.deck.component import deck_html
from tests.browser.compare_page import PICTURE, opened, rerun, settle
from tests.charts.deck.decks import DECK

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

SCREENS = ((1280, 720), (1440, 900), (1920, 1080))
LEAST_TEXT_PX = 18
LEAST_CONTRAST = 4.5
TEXTS = """deck => {
    const parsed = colour => (colour.match(/[\\d.]+/g) ?? [0, 0, 0]).map(Number)
        .map(part => colour.startsWith('color(') ? part * 255 : part);
    const light = ([r, g, b]) => [r, g, b].map(part => part / 255)
        .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0);
    const behind = element => {
        for (let at = element; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (!/transparent|, 0\\)$/.test(colour)) return parsed(colour);
        }
        return [255, 255, 255];
    };
    return [...deck.querySelectorAll('*')]
        .filter(each => [...each.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
        .filter(each => each.getClientRects().length)
        .map(each => {
            const style = getComputedStyle(each), isSvg = each instanceof SVGElement;
            const pair = [light(parsed(isSvg ? style.fill : style.color)), light(behind(each))];
            return [each.textContent, parseFloat(style.fontSize),
                    (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05)];
        });
}"""
"""Every text on the slides, with its size in pixels and its contrast."""


def slides(page: Page, address: str) -> Locator:
    """Open the slides; return the deck."""
    page.goto(address)
    deck = page.locator(".deck")
    expect(deck.locator("h1").first).to_be_visible()
    settle(page)
    return deck


def place(deck: Locator) -> Locator:
    """Return the line that says which slide is shown, of how many."""
    return deck.locator(".bar-row > span").first


@contextmanager
def offline(page: Page, path: Path) -> Iterator[list[str]]:
    """Open the file of the slides; yield the addresses that it asks for."""
    path.write_text(deck_html(DECK), encoding="utf-8")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    yield asked


def test_arrow_keys_lead_through_the_slides_and_escape_returns(page: Page, dashboard: str) -> None:
    opened(page, dashboard)

    with rerun(page):
        page.get_by_role("button", name="Present", exact=True).click()
    with rerun(page):
        page.get_by_role("button", name="Slides", exact=True).first.click()
    deck = page.locator(".deck")
    expect(place(deck)).to_have_text("1 / 5")
    for _ in range(2):
        with rerun(page):
            page.keyboard.press("ArrowRight")
    expect(place(deck)).to_have_text("3 / 5")
    proposal = deck.get_by_role("region", name="Slide 3")
    today = proposal.get_by_role("button", name="Today", exact=True)
    expect(today).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")  # first the picture changes, then the slide
    expect(today).to_have_attribute("aria-pressed", "false")
    expect(place(deck)).to_have_text("3 / 5")
    with rerun(page):
        page.keyboard.press("PageDown")
    expect(place(deck)).to_have_text("4 / 5")
    assert parse_qs(urlparse(page.url).query)["slide"] == ["4"]
    with rerun(page):
        page.keyboard.press("Escape")

    expect(deck).to_have_count(0)
    expect(page.locator(PICTURE).first).to_be_visible()
    assert "slide" not in page.url


def test_a_link_opens_at_its_slide(page: Page, dashboard: str) -> None:
    deck = slides(page, f"{dashboard}/?slide=3")

    expect(place(deck)).to_have_text("3 / 5")
    expect(deck.locator(".slide h1").nth(2)).to_be_in_viewport()
    expect(deck.locator(".slide h1").nth(0)).not_to_be_in_viewport()


def test_no_slide_scrolls_on_a_projector(page: Page, dashboard: str) -> None:
    deck = slides(page, f"{dashboard}/?slide=1")

    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)

        assert max(over := too_high(deck)) <= 0, (width, height, over)


def too_high(deck: Locator) -> list[int]:
    """Return by how many pixels each slide is higher than the screen."""
    found: list[int] = deck.evaluate(
        "deck => [...deck.querySelectorAll('.slide')].map(s => s.scrollHeight - s.clientHeight)"
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_is_large_and_clear(page: Page, dashboard: str, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    deck = slides(page, f"{dashboard}/?slide=1")

    texts: list[tuple[str, float, float]] = deck.evaluate(TEXTS)

    assert len(texts) > 50
    assert [text for text in texts if text[1] < LEAST_TEXT_PX] == []
    assert [text for text in texts if text[2] < LEAST_CONTRAST] == []


def test_on_a_phone_a_swipe_leads_on_and_a_slide_fits_the_screen(
    page: Page, dashboard: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    deck = slides(page, f"{dashboard}/?slide=1")

    with rerun(page):
        deck.locator(".slides").evaluate("strip => strip.scrollTo({left: strip.clientWidth})")

    expect(place(deck)).to_have_text("2 / 5")
    wide = "deck => Math.max(...[...deck.querySelectorAll('.slide')].map(s => s.scrollWidth))"
    assert deck.evaluate(wide) <= 390
    assert max(over := too_high(deck)) <= 0, over
    assert [text for text in deck.evaluate(TEXTS) if text[1] < LEAST_TEXT_PX] == []


def test_a_picture_is_taken_along_as_png_and_svg(page: Page, dashboard: str) -> None:
    deck = slides(page, f"{dashboard}/?slide=1")

    saved = {}
    for kind in ("PNG", "SVG"):
        with page.expect_download() as download:
            deck.get_by_role("button", name=kind, exact=True).click()
        saved[download.value.suggested_filename] = download.value.path().read_bytes()

    assert saved["finding.png"].startswith(b"\x89PNG")
    assert b"orders-4" in saved["finding.svg"]
    assert b"<svg" in saved["finding.svg"]


def test_the_file_asks_for_nothing_and_names_stay_text(page: Page, tmp_path: Path) -> None:
    with offline(page, tmp_path / "slides.html") as asked:
        page.keyboard.press("End")

        expect(page.locator(".bar-row > span").first).to_have_text("3 / 3")

    assert len(asked) == 1
    assert page.locator("img").count() == 0


def test_a_scroll_that_is_slow_to_begin_does_not_lead_back(page: Page, tmp_path: Path) -> None:
    with offline(page, tmp_path / "slides.html"):
        page.evaluate("""() => {
            const strip = document.querySelector('.slides'), scroll = strip.scrollTo.bind(strip);
            strip.scrollTo = to => {
                strip.dispatchEvent(new Event('scroll'));
                setTimeout(() => scroll(to), 1000);
            };
        }""")
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(500)

        assert page.locator(".bar-row > span").first.inner_text() == "2 / 3"  # at this moment


def test_amounts_are_short_and_keep_their_zeros(page: Page, tmp_path: Path) -> None:
    with offline(page, tmp_path / "slides.html"):
        shown = page.evaluate("[0, 999, 12345, 1e5, 5e5, 1e6, 2.5e9].map(amount)")

    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in shown] == [
        *("0", "999", "12.3 k", "100 k", "500 k", "1 M", "2.5 G")
    ]


def test_a_long_name_is_cut_in_its_middle_for_its_end_tells_it_apart(
    page: Page, tmp_path: Path
) -> None:
    names = [f"payments-consumer-{number}" for number in (9, 10, 11)]
    drawn = """names => [...chartOf({names, line: null, alt: "", below: "", axis: "", legend: "",
        marked_label: "", line_label: "",
        states: [{label: "", heights: [1, 2, 3], marked: [], is_partly_unknown: []}],
    }, 200, 200).svg.querySelectorAll("text[transform]")].map(text => text.textContent)"""
    with offline(page, tmp_path / "slides.html"):
        shown = page.evaluate(drawn, names)

    assert [name[-2:] for name in shown] == ["-9", "10", "11"]


def test_a_slide_is_a_page_on_paper_with_both_states_side_by_side(
    page: Page, tmp_path: Path
) -> None:
    with offline(page, tmp_path / "slides.html"):
        printed = page.pdf(prefer_css_page_size=True, print_background=True)
        page.emulate_media(media="print")

        expect(page.locator(".paper figcaption")).to_have_text(["Today", "Round robin"])
        expect(page.locator(".paper").first).to_be_visible()

    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 3


def test_the_link_is_copied_by_a_button(page: Page, dashboard: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=dashboard)
    opened(page, dashboard)

    with rerun(page):
        page.get_by_role("button", name="Present").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()

    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith(f"{dashboard}/?group=z1.")
