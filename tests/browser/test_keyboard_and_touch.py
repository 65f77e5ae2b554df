"""The dashboard without a mouse: by keys, from top to bottom, and by a finger on a phone."""

import itertools
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.compare_page import TIMEOUT_MS, follow, opened, rerun, settle

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

FOCUSED: Final = """() => {
    let each = document.activeElement;
    while (each?.shadowRoot?.activeElement) each = each.shadowRoot.activeElement;
    if (!each || each === document.body) return null;
    const box = each.getBoundingClientRect(), look = getComputedStyle(each);
    const scrolled = document.querySelector("[data-testid=stMain]").scrollTop;
    const isRinged = look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2;
    return [each.tagName, each.getAttribute("aria-label") || each.innerText || "",
        box.top + scrolled, box.left, isRinged && look.outlineColor];
}"""
_MOST_STOPS: Final = 80
SMALL: Final = """() => {
    const found = [];
    const alone = "button, a[href], summary";
    const inRows = "[data-testid=stElementToolbar], .modebar, [data-testid=stTooltipHoverTarget], "
        + "[data-testid=stNumberInputContainer], [data-testid=stSelectbox], .head";
    const walk = root => {
        for (const each of root.querySelectorAll("*")) {
            if (each.shadowRoot) walk(each.shadowRoot);
            if (!each.matches(alone) || each.closest(inRows)) continue;
            const box = each.getBoundingClientRect();
            if (box.width > 1 && box.height && Math.round(box.height) < 40)
                found.push([each.innerText, box.height]);
        }
    };
    walk(document);
    return found;
}"""
"""What stands alone and is lower than a fingertip."""


class Stop(NamedTuple):
    """Where the Tab key stops."""

    tag: str
    name: str
    top: float
    left: float
    ring: str | bool


def stops(page: Page) -> list[Stop]:
    """Return where the Tab key stops, from the top of the page to its end."""
    found: list[Stop] = []
    for _ in range(_MOST_STOPS):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at is None:
            return found
        found.append(Stop(*at))
    message = f"the Tab key never leaves the page: {found[-3:]}"
    raise AssertionError(message)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_tab_key_goes_from_top_to_bottom_and_shows_where_it_is(
    page: Page, dashboard: str, scheme: str
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    opened(page, dashboard)

    found = stops(page)

    names = [" ".join(stop.name.split()) for stop in found]
    for wanted in ("Paste your group", "How to switch", "All side by side", "Round robin"):
        assert wanted in names
    pressed = [stop for stop in found if stop.tag in {"BUTTON", "A"}]
    colours = {stop.ring for stop in pressed[1:]}  # the first skips to the content
    assert len(colours) == 1
    assert False not in colours
    inside = [stop.top for stop in found[[stop.tag for stop in found].index("MAIN") + 1 :]]
    assert all(after >= before - 12 for before, after in itertools.pairwise(inside))


def test_keys_alone_compare_a_column_with_now(page: Page, dashboard: str) -> None:
    opened(page, f"{dashboard}/?picture=all")

    with rerun(page):
        page.locator(".head button").nth(1).focus()
        page.keyboard.press("Enter")

    assert "picture=before" in page.url
    expect(page.locator(".rank input:checked")).to_have_count(1)


@pytest.mark.parametrize("name", ["Change", "Open", "Present"])
def test_escape_closes_what_a_key_opened_and_gives_the_focus_back(
    page: Page, dashboard: str, name: str
) -> None:
    opened(page, dashboard)
    button = page.get_by_role("button", name=name).first

    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")

    expect(button).to_have_attribute("aria-expanded", "false")
    expect(button).to_be_focused()


def test_a_button_that_holds_something_open_can_be_read(page: Page, dashboard: str) -> None:
    opened(page, f"{dashboard}/rebalance")
    page.emulate_media(color_scheme="dark")
    button = page.get_by_role("button", name="Add an event")

    button.focus()
    page.keyboard.press("Enter")

    expect(button).to_have_attribute("aria-expanded", "true")
    ground, ink = button.evaluate(
        "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each).color]"
    )
    assert ground != ink


def test_on_a_phone_what_is_touched_alone_is_as_high_as_a_fingertip(
    chromium: Browser, dashboard: str
) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    follow(page)
    for address in ("", "/rebalance", "/scenarios"):
        page.goto(f"{dashboard}{address}")
        settle(page)

        assert page.evaluate(SMALL) == []
    page.goto(dashboard)
    settle(page)
    button = page.get_by_role("button", name="Change")
    button.tap()
    expect(button).to_have_attribute("aria-expanded", "true")
    context.close()
