"""A capacity session over three groups, from paste to a table to take along, and a phone's demo."""

import io
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from sources import plans_of_groups
from tests.browser.compare_page import BAND, choose_page, opened, paste, rerun, settle, too_wide
from tests.doors.test_plan_figures import flows_of
from tests.doors.texts import full, healthy, snapshots

pytestmark = [pytest.mark.proof, pytest.mark.needs("chromium")]

GROUPS = {"orders": flows_of(4), "stream": full(), "assets": healthy()}
HEADER_PX, ROW_PX = 35, 35
"""Of the fleet's ranking."""
PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
def test_three_groups_are_planned_from_paste_to_a_table_to_take_along(
    page: Page, dashboard: str, size: tuple[int, int], tmp_path: Path
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    opened(page, dashboard)

    plans = {}
    for name, flows in GROUPS.items():
        choose_page(page, "Group")
        settle(page)
        paste(page, snapshots(flows, dated=True).replace("clicks  ", f"{name}  "))
        choose_page(page, "Consumers")
        expect(page.locator(BAND)).to_be_visible()
        settle(page)
        plans[name] = page.locator(BAND).inner_text()
        assert too_wide(page) == 0
    expect(page.get_by_text("Groups of this session")).to_be_visible()
    page.get_by_role("button", name="⋮").last.click()
    with page.expect_download() as begun:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="CSV").click()
    file = tmp_path / "plan.csv"
    begun.value.save_as(file)

    rows = pd.read_csv(io.StringIO(file.read_text())).set_index("Group")
    assert rows.index.tolist() == [*GROUPS, "Total"]
    assert rows["Today"].tolist() == [3, 3, 8, 14]
    kept = rows["Plan"].fillna(rows["Today"])
    assert kept["Total"] == kept[[*GROUPS]].sum()
    for name, finding in plans.items():
        if not pd.isna(rows["Plan"][name]):
            assert f"{rows['Plan'][name]:.0f} consumers" in finding

    # The plan file holds all of them.
    with page.expect_download() as begun:
        page.get_by_role("button", name="Plan file").click()
    saved = tmp_path / "groups-plan.json"
    begun.value.save_as(saved)
    assert {each.title for each in plans_of_groups.decode(saved.read_bytes()).groups} == {*GROUPS}

    # The first group returns by its button, with the plan that it had.
    with rerun(page):
        page.get_by_role("button", name="orders", exact=True).click()
    expect(page.locator(BAND)).to_have_text(plans["orders"])


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
def test_groups_of_a_fleet_are_ticked_planned_together_and_shared(
    page: Page, dashboard: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{dashboard}/fleet?fleet_view=By+gain")
    table = page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible()
    settle(page)

    for row in range(3):
        table.scroll_into_view_if_needed()
        grid = table.locator("canvas").first.bounding_box()
        assert grid is not None
        with rerun(page):
            page.mouse.click(grid["x"] + 18, grid["y"] + HEADER_PX + ROW_PX * (row + 0.5))
    page.get_by_role("button", name="Plan these 3 groups").click()
    expect(page.get_by_text("Groups of this session")).to_be_visible()
    copied = page.get_by_role("button", name="Copy link to these groups")
    expect(copied.or_(page.get_by_text("Send the plan file instead"))).to_be_visible()
    settle(page)
    assert too_wide(page) == 0
    page.get_by_role("button", name="⋮").last.click()
    with page.expect_download() as begun:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="CSV").click()
    rows = pd.read_csv(begun.value.path()).set_index("Group")
    assert len(rows) == 3 + 1
    kept = rows["Plan"].fillna(rows["Today"])
    assert kept["Total"] == kept[:-1].sum()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_demo_on_a_phone_shows_each_finding_first(page: Page, dashboard: str, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})

    for path in ("", "/capacity", "/scenarios", "/autoscaler", "/fleet"):
        page.goto(f"{dashboard}{path}")
        band = page.locator(BAND)
        expect(band).to_be_visible()
        settle(page)
        box = band.bounding_box()
        assert box is not None
        assert box["y"] < PHONE["height"] / 2
        assert too_wide(page) == 0

    page.goto(f"{dashboard}/fleet")
    row = page.locator(".fleet .row .name").first
    expect(row).to_be_visible()
    settle(page)
    box = row.bounding_box()
    assert box is not None
    assert box["y"] < 1_000
    assert too_wide(page) == 0

    page.goto(f"{dashboard}/?slide=1")
    deck = page.locator(".deck")
    expect(deck.locator("h1").first).to_be_visible()
    settle(page)
    assert too_wide(page) == 0
