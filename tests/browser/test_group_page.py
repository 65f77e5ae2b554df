"""The group's page in a browser: rank, colours, order, alignment, and nothing cut or moved."""

import re
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.compare_page import BAND, boxes, opened, paste, rerun, settle, too_wide
from tests.browser.test_slides import LEAST_CONTRAST, TEXTS
from tests.doors import texts

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

HIGHEST_HEAD_PX = 90
SIZES = ((1440, 900), (1280, 720), (1920, 1080), (390, 844))
HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
SHIFTS = """
if (!window.shifts) {
    window.shifts = [];
    const main = "[data-testid=stMainBlockContainer]";
    const isOurs = ({node}) => {
        const shown = node?.nodeType === 1 ? node : node?.parentElement;
        return shown && !shown.matches(main) && shown.closest(main);
    };
    new PerformanceObserver(list => window.shifts.push(...list.getEntries()
        .filter(each => each.sources.some(isOurs)).map(each => each.value)))
        .observe({type: "layout-shift", buffered: true});
}
"""
"""Chromium's own measure, from the first frame on, of what stands in the page itself."""
LARGEST = """() => {
    const found = [];
    const walk = root => {
        for (const each of root.querySelectorAll("*")) {
            if (each.shadowRoot) walk(each.shadowRoot);
            const text = [...each.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
            const box = each.getBoundingClientRect();
            if (text && box.width && box.height)
                found.push([parseFloat(getComputedStyle(each).fontSize), each.textContent]);
        }
    };
    walk(document.querySelector("[data-testid=stMain]"));
    return found.sort((one, other) => other[0] - one[0]).slice(0, 2);
}"""
COVERED = """values => values.flatMap(each => {
    const root = each.getRootNode();
    each.scrollIntoView({block: "center"});
    const at = each.getBoundingClientRect(), y = at.top + at.height / 2;
    const over = [...root.querySelectorAll(".pairs .bound")].filter(line => {
        const x = line.getBoundingClientRect().left + 1;
        if (x < at.left || x > at.right) return false;
        line.style.pointerEvents = "auto";
        const top = root.elementsFromPoint(x, y).filter(one => one === each || one === line
            || each.contains(one));
        return top[0] === line;
    });
    return over.length ? [each.textContent] : [];
})"""
"""Values that the line of the lower bound crosses."""
CUT = """shapes => [...shapes].filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => each.textContent)"""


def stalled() -> str:
    """Return two snapshots of eight workers, of which three read nothing meanwhile."""
    text = ""
    for minute in range(2):
        text += f"Mon Nov 23 03:1{minute}:00 UTC 2026\n{HEAD}"
        for p in range(32):
            worker, end = p // 4, 1_000_000 + 6_000 * minute
            lag = 200_000 + 6_000 * minute if worker in {2, 5, 6} else 100
            who = f"worker-{worker}-aa /10.0.3.2{worker} worker-{worker}"
            text += f"clickstream clicks {p} {end - lag} {end} {lag} {who}\n"
    return text


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_verdict_is_the_largest_text_and_stands_above_every_figure(
    page: Page, dashboard: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    opened(page, dashboard)

    (first, text), (second, _) = page.evaluate(LARGEST)
    band, picture = boxes(page, [".band"])[0], boxes(page, [".shown"])[0]

    assert text == page.locator(BAND).inner_text()
    assert first > second
    assert band[3] <= picture[1]
    assert band[3] < height
    assert too_wide(page) <= 0


def test_columns_and_rows_of_the_picture_are_in_line(page: Page, dashboard: str) -> None:
    for width, height in SIZES[:3]:
        page.set_viewport_size({"width": width, "height": height})
        opened(page, f"{dashboard}/?picture=all")

        lines = page.locator(".grid .line").evaluate_all(
            "lines => lines.map(line => [...line.children].map(cell => {"
            " const box = cell.getBoundingClientRect(); return [box.left, box.top] }))"
        )
        assert len(lines) == 13
        assert all(len({top for _, top in line}) == 1 for line in lines[1:])
        lefts = [[left for left, _ in line] for line in lines]
        assert all(each == lefts[0] for each in lefts)
        assert page.locator(".head .title, .name, .count, .val").evaluate_all(CUT) == []


def test_all_who_have_stopped_are_red_and_first_and_nothing_is_orange(
    page: Page, dashboard: str
) -> None:
    opened(page, dashboard)

    paste(page, stalled())

    expect(page.locator(BAND)).to_have_text("3 of 8 consumers have stopped reading.")
    names = page.locator(".rates .name")
    expect(names.first).to_have_text("worker-2-aa")
    colours = names.evaluate_all("names => names.map(name => getComputedStyle(name).color)")
    red = page.locator(BAND).evaluate("band => getComputedStyle(band).color")
    assert [colour == red for colour in colours] == [True] * 3 + [False] * 5
    assert page.locator(".peak, .warned").count() == 0
    assert page.locator(".shown").count() == 0


def test_a_warning_has_the_colour_of_its_band_and_no_red(page: Page, dashboard: str) -> None:
    flows = [texts.Flow(k + 1, 100_000, 9_000, 50.0, 25.0) for k in range(4)]
    opened(page, dashboard)

    paste(page, texts.snapshots(flows, dated=True))

    names, bars = page.locator(".rates .name.red"), page.locator(".rates .cause")
    band = page.locator(".band").evaluate("band => getComputedStyle(band).borderLeftColor")
    inks = names.evaluate_all("names => names.map(name => getComputedStyle(name).color)")
    shown = bars.evaluate_all("bars => bars.map(bar => getComputedStyle(bar).backgroundColor)")
    red, green, blue = map(int, re.findall(r"\d+", inks[0]))
    assert shown == [band] * 4
    assert inks == inks[:1] * 4
    assert red > green > blue, "the band's orange, dark enough to be read"


def test_a_condition_of_several_predictions_is_said_once_below_them(
    page: Page, dashboard: str
) -> None:
    """A prediction for owners of which one is not known holds on several conditions."""
    rows = [f"g t {p} {90 - p} 100 {10 + p} c-{p % 3} /10.0.0.{p % 3} c-{p % 3}" for p in range(5)]
    opened(page, dashboard)

    paste(page, HEAD + "\n".join([*rows, "g t 5 80 100 20 - - -", "g u 0 80 100 20 - - -"]))
    page.get_by_role("button", name="All side by side").click()

    heads = page.locator(".head .cap").all_inner_texts()
    notes = page.locator(".notes > div").all_inner_texts()
    told = {head.removeprefix("on ") for head in heads if head.startswith("on condition")}
    assert told == {note.partition(":")[0].lower() for note in notes if "ondition" in note}
    assert told
    assert max(box[3] - box[1] for box in boxes(page, [".head"])) < HIGHEST_HEAD_PX


def test_a_click_on_a_column_compares_it_with_now_and_the_link_says_so(
    page: Page, dashboard: str
) -> None:
    opened(page, f"{dashboard}/?picture=all")

    page.locator(".head button").nth(1).click()
    settle(page)

    chosen = page.locator(".rank input:checked")
    expect(chosen).to_have_count(1)
    assert "picture=before" in page.url
    assert "compared=" in page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_of_the_picture_do_not_lie_over_each_other(
    page: Page, dashboard: str, scheme: str
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        opened(page, f"{dashboard}/?picture=before")

        texts = boxes(page, [".pairs .name", ".pairs .count", ".pairs .val"])
        assert not any(
            min(one[2], other[2]) - max(one[0], other[0]) > 1
            and min(one[3], other[3]) - max(one[1], other[1]) > 1
            for k, one in enumerate(texts)
            for other in texts[:k]
        )
        assert too_wide(page) <= 0
        assert page.locator(".pairs .val").evaluate_all(COVERED) == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_stands_below_does_not_move_while_the_page_builds(
    page: Page, dashboard: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(SHIFTS)
    opened(page, dashboard)

    shifts = page.evaluate("window.shifts")

    assert sum(shifts) <= 0.05


@pytest.mark.parametrize("name", ["rebalance", "gallery"])
def test_on_a_phone_other_pages_build_without_moving_what_is_read(
    page: Page, dashboard: str, name: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_init_script(SHIFTS)
    page.goto(f"{dashboard}/{name}")
    settle(page)

    assert sum(page.evaluate("window.shifts")) <= 0.05


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_filled_buttons_badges_and_figures_can_be_read_in_both_themes(
    page: Page, dashboard: str, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    opened(page, dashboard)

    shown = page.locator("[kind=primary], .stMarkdown:has(.stMarkdownBadge), .shown").evaluate_all(
        f"shapes => shapes.flatMap({TEXTS})"
    )

    assert {"Paste your group", "example"} <= {text for text, *_ in shown}
    if scheme == "dark":  # what stands behind a picture in a shadow is not found
        shown = [each for each in shown if each[0] in {"Paste your group", "example"}]
    assert [each for each in shown if each[2] < LEAST_CONTRAST] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_captions_and_configurations_can_be_read_in_both_themes(
    page: Page, dashboard: str, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{dashboard}/strategies")
    settle(page)

    places = page.locator("[data-testid=stCaptionContainer], [data-testid=stCode]")
    shown = places.evaluate_all(f"shapes => shapes.flatMap({TEXTS})")
    clear = places.evaluate_all("shapes => shapes.map(each => getComputedStyle(each).opacity)")

    assert shown
    assert [each for each in shown if each[2] < LEAST_CONTRAST] == []
    assert set(clear) == {"1"}


def test_on_a_phone_the_headers_buttons_stand_in_one_line(page: Page, dashboard: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, dashboard)

    buttons = boxes(page, [".st-key-header button"])

    assert len(buttons) == 4
    assert len({round(top) for _, top, *_ in buttons}) == 1


def test_a_second_paste_is_dated_by_the_clock_of_the_browser(page: Page, dashboard: str) -> None:
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID\n"
    opened(page, dashboard)
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 5_400_000 }")

    paste(page, f"{head}clocked orders 0 10 20 10 c-1\n")
    paste(page, f"{head}clocked orders 0 15 90 75 c-1\n")

    told = page.get_by_text(re.compile(r"pasted \d\d:")).last.inner_text()
    hours, minutes, seconds = map(int, re.findall(r"\d\d", told)[:3])
    now = page.evaluate(
        "() => { const at = new Date(Date.now()); "
        "return at.getHours() * 3600 + at.getMinutes() * 60 + at.getSeconds() }"
    )
    assert 0 <= now - (hours * 3600 + minutes * 60 + seconds) < 120


@pytest.mark.parametrize("is_alarm", [False, True])
def test_the_menu_beside_the_picture_saves_it_and_its_figures(
    page: Page, dashboard: str, *, is_alarm: bool
) -> None:
    opened(page, dashboard)
    if is_alarm:
        paste(page, stalled())
    menu = page.get_by_role("button", name="Save this picture").first

    menu.click()
    with page.expect_download() as picture:
        page.get_by_role("menuitem", name="PNG").click()
    menu.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    with page.expect_download() as figures:
        page.keyboard.press("Enter")

    written = picture.value.path().read_bytes()
    width, height = (int.from_bytes(written[at : at + 4]) for at in (16, 20))
    drawn = page.locator(".incident" if is_alarm else ".shown").first.bounding_box()
    assert drawn is not None
    assert (width, height) == (2 * (drawn["width"] + 32), 2 * (round(drawn["height"]) + 32))
    assert len(written) > 100_000  # with its bars and names, rather than blank
    lines = figures.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith('"consumer"')
    assert len(lines) == (9 if is_alarm else 13)
    expect(page.get_by_role("menuitem")).to_have_count(0)


def test_what_is_copied_for_a_channel_opens_the_same_verdict_elsewhere_and_hosts_are_bare(
    page: Page, chromium: Browser, dashboard: str
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=dashboard)
    opened(page, dashboard)
    paste(page, stalled())
    clipboard = "() => navigator.clipboard.readText()"

    page.get_by_role("button", name="Copy hosts").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate(clipboard).splitlines() == ["10.0.3.22", "10.0.3.25", "10.0.3.26"]
    page.get_by_role("button", name="Copy for the incident channel").click()
    expect(page.get_by_role("button", name="Copied").first).to_be_visible()
    finding, *rest, link = page.evaluate(clipboard).splitlines()

    assert finding == "3 of 8 consumers have stopped reading."
    assert len(rest) == 3  # evidence, action, times
    colleague = chromium.new_context()
    elsewhere = colleague.new_page()
    elsewhere.goto(link)
    expect(elsewhere.locator(BAND)).to_have_text(finding)
    expect(elsewhere.locator(".rates .name.red")).to_have_count(3)
    colleague.close()


def test_the_first_screen_fetches_no_slanted_font(chromium: Browser, dashboard: str) -> None:
    visit = chromium.new_context()  # with an empty cache
    page = visit.new_page()
    fetched: list[str] = []
    page.on("response", lambda answer: fetched.append(answer.url))

    page.goto(f"{dashboard}/?example=Orders%20with%20uneven%20lag&picture=all")
    expect(page.locator(".idle").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    visit.close()

    fonts = [url for url in fetched if url.endswith(".woff2")]
    assert any("Upright" in url for url in fonts)
    assert not any("Italic" in url for url in fonts)


def test_the_heatmaps_colour_is_chosen_in_its_legend_and_stays_in_the_link(
    page: Page, dashboard: str
) -> None:
    steps = "found => found.map(each => [...each.classList].find(name => /^s\\d$/.test(name)))"
    opened(page, f"{dashboard}/?picture=heat")
    tiles = page.locator(".tile[class*=' s']")
    by_load = tiles.evaluate_all(steps)

    with rerun(page):
        page.get_by_role("button", name="Right: partitions").click()
    by_count = tiles.evaluate_all(steps)
    page.reload()
    expect(tiles.first).to_be_visible()

    assert by_count != by_load
    assert "coloured=partitions" in page.url
    assert tiles.evaluate_all(steps) == by_count
    assert too_wide(page) <= 0
