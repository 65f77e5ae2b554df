"""The Rebalance page as a user meets it, without a browser."""

import json
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from assignors.registry import STRATEGIES
from sources import samples
from sources.histories import GUIDES, Guide
from ui.rebalance_history import OWN_GROUP

ROOT = Path(__file__).resolve().parents[2]
RESTART = next(guide for guide in GUIDES if guide.id == "range-dynamic-restart")
STATIC = next(guide for guide in GUIDES if guide.id == "range-static-restart")
TWO_EVENTS = next(guide for guide in GUIDES if guide.id == "rr-mixed-subscriptions")
RANGE = STRATEGIES["range"].label
EMPTY = "Start; nothing has happened yet"


def opened(guide: str = OWN_GROUP) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    page.switch_page("pages/rebalance.py").run()
    if guide != OWN_GROUP:
        page.selectbox(key="history_guide").set_value(guide).run()
    assert not page.exception
    return page


def figures(page: AppTest) -> pd.DataFrame:
    return page.dataframe[0].value.set_index("Strategy")


def figure(page: AppTest, label: str, column: str) -> int:
    return int(figures(page)[column].to_dict()[label])


def owners(page: AppTest) -> pd.DataFrame:
    return page.dataframe[-1].value.set_index(["topic", "partition"])


def button(page: AppTest, label: str) -> Button:
    return next(found for found in page.button if label in found.label)


def history(page: AppTest) -> list[str]:
    return list(page.radio(key="history_step").options)


def choose(page: AppTest, kind: str) -> None:
    page.selectbox(key="event_kind").set_value(kind).run()


def add(page: AppTest) -> None:
    button(page, "Add to the history").click().run()
    assert not page.exception


def conclusion(page: AppTest) -> str:
    return next(text.value for text in page.markdown if "mov" in text.value)


def test_the_page_starts_from_the_group_of_the_compare_page_with_an_empty_history() -> None:
    page = opened()

    assert page.title[0].value == samples.SAMPLES[0].title
    assert history(page) == [EMPTY]
    assert set(figures(page)["Moved"]) == {0}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.id)
def test_every_guided_history_opens_at_its_last_event(guide: Guide) -> None:
    page = opened(guide.title)

    assert not page.error
    assert page.radio(key="history_step").value == len(guide.events)
    assert history(page)[-1] == f"{len(guide.events)}. {guide.events[-1]}"
    shown = figures(page)
    for outcome in guide.expected:
        label = STRATEGIES[outcome.strategy].label
        if outcome.step == len(guide.events) and outcome.moved is not None and label in shown.index:
            assert figure(page, label, "Moved") == outcome.moved


def test_a_link_opens_a_guided_history() -> None:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.query_params["history_guide"] = RESTART.title
    page.run().switch_page("pages/rebalance.py").run()

    assert page.title[0].value == RESTART.title
    assert len(history(page)) == 2


def test_a_dynamic_restart_moves_everything_under_range() -> None:
    page = opened(RESTART.title)

    assert [figure(page, RANGE, name) for name in ("Moved", "Fewest", "Unneeded")] == [6, 2, 4]
    assert "a static id (group.instance.id) would keep everything where it is" in conclusion(page)
    assert owners(page)["owner before"].tolist() == ["m-a", "m-a", "m-b", "m-b", "m-c", "m-c"]
    assert owners(page)[f"{RANGE}: after"].tolist() == ["m-b", "m-b", "m-c", "m-c", "m-z", "m-z"]


def test_a_static_restart_moves_nothing() -> None:
    page = opened(STATIC.title)

    assert "Nothing moves and nobody rebalances" in conclusion(page)
    assert set(figures(page)["Moved"]) == set(figures(page)["Rounds"]) == {0}


def test_a_history_is_stepped_through() -> None:
    page = opened(TWO_EVENTS.title)

    button(page, "Replay").click().run()
    at_the_start = page.radio(key="history_step").value
    button(page, "Next").click().run()

    assert (at_the_start, page.radio(key="history_step").value) == (0, 1)
    assert button(page, "Undo last").disabled is False


def test_events_are_chained_undone_and_cleared() -> None:
    page = opened(RESTART.title)

    choose(page, "Consumers join")
    page.text_input[0].set_value("m-0, m-1")
    add(page)
    choose(page, "Partitions are added")
    page.number_input[0].set_value(3)
    add(page)

    assert history(page)[2:] == ["2. m-0 and m-1 join", "3. t gets 3 more partitions"]
    assert set(figures(page)["New"]) == {3}

    button(page, "Undo last").click().run()

    assert history(page)[2:] == ["2. m-0 and m-1 join"]

    button(page, "Clear").click().run()

    assert history(page) == [EMPTY]


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("Consumers join", "consumer-1 joins"),
        ("A consumer restarts", "m-b restarts and comes back as m-b-restarted"),
        ("Partitions are added", "t gets 1 more partition"),
        ("Everybody rejoins", "everybody rejoins, nothing else changes"),
    ],
)
def test_an_event_can_be_added_as_it_is_offered(kind: str, entry: str) -> None:
    page = opened(RESTART.title)

    choose(page, kind)
    add(page)

    assert history(page)[-1] == f"2. {entry}"


def test_consumers_leave_by_name_and_by_number() -> None:
    page = opened(RESTART.title)

    choose(page, "Consumers leave")
    page.multiselect[0].set_value(["m-b"])
    add(page)
    page.multiselect[0].set_value(["1"])
    add(page)

    assert history(page)[2:] == ["2. m-b leaves", "3. m-z leaves"]


def test_a_restart_with_a_static_id_does_not_rebalance() -> None:
    page = opened(RESTART.title)

    choose(page, "A consumer restarts")
    page.text_input[0].set_value("a-new-id")
    page.toggle[0].set_value(True)
    add(page)

    assert "known by its static id" in history(page)[-1]
    assert "Nothing moves and nobody rebalances" in conclusion(page)


def test_a_topic_is_created_and_a_subscription_changes() -> None:
    page = opened(RESTART.title)

    choose(page, "A topic is created")
    page.text_input[0].set_value("u")
    add(page)
    choose(page, "A subscription changes")
    page.multiselect[0].set_value(["m-b"])
    page.multiselect[1].set_value(["u"])
    add(page)

    assert history(page)[2:] == [
        "2. topic u is created with 6 partitions",
        "3. m-b subscribes to just u",
    ]
    assert figures(page)["Fewest"].isna().all()


@pytest.mark.parametrize(
    ("kind", "written", "sentence"),
    [
        ("Consumers join", "m-b", "the group has a consumer 'm-b' already; give another name"),
        ("A consumer restarts", "m-c", "the group has a consumer 'm-c' already; give another name"),
        ("A topic is created", "t", "the group has a topic 't' already; give another name"),
        ("A topic is created", " ", "name at least one topic name"),
    ],
)
def test_a_wrong_input_is_refused_in_one_sentence(kind: str, written: str, sentence: str) -> None:
    page = opened(RESTART.title)

    choose(page, kind)
    page.text_input[0].set_value(written)
    add(page)

    assert [error.value for error in page.error] == [f"This cannot happen: {sentence}."]
    assert len(history(page)) == 2


def test_nobody_leaving_is_refused() -> None:
    page = opened(RESTART.title)

    choose(page, "Consumers leave")
    add(page)

    assert "name at least one consumer that leaves" in page.error[0].value


def test_an_event_that_the_edited_group_no_longer_allows_is_named() -> None:
    page = opened(RESTART.title)
    page.switch_page("pages/compare.py").run()
    page.segmented_control(key="table").set_value("Consumers").run()
    was = page.session_state["open_editor"]
    page.session_state[f"{was.table} {was.turn}"] = {
        "edited_rows": {0: {"consumer": "m-y"}},
        "added_rows": [],
        "deleted_rows": [],
    }
    page.run()

    page.switch_page("pages/rebalance.py").run()

    assert "Event 1, “m-a restarts and comes back as m-z”, cannot happen" in page.error[0].value
    assert page.radio(key="history_step").value == 0


def test_another_scenario_starts_another_history() -> None:
    page = opened(RESTART.title)
    page.switch_page("pages/compare.py").run()
    page.selectbox(key="example").set_value(page.selectbox(key="example").options[1]).run()

    page.switch_page("pages/rebalance.py").run()

    assert history(page) == [EMPTY]
    assert page.selectbox(key="history_guide").value == OWN_GROUP


def test_the_result_becomes_the_present_owners() -> None:
    page = opened(RESTART.title)

    button(page, "Take the result").click().run()

    assert history(page) == [EMPTY]
    assert owners(page)["owner before"].tolist() == ["m-b", "m-b", "m-c", "m-c", "m-z", "m-z"]

    page.switch_page("pages/compare.py").run()

    compared = next(table.value for table in page.dataframe if "Strategy" in table.value)
    assert "as it is now" in compared["Strategy"].tolist()
    assert button(page, "Undo").disabled is False


def test_a_history_can_start_from_each_strategys_own_assignment() -> None:
    page = opened()
    choose(page, "Everybody rejoins")
    add(page)
    from_present = figure(page, RANGE, "Moved")

    page.segmented_control(key="history_start").set_value("each strategy's own assignment").run()

    assert from_present > 0
    assert figure(page, RANGE, "Moved") == 0


def test_the_table_can_be_cut_to_what_changes() -> None:
    page = opened(RESTART.title)
    choose(page, "Partitions are added")
    add(page)
    page.segmented_control(key="history_drawn").set_value("range").run()

    page.toggle(key="only_changes").set_value(True).run()

    assert owners(page).index.tolist() == [("t", 2), ("t", 4), ("t", 6)]


def test_the_pictures_are_of_the_chosen_strategy() -> None:
    page = opened(RESTART.title)

    page.segmented_control(key="history_drawn").set_value("range").run()

    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    moved = [trace["meta"] for trace in spec["data"] if "meta" in trace]
    assert [(ribbon["source"], ribbon["target"]) for ribbon in moved] == [
        ("m-a (left)", "m-b"),
        ("m-b", "m-c"),
        ("m-c", "m-z"),
    ]
    assert len(json.loads(page.get("plotly_chart")[1].proto.spec)["data"]) >= 2 * 4


def test_without_a_strategy_the_page_says_what_to_do() -> None:
    page = opened(RESTART.title)

    page.pills(key="strategies").set_value([]).run()

    assert page.info[0].value == "Choose at least one strategy."
    assert not page.exception


def test_names_are_shown_letter_by_letter() -> None:
    page = opened(RESTART.title)

    choose(page, "Consumers join")
    page.text_input[0].set_value("$a_*, $b_*")
    add(page)

    assert history(page)[-1] == r"2. \$a\_\* and \$b\_\* join"
    assert page.subheader[0].value == r"2. \$a\_\* and \$b\_\* join"
