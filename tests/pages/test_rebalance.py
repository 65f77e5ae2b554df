"""The Rebalance page as a user sees it, without a browser."""

import json
import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from assignors.model import Group
from assignors.registry import STRATEGIES
from sources import links, samples
from sources.histories import GUIDES, Guide
from tests.evaluation.rebalance.test_post_mortem import BEFORE, two_texts
from tests.pages import compare_page
from tests.pages.compare_page import (
    UNEVEN,
    band,
    columns,
    metrics,
    open_example,
    opened_alone,
    seen,
    typed,
)
from tests.pages.compare_page import opened as opened_compare
from tests.patience import PATIENCE_S
from tests.said import figures_in, lacks
from ui.rebalance.history import OWN_GROUP

RESTART = next(guide for guide in GUIDES if guide.id == "range-dynamic-restart")
STATIC = next(guide for guide in GUIDES if guide.id == "range-static-restart")
TWO_EVENTS = next(guide for guide in GUIDES if guide.id == "rr-mixed-subscriptions")
RANGE = STRATEGIES["range"].label
EMPTY = "Start; nothing has happened yet"
JUDGED = ("lag", "work")
JOINED = "1 of 1: consumer-orders-13 joins"


def through_app(guide: str) -> AppTest:
    page = opened_compare().switch_page("pages/rebalance.py").run()
    return chosen(page, guide)


def opened(guide: str = OWN_GROUP, **link: str) -> AppTest:
    return chosen(opened_alone("rebalance", **link), guide)


def chosen(page: AppTest, guide: str) -> AppTest:
    if guide != OWN_GROUP:
        page.selectbox(key="history_guide").set_value(guide).run()
    assert not page.exception
    return page


def figures(page: AppTest) -> pd.DataFrame:
    return page.dataframe[0].value.set_index("Strategy")


def figure(page: AppTest, label: str, column: str) -> int:
    return int(figures(page)[column].to_dict()[label])


def owners(page: AppTest, *, whole: bool = True) -> pd.DataFrame:
    page.segmented_control(key="rebalance_view").set_value("Partitions").run()
    page.toggle(key="only_changes").set_value(not whole).run()
    return page.dataframe[-1].value.set_index(["topic", "partition"])


def button(page: AppTest, label: str) -> Button:
    return next(found for found in page.button if label in found.label)


def history(page: AppTest) -> list[str]:
    return list(page.selectbox(key="history_step").options)


def choose(page: AppTest, kind: str) -> None:
    page.selectbox(key="event_kind").set_value(kind).run()


def ask_to_leave(page: AppTest, count: int) -> None:
    next(asked for asked in page.number_input if asked.label == "How many").set_value(count)


def add(page: AppTest) -> None:
    button(page, "Add to the history").click().run()
    assert not page.exception


def conclusion(page: AppTest) -> str:
    return f"{band(page)['finding']} {band(page)['evidence']}".strip()


def test_the_page_opens_with_a_consumer_that_has_joined_the_group_of_the_compare_page() -> None:
    page = opened()

    assert f"**{UNEVEN}**" in page.main.markdown[0].value
    assert history(page) == ["Start", JOINED]
    assert page.selectbox(key="history_step").value == 1
    assert min(figures(page)["Moved"]) > 0
    assert "events" not in page.query_params


def test_the_rounds_name_what_is_revoked_from_whom_and_what_nobody_owns_meanwhile() -> None:
    page = opened(rebalance_view="Rounds")

    page.selectbox(key="history_drawn").set_value("cooperative-sticky").run()
    first, second = page.dataframe[-1].value.to_dict("records")
    page.selectbox(key="history_drawn").set_value("range").run()
    (only,) = page.dataframe[-1].value.to_dict("records")

    assert first["Without an owner"] == second["Revoked"] == "none"
    assert re.match(r"[a-z0-9-]+: [a-z]+-\d+", first["Revoked"])
    assert first["Revoked"].endswith("more consumers")
    assert second["Without an owner"].endswith("more")
    assert only["Without an owner"] == "all 134 partitions"
    assert only["Revoked"] == "everything, from 10 consumers"


def test_the_best_strategy_comes_first_and_is_the_one_drawn() -> None:
    page = opened()

    first = figures(page).index[0]
    costs = figures(page)[figures(page)["Spread"] <= 1][["Paused", "Moved"]]
    assert costs.apply(tuple, axis=1).is_monotonic_increasing
    assert STRATEGIES[str(page.selectbox(key="history_drawn").value)].label == first
    assert first in conclusion(page).partition(" moves ")[0]
    assert [metric.value for metric in page.metric[:3]] == [
        f"{figures(page)[column].iloc[0]:,}" for column in ("Moved", "Needless", "Paused")
    ]


def test_loads_are_those_of_what_the_page_is_judged_by() -> None:
    # 1,340/s over 134 partitions are 3,000 records each in 5 min; each consumer has 10 or 11
    by_lag, by_work = (opened(total_rate="1340", judge=by) for by in JUDGED)
    behind, due = (figure(page, "Round robin", "Busiest") for page in (by_lag, by_work))

    assert 30_000 <= due - behind <= 33_000
    assert by_work.metric[4].label == "Busiest"
    assert "Judged by load" in " ".join(each.value for each in by_work.markdown)
    assert "Judged by" not in " ".join(each.value for each in by_lag.markdown)
    assert "Most partitions" not in figures(opened(judge="partitions"))


def test_lag_over_time_is_lag_whatever_the_page_is_judged_by() -> None:
    pages = [opened(total_rate="1340", judge=by, rebalance_view="Over time") for by in JUDGED]
    tables = [
        next(each.value for each in page.dataframe if "Highest lag" in each.value) for page in pages
    ]
    highest = [table.set_index("Strategy")["Highest lag"]["Round robin"] for table in tables]

    assert highest[0] == highest[1] > 0


def test_what_the_page_is_judged_by_does_not_become_the_lag_of_the_group() -> None:
    page = opened(total_rate="1340")
    behind = re.findall(
        r"[\d.,]+ ?k? records behind", seen(" ".join(m.value for m in page.markdown))
    )

    button(page, "Continue with the result").click().run()

    assert behind
    assert behind[0] in seen(" ".join(m.value for m in page.markdown))


def test_the_join_can_be_removed_and_the_link_then_says_that_nothing_happened() -> None:
    page = opened()

    button(page, "Remove all").click().run()

    assert history(page) == [EMPTY]
    assert page.query_params["events"] == "[]"
    assert set(figures(page)["Moved"]) == {0}
    assert history(opened(events="[]")) == [EMPTY]


def test_a_link_brings_its_events() -> None:
    page = opened()
    choose(page, "Consumers leave")
    ask_to_leave(page, 2)
    add(page)
    text = str(page.query_params["events"])

    again = opened(events=text)

    assert history(again) == history(page)
    assert again.selectbox(key="history_step").value == 2
    assert not again.error


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[{", "copy the link once more"),
        ('[{"join": {"ids": 5}}]', "copy the link once more"),
        ('[{"burst": {}}]', "there is no event 'burst'"),
        (f"[{' ' * 5_000}]", "at most 4,000 can be read"),
    ],
)
def test_a_link_with_unreadable_events_says_so_and_shows_the_join(text: str, sentence: str) -> None:
    page = opened(events=text)

    assert sentence in page.error[0].value
    assert history(page) == ["Start", JOINED]


def test_a_link_whose_event_cannot_happen_names_it() -> None:
    page = opened(events='[{"leave":{"ids":["nobody-here"]}}]')

    assert not lacks(seen(page.error[0].value), "1", "nobody")


def test_a_group_without_consumers_opens_with_the_first_one_joining() -> None:
    text = links.encode(Group.fresh({"t": 6}, []))
    assert text

    page = opened(group=text)

    assert history(page)[-1] == "1 of 1: consumer-1 joins"
    assert figures_in(conclusion(page)) == ["6"]
    assert set(figures(page)["New"]) == {6}


def test_a_group_without_anything_shows_no_traceback() -> None:
    text = links.encode(Group.fresh({}, []))
    assert text

    page = opened(group=text)

    assert lacks(conclusion(page), "Nothing moves", "no consumer subscribes") == []


PAGE_AND_REPORT = """
import runpy
import streamlit as st
from ui import entry, scenario
from ui.visited import sections

st.session_state["before"] = sections(None)
entry.enter()
runpy.run_path("pages/rebalance.py")
st.session_state["after"] = sections(scenario.shown().group)
scenario.change(lambda draft: draft)
st.session_state["edited"] = sections(scenario.shown().group)
"""


def test_the_report_gets_what_the_page_last_showed_of_the_group_that_is_open() -> None:
    page = AppTest.from_string(PAGE_AND_REPORT, default_timeout=PATIENCE_S)
    page.query_params["history_guide"] = RESTART.title
    page.run()

    assert not page.exception
    (section,) = page.session_state["after"]
    happened, table = section.parts
    assert happened.startswith("m-a restarts and returns as m-z: ")
    assert "*" not in happened
    assert [RANGE, "6", "4", "6", "1"] in table.rows
    assert page.session_state["before"] == []
    assert page.session_state["edited"] == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.id)
def test_every_guided_history_opens_at_its_last_event(guide: Guide) -> None:
    page = opened(guide.title)

    assert not page.error
    assert page.selectbox(key="history_step").value == len(guide.events)
    assert history(page)[-1] == f"{len(guide.events)} of {len(guide.events)}: {guide.events[-1]}"
    shown = figures(page)
    for outcome in guide.expected:
        label = STRATEGIES[outcome.strategy].label
        if outcome.step == len(guide.events) and outcome.moved is not None and label in shown.index:
            assert figure(page, label, "Moved") == outcome.moved


def test_a_link_opens_a_guided_history() -> None:
    page = opened_compare(history_guide=RESTART.title).switch_page("pages/rebalance.py").run()

    assert f"**{RESTART.title}**" in page.main.markdown[0].value
    assert len(history(page)) == 2


def test_a_dynamic_restart_moves_everything_under_range() -> None:
    page = opened(RESTART.title)

    assert [figure(page, RANGE, name) for name in ("Moved", "Fewest", "Needless")] == [6, 2, 4]
    assert any(not lacks(text.value, "group.instance.id") for text in page.markdown)
    assert owners(page)["owner before"].tolist() == ["m-a", "m-a", "m-b", "m-b", "m-c", "m-c"]
    assert owners(page)[f"{RANGE}: after"].tolist() == ["m-b", "m-b", "m-c", "m-c", "m-z", "m-z"]


def test_a_static_restart_moves_nothing() -> None:
    page = opened(STATIC.title)

    assert "Nothing moves and nothing pauses" in conclusion(page)
    assert set(figures(page)["Moved"]) == set(figures(page)["Rounds"]) == {0}


def test_a_history_is_stepped_through() -> None:
    page = opened(TWO_EVENTS.title)

    button(page, "Back").click().run()
    button(page, "Back").click().run()
    at_the_start = page.selectbox(key="history_step").value
    button(page, "Next").click().run()

    assert (at_the_start, page.selectbox(key="history_step").value) == (0, 1)
    assert button(page, "Remove last").disabled is False


def test_events_are_chained_undone_and_cleared() -> None:
    page = opened(RESTART.title)

    choose(page, "Consumers join")
    page.text_input[0].set_value("m-0, m-1")
    add(page)
    choose(page, "Partitions are added")
    page.number_input[0].set_value(3)
    add(page)

    assert history(page)[2:] == [
        "2 of 3: m-0 and m-1 join",
        "3 of 3: t gets 3 more partitions",
    ]
    assert set(figures(page)["New"]) == {3}

    button(page, "Remove last").click().run()

    assert history(page)[2:] == ["2 of 2: m-0 and m-1 join"]

    button(page, "Remove all").click().run()

    assert history(page) == [EMPTY]


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("Consumers join", "m-z-1 joins"),
        ("A consumer restarts", "m-b restarts and returns as m-b-restarted"),
        ("Partitions are added", "t gets 1 more partition"),
        ("All consumers rejoin", "all consumers rejoin, nothing else changes"),
    ],
)
def test_an_event_can_be_added_as_it_is_offered(kind: str, entry: str) -> None:
    page = opened(RESTART.title)

    choose(page, kind)
    add(page)

    assert history(page)[-1] == f"2 of 2: {entry}"


def test_consumers_leave_by_name_and_by_number() -> None:
    page = opened(RESTART.title)

    choose(page, "Consumers leave")
    page.multiselect[0].set_value(["m-b"])
    add(page)
    add(page)

    assert history(page)[2:] == ["2 of 3: m-b leaves", "3 of 3: m-z leaves"]


def test_two_leave_where_two_are_asked_for_whatever_their_names() -> None:
    page = opened()

    choose(page, "Consumers leave")
    ask_to_leave(page, 2)
    add(page)

    (left,) = json.loads(str(page.query_params["events"]))[1:]
    assert len(left["leave"]["ids"]) == 2


def test_a_restart_with_a_static_id_does_not_rebalance() -> None:
    page = opened(RESTART.title)

    choose(page, "A consumer restarts")
    page.text_input[0].set_value("a-new-id")
    page.toggle[0].set_value(True)
    add(page)

    assert "recognised by its static id" in history(page)[-1]
    assert "Nothing moves and nothing pauses" in conclusion(page)


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
        "2 of 3: topic u is created with 6 partitions",
        "3 of 3: m-b subscribes only to u",
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

    assert [seen(error.value) for error in page.error] == [f"This cannot happen: {sentence}."]
    assert len(history(page)) == 2


def test_nobody_leaving_is_refused() -> None:
    page = opened(events='[{"leave":{"ids":[]}}]')

    assert "name at least one consumer that leaves" in page.error[0].value


def test_an_event_that_the_edited_group_no_longer_allows_is_named() -> None:
    page = through_app(RESTART.title)
    page.switch_page("pages/compare.py").run()
    page.session_state["edit"] = True
    page.run()
    page.segmented_control(key="table").set_value("Consumers").run()
    typed(page, 0, "consumer", "m-y")

    page.switch_page("pages/rebalance.py").run()

    assert not lacks(seen(page.error[0].value), "1")
    assert page.selectbox(key="history_step").value == 0


def test_another_scenario_starts_another_history() -> None:
    page = through_app(RESTART.title)
    page.switch_page("pages/compare.py").run()
    open_example(page, samples.SAMPLES[1].id)

    page.switch_page("pages/rebalance.py").run()

    assert len(history(page)) == 2
    assert "joins" in history(page)[-1]
    assert page.selectbox(key="history_guide").value == OWN_GROUP


def test_the_result_becomes_the_present_owners() -> None:
    page = through_app(RESTART.title)

    page.selectbox(key="history_drawn").set_value("range").run()
    button(page, "Continue with").click().run()

    assert history(page) == [EMPTY]
    assert owners(page)["owner before"].tolist() == ["m-b", "m-b", "m-c", "m-c", "m-z", "m-z"]

    page.switch_page("pages/compare.py").run()

    assert "As it is now" in columns(page)
    assert button(page, "Undo")


def test_a_history_can_start_from_each_strategys_own_assignment() -> None:
    page = opened(events="[]")
    choose(page, "All consumers rejoin")
    add(page)
    from_present = figure(page, RANGE, "Moved")

    page.segmented_control(key="history_start").set_value("each strategy's own assignment").run()

    assert from_present > 0
    assert figure(page, RANGE, "Moved") == 0


def test_the_table_can_be_cut_to_what_changes() -> None:
    page = opened(RESTART.title)
    choose(page, "Partitions are added")
    add(page)
    page.selectbox(key="history_drawn").set_value("range").run()

    assert owners(page, whole=False).index.tolist() == [("t", 2), ("t", 4), ("t", 6)]


def test_the_pictures_are_of_the_chosen_strategy() -> None:
    page = opened(RESTART.title)

    page.selectbox(key="history_drawn").set_value("range").run()

    charts = [json.loads(chart.proto.spec) for chart in page.get("plotly_chart")]
    hovered = [
        trace["hovertext"]
        for chart in charts
        for trace in chart["data"]
        if trace.get("hoverinfo") == "text"
    ]
    assert hovered[0][:3] == [
        "m-a (left) → m-b: 2 partitions",
        "m-b → m-c: 2 partitions",
        "m-c → m-z: 2 partitions",
    ]
    assert sum(len(chart["data"]) for chart in charts) <= 12


def test_without_a_strategy_the_page_says_what_to_do() -> None:
    page = opened(RESTART.title)

    page.pills(key="strategies").set_value([]).run()

    assert page.info[0].value == "Choose at least one strategy."
    assert not page.exception


HOSTILE = "<a href='x'>[k](http://x)</a><b>$a$ :red[b]"


def test_hostile_names_are_shown_letter_by_letter() -> None:
    text = links.encode(Group.of(["t"], [4], [HOSTILE, "c1"], owners=[0, 0, 1, 1]))
    assert text

    page = opened(group=text, events='[{"leave":{"ids":["[x](http://x)"]}}]')
    refused = page.error[0].value
    button(page, "Remove all").click().run()
    choose(page, "Consumers leave")
    page.multiselect[0].set_value([HOSTILE])
    add(page)

    assert r"\[x\]\(http" in refused
    assert history(page)[-1] == f"1 of 1: {HOSTILE} leaves"
    specs = [chart.proto.spec for chart in page.get("plotly_chart")]
    assert any("&lt;a href" in spec for spec in specs)
    assert not any("<a href" in spec or "<b>$a" in spec for spec in specs)


def test_where_the_strategy_that_runs_is_known_the_others_start_from_what_a_switch_brings() -> None:
    known, unknown = (opened(**link) for link in ({"runs": "range"}, {}))

    starts = [page.button_group(key="history_start") for page in (known, unknown)]

    assert [start.value for start in starts] == ["the owners after a switch", "the present owners"]


def test_of_a_strategy_that_leaves_counts_uneven_more_must_not_move_than_does() -> None:
    # Load-sticky goes by lag: it moves fewer than even counts would take.
    page = opened(strategies="Load-sticky")

    moved, fewest = (figure(page, "Load-sticky", column) for column in ("Moved", "Fewest"))
    assert moved < fewest
    assert metrics(page)["Needless"] == ("0", f"{fewest} for even counts")


def test_a_rebalance_between_two_snapshots_is_looked_at_first() -> None:
    page = compare_page.opened()
    compare_page.paste(page, two_texts(BEFORE, [2, 1, 1, 2, 1, 2]))
    page.switch_page("pages/rebalance.py").run()

    assert not page.exception
    moved = next(t.value for t in page.dataframe if "Its owner" in t.value)
    assert moved["Its owner"].tolist() == ["left", "left", "stayed", "stayed"]
    assert lacks(compare_page.seen(page.expander[0].markdown[0].value), "worker-3", "4 of 6") == []


def test_without_a_change_of_owners_there_is_no_post_mortem() -> None:
    page = compare_page.opened_from_menu("rebalance")

    assert not [table for table in page.dataframe if "Its owner" in table.value]
