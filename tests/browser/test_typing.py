"""What stands in a table is what was typed, however fast, in a real browser."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from assignors.model import Group
from sources import links
from tests.browser.compare_page import opened, settle

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

DELAYS_MS = (30, *(pytest.param(delay, marks=pytest.mark.proof) for delay in (60, 120)))
GROUP = links.encode(Group.fresh({"orders": 30, "payments": 6}, ["worker-1", "worker-2"]))
_SCRIPT = "fields => fields.map(field => field.type === 'checkbox' ? field.checked : field.value)"


def cells(page: Page, column: str) -> Locator:
    """Return the fields of a column of the table."""
    return page.get_by_role("grid").locator(f"input[aria-label^='{column}, ']")


def shown(page: Page, column: str) -> list[Any]:
    """Return what stands in a column once the page has settled."""
    page.wait_for_timeout(300)  # until what was typed last has been sent
    settle(page)
    found: list[Any] = cells(page, column).evaluate_all(_SCRIPT)
    return found


def open_table(page: Page, dashboard: str, table: str) -> None:
    opened(page, f"{dashboard}/?edit=true&table={table.replace(' ', '+')}&group={GROUP}")


@pytest.mark.parametrize("delay", DELAYS_MS)
def test_topics_added_and_counts_typed_down_a_column_stand_as_typed(
    page: Page, dashboard: str, delay: int
) -> None:
    open_table(page, dashboard, "Topics")

    page.get_by_label("New topic", exact=True).click()
    for name in ("zz30", "zz31", "zz32"):
        page.keyboard.type(name, delay=delay)
        page.keyboard.press("Tab")
        page.keyboard.type("24", delay=delay)
        page.keyboard.press("Enter")
    added = shown(page, "Topic"), shown(page, "Partitions")
    cells(page, "Partitions").first.click()
    for number in ("41", "17", "142", "5"):
        page.keyboard.type(number, delay=delay)
        page.keyboard.press("Enter")

    assert added == (
        ["orders", "payments", "zz30", "zz31", "zz32"],
        ["30", "6", "24", "24", "24"],
    )
    assert shown(page, "Partitions") == ["41", "17", "142", "5", "24"]
    expect(page.get_by_text("2 consumers · 5 topics · 229 partitions")).to_be_visible()


@pytest.mark.parametrize("delay", DELAYS_MS)
def test_consumers_added_and_racks_typed_stand_as_typed(
    page: Page, dashboard: str, delay: int
) -> None:
    open_table(page, dashboard, "Consumers")

    page.get_by_label("New consumer", exact=True).click()
    for name in ("worker-10", "worker-11"):
        page.keyboard.type(name, delay=delay)
        page.keyboard.press("Enter")
    cells(page, "Rack").first.click()
    for rack in ("euw1-az1", "euw1-az2", "euw1-az3"):
        page.keyboard.type(rack, delay=delay)
        page.keyboard.press("Enter")

    assert shown(page, "Consumer") == ["worker-1", "worker-2", "worker-10", "worker-11"]
    assert shown(page, "Rack") == ["euw1-az1", "euw1-az2", "euw1-az3", ""]


@pytest.mark.parametrize("delay", DELAYS_MS)
def test_lags_and_owners_typed_across_and_down_stand_as_typed(
    page: Page, dashboard: str, delay: int
) -> None:
    open_table(page, dashboard, "Lags and owners")

    cells(page, "Lag").first.click()
    for lag, owner in (("1200", "worker-1"), ("30", "worker-2"), ("4500", "worker-1")):
        page.keyboard.type(lag, delay=delay)
        page.keyboard.press("Tab")
        page.keyboard.type(owner, delay=delay)
        page.keyboard.press("Tab")

    assert shown(page, "Lag")[:4] == ["1200", "30", "4500", ""]
    assert shown(page, "Current owner")[:4] == ["worker-1", "worker-2", "worker-1", ""]
    expect(page.get_by_text("5,730")).not_to_have_count(0)


@pytest.mark.parametrize("delay", DELAYS_MS)
def test_ticks_made_with_the_keyboard_stand(page: Page, dashboard: str, delay: int) -> None:
    open_table(page, dashboard, "Subscriptions")

    cells(page, "orders").first.focus()
    for key in ("Space", "ArrowRight", "Space", "ArrowDown", "Space", "Space", "ArrowLeft"):
        page.keyboard.press(key, delay=delay)

    assert shown(page, "orders") == [False, True]
    assert shown(page, "payments") == [False, True]


def test_a_wrong_cell_is_marked_the_table_does_not_move_and_undo_takes_it_back(
    page: Page, dashboard: str
) -> None:
    open_table(page, dashboard, "Topics")
    before = page.get_by_role("grid").bounding_box()

    cells(page, "Partitions").first.click()
    for text in ("abc", "-5"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    wrong = shown(page, "Partitions")
    notice = page.get_by_role("alert").inner_text()
    after = page.get_by_role("grid").bounding_box()
    cells(page, "Partitions").first.click()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")

    assert wrong == ["abc", "-5"]
    assert "found abc; enter a whole number" in notice
    assert "(30 counts until then)" in notice
    assert before == after
    assert shown(page, "Partitions") == ["30", "6"]
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_column_with_separators_is_pasted_in_one_step(page: Page, dashboard: str) -> None:
    open_table(page, dashboard, "Lags and owners")
    paste = """(field, text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        field.focus();
        field.dispatchEvent(new ClipboardEvent(
            'paste', {clipboardData: data, bubbles: true, cancelable: true}));
    }"""

    cells(page, "Lag").first.evaluate(paste, "1,200\n3,400,000\n17\n")
    pasted = shown(page, "Lag")[:4]
    page.keyboard.press("Control+z")

    assert pasted == ["1200", "3400000", "17", ""]
    assert shown(page, "Lag")[:4] == ["", "", "", ""]


def test_streamlits_shortcuts_do_not_see_what_is_typed(page: Page, dashboard: str) -> None:
    open_table(page, dashboard, "Topics")

    page.get_by_label("New topic", exact=True).click()
    page.keyboard.type("rcR", delay=60)

    page.wait_for_timeout(500)
    settle(page)
    expect(page.get_by_label("New topic", exact=True)).to_have_value("rcR")
    expect(page.get_by_role("dialog")).to_have_count(0)
