"""The Compare page as a user meets it, without a browser."""

from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from assignors.registry import STRATEGIES
from sources import samples

ROOT = Path(__file__).resolve().parents[2]
PASTE = """
$ kafka-consumer-groups.sh --bootstrap-server broker:9092 --describe --group billing
GROUP    TOPIC     PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST       CLIENT-ID
billing  invoices  0          10              110             100  app-1-aa     /10.0.0.1  app-1
billing  invoices  1          50              52              2    app-1-aa     /10.0.0.1  app-1
billing  invoices  2          -               7               -    app-2-bb     /10.0.0.2  app-2
"""


def opened(**link: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def figures(page: AppTest) -> pd.DataFrame:
    tables = (table.value for table in page.dataframe)
    return next(table for table in tables if "Strategy" in table).set_index("Strategy")


def edit(page: AppTest, **change: object) -> None:
    """Change the table on screen as the browser does."""
    was = page.session_state["open_editor"]
    state: dict[str, object] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    page.session_state[f"{was.table} {was.turn}"] = state | change
    page.run()
    assert not page.exception


def paste(page: AppTest, text: str) -> None:
    page.segmented_control(key="start").set_value("Paste").run()
    page.text_area(key="pasted").set_value(text)
    next(button for button in page.button if button.label == "Read it").click().run()
    assert not page.exception


def button(page: AppTest, label: str) -> Button:
    return next(found for found in page.button if found.label == label)


def test_the_page_opens_with_a_filled_example() -> None:
    page = opened()

    assert page.title[0].value == samples.SAMPLES[0].title
    assert set(figures(page).index) >= {"as it is now", STRATEGIES["range"].label}
    assert page.get("plotly_chart")


@pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda sample: sample.id)
def test_every_example_opens_from_its_link(sample: samples.Sample) -> None:
    page = opened(example=sample.title)

    assert page.title[0].value == sample.title
    assert not page.error


@pytest.mark.parametrize("view", ["Bars", "Heatmaps", "Assignment"])
@pytest.mark.parametrize("table", ["Topics", "Consumers", "Subscriptions", "Lags and owners"])
def test_every_view_and_every_table_opens(view: str, table: str) -> None:
    page = opened(view=view, table=table)

    assert not page.error


def test_a_paste_becomes_the_group_and_unknown_lag_stays_unknown() -> None:
    page = opened()

    paste(page, PASTE)

    assert page.title[0].value == "billing"
    assert any("Read 3 rows as kafka-consumer-groups --describe" in c.value for c in page.caption)
    now = figures(page).loc["as it is now"]
    assert (now["Max lag"], now["Max partitions"], now["Unknown lags"]) == (102, 2, 1)


def test_the_lines_a_paste_did_not_use_are_listed_with_their_numbers() -> None:
    page = opened()

    paste(page, PASTE)

    assert any("2  $ kafka-consumer-groups.sh" in code.value for code in page.code)


def test_nonsense_gives_one_sentence_and_keeps_the_group() -> None:
    page = opened()
    before = page.title[0].value

    paste(page, "the quick brown fox")

    assert len(page.error) == 1
    assert page.title[0].value == before
    assert page.get("plotly_chart")


def test_an_edited_lag_moves_the_figures() -> None:
    page = opened(table="Lags and owners")
    paste(page, PASTE)

    edit(page, edited_rows={0: {"lag": 5000}})

    assert figures(page).loc["as it is now", "Max lag"] == 5002


def test_a_wrong_cell_is_explained_and_the_charts_keep_the_last_valid_state() -> None:
    page = opened(table="Topics")
    paste(page, PASTE)
    before = figures(page)

    edit(page, edited_rows={0: {"partitions": -5}})

    assert [error.value for error in page.error] == [
        "Topics, row 1 (invoices), partitions: found -5; enter a whole number, 0 or more"
    ]
    pd.testing.assert_frame_equal(figures(page), before)


def test_a_wrong_cell_can_be_put_right() -> None:
    page = opened(table="Topics")
    paste(page, PASTE)

    edit(page, edited_rows={0: {"partitions": -5}})
    edit(page, edited_rows={0: {"partitions": 4}})

    assert not page.error
    assert "4 partitions" in page.subheader[1].value


def test_undo_takes_back_one_change_and_reset_all() -> None:
    page = opened(table="Topics")
    paste(page, PASTE)

    edit(page, edited_rows={0: {"partitions": 8}})
    edit(page, edited_rows={0: {"partitions": 9}})
    button(page, "Undo").click().run()
    after_undo = page.subheader[1].value
    button(page, "Reset").click().run()

    assert "8 partitions" in after_undo
    assert "3 partitions" in page.subheader[1].value


def test_undo_brings_back_what_a_paste_replaced() -> None:
    page = opened(table="Topics")
    before = page.title[0].value
    edit(page, edited_rows={0: {"partitions": 50}})
    edited = page.subheader[1].value

    paste(page, PASTE)
    button(page, "Undo").click().run()

    assert page.title[0].value == before
    assert page.subheader[1].value == edited


def test_many_consumers_are_added_at_once() -> None:
    page = opened(table="Consumers")
    paste(page, PASTE)

    page.number_input(key="add_count").set_value(3)
    button(page, "Add").click().run()

    assert page.subheader[1].value.startswith("5 consumers")
    assert figures(page).loc[STRATEGIES["roundrobin"].label, "Idle"] == 2


def test_a_new_row_of_the_consumers_table_is_a_consumer_of_every_topic() -> None:
    page = opened(table="Consumers")
    paste(page, PASTE)

    edit(page, added_rows=[{"consumer": "app-3-cc"}])

    assert page.subheader[1].value.startswith("3 consumers")
    assert figures(page).loc[STRATEGIES["range"].label, "Max partitions"] == 1


def test_a_subscription_taken_away_leaves_its_partitions_to_the_others() -> None:
    page = opened(table="Subscriptions")
    paste(page, PASTE)

    edit(page, edited_rows={1: {"invoices": False}})

    assert figures(page).loc[STRATEGIES["range"].label, "Max partitions"] == 3


def test_chosen_strategies_come_from_the_link() -> None:
    page = opened(strategies=STRATEGIES["range"].label)

    assert list(figures(page).index) == ["as it is now", STRATEGIES["range"].label]


def test_the_assignment_can_be_searched() -> None:
    page = opened(view="Assignment")
    paste(page, PASTE)

    page.text_input(key="search").set_value("invoices-1").run()

    found = page.dataframe[-1].value
    assert found[["topic", "partition", "lag"]].to_numpy().tolist() == [["invoices", 1, 2]]


def test_a_group_without_consumers_says_what_is_missing() -> None:
    page = opened(table="Consumers")
    paste(page, PASTE)

    edit(page, deleted_rows=[0, 1])

    assert not page.error
    assert page.subheader[1].value.startswith("0 consumers")
