"""The session's state: the opened group, the baseline, and undo."""

from collections.abc import Iterator

import pytest
import streamlit as st

from assignors.model import Group
from evaluation.reading import Reading
from sources import samples
from ui import scenario, told
from ui.draft import cells, edits
from ui.draft.tables import TOPICS
from ui.scenario import Scenario


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    st.session_state.clear()
    yield
    st.session_state.clear()


def reading(partitions: int) -> Reading:
    return Reading(group=Group.fresh({"orders": partitions}, ["c0", "c1"]))


def now() -> Scenario:
    return scenario.current(lambda: scenario.opened("unused", reading(1)))


def add_a_consumer() -> None:
    scenario.change(lambda draft: edits.add_consumers(draft, 1, "new-"))


def test_a_scenario_is_edited_until_undo_or_reset_brings_back_what_was_opened() -> None:
    scenario.show("Orders", reading(3))
    opened = now().is_edited
    add_a_consumer()
    edited = now().is_edited
    scenario.undo()
    undone = now().is_edited
    add_a_consumer()
    scenario.reset()

    assert (opened, edited, undone, now().is_edited) == (False, True, False, False)


def test_a_scenario_stays_edited_after_more_edits_than_undo_can_take_back() -> None:
    scenario.show("Orders", reading(3))

    for _ in range(60):
        add_a_consumer()
    while now().earlier:
        scenario.undo()

    assert now().is_edited


@pytest.mark.parametrize(("kept", "steps"), [(300, 50), (12, 4), (5, 3)])
def test_undo_goes_back_fifty_steps_fewer_in_a_large_group_and_three_in_any(
    kept: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenario, "_PARTITIONS_KEPT", kept)
    scenario.show("Orders", reading(3))

    for _ in range(55):
        add_a_consumer()

    assert len(now().earlier) == steps
    assert [each.group.member_count for each in now().earlier] == [*range(57 - steps, 57)]


def test_a_wrong_cell_counts_as_an_edit() -> None:
    scenario.show("Orders", reading(3))

    draft = now().draft
    scenario.commit(cells.with_cells(draft, TOPICS, {("0", "partitions"): "-5"}))

    assert now().is_edited


def test_undo_across_another_example_brings_back_its_title_and_origin() -> None:
    scenario.show("Orders", reading(3), origin="orders")
    add_a_consumer()
    scenario.show("Payments", reading(5), origin="payments")

    scenario.undo()

    assert (now().title, now().origin, now().is_edited) == ("Orders", "orders", True)


def test_reset_keeps_title_and_origin() -> None:
    scenario.show("Orders", reading(3), origin="orders")
    add_a_consumer()

    scenario.reset()

    assert (now().title, now().origin) == ("Orders", "orders")


def test_the_baseline_is_what_was_opened_until_one_is_pinned() -> None:
    scenario.show("Orders", reading(3))
    opened = now().group
    add_a_consumer()
    at_first = now().baseline
    scenario.pin()
    pinned = now().baseline
    add_a_consumer()

    assert at_first is opened
    assert pinned.member_count == now().baseline.member_count == 3
    assert not now().is_at_baseline


def test_a_pinned_baseline_survives_undo_and_reset_until_it_is_unpinned() -> None:
    scenario.show("Orders", reading(3))
    add_a_consumer()
    scenario.pin()
    pinned = now().baseline
    add_a_consumer()

    scenario.undo()
    after_undo = now()
    scenario.undo()
    scenario.reset()
    after_reset = now()
    scenario.unpin()

    assert after_undo.is_at_baseline
    assert after_reset.baseline is pinned
    assert now().baseline is now().reading.group


def test_opening_another_group_unpins_and_undo_brings_the_pin_back() -> None:
    scenario.show("Orders", reading(3))
    add_a_consumer()
    scenario.pin()
    pinned = now().baseline

    scenario.show("Payments", reading(5))
    other = now()
    scenario.undo()

    assert other.baseline is other.reading.group
    assert now().baseline is pinned


def test_no_example_is_named_for_counts_that_an_edit_makes_untrue() -> None:
    nouns = ("consumers", "partitions", "topics")

    named = [s.title for s in samples.SAMPLES if any(c.isdigit() for c in s.title)]

    assert not [title for title in named if any(noun in title for noun in nouns)]


def test_tables_are_built_when_they_are_edited_and_not_when_a_group_is_shown() -> None:
    scenario.show("Orders", reading(3))

    assert "draft" not in vars(now())
    add_a_consumer()
    assert now().tables is not None


def test_a_group_returns_with_its_edits_and_what_was_stated_of_it() -> None:
    scenario.show("Orders", reading(3))
    add_a_consumer()
    told.SPEED.put("290")
    edited = now()
    scenario.show("Clicks", reading(4))
    stated_of_clicks = told.SPEED.number()
    (left,) = scenario.recent()

    scenario.reopen(left)

    assert (now().group, now().tables, told.SPEED.number()) == (edited.group, edited.tables, 290)
    assert stated_of_clicks is None
    assert [each.title for each in scenario.recent()] == ["Clicks", "Orders"]


def test_a_further_snapshot_takes_the_place_of_its_group_and_leaves_none_open() -> None:
    scenario.show("Orders", reading(3))

    scenario.add(reading(3))
    scenario.read_otherwise(reading(3))
    scenario.reset()

    assert scenario.recent() == ()
    assert [each.group.partition_count for each in now().earlier] == [3, 3, 3]


def test_groups_opened_together_take_the_place_of_all_that_were_open() -> None:
    scenario.show("Orders", reading(3))
    scenario.show("Clicks", reading(4))
    several = [scenario.opened(name, reading(2), stated={"throughput": name}) for name in "123"]

    scenario.open_together(several)
    first = told.SPEED.number()
    with scenario.asked_instead(scenario.recent()[0]):
        third = told.SPEED.number()
        asked_about = scenario.shown()

    assert (first, third, told.SPEED.number()) == (1, 3, 1)
    assert asked_about is several[2]
    assert [each.title for each in scenario.recent()] == ["3", "2"]
    assert scenario.shown() is now()
    scenario.undo()
    assert now().title == "Clicks"


def test_a_group_that_is_closed_is_open_no_longer() -> None:
    for name in "abc":
        scenario.show(name, reading(2))

    scenario.close(scenario.recent()[0])

    assert [each.title for each in scenario.recent()] == ["a"]
