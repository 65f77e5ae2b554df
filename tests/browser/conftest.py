"""A dashboard on a free port, and a Chromium to view it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from benchmarks.dashboard import CHROMIUM_OPTIONS, chromium_path, serving
from tests.browser.compare_page import TIMEOUT_MS, follow

expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture(scope="session")
def dashboard() -> Iterator[str]:
    """The address of a running dashboard."""
    with serving() as address:
        yield address


@pytest.fixture
def fresh_dashboard() -> Iterator[str]:
    """The address of a dashboard that has served no request yet."""
    with serving() as address:
        yield address


@pytest.fixture(scope="package")  # Playwright's event loop runs all the time and excludes any other
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, driven by Playwright."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def tab(chromium: Browser) -> Page:
    """The only tab for all tests, because new tabs take three times as long to show a page."""
    tab = chromium.new_page()
    tab.set_default_timeout(TIMEOUT_MS)
    follow(tab)
    return tab


@pytest.fixture
def page(tab: Page) -> Iterator[Page]:
    """The tab in its initial state; a JavaScript error on the page fails the test."""
    tab.set_viewport_size({"width": 1440, "height": 1000})
    tab.emulate_media(media="null", color_scheme="light")
    errors: list[Error] = []

    def note(error: Error) -> None:
        errors.append(error)

    tab.on("pageerror", note)
    yield tab
    tab.remove_listener("pageerror", note)
    if tab.url.startswith("http"):
        tab.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
    tab.goto("about:blank")
    assert not errors
