"""Names from outside stay text on every page, and no page contacts another host."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from sources import links
from tests.browser.compare_page import rerun, settle
from tests.fleets import write
from tests.hostile import names as hostile

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

LINK = links.encode(hostile.group()) or ""
VIEWS = ("Partitions", "Consumers", "Topics", "Why", "How to switch", "Fewest moves", "Over time")
TABLES = ("Topics", "Consumers", "Subscriptions", "Lags and owners")
PAGES: list[tuple[str, dict[str, tuple[str, ...]]]] = [
    ("", {"view": VIEWS}),
    ("", {"picture": ("heat",)}),
    ("", {"table": TABLES, "edit": ("true",)}),
    ("", {"present": ("true",)}),
    ("rebalance", {"rebalance_view": ("Figures", "Rounds", "Partitions", "Over time")}),
    ("capacity", {}),
    ("autoscaler", {"hours": ("2.0",), "total_rate": ("60",)}),
    ("gallery", {}),
    ("glossary", {}),
    ("strategies", {}),
]
"""Pages, with the options to choose on them."""
DAILY = "capacity"
"""The page that every run of the suite looks at; CI looks at all."""
STATES: list[tuple[str, dict[str, str]]] = [
    (path, dict(zip(choices, chosen, strict=True)))
    for path, choices in PAGES
    for chosen in product(*choices.values())
]
MARKUP = """() => {
    const main = document.querySelector('[data-testid=stMain]');
    const roots = [document, ...[...document.querySelectorAll('*')]
        .map(each => each.shadowRoot).filter(root => root)];
    const found = roots.flatMap(root => [...root.querySelectorAll(
        'a, img, image, use, b, .katex, [data-testid=stIconMaterial]')])
        .filter(each => !each.closest('[data-testid=stHeader], [data-testid=stSidebar]'))
        .filter(each => /evil|katex|^x$|^home$/.test(
            [each.className?.baseVal ?? each.className, each.textContent, each.href, each.src]
                .find(said => /evil|katex|^x$|^home$/.test(String(said))) ?? ''))
        .map(each => each.outerHTML.slice(0, 200));
    const coloured = [...main.querySelectorAll('.stMarkdownColoredText')]
        .filter(each => each.textContent === 'x').map(each => each.outerHTML);
    const inFigures = [...document.querySelectorAll('.js-plotly-plot')].flatMap(plot =>
        JSON.stringify([plot.data, {...plot.layout, template: null}])
            .match(/<(b>x|img|a )[^"]{0,60}/g) ?? []);
    return [...found, ...coloured, ...inFigures];
}"""
"""Names that were rendered as markup: links, pictures, bold, formulas, icons, colours, tags."""

SHOWN_AS_CODE = re.compile(r"python -m pipeline|^(\S*(evil\.example|material/home:)\S*|->)$")
"""A command of ours, and what Streamlit would make a link, an icon or an arrow of."""

STREAMLITS_CSV = re.compile("^Download as CSV")
"""A button whose file has no apostrophe before what a spreadsheet would run."""

PASTE = """GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
g{nul} t{nul} 0 1 4611686018427387904 4611686018427387903 c{nul}1 /h c{nul}
g{nul} t{nul} 1 1 4611686018427387904 4611686018427387903 c{nul} /h c
g{nul} t{nul} 2 1 4611686018427387904 4611686018427387903 c{nul} /h c
"""
PASTE_STRANGE = """text => {
    const area = document.querySelector('[data-testid=stMain] textarea');
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;
    set.call(area, text.replaceAll('{nul}', '\\0'));
    area.dispatchEvent(new Event('input', { bubbles: true }));
}"""
"""Types a text that cannot be typed on a keyboard."""


@pytest.fixture
def elsewhere(page: Page) -> Iterator[list[str]]:
    """Requests to any other host, which must stay empty."""
    asked: list[str] = []

    def note(address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname != "127.0.0.1":
            asked.append(address)

    page.on("request", lambda request: note(request.url))
    page.on("websocket", lambda socket: note(socket.url))
    yield asked
    assert not asked


def look(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("[data-testid=stMain] h1").first).to_be_visible()
    settle(page)


def open_each_popover(page: Page) -> Iterator[None]:
    """Open each popover in turn."""
    buttons = page.get_by_test_id("stPopoverButton").filter(visible=True)
    for k in range(buttons.count()):
        buttons.nth(k).click()
        opened = page.get_by_test_id("stPopoverBody").filter(visible=True)
        settle(page)  # what it holds may come once it is open
        expect(opened).to_have_count(1)
        yield
        while opened.count():  # a key press is lost while the popover is still opening
            page.keyboard.press("Escape")
            page.wait_for_timeout(100)
            settle(page)  # a page that is run again hides a popover and shows it again


@pytest.mark.parametrize(
    ("path", "choices"),
    [
        pytest.param(path, choices, marks=() if path == DAILY else pytest.mark.proof)
        for path, choices in PAGES
    ],
    ids=str,
)
@pytest.mark.usefixtures("elsewhere")
def test_hostile_names_stay_text(
    page: Page, dashboard: str, path: str, choices: dict[str, tuple[str, ...]]
) -> None:
    first = {choice: offered[0] for choice, offered in choices.items()}
    look(page, f"{dashboard}/{path}?{urlencode({'group': LINK, **first})}")
    check_all_is_text(page)

    for choice, offered in choices.items():
        for each in offered[1:]:
            with rerun(page):
                group = page.locator(f".st-key-{choice}")
                group.get_by_role("radio", name=each, exact=True).click()
            check_all_is_text(page)


def check_all_is_text(page: Page) -> None:
    """Check the page with every expander open, and each popover."""
    found = page.evaluate(MARKUP)
    for expander in page.locator("[data-testid=stMain] details:not([open]) > summary").all()[:5]:
        expander.click()
    settle(page)
    found += page.evaluate(MARKUP)
    for _ in open_each_popover(page):
        found += page.evaluate(MARKUP)

    assert not page.locator("[data-testid=stException]").count()
    assert not page.get_by_role("button", name=STREAMLITS_CSV).count()
    assert found == []


@pytest.mark.usefixtures("elsewhere")
def test_hostile_names_reach_the_screen_letter_by_letter(page: Page, dashboard: str) -> None:
    look(page, f"{dashboard}/?{urlencode({'group': LINK, 'view': 'Why'})}")

    said = page.locator("[data-testid=stMain]").inner_text().replace("\u2060", "")

    assert hostile.NAMES[0] in said
    assert "<b>x</b>" in said


def test_a_command_in_an_error_is_copied_as_it_must_be_typed(page: Page, dashboard: str) -> None:
    look(page, f"{dashboard}/?start=Paste")

    page.locator("textarea").fill("hello\n")
    page.get_by_role("button", name="Read it").click()

    expect(page.get_by_test_id("stAlert").first).to_contain_text("kafka-consumer-groups --describe")


@pytest.mark.proof
@pytest.mark.usefixtures("elsewhere")
def test_a_paste_of_nul_and_the_largest_lags_is_read(page: Page, dashboard: str) -> None:
    look(page, f"{dashboard}/?start=Paste&view=Why")

    expect(page.locator("[data-testid=stMain] textarea")).to_be_visible()
    page.evaluate(PASTE_STRANGE, PASTE)
    page.get_by_role("button", name="Read it").click()

    expect(page.get_by_text("2 consumers · 1 topic · 3 partitions")).to_be_visible()
    settle(page)
    for view in VIEWS:
        with rerun(page):
            page.locator(".st-key-view").get_by_role("radio", name=view, exact=True).click()
        assert not page.get_by_test_id("stException").count()
    assert page.evaluate(MARKUP) == []


def open_folder(page: Page) -> None:
    with rerun(page):
        page.get_by_role("button", name="Open this folder").click()


@pytest.mark.proof
@pytest.mark.usefixtures("elsewhere")
def test_hostile_names_of_a_fleet_stay_text(page: Page, dashboard: str, tmp_path: Path) -> None:
    strategies = ["range", hostile.NAMES[9]]
    tables, named = hostile.fleet(), tmp_path / "<b>x<b> `y`"
    folder = write(named, tables, input=hostile.NAMES[0], strategies=strategies)
    link = {"tables": "A folder", "folder": folder}
    for name in ("Distributions", "Tested on the past", "Rejected rows", "The run"):
        look(page, f"{dashboard}/fleet?{urlencode({**link, 'fleet_view': name})}")
        open_folder(page)
        assert page.evaluate(MARKUP) == [], name
    look(page, f"{dashboard}/fleet?{urlencode(link)}")
    open_folder(page)

    views = page.locator(".st-key-fleet_view").get_by_role("radio")
    shown = [view.inner_text() for view in views.all()]
    for number in range(len(shown)):
        if number:
            with rerun(page):
                views.nth(number).click()
        assert not page.locator("[data-testid=stException]").count()
        assert page.evaluate(MARKUP) == []
        marked = page.locator("p code, svg a, svg b")
        assert not marked.filter(has_not_text=SHOWN_AS_CODE).count()

    assert {"By urgency", "By gain", "Time lag", "One group", "Switch", "Over time"} == {*shown}


@pytest.mark.usefixtures("elsewhere")
def test_the_names_of_a_fleet_reach_the_screen_letter_by_letter(
    page: Page, dashboard: str, tmp_path: Path
) -> None:
    folder = write(tmp_path / "fleet", hostile.fleet())
    link = {"tables": "A folder", "folder": folder, "fleet_view": "One group"}

    look(page, f"{dashboard}/fleet?{urlencode(link)}")
    open_folder(page)

    main = page.locator("[data-testid=stMain]").inner_text()
    said = f"{page.locator('section.band').first.inner_text()} {main}".replace("\u2060", "")
    assert hostile.ORDERS in said


@pytest.mark.parametrize("path", ["", "fleet"])  # `elsewhere` covers the others, above
def test_no_page_asks_another_host_for_anything(
    page: Page, dashboard: str, elsewhere: list[str], path: str
) -> None:
    look(page, f"{dashboard}/{path}")

    assert elsewhere == []
