"""The Capacity page as a user sees it, without a browser."""

import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.capacity.draining import Capacity
from evaluation.capacity.search import try_numbers
from evaluation.capacity.trials import Trials
from evaluation.offset_history import Moment, OffsetHistory
from sources import links
from sources.group_json import GroupFile
from tests.named import named
from tests.pages.compare_page import drawn, opened_alone
from tests.pages.compare_page import opened as opened_app
from tests.patience import PATIENCE_S
from tests.said import lacks
from ui.capacity.caveats import partitions_to_busy
from ui.capacity.views import capacity_table

ROOT = Path(__file__).resolve().parents[2]
TOPICS = [f"t{k}" for k in range(6)]
STOPPED = """
import streamlit as st
from evaluation.capacity.draining import Capacity
from tests.named import named
from tests.pages.test_capacity import hot_first_partitions
from evaluation.facts import Source, Speed
from ui.capacity.inputs import CapacityInputs
from ui.capacity.words import answer
from ui.capacity.work import CapacityTrials

asked = CapacityInputs(
    group=hot_first_partitions(),
    capacity=Capacity(throughput=1000, allowed_s=1.19),
    most=40,
    speed=Speed(1000, Source.STATED),
    assumed="",
)
work = CapacityTrials(asked, named("roundrobin"))
if "begun" not in st.session_state:
    st.session_state["begun"] = True
    work.progress.stop()
work.search(st.empty())
if work.progress.is_stopped:
    work.progress.stopped_notice()
st.title(answer(work.findings()))
"""
"""A search that the user stopped before anything was tried."""
REMEMBERED = """
import streamlit as st
from tests.pages.test_capacity import hot_first_partitions
from charts.report import Section
from ui.visited import remember, sections

seen, edited = hot_first_partitions(), hot_first_partitions()
before = sections(seen)
remember(seen, Section("Capacity", "the decision"))
st.write(str([before, sections(seen)[0].parts, sections(edited)]))
"""


def opened(group: Group | None = None, query: Mapping[str, str] | None = None) -> AppTest:
    shared = {"group": links.encode(group) or ""} if group else {}
    return opened_alone("capacity", **query or {}, **shared)


def opened_with(measured: tuple[Group, OffsetHistory]) -> AppTest:
    group, history = measured
    shared = links.encode(GroupFile(group, history=history))
    return opened_alone("capacity", group=shared or "")


def measured(moments: Sequence[tuple[int, int]]) -> tuple[Group, OffsetHistory]:
    """Return a consumer of one partition with these end and committed offsets, a minute apart."""
    groups = [
        Group.of(
            ["t"], [1], ["c0"], owners=[0],
            lags=[end - read], end_offsets=[end], committed_offsets=[read],
        )
        for end, read in moments
    ]  # fmt: skip
    times = (Moment.of(group, 1_000.0 + 60 * k) for k, group in enumerate(groups))
    return groups[-1], OffsetHistory(tuple(times))


def hot_first_partitions() -> Group:
    return Group.fresh(
        dict.fromkeys(TOPICS, 20),
        [f"c{m:02d}" for m in range(10)],
        dict.fromkeys(TOPICS, [1000] + [10] * 19),
    )


def planned(group: Group, query: Mapping[str, str] | None = None) -> AppTest:
    """Open the page with consumers of 1,000 records/s, 1.17 s to catch up and no new records."""
    asked = {"throughput": "1000.0", "total_rate": "0.0", "allowed": "1.17", "pause": "0.0"}
    return opened(group, asked | dict(query or {}))


def unescaped(text: str) -> str:
    return re.sub(r"\\(\W)", r"\1", text)


def figures(page: AppTest) -> pd.DataFrame:
    return page.dataframe[0].value.set_index("Strategy")


def said(page: AppTest) -> str:
    return unescaped(" ".join(text.value for text in page.markdown))


def errors(page: AppTest) -> list[str]:
    return [unescaped(error.value) for error in page.error]


def metrics(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def headline(page: AppTest) -> str:
    return unescaped(page.title[0].value)


def test_the_page_opens_with_the_number_needed_for_the_group_of_the_compare_page() -> None:
    page = opened(query={"throughput": "290", "total_rate": "2000"})

    assert headline(page).startswith("12 consumers with Round robin clear the backlog in")
    assert headline(page).endswith("10 would do with Lag-capped, a custom assignor.")
    assert metrics(page) == {
        "Built-in strategy": "12 consumers",
        "Custom assignor": "10 consumers",
        "With today's 12": "12 min 47 s",
        "Fewest possible": "10 consumers",
    }
    assert "One consumer reads 290 records/s (stated); 2,000 records/s arrive" in said(page)
    assert "a guess" not in said(page) + headline(page)
    assert "**Orders with uneven lag**: 12 consumers" in said(page)
    assert "The lag of 2 partitions is unknown and counts as 0" in said(page)
    assert "Every number from 10 to 134 was tried." in said(page)
    assert len(page.get("plotly_chart")) == 2


def test_where_more_consumers_can_be_worse_the_page_says_so() -> None:
    page = planned(hot_first_partitions())
    page.pills(key="strategies").set_value(["range", "roundrobin"]).run()

    table = figures(page)
    assert headline(page) == "7 consumers with Round robin clear the backlog in 1.2 s."
    assert table["In time from"].to_dict()["Round robin"] == 7
    assert table["Always from"].to_dict()["Round robin"] == 101
    assert pd.isna(table["In time from"].to_dict()["Range"])
    assert table["Time today (s)"].to_dict()["Round robin"] == pytest.approx(6.06)
    assert "More can be worse with Round robin: 8, 10, 12, 15 and" in said(page)


def test_a_partition_too_heavy_for_any_consumer_is_named_with_the_time_it_takes() -> None:
    page = planned(hot_first_partitions(), {"allowed": "0.5"})

    assert headline(page).startswith("No number of consumers is enough: t0-0 alone takes 1 s")
    assert "5 more partitions are too slow too." in said(page)
    assert metrics(page)["Fewest possible"] == "none"


def test_a_limit_per_partition_counts_and_stands_beside_the_speed() -> None:
    page = planned(hot_first_partitions(), {"partition_cap": "900.0", "allowed": "5.0"})

    assert headline(page).startswith("2 consumers")
    assert "of one partition at most 900 (stated)" in said(page)


def test_records_that_arrive_faster_than_a_consumer_reads_never_end() -> None:
    page = planned(hot_first_partitions(), {"total_rate": "120001.0"})

    assert "alone never catches up: 1,000 records/s arrive" in headline(page)
    assert metrics(page)["With today's 10"] == "never"


def test_idle_consumers_are_counted_with_what_would_give_them_work() -> None:
    page = opened(Group.fresh({"t": 5, "u": 3}, [f"c{m}" for m in range(10)]), {"total_rate": "8"})
    page.pills(key="strategies").set_value(["range", "lag-based"]).run()

    assert "With Range and Lag-based, 5 of today's 10 consumers are idle" in said(page)
    assert figures(page)["Idle today"].to_dict()["Range"] == 5


def test_without_any_known_lag_the_answer_is_about_what_arrives() -> None:
    page = opened(Group.fresh({"t": 5}, ["c0"]), {"total_rate": "5"})

    assert "keeps up with what arrives" in headline(page)
    assert lacks(said(page), "No lag is known", "only what arrives") == []


@pytest.mark.parametrize("lags", [None, {"t": [0] * 5}])
def test_where_nothing_waits_and_nothing_tells_what_arrives_the_page_asks(
    lags: Mapping[str, Sequence[int]] | None,
) -> None:
    page = opened(Group.fresh({"t": 5}, ["c0", "c1"], lags))

    assert headline(page) == (
        "The arrival rate decides how many consumers this group needs, and it is unknown."
    )
    assert not page.metric
    page.button[0].click().run()
    assert page.number_input(key="total_rate").value == 1_000
    assert "2 consumers with Range keep up with what arrives" in headline(page)


def test_what_is_a_guess_is_called_one_and_others_are_shown_beside_it() -> None:
    # 360,000 records in 600 s less a pause of 10: 610/s, one consumer of 1,000/s, two of 500/s.
    page = opened(Group.fresh({"t": 6}, ["c0", "c1"], {"t": [60_000] * 6}))

    condition, answer = "If nothing more arrives ... 1,000/s (guesses; ", "1 consumer with Range"
    assert not lacks(headline(page), condition, answer, "backlog in 6 min 10 s")
    assert "at 500/s 2 consumers would do, at 2,000/s 1 consumer would do." in said(page)


def test_a_partition_that_gets_more_than_its_consumer_can_read_needs_no_consumers() -> None:
    # Over 60 s 54,000 arrive in t-0 and 36,000 are read: 900/s and 600/s, with a backlog all along.
    page = opened_with(measured([(100_000, 40_000), (154_000, 76_000)]))

    parts = ("No number", "t-0 alone never catches up", "900 records/s", "600.")
    assert lacks(headline(page), *parts) == []
    assert "One consumer reads 600 records/s (measured under backlog)" in said(page)
    assert "900 records/s arrive, measured over 1 min" in said(page)
    assert not lacks(said(page), "more partitions ... more time does not")
    assert "What partitions need" in [title.value for title in page.subheader]
    # 900/s, and (78,000 + 9,000 of a pause of 10 s) / 590 s more.
    assert drawn(page, 0, "x") == pytest.approx([900 + 87_000 / 590])
    # 78,000 records wait, which took 87 s to arrive at 900/s.
    assert "**t-0** is **about 1 min 27 s** behind and never catches up: 300/s more" in said(page)


def test_the_speed_of_consumers_that_keep_up_is_a_lower_bound() -> None:
    page = opened_with(measured([(100_000, 100_000), (160_000, 160_000)]))

    parts = (
        "Not known",
        "t-0 alone needs 1,017/s",
        "10 min",
        "1,000/s at most",
    )
    assert lacks(headline(page), *parts) == []
    assert "at least 1,000 records/s (measured, the most of any)" in said(page)
    assert "do not help" not in said(page)
    assert not page.get("plotly_chart")  # late or never is not drawn where it is not proven


def test_stated_rates_are_used_and_unknown_ones_are_counted() -> None:
    stated = Group.of(["t"], [2], ["c0"], lags=[1, 1], rates=[3.0, float("nan")])

    page = opened(stated)

    assert "3 records/s arrive, as stated, unknown for 1 partition" in said(page)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"allowed": "5.0"}, "The time allowed (5 s) must be longer than the rebalance pause"),
        ({"allowed": "-1.0"}, "The time allowed must be more than 0 s; found -1 s."),
        ({"throughput": "0.0"}, "The processing rate of a consumer must be more than 0 records/s"),
        ({"partition_cap": "-3.0"}, "The most read from one partition must be more than 0"),
        ({"total_rate": "-1.0"}, "The total produce rate must be 0 records/s or more"),
        ({"pause": "-1.0"}, "The rebalance pause must be 0 s or more; found -1 s."),
        ({"most_consumers": "0"}, "The consumers to consider must be 1 or more; found 0."),
    ],
)
def test_wrong_input_is_one_clear_sentence(query: dict[str, str], sentence: str) -> None:
    page = opened(query=query)

    assert len(errors(page)) == 1
    assert sentence in errors(page)[0]
    assert not page.dataframe
    assert {field.key for field in page.number_input} >= {
        *("throughput", "total_rate", "allowed", "pause", "partition_cap", "most_consumers")
    }


def test_without_a_strategy_the_page_asks_for_one() -> None:
    page = opened()

    page.pills(key="strategies").set_value([]).run()

    assert page.info[0].value == "Choose at least one strategy."


@pytest.mark.parametrize(
    ("group", "why"),
    [
        (Group.fresh({}, ["c0"]), "This group has no partitions."),
        (Group.fresh({"t": 0}, ["c0"]), "This group has no partitions."),
        (Group.fresh({"t": 3}, {"c0": []}), "No consumer of this group subscribes"),
    ],
)
def test_a_group_with_nothing_to_read_says_what_to_do_and_stops(group: Group, why: str) -> None:
    page = opened(group)

    assert page.info[0].value.startswith(why)
    assert "on the Group page" in page.info[0].value
    assert not page.number_input


def test_a_group_without_consumers_is_answered_from_0() -> None:
    group = Group.fresh({"t": 6}, [], {"t": [60_000] * 6})
    page = opened(group, {"throughput": "300", "total_rate": "0"})

    assert headline(page).startswith("3 consumers with Range clear the backlog in")
    assert metrics(page)["Today"] == "never"
    assert "no consumers today" in said(page)


def test_todays_number_is_tried_although_fewer_were_asked_for() -> None:
    page = planned(hot_first_partitions(), {"most_consumers": "3"})
    page.pills(key="strategies").set_value(["roundrobin"]).run()

    assert metrics(page)["Built-in strategy"] == "7 consumers"
    assert figures(page)["Time today (s)"].to_dict()["Round robin"] == pytest.approx(6.06)


def test_a_search_that_was_stopped_tries_nothing_until_it_is_continued() -> None:
    page = AppTest.from_string(STOPPED, default_timeout=PATIENCE_S).run()
    stopped = headline(page)

    page.button[0].click().run()

    assert lacks(stopped, "No number", "tried yet", "Continue") == []
    assert headline(page).startswith("7 consumers with Round robin clear the backlog")
    assert not page.button


def test_the_report_finds_the_last_decision_for_this_very_group() -> None:
    page = opened()

    group, section = page.session_state["visited"]["Capacity"]
    sentence, figures, *_ = section.parts
    assert group is page.session_state["scenario"].group
    assert sentence == headline(page)
    assert [figure.label for figure in figures.figures] == list(metrics(page))


def test_a_decision_is_forgotten_with_the_group_it_was_made_for() -> None:
    page = AppTest.from_string(REMEMBERED, default_timeout=PATIENCE_S).run()

    assert page.markdown[0].value == "[[], 'the decision', []]"


def test_the_file_holds_every_number_tried_under_every_strategy() -> None:
    both = named("range", "roundrobin")
    trials = Trials(hot_first_partitions(), Capacity(throughput=1000, allowed_s=1.17), 7)
    assert list(try_numbers(trials, both, range(1, 8))) == [m for m in range(1, 8) for _ in both]

    text = capacity_table([trials.curve(each) for each in both]).to_csv(index=False)

    read = pd.read_csv(io.StringIO(text))
    assert len(read) == 14
    assert read.query("strategy == 'roundrobin' and in_time")["consumers"].tolist() == [7]


def test_every_input_is_in_the_link() -> None:
    page = opened(
        query={"throughput": "750.0", "partition_cap": "300.0", "allowed": "900.0", "pause": "3.0"}
    )

    assert page.number_input(key="throughput").value == 750
    assert page.number_input(key="partition_cap").value == 300
    assert page.number_input(key="allowed").value == 900
    assert page.number_input(key="pause").value == 3


def test_busy_consumers_take_partitions_in_all_or_in_one_topic() -> None:
    assert partitions_to_busy(STRATEGIES["roundrobin"], 10) == "10 partitions in all"
    assert partitions_to_busy(STRATEGIES["range"], 10) == "a topic of 10 partitions"


def test_todays_number_is_judged_by_the_owners_that_compare_shows() -> None:
    # 1,000/s a consumer, a guess, behind a pause of 10 s; nothing is known to arrive.
    page = opened_app(strategies=["Range", "Sticky", "Round robin"])
    compared = page.dataframe[0].value.set_index("Strategy")["Max lag"]

    page.switch_page("pages/capacity.py").run()

    table = next(t.value for t in page.dataframe if "Time today (s)" in t.value)
    seconds = table.set_index("Strategy")["Time today (s)"]
    for label in ("Range", "Sticky", "Round robin"):
        assert seconds[label] == pytest.approx(compared[label] / 1_000 + 10)
