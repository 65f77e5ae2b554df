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
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.reading import Reading
from sources import links
from tests.named import named
from tests.pages import compare_page
from tests.pages.compare_page import band, drawn, opened_alone, press
from tests.pages.compare_page import opened as opened_app
from tests.pages.test_time import TWO
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
from evaluation.measuring.facts import Source, Speed
from ui.capacity.inputs import CapacityInputs
from evaluation.capacity.planning import Margin
from ui.capacity.words import finding
from ui.capacity.work import CapacityTrials

asked = CapacityInputs(
    group=hot_first_partitions(),
    capacity=Capacity(throughput=1000, allowed_s=1.19),
    margin=Margin(headroom_percent=0),
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
    work.progress.stopped_notice(st.empty())
st.title(finding(work.findings()))
"""
"""A search that the user stopped before anything was tried."""
REMEMBERED = """
import streamlit as st
from tests.pages.test_capacity import hot_first_partitions
from charts.report import Section
from ui.visited import remember, sections

seen, edited = hot_first_partitions(), hot_first_partitions()
before = sections(seen)
remember(seen, Section("Consumers", "the decision"))
st.write(str([before, sections(seen)[0].parts, sections(edited)]))
"""


def opened(group: Group | None = None, query: Mapping[str, str] | None = None) -> AppTest:
    shared = {"group": links.encode(group) or ""} if group else {}
    return opened_alone("capacity", **query or {}, **shared)


def opened_with(measured: tuple[Group, OffsetHistory]) -> AppTest:
    group, history = measured
    shared = links.encode(Reading(group=group, history=history))
    return opened_alone("capacity", group=shared or "")


def measured(moments: Sequence[tuple[int, int]]) -> tuple[Group, OffsetHistory]:
    """Return a consumer of one partition with these end and committed offsets, a minute apart."""
    groups = [
        Group.of(["t"], [1], ["c0"], owners=[0], lags=[end - read]).with_offsets(
            end=[end], committed=[read]
        )
        for end, read in moments
    ]
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
    asked = {"throughput": "1000", "total_rate": "0", "allowed_min": "0.0195"}
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


def numbers(text: str) -> list[str]:
    """Return the numbers of a text, in order."""
    return re.findall(r"\d[\d,.]*\d|\d", text)


def test_the_page_opens_with_the_plan_for_the_group_on_screen() -> None:
    page = opened(query={"throughput": "290", "total_rate": "2000"})

    # With the strategy that the group's answer proposes; another setting needs one less.
    assert numbers(band(page)["finding"]) == ["14", "12"]
    assert lacks(band(page)["action"], "Round robin", "Sticky", "13") == []
    assert [*metrics(page).values()] == [
        "12 min 47 s",
        "14 consumers",
        "13 consumers",
        "10 consumers",
    ]
    table = figures(page)
    assert [table[name].to_dict()["Sticky"] for name in ("In time from", "Plan")] == [12, 13]
    assert "a guess" not in said(page) + band(page)["finding"]
    assert len(page.get("plotly_chart")) == 2


@pytest.mark.parametrize(("runs", "has_button"), [("range", True), ("", False)])
def test_the_band_says_how_to_set_a_strategy_that_does_not_run_yet(
    runs: str, *, has_button: bool
) -> None:
    query = {"throughput": "290", "total_rate": "2000"}
    planned = opened(query=query)
    strategy = band(planned)["buttons"][0]["label"].removeprefix("How to set ")
    name = next(each.name for each in STRATEGIES.values() if each.label == strategy)

    page = opened(query=query | {"runs": runs or name})

    assert bool(band(page)["buttons"]) is has_button
    if has_button:
        before = len(page.code)
        press(page, "how")
        assert len(page.code) > before


def test_the_plan_is_the_number_after_the_last_cliff_and_the_least_stands_beside_it() -> None:
    page = planned(hot_first_partitions())
    page.pills(key="strategies").set_value(["range", "roundrobin"]).run()

    table = figures(page)
    assert numbers(band(page)["finding"]) == ["101", "10"]
    assert [table[name].to_dict()["Round robin"] for name in ("In time from", "Plan")] == [7, 101]
    assert pd.isna(table["In time from"].to_dict()["Range"])
    assert table["Time today (s)"].to_dict()["Round robin"] == pytest.approx(6.06)
    assert {"7", "8", "10", "12"} <= {*numbers(band(page)["evidence"])}


def test_with_a_lost_zone_more_are_planned_and_so_are_more_at_a_peak() -> None:
    usual = {"throughput": "290", "total_rate": "1000"}
    plans = [
        int(numbers(band(opened(query=usual | more))["finding"])[0])
        for more in ({}, {"survive": "a zone"}, {"peak": "2"}, {"headroom": "0"})
    ]

    assert plans[1] - -(-plans[1] // 3) >= plans[0]
    assert plans[2] > plans[0] >= plans[3]


def test_a_price_gives_the_cost_a_month() -> None:
    page = opened(query={"throughput": "290", "total_rate": "2000", "pod_cost": "0.12"})

    # 14 instead of 12 consumers of 0.12 x 730 a month.
    assert numbers(metrics(page)["Cost a month"]) == ["175"]


def test_a_partition_too_heavy_for_any_consumer_is_named_with_the_time_it_takes() -> None:
    page = planned(hot_first_partitions(), {"allowed_min": str(0.5 / 60)})

    assert band(page)["tone"] == "red"
    assert numbers(band(page)["finding"]) == ["0", "0", "1", "0.5"]
    assert "5 more partitions" in band(page)["evidence"]
    assert metrics(page)["Fewest possible"] == "none"


def test_a_limit_per_partition_counts_and_stands_beside_the_speed() -> None:
    page = planned(hot_first_partitions(), {"partition_cap": "900", "allowed_min": str(5 / 60)})

    assert metrics(page)["Fewest possible"] == "2 consumers"
    assert not lacks(said(page), "900", "stated")


def test_records_that_arrive_faster_than_a_consumer_reads_never_end() -> None:
    page = planned(hot_first_partitions(), {"total_rate": "120001"})

    assert not lacks(band(page)["finding"], "never")
    assert numbers(band(page)["action"])[0] == "9"  # 1,200/s of 1,000/s less 1,000 / 1.17 s
    assert next(iter(metrics(page).values())) == "never"


def test_idle_consumers_are_counted() -> None:
    page = opened(Group.fresh({"t": 5, "u": 3}, [f"c{m}" for m in range(10)]), {"total_rate": "8"})
    page.pills(key="strategies").set_value(["range", "lag-based"]).run()

    assert figures(page)["Idle today"].to_dict()["Range"] == 5


@pytest.mark.parametrize("lags", [None, {"t": [0] * 5}, {"t": [60_000] * 5}])
def test_without_arrivals_and_speed_the_page_asks_and_plans_nothing(
    lags: Mapping[str, Sequence[int]] | None,
) -> None:
    page = opened(Group.fresh({"t": 5}, ["c0", "c1"], lags))

    assert numbers(headline(page)) == []
    assert not page.metric
    page.button[0].click().run()
    assert page.number_input(key="total_rate").value == 1_000
    assert page.metric


def test_a_plan_on_a_guessed_speed_says_so() -> None:
    page = opened(Group.fresh({"t": 6}, ["c0", "c1"], {"t": [600] * 6}), {"total_rate": "60"})

    assert "guess" in band(page)["finding"]


def test_a_partition_that_gets_more_than_its_consumer_can_read_needs_no_consumers() -> None:
    # Over 60 s 54,000 arrive in t-0 and 36,000 are read: 900/s and 600/s, with a backlog all along.
    page = opened_with(measured([(100_000, 40_000), (154_000, 76_000)]))

    assert numbers(band(page)["finding"]) == ["0"]
    assert {"900", "600"} <= {*numbers(band(page)["evidence"])}
    # 1,080/s into partitions of 600/s, of which 78,000 / 600 s = 130/s read what waits.
    assert numbers(band(page)["action"]) == ["3", "3", "1"]
    assert drawn(page, 0, "x") == pytest.approx([900 + 78_000 / 600])


def test_the_speed_of_consumers_that_keep_up_is_a_lower_bound() -> None:
    page = opened_with(measured([(100_000, 100_000), (160_000, 160_000)]))

    assert {"1,200", "10", "1,000"} <= {*numbers(band(page)["evidence"])}
    assert not lacks(said(page), "1,000 records/s", "measured")
    assert not page.get("plotly_chart")  # late or never is not drawn where it is not proven


def test_amounts_in_inputs_are_written_as_everywhere() -> None:
    rates = [1_597.04] * 10
    page = opened(Group.of(["t"], [10], ["c0"], lags=[1] * 10, rates=rates))

    assert page.number_input(key="total_rate").placeholder.startswith("16.0 k")


def test_stated_rates_are_used_and_unknown_ones_are_counted() -> None:
    stated = Group.of(["t"], [2], ["c0"], lags=[1, 1], rates=[3.0, float("nan")])

    page = opened(stated)

    assert not lacks(said(page), "3 records/s", "stated", "unknown", "1 partition")


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"allowed_min": "-1"}, ("time allowed", "-1 min")),
        ({"throughput": "0"}, ("processing rate", "0 records/s")),
        ({"partition_cap": "-3"}, ("read from one partition", "-3")),
        ({"total_rate": "-1"}, ("produce rate", "-1")),
        ({"headroom": "-1"}, ("headroom", "-1 %")),
        ({"peak": "0"}, ("peak", "0")),
        ({"most_consumers": "0"}, ("consumers to consider", "0")),
    ],
)
def test_wrong_input_is_one_error_and_every_field_stays(
    query: dict[str, str], named: tuple[str, ...]
) -> None:
    page = opened(query=query)

    (error,) = errors(page)
    assert [text for text in named if text not in error] == []
    assert not page.dataframe
    assert {field.key for field in page.number_input} >= {
        *("throughput", "total_rate", "allowed_min", "partition_cap", "most_consumers"),
        *("peak", "headroom"),
    }


def test_without_a_strategy_the_page_asks_for_one() -> None:
    page = opened(query={"throughput": "290"})

    page.pills(key="strategies").set_value([]).run()

    assert page.info[0].value == "Choose at least one strategy."


@pytest.mark.parametrize(
    "group",
    [
        Group.fresh({}, ["c0"]),
        Group.fresh({"t": 0}, ["c0"]),
        Group.fresh({"t": 3}, {"c0": []}),
    ],
)
def test_a_group_with_nothing_to_read_says_what_to_do_and_stops(group: Group) -> None:
    page = opened(group)

    assert "on the Group page" in page.info[0].value
    assert not page.number_input


def test_a_group_without_consumers_is_planned_from_0() -> None:
    # 360,000 records in 600 s: 600/s.
    group = Group.fresh({"t": 6}, [], {"t": [60_000] * 6})
    page = opened(group, {"throughput": "300", "total_rate": "0"})

    assert numbers(band(page)["finding"]) == ["2", "0"]
    assert metrics(page)["Today"] == "never"


def test_todays_number_is_tried_although_fewer_were_asked_for() -> None:
    page = planned(hot_first_partitions(), {"most_consumers": "3"})
    page.pills(key="strategies").set_value(["roundrobin"]).run()

    assert figures(page)["In time from"].to_dict()["Round robin"] == 7
    assert figures(page)["Time today (s)"].to_dict()["Round robin"] == pytest.approx(6.06)


def test_a_search_that_was_stopped_tries_nothing_until_it_is_continued() -> None:
    page = AppTest.from_string(STOPPED, default_timeout=PATIENCE_S).run()
    stopped = headline(page)

    page.button[0].click().run()

    assert numbers(stopped) == []
    assert numbers(headline(page)) == ["7", "40"]
    assert not page.button


def test_the_report_finds_the_last_decision_for_this_very_group() -> None:
    page = opened(query={"throughput": "290", "total_rate": "2000"})

    group, section = page.session_state["visited"]["Consumers"]
    sentence, figures, *_ = section.parts
    assert group is page.session_state["scenario"].group
    assert sentence == band(page)["finding"]
    assert [figure.label for figure in figures.figures] == list(metrics(page))


@pytest.mark.proof
def test_two_groups_of_a_session_are_planned_in_one_table_and_what_was_stated_returns() -> None:
    page = opened_app(throughput="290", total_rate="2000")
    page.switch_page("pages/capacity.py").run()
    first = int(numbers(band(page)["finding"])[0])
    page.switch_page("pages/compare.py").run()
    compare_page.paste(page, TWO)
    page.switch_page("pages/capacity.py").run()

    total = next(t.value for t in page.dataframe if "Decided by" in t.value).set_index("Group")
    planned = total["Plan"].fillna(total["Today"]).tolist()
    assert planned[0] == first
    assert planned[2] == planned[0] + planned[1]
    assert page.number_input(key="throughput").value is None
    page.button(key="open_group_0").click().run()
    assert page.number_input(key="throughput").value == 290


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
    told = {"throughput": 750, "partition_cap": 300, "allowed_min": 15, "headroom": 5}

    page = opened(query={name: str(value) for name, value in told.items()})

    assert {name: page.number_input(key=name).value for name in told} == told


def test_busy_consumers_take_partitions_in_all_or_in_one_topic() -> None:
    assert partitions_to_busy(STRATEGIES["roundrobin"], 10) == "10 partitions in all"
    assert partitions_to_busy(STRATEGIES["range"], 10) == "a topic of 10 partitions"


def test_todays_number_is_judged_by_the_owners_that_compare_shows() -> None:
    # 1,000/s a consumer; nothing is known to arrive.
    page = opened_app(strategies=["Range", "Sticky", "Round robin"], throughput="1000")
    compared = compare_page.figures(page)["Busiest"]

    page.switch_page("pages/capacity.py").run()

    table = next(t.value for t in page.dataframe if "Time today (s)" in t.value)
    seconds = table.set_index("Strategy")["Time today (s)"]
    for label in ("Range", "Sticky", "Round robin"):
        assert seconds[label] == pytest.approx(compared[label] / 1_000)


def test_nearly_even_numbers_of_consumers_are_named() -> None:
    group = Group.of(["t"], [126], ["a"], owners=[0] * 126, lags=[100] * 126, rates=[25.0] * 126)

    page = opened(group)

    even = "Nearly even counts of 126 partitions: 1-14, 16, 18, 21, 26, 32, 42, 63, 126 consumers."
    assert even in said(page)
