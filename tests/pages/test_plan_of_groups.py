"""Several groups planned together, from a link, a file and a fleet's ranking to one total."""

import json

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from assignors.model import Group
from evaluation.reading import Reading
from sources import plans_of_groups
from sources.plans_of_groups import PlanGroup, PlanOfGroups
from tests.pages.compare_page import band, listed, opened_alone, opened_from_menu, press
from ui.capacity.several import TOTAL


def flowing(name: str, partitions: int, lag: int) -> PlanGroup:
    """Return a group of two consumers that wait evenly, with its own speed stated."""
    group = Group.of(
        [name],
        [partitions],
        [f"{name}-a", f"{name}-b"],
        owners=[p % 2 for p in range(partitions)],
        lags=[lag] * partitions,
        id=name,
    )
    return PlanGroup(
        title=name,
        reading=Reading(group=group),
        stated={"throughput": "100", "total_rate": f"{lag}"},
    )


PLAN = PlanOfGroups(
    groups=[flowing("orders", 8, 400), flowing("clicks", 12, 100), flowing("mails", 4, 20)],
    asked={"allowed_min": "1", "headroom": "0", "pod_cost": "2", "currency": "EUR"},
)


def totals(page: AppTest) -> pd.DataFrame:
    return next(t.value for t in page.dataframe if "Decided by" in t.value).set_index("Group")


def opened() -> AppTest:
    return opened_alone("capacity", groups=plans_of_groups.encode_link(PLAN) or "", group="")


def test_a_link_opens_every_group_with_what_was_stated_and_adds_them_up() -> None:
    page = opened()

    rows = totals(page)
    assert rows.index.tolist() == ["orders", "clicks", "mails", TOTAL]
    # A consumer reads 100/s. Each of orders takes 400 / 60 + 50 = 57, so 1 per consumer; each of
    # clicks 100 / 60 + 8.3 = 10, so 10; each of mails 20 / 60 + 5 = 5.3, so all 4.
    assert rows["Plan"].tolist() == [8, 2, 1, 11]
    assert rows["Today"].tolist() == [2, 2, 2, 6]
    assert rows["EUR a month"][TOTAL] == 5 * 2 * 730
    assert page.number_input(key="throughput").value == 100


def test_each_groups_own_visit_gives_the_plan_of_the_table() -> None:
    page = opened()
    rows = totals(page)

    page.button(key="open_group_1").click().run()

    assert f"{rows['Plan']['clicks']} consumers" in band(page)["finding"]
    assert totals(page).equals(rows)
    assert page.number_input(key="total_rate").value == 100


def test_one_deadline_holds_for_all_of_them() -> None:
    page = opened()

    page.number_input(key="allowed_min").set_value(0.15).run()

    # Within 9 s each of clicks takes 100 / 9 + 8.3 = 19.4, so 5 per consumer.
    assert totals(page)["Plan"].tolist() == [8, 3, 1, 12]


def test_the_groups_on_screen_come_back_from_their_link() -> None:
    page = opened()
    page.number_input(key="throughput").set_value(200).run()
    copied = next(e for e in page.get("bidi_component") if e.proto.component_name.endswith("_copy"))
    link = json.loads(copied.proto.json)["text"]

    again = opened_alone("capacity", groups=link.partition("groups=")[2], group="")

    assert totals(again).equals(totals(page))
    assert totals(again)["Plan"]["orders"] == 3


def test_an_uploaded_plan_opens_as_its_link_does() -> None:
    page = opened_from_menu("compare")
    page.session_state["start"] = "Upload"
    page.run()
    page.file_uploader(key="uploaded").upload(
        "plan.json", plans_of_groups.encode(PLAN), "application/json"
    ).run()

    page.switch_page("pages/capacity.py").run()

    assert totals(page)["Plan"].tolist() == [8, 2, 1, 11]


def test_a_link_that_was_cut_off_is_told_in_a_sentence() -> None:
    page = opened_alone("compare", groups=(plans_of_groups.encode_link(PLAN) or "")[:-40], group="")

    assert not page.exception
    assert any("could not be opened" in error.value for error in page.error)


@pytest.mark.proof
def test_groups_ticked_in_the_fleets_ranking_are_planned_together() -> None:
    page = opened_from_menu("fleet", fleet_view="By gain")
    names = page.dataframe[0].value["Group"].tolist()

    chosen = {"selection": {"rows": [0, 2, 3], "columns": [], "cells": []}}
    page.session_state["picked_row"] = chosen
    page.run()
    page.session_state["picked_row"] = chosen
    page.button(key="plan_groups").click().run()

    rows = totals(page)
    open_now = [page.session_state["scenario"], *page.session_state["recently_opened"][::-1]]
    assert [each.group.id for each in open_now] == [names[row] for row in (0, 2, 3)]
    assert rows.index.tolist() == [*(each.title for each in open_now), TOTAL]
    assert rows["Today"][TOTAL] == sum(each.group.member_count for each in open_now)


@pytest.mark.proof
def test_the_groups_of_a_fleet_that_lack_consumers_are_planned_from_its_band() -> None:
    page = opened_from_menu("fleet")
    short = [row["name"] for row in listed(page) if row["do"].startswith("Run ")]

    press(page, "plan")

    open_now = [page.session_state["scenario"], *page.session_state["recently_opened"][::-1]]
    assert [each.group.id for each in open_now][: len(short)] == short
    assert len(short) == 4


def test_a_closed_group_leaves_the_table() -> None:
    page = opened()
    scenario = page.session_state["recently_opened"][-1]
    assert scenario.title == "clicks"

    page.session_state["recently_opened"] = page.session_state["recently_opened"][:-1]
    page.run()

    assert totals(page).index.tolist() == ["orders", "mails", TOTAL]
