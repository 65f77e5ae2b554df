"""What the tests in a browser do with the Compare page."""

from collections.abc import Sequence
from typing import Final

from playwright.sync_api import Page, expect

CHARTS: Final = ".js-plotly-plot"
TITLE: Final = "[data-testid=stMain] h1"


def settle(page: Page) -> None:
    """Wait until the page has drawn what the last action changed."""
    page.wait_for_timeout(400)
    page.wait_for_function(
        "() => !document.querySelector('[data-testid=stApp][data-test-script-state=running]')"
    )
    page.wait_for_timeout(300)


def opened(page: Page, address: str) -> None:
    """Open an address of the Compare page and wait for its first chart."""
    page.goto(address)
    expect(page.locator(TITLE)).to_be_visible(timeout=60_000)
    expect(page.locator(CHARTS).first).to_be_visible(timeout=60_000)
    settle(page)


def paste(page: Page, text: str) -> None:
    """Read a paste as a user does."""
    page.get_by_role("radio", name="Paste").click()
    page.locator("textarea").first.fill(text)
    page.get_by_role("button", name="Read it").click()
    settle(page)


def too_wide(page: Page) -> int:
    """Return by how many pixels the page is wider than the screen."""
    script = """() => Math.max(...[document.documentElement,
        ...document.querySelectorAll('[data-testid=stMain]')]
        .map(box => box.scrollWidth - box.clientWidth))"""
    found: int = page.evaluate(script)
    return found


def boxes(page: Page, shapes: Sequence[str]) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of everything that a selector finds."""
    script = """shapes => shapes.flatMap(shape => [...document.querySelectorAll(shape)])
        .map(found => found.getBoundingClientRect())
        .map(box => [box.left, box.top, box.right, box.bottom])"""
    return [tuple(box) for box in page.evaluate(script, list(shapes))]
