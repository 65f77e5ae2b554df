"""Every state of a group in a browser, at every size: rank, nothing cut, nothing over another."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest
from playwright.sync_api import FilePayload, Page, expect

from benchmarks.page import hot_pair
from sources import group_json, samples
from tests.browser.compare_page import BAND, choose_page, opened, paste, settle, too_wide
from tests.browser.test_group_page import CUT, LARGEST, SHIFTS, SIZES
from tests.doors import texts
from tests.kinds import texts as kinds

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

PASTED: Final[Mapping[str, Callable[[], str]]] = {
    "three stopped": lambda: texts.snapshots(texts.three_stopped(), dated=True),
    "one snapshot": lambda: texts.describe(texts.three_stopped()),
    "hot partition": lambda: texts.snapshots(texts.hot_partition(), dated=True),
    "nobody reads": lambda: texts.snapshots(texts.dead(), dated=True),
    "healthy": lambda: texts.snapshots(texts.healthy(), dated=True),
    "all full": lambda: texts.snapshots(texts.full(), dated=True),
    "all at their limit": lambda: texts.snapshots(
        [texts.Flow(p // 2, 9_000, 3_200, 75.5, 75.0) for p in range(8)], dated=True
    ),
    "a share group": lambda: kinds.SHARE,
    "a streams group": lambda: kinds.STREAMS,
    "workers of Connect": lambda: kinds.rest(a=[kinds.A, kinds.A, kinds.B], b=[kinds.B, kinds.B]),
}
OUTSIDE = """() => {
    const found = [];
    const within = "style, .scroll, [data-testid=stDataFrame], .js-plotly-plot";
    const walk = root => {
        for (const each of root.querySelectorAll("*")) {
            if (each.shadowRoot) walk(each.shadowRoot);
            const isText = [...each.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
            const box = each.getBoundingClientRect();
            const isBeyond = box.right > innerWidth + 1 && each.checkVisibility();
            if (isText && isBeyond && !each.closest(within)) found.push(each.textContent);
        }
    };
    walk(document.querySelector("[data-testid=stMain]"));
    return found;
}"""
"""Texts that reach over the right edge of the window, where nothing scrolls."""
WHOLE = ".band h1, .band p, .rates .figure, .rank .right, .count, .tablewrap, .titles"
OVER = """shapes => {
    const boxes = [...shapes].filter(each => each.offsetWidth).map(each => {
        const range = document.createRange();
        range.selectNodeContents(each);
        return [range.getBoundingClientRect(), each.textContent];
    });
    return boxes.flatMap(([one, text], k) => boxes.slice(0, k).filter(([other]) =>
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1
    ).map(([, under]) => [text, under]));
}"""
"""Pairs of texts that lie over each other."""
THEMES: Final = ("dark", "light")
CONTRASTS = """shapes => [...shapes].filter(each => each.offsetWidth).flatMap(each => {
    const parts = colour => {
        const context = document.createElement("canvas").getContext("2d");
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map(part => part / 255)
            .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    };
    const light = colour => {
        const [red, green, blue] = parts(colour);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ground = getComputedStyle(each.closest(".band")).backgroundColor;
    const [low, high] = [light(getComputedStyle(each).color), light(ground)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    return contrast < 4.5 ? [[each.textContent, contrast]] : [];
})"""
"""Texts of the verdict that are too weak on its ground."""
APART = ".band h1, .band p, .rates .name, .rates .figure, .rates .track span, td, th, .who, .right"


def later(flows: list[texts.Flow]) -> list[texts.Flow]:
    """Return what a group is a minute later."""
    return [flow.after(texts.MINUTE_S) for flow in flows]


@pytest.mark.parametrize("state", PASTED)
def test_in_every_state_the_verdict_leads_and_no_text_is_cut_or_covered(
    page: Page, dashboard: str, state: str
) -> None:
    opened(page, dashboard)
    paste(page, PASTED[state]())

    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)

        _, text = page.evaluate(LARGEST)[0]
        assert text == page.locator(BAND).inner_text()
        band = page.locator(".band").bounding_box()
        assert band is not None
        assert band["y"] + band["height"] < height
        assert page.evaluate(OUTSIDE) == []
        assert page.locator(WHOLE).evaluate_all(CUT) == []
        assert page.locator(APART).evaluate_all(OVER) == []
        assert too_wide(page) <= 0

    for scheme in THEMES:
        page.emulate_media(color_scheme=scheme)
        settle(page)
        assert page.locator(".band h1, .band p").evaluate_all(CONTRASTS) == []


def test_two_pastes_of_one_group_are_its_snapshots_and_no_orange_is_beside_the_red(
    page: Page, dashboard: str
) -> None:
    opened(page, dashboard)

    for text in (
        texts.describe(texts.three_stopped()),
        texts.describe(later(texts.three_stopped())),
    ):
        paste(page, text)

    expect(page.locator(BAND)).to_have_text("3 of 8 consumers have stopped reading.")
    bands = [page.locator(shape).bounding_box() for shape in (".band", ".strip", ".rates")]
    tops = [box["y"] for box in bands if box is not None]
    assert len(tops) == 3
    assert tops == sorted(tops)
    assert page.locator(".peak, .warned").count() == 0
    assert page.locator(APART).evaluate_all(OVER) == []


def test_a_text_that_names_no_group_leaves_the_former_answer_named_and_grey(
    page: Page, dashboard: str
) -> None:
    opened(page, dashboard)
    answer = page.locator(".st-key-answer")
    assert answer.evaluate("each => getComputedStyle(each).filter") == "none"

    paste(page, "nothing that Kafka prints")

    expect(page.get_by_text("No consumer group found")).to_be_visible()
    expect(page.get_by_text("Below is still")).to_be_visible()
    assert answer.evaluate("each => getComputedStyle(each).filter") == "grayscale(1)"
    assert page.evaluate(OUTSIDE) == []
    assert too_wide(page) <= 0


@pytest.mark.parametrize(
    "name",
    [
        "Consumers",
        "Scenarios",
        "Rebalance",
        "Fleet",
        "Strategies",
        "Gallery",
        "Autoscaler",
        "Glossary",
    ],
)
def test_no_page_cuts_its_texts_or_scrolls_sideways(page: Page, dashboard: str, name: str) -> None:
    opened(page, dashboard)
    choose_page(page, name)
    settle(page)

    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)

        assert page.evaluate(OUTSIDE) == []
        assert page.locator(".band h1, .band p").evaluate_all(CUT) == []
        assert too_wide(page) <= 0


def test_an_uploaded_alarm_that_follows_a_longer_answer_moves_nothing(
    page: Page, dashboard: str
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.add_init_script(SHIFTS)
    opened(page, f"{dashboard}/?start=Upload")
    settle(page)
    before = len(page.evaluate("window.shifts"))

    page.set_input_files(
        "input[type=file]", FilePayload(name="hot.txt", mimeType="", buffer=hot_pair())
    )
    expect(page.locator(".incident .why")).to_be_visible()
    settle(page)

    assert sum(page.evaluate("window.shifts")[before:]) <= 0.03


def test_what_stands_below_does_not_move_while_a_large_file_is_read(
    page: Page, dashboard: str
) -> None:
    file = group_json.encode(samples.large(40, 250, 500))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.add_init_script(SHIFTS)
    opened(page, f"{dashboard}/?start=Upload")
    before = len(page.evaluate("window.shifts"))

    page.set_input_files(
        "input[type=file]", FilePayload(name="big.json", mimeType="application/json", buffer=file)
    )
    expect(page.get_by_text("10,000 partitions").first).to_be_visible()
    expect(page.locator("input[type=file]")).to_have_count(0)
    settle(page)

    assert sum(page.evaluate("window.shifts")[before:]) <= 0.05
