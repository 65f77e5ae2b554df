"""Editing a group as a user does, without a browser."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Toggle

from assignors.model import Group
from sources import links
from sources.text import read_text
from tests.pages import compare_page
from tests.pages.compare_page import (
    PASTE,
    add_row,
    button,
    cells,
    delete_rows,
    seen,
    sheet,
    typed,
)
from tests.said import lacks
from ui import scenario
from ui.draft.tables import Draft

UUIDS = ("6f0c0c4e-52c1-4f0e-9f5b-0d6c6f3a1b2c", "7a1d1d5f-63d2-4a1f-8a6c-1e7d7a4b2c3d")
LONG = Group.fresh({"orders": 4}, [f"consumer-orders-{k}-{uuid}" for k, uuid in enumerate(UUIDS)])


def opened(**link: str) -> AppTest:
    """Return the page with its tables open."""
    return compare_page.opened(edit="true", **link)


def pasted(**link: str) -> AppTest:
    return opened(group=links.encode(read_text(PASTE)[0].group) or "", **link)


def lag_rule(page: AppTest) -> Toggle:
    return next(toggle for toggle in page.toggle if toggle.label == "Lag from offsets")


def draft(page: AppTest) -> Draft:
    found: Draft = page.session_state["scenario"].draft
    return found


def group(page: AppTest) -> Group:
    found: Group = page.session_state["scenario"].group
    return found


def test_the_state_after_an_edit_is_stored_in_the_same_run() -> None:
    page = pasted(table="Lags and owners")

    typed(page, 0, "lag", "5000")

    assert group(page).lags.max() == 5000
    assert page.session_state["scenario"].is_edited


def test_undo_reverts_the_lag_rule_immediately() -> None:
    page = pasted(table="Lags and owners")

    lag_rule(page).set_value(True).run()
    edited = draft(page).lag_from_offsets
    button(page, "Undo").click().run()

    assert edited
    assert not draft(page).lag_from_offsets
    assert not lag_rule(page).value


def test_undo_is_below_the_tables_and_in_the_header_without_them() -> None:
    page = pasted(table="Lags and owners")
    typed(page, 0, "lag", "5000")

    beside_tables = [each.label for each in page.button]
    button(page, "Close").click().run()
    in_header = [each.label for each in page.button]

    assert beside_tables.count("Undo") == in_header.count("Undo") == 1
    assert beside_tables.index("Undo") > beside_tables.index("+10")
    assert in_header.index("Undo") == in_header.index("Edit") + 1


def test_a_typed_negative_lag_is_kept_with_a_note_that_it_counts_as_zero() -> None:
    page = pasted(table="Lags and owners")

    typed(page, 1, "lag", "-5")

    assert not page.error
    assert any("invoices-1 (-5)" in seen(info.value) for info in page.info)
    assert group(page).counted_lags[1] == 0


def test_a_negative_offset_that_is_typed_is_an_error_that_names_the_cell() -> None:
    page = pasted(table="Lags and owners")
    lag_rule(page).set_value(True).run()

    typed(page, 0, "committed", "-5")

    assert len(page.error) == 1
    assert not lacks(seen(page.error[0].value), "invoices-0, committed", "-5")


def test_racks_left_over_when_a_topic_shrinks_are_a_remark_and_no_error() -> None:
    page = opened(table="Topics")

    typed(page, 0, "partitions", "5")

    assert not page.error
    assert group(page).topic_sizes[0] == 5
    assert any(not lacks(seen(info.value), "5 count") for info in page.info)


def test_a_notice_about_a_cell_does_not_shift_the_table() -> None:
    page = pasted(table="Topics")

    typed(page, 0, "partitions", "-5")

    kinds = [each.type for each in page.main if each.type in {"error", "bidi_component"}]
    assert kinds[:2] == ["bidi_component", "error"]  # the others are panels


@pytest.mark.parametrize(("text", "in_force"), [("abc", 3), ("-5", 3), ("", 3), ("1,200", 1200)])
def test_a_wrong_cell_stays_as_typed_while_its_last_valid_value_counts(
    text: str, in_force: int
) -> None:
    page = pasted(table="Topics")

    typed(page, 0, "partitions", text)

    is_wrong = in_force == 3
    assert cells(page, "partitions") == [text if is_wrong else "1200"]
    assert list(sheet(page)["wrong"]) == (["0\npartitions"] if is_wrong else [])
    assert group(page).topic_sizes.tolist() == [in_force]


def test_edits_beside_a_wrong_cell_take_effect() -> None:
    page = opened(table="Topics")
    typed(page, 0, "partitions", "abc")

    typed(page, 1, "partitions", "7")

    assert cells(page, "partitions")[:2] == ["abc", "7"]
    assert group(page).topic_sizes.tolist()[:2] == [20, 7]


@pytest.mark.proof
def test_two_names_can_be_exchanged_one_cell_after_the_other() -> None:
    page = opened(table="Topics")
    first, second = cells(page, "topic")[:2]
    sizes = dict(zip(group(page).topics, group(page).topic_sizes.tolist(), strict=True))

    typed(page, 0, "topic", second)
    between = sheet(page)["wrong"]
    typed(page, 1, "topic", first)

    assert len(between) == 1
    assert not sheet(page)["wrong"]
    assert cells(page, "topic")[:2] == [second, first]
    assert cells(page, "partitions")[:2] == [str(sizes[first]), str(sizes[second])]


def test_what_was_typed_before_a_group_was_opened_does_not_change_it() -> None:
    page = opened(table="Topics")
    before = sheet(page)
    compare_page.open_example(page, "kip-49")
    sizes = group(page).topic_sizes.tolist()

    compare_page.operate(page, before, "set", [["0", "partitions", "77"]])

    assert group(page).topic_sizes.tolist() == sizes


def test_an_operation_that_is_sent_again_is_applied_once() -> None:
    page = pasted(table="Topics")
    shown = sheet(page)

    for _ in range(2):
        compare_page.operate(page, shown, "add", [{"topic": "audit", "partitions": "2"}])

    assert group(page).topics == ("audit", "invoices")
    assert not page.error


def test_undo_in_the_table_takes_back_one_edit() -> None:
    page = pasted(table="Topics")
    typed(page, 0, "partitions", "8")

    compare_page.operate(page, sheet(page), "undo", None)

    assert cells(page, "partitions") == ["3"]


def test_many_wrong_cells_make_one_box_that_counts_the_rest() -> None:
    page = opened(table="Topics")

    for row in range(8):
        typed(page, row, "partitions", "-1")

    assert len(page.error) == 1
    assert not lacks(seen(page.error[0].value), "3 more")


def test_a_new_topic_starts_with_one_partition() -> None:
    page = pasted(table="Topics")

    add_row(page, topic="audit")

    assert not page.error
    assert group(page).topics == ("audit", "invoices")
    assert group(page).topic_sizes.tolist() == [1, 3]


@pytest.mark.parametrize(("label", "after"), [("+1", 3), ("+10", 12), ("−1", 1)])
@pytest.mark.parametrize("table", ["Topics", "Lags and owners"])
def test_consumers_are_added_and_removed_beside_every_table(
    label: str, after: int, table: str
) -> None:
    page = pasted(table=table)

    button(page, label).click().run()

    assert group(page).member_count == after
    assert all(len(topics) == 1 for topics in draft(page).subscriptions.values())


def test_the_number_of_consumers_follows_an_edit_of_the_same_run() -> None:
    page = pasted(table="Consumers")

    delete_rows(page, 0, 1)

    assert "0 consumers" in [text.value for text in page.markdown]
    assert button(page, "−1").disabled


def test_the_owner_is_chosen_from_the_consumers() -> None:
    page = opened(table="Lags and owners", group=links.encode(LONG) or "")
    options = sheet(page)["options"]

    typed(page, 0, "owner", "orders-1")
    typed(page, 1, "owner", LONG.members[1])

    assert options == [["orders-0", LONG.members[0]], ["orders-1", LONG.members[1]]]
    assert group(page).claims.members.tolist() == [1, 1]
    assert cells(page, "owner")[:2] == ["orders-1", "orders-1"]


def test_an_owner_that_does_not_exist_counts_once_it_is_added() -> None:
    page = pasted(table="Lags and owners")
    typed(page, 0, "owner", "app-9")
    before = cells(page, "owner")[0], group(page).members

    page.segmented_control(key="table").set_value("Consumers").run()
    add_row(page, consumer="app-9")

    assert before == ("app-9", ("app-1-aa", "app-2-bb"))
    assert draft(page).partitions["owner"].tolist()[0] == "app-9"
    assert not page.error


def test_an_owner_can_be_cleared() -> None:
    page = pasted(table="Lags and owners")

    typed(page, 0, "owner", "")

    assert draft(page).partitions["owner"].tolist()[0] == ""
    assert not page.error


def test_short_names_are_shown_beside_whole_ids_that_can_still_be_edited() -> None:
    page = opened(table="Consumers", group=links.encode(LONG) or "")
    shown = cells(page, "short"), cells(page, "consumer")

    typed(page, 0, "consumer", "renamed")

    assert shown == (["orders-0", "orders-1"], list(LONG.members))
    assert draft(page).consumers["consumer"].tolist() == ["renamed", LONG.members[1]]
    assert "short" not in draft(page).consumers


def test_ticks_beside_short_names_change_the_consumer_of_the_whole_id() -> None:
    page = opened(table="Subscriptions", group=links.encode(LONG) or "")

    typed(page, 1, "orders", "")

    assert draft(page).subscriptions == {LONG.members[0]: ("orders",), LONG.members[1]: ()}


def test_plain_text_narrows_the_matrix_whatever_its_case() -> None:
    page = opened(table="Subscriptions")
    before = len(sheet(page)["rows"])

    page.text_input(key="topics_with").set_value("AUD").run()

    shown = sheet(page)
    assert [column["name"] for column in shown["columns"]] == ["", "audit"]
    assert len(shown["rows"]) == before


def test_what_both_filters_show_is_subscribed() -> None:
    page = pasted(table="Subscriptions")
    page.text_input(key="consumers_with").set_value("app-1").run()
    page.text_input(key="topics_like").set_value("none").run()

    button(page, "Subscribe to only these").click().run()

    assert sorted(map(len, draft(page).subscriptions.values())) == [0, 1]


@pytest.mark.parametrize("pattern", ["((a+)+)$", "a{99999999999}", "(" * 1000, "[", "(?=x)", "\\"])
def test_a_hostile_pattern_in_a_link_opens_a_page_that_answers(pattern: str) -> None:
    hostile = Group.fresh({"t": 1}, ["a" * 5000 + "!", "a" * 50 + "!"])

    page = opened(table="Subscriptions", consumers_like=pattern, group=links.encode(hostile) or "")

    button(page, "Subscribe to only these").click().run()
    assert not page.exception
    assert group(page).member_count == 2


def test_an_invalid_pattern_is_explained_with_the_syntax() -> None:
    page = opened(table="Subscriptions", topics_like="orders(?!-eu)")

    assert "is not a valid pattern" in page.error[0].value
    assert "no look-around" in seen(page.error[0].value)


@pytest.mark.proof
def test_partitions_beyond_the_first_page_of_a_topic_can_be_reached() -> None:
    page = opened(table="Topics")
    typed(page, 0, "partitions", "2500")
    page.segmented_control(key="table").set_value("Lags and owners").run()

    page.number_input(key="from_partition").set_value(2000).run()

    assert cells(page, "partition") == [str(n) for n in range(2000, 2500)]


@pytest.mark.parametrize("text", ["1e30", "9" * 30, str(2**63), "1.5", "\u0663", "nan"])
def test_a_number_that_no_offset_can_be_is_refused_in_a_sentence(text: str) -> None:
    page = pasted(table="Lags and owners")

    typed(page, 0, "lag", text)

    assert not lacks(seen(page.error[0].value), "unknown", "100 counts")
    assert cells(page, "lag") == [text, "2", ""]
    assert group(page).lags.tolist()[:2] == [100, 2]


@pytest.mark.parametrize("name", ["rebalance", "capacity", "autoscaler"])
def test_other_pages_say_that_wrong_cells_have_their_last_valid_values(name: str) -> None:
    page = pasted(table="Topics", hours="2.0")

    typed(page, 0, "partitions", "-5")
    page.switch_page(f"pages/{name}.py").run()

    assert not page.exception
    (warning,) = page.warning
    assert lacks(warning.value, "cells", "Group", "wrong") == []


def test_what_is_typed_while_the_group_is_watched_reaches_its_next_snapshot() -> None:
    page = pasted(table="Topics")
    shown = sheet(page)
    current = page.session_state["scenario"]
    later = scenario.opened(current.title, replace(current.reading, rows=99))
    page.session_state["scenario"] = later

    compare_page.operate(page, shown, "set", [["0", "partitions", "8"]])

    assert group(page).topic_sizes.tolist() == [8]
