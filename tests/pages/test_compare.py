"""The Compare page as a user sees it, without a browser."""

import pandas as pd
import pytest

from assignors.registry import STRATEGIES
from sources import samples
from tests.pages.compare_page import (
    EXAMPLES,
    PASTE,
    UNEVEN,
    add_row,
    button,
    columns,
    delete_rows,
    figures,
    name,
    opened,
    paste,
    picture,
    seen,
    size,
    texts,
    typed,
)
from tests.said import figures_in, lacks


def test_the_page_opens_with_a_filled_example() -> None:
    page = opened()

    assert name(page) == UNEVEN
    assert set(figures(page).index) >= {"As it is now", STRATEGIES["range"].label}
    assert picture(page)["columns"]


@pytest.mark.parametrize("sample", EXAMPLES)
def test_every_example_opens_from_its_link(sample: samples.Example) -> None:
    page = opened(example=sample.title)

    assert name(page) == sample.title
    assert not page.error


@pytest.mark.parametrize(
    ("by", "of_figures", "of_consumers"),
    [
        ("work", {"Busiest", "Most lag"}, {"load", "of all load"}),
        ("partitions", {"Most partitions"}, {"partitions"}),
    ],
)
def test_tables_are_headed_by_what_the_page_is_judged_by(
    by: str, of_figures: set[str], of_consumers: set[str]
) -> None:
    page = opened(total_rate="1340", judge=by, view="Consumers")

    assert of_figures <= set(figures(page))
    assert of_consumers <= set(page.dataframe[0].value)
    assert "of all lag" not in set(page.dataframe[0].value)
    assert not page.exception


@pytest.mark.parametrize("view", ["Partitions", "Consumers", "Topics", "Why"])
@pytest.mark.parametrize("table", ["Topics", "Consumers", "Subscriptions", "Lags and owners"])
def test_every_view_and_every_table_opens(view: str, table: str) -> None:
    page = opened(view=view, table=table, edit="true")

    assert not page.error
    assert page.pills(key="view").value == view
    assert page.segmented_control(key="table").value == table


def test_a_paste_becomes_the_group_and_unknown_lag_stays_unknown() -> None:
    page = opened()

    paste(page, PASTE)

    assert name(page) == "billing"
    assert not lacks(texts(page), "3 rows", "--describe")
    now = figures(page).loc["As it is now"]
    assert (now["Busiest"], now["Most partitions"], now["Unknown lag"]) == (102, 2, 1)


def test_the_lines_a_paste_did_not_use_are_listed_with_their_numbers() -> None:
    page = opened()

    paste(page, PASTE)

    assert any(not lacks(code.value, "2", "groups.sh") for code in page.code)


@pytest.mark.parametrize(
    ("above", "label"),
    [
        ("$ kafka-consumer-groups.sh --bootstrap-server b:9092 --describe --group till", "Read"),
        ("[root@kafka-0 bin]# ./kafka-consumer-groups.sh --describe --group till", "Read"),
        ("ops@kafka-0:~$", "Read"),
        ("as sent by the till team", "1 note"),
    ],
)
def test_the_prompt_above_a_table_is_no_note(above: str, label: str) -> None:
    page = opened()

    paste(page, f"{above}\n{PASTE}")

    assert label in [popover.proto.popover.label for popover in page.get("popover")]


def test_nonsense_gives_one_sentence_and_keeps_the_group() -> None:
    page = opened()
    before = name(page)

    paste(page, "the quick brown fox")

    assert len(page.error) == 1
    assert name(page) == before
    assert picture(page)["columns"]


def test_an_edited_lag_moves_the_figures() -> None:
    page = opened(table="Lags and owners", edit="true")
    paste(page, PASTE)

    typed(page, 0, "lag", "5000")

    assert figures(page).loc["As it is now", "Busiest"] == 5002


def test_a_wrong_cell_is_explained_and_the_charts_keep_its_last_valid_value() -> None:
    page = opened(table="Topics", edit="true")
    paste(page, PASTE)
    before = figures(page)

    typed(page, 0, "partitions", "-5")

    (error,) = page.error
    assert figures_in(seen(error.value)) == ["-5", "0", "1,000,000", "3"]
    pd.testing.assert_frame_equal(figures(page), before)


def test_a_wrong_cell_can_be_put_right() -> None:
    page = opened(table="Topics", edit="true")
    paste(page, PASTE)

    typed(page, 0, "partitions", "-5")
    typed(page, 0, "partitions", "4")

    assert not page.error
    assert "4 partitions" in size(page)


def test_undo_takes_back_one_change_and_reset_all() -> None:
    page = opened(table="Topics", edit="true")
    paste(page, PASTE)

    typed(page, 0, "partitions", "8")
    typed(page, 0, "partitions", "9")
    button(page, "Undo").click().run()
    after_undo = size(page)
    button(page, "Reset").click().run()

    assert "8 partitions" in after_undo
    assert "3 partitions" in size(page)


@pytest.mark.proof
def test_undo_brings_back_what_a_paste_replaced() -> None:
    page = opened(table="Topics", edit="true")
    before = name(page)
    typed(page, 0, "partitions", "50")
    edited = size(page)

    paste(page, PASTE)
    button(page, "Undo").click().run()

    assert name(page) == before
    assert size(page) == edited


def test_many_consumers_are_added_together() -> None:
    page = opened(table="Consumers", edit="true", strategies=["Round robin"])
    paste(page, PASTE)

    page.number_input(key="add_count").set_value(3)
    button(page, "Add").click().run()

    assert size(page).startswith("5 consumers")
    assert figures(page).loc[STRATEGIES["roundrobin"].label, "Idle"] == 2


def test_a_new_row_of_the_consumers_table_is_a_consumer_of_every_topic() -> None:
    page = opened(table="Consumers", edit="true")
    paste(page, PASTE)

    add_row(page, consumer="app-3-cc")

    assert size(page).startswith("3 consumers")
    assert figures(page).loc[STRATEGIES["range"].label, "Most partitions"] == 1


def test_a_subscription_taken_away_leaves_its_partitions_to_the_others() -> None:
    page = opened(table="Subscriptions", edit="true")
    paste(page, PASTE)

    typed(page, 1, "invoices", "")

    assert figures(page).loc[STRATEGIES["range"].label, "Most partitions"] == 3


def test_chosen_strategies_come_from_the_link() -> None:
    page = opened(strategies=STRATEGIES["range"].label)

    assert list(figures(page).index) == ["As it is now", STRATEGIES["range"].label]


def test_the_assignment_can_be_searched() -> None:
    page = opened(view="Partitions")
    paste(page, PASTE)

    page.text_input(key="search").set_value("invoices-1").run()

    found = page.dataframe[-1].value
    assert found[["topic", "partition", "lag"]].to_numpy().tolist() == [["invoices", 1, 2]]


def test_a_group_without_consumers_says_what_is_missing() -> None:
    page = opened(table="Consumers", edit="true")
    paste(page, PASTE)

    delete_rows(page, 0, 1)

    assert not page.error
    assert size(page).startswith("0 consumers")


def test_an_edit_shows_the_figure_before_it_beside_every_strategy() -> None:
    page = opened(strategies=["Range", "Round robin"], edit="true", table="Lags and owners")

    typed(page, 0, "lag", "60000")

    shown = columns(page)
    assert shown["As it is now"]["was"].startswith("was ")
    assert len(shown) == 3


def test_links_of_earlier_releases_open_the_view_that_took_their_place() -> None:
    names = ["Figures", "Assignment", "Optimum", "Switch", "Explain", "Time"]

    opened_now = [opened(view=name).pills(key="view").value for name in names]

    assert opened_now == [
        "Consumers", "Partitions", "Fewest moves", "How to switch", "Why", "Over time",
    ]  # fmt: skip


def test_no_question_is_open_until_it_is_asked() -> None:
    page = opened()

    assert page.pills(key="view").value is None
    assert not page.dataframe
