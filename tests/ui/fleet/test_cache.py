"""What the Fleet page shows before it has looked at the groups' last snapshots."""

from pathlib import Path

import pytest

from schemas.tables import AS_IT_WAS
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.tables import Fleet
from tests.fleets import quiet, summaries, write
from tests.pages.compare_page import band, listed, opened_alone
from tests.said import lacks
from ui.fleet import cache

LOADS = {AS_IT_WAS: 900, "range": 900, "roundrobin": 300}


def fleet_of(folder: Path, groups: int) -> Fleet:
    """Return the tables of a number of groups, only one of which has partitions in them."""
    more = [row for k in range(groups - 1) for row in summaries("prod", f"g{k}", LOADS)]
    rows = [*summaries("prod", "orders", LOADS), *more]
    return open_fleet(edition_of(write(folder, {**quiet(), "group_summary": rows})))


@pytest.mark.slow
def test_of_many_groups_the_ranking_comes_before_their_states(tmp_path: Path) -> None:
    fleet = fleet_of(tmp_path, groups=9)

    first = cache.standing_so_far(fleet, Scope())
    whole = cache.standing(fleet, Scope())
    then = cache.standing_so_far(fleet, Scope())

    assert (first.is_checked, first.states) == (False, {})
    assert len(first.ranked) == 9
    assert whole.states.keys() == {("prod", "orders")}
    assert then is whole


@pytest.mark.slow
def test_the_states_of_few_groups_and_those_that_are_awaited_come_at_once(tmp_path: Path) -> None:
    few, many = fleet_of(tmp_path / "few", groups=8), fleet_of(tmp_path / "many", groups=9)

    assert cache.standing_so_far(few, Scope()).is_checked
    assert cache.standing_so_far(many, Scope(), is_awaited=True).is_checked


@pytest.mark.slow
def test_a_page_of_many_groups_ends_with_their_states(tmp_path: Path) -> None:
    folder = tmp_path / "fleet"
    fleet_of(folder, groups=9)
    page = opened_alone("fleet", tables="A folder", folder=str(folder))

    next(button for button in page.button if button.key == "open_folder").click().run()

    assert lacks(band(page)["finding"], "of 9 groups") == []
    assert [row["now"] for row in listed(page)].count("") == 8
