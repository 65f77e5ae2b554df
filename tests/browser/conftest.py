"""A dashboard on a free port, and a Chromium looking at it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.dashboard import CHROMIUM_OPTIONS, chromium_path, serving
from tests.browser.compare_page import follow


@pytest.fixture(scope="session")
def dashboard() -> Iterator[str]:
    """The address of a running dashboard."""
    with serving() as address:
        yield address


@pytest.fixture
def fresh_dashboard() -> Iterator[str]:
    """The address of a dashboard that nobody has asked for anything."""
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, driven by Playwright."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def window(chromium: Browser) -> BrowserContext:
    """Holds every tab, so that only the first one fetches and compiles the page's own code."""
    return chromium.new_context()


@pytest.fixture
def page(window: BrowserContext) -> Iterator[Page]:
    """A fresh tab; an error in the page's own code fails the test."""
    tab = window.new_page()
    tab.set_viewport_size({"width": 1440, "height": 1000})
    follow(tab)
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    tab.close()
    assert not errors
