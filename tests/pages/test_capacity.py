"""The Capacity page as a user meets it, without a browser."""

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from assignors.model import Group
from evaluation.capacity import Capacity
from evaluation.sweep import curves, sweep
from sources import group_json, samples
from ui.capacity_results import capacity_table

ROOT = Path(__file__).resolve().parents[2]
TOPICS = [f"t{k}" for k in range(6)]


def opened(group: Group | None = None, query: Mapping[str, str] | None = None) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for name, value in (query or {}).items():
        page.query_params[name] = value
    page.run()
    if group is not None:
        page.segmented_control(key="start").set_value("Paste").run()
        page.text_area(key="pasted").set_value(group_json.encode(group).decode())
        next(button for button in page.button if button.label == "Read it").click().run()
    page.switch_page("pages/capacity.py").run()
    assert not page.exception
    return page


def hot_first_partitions() -> Group:
    return Group.fresh(
        dict.fromkeys(TOPICS, 20),
        [f"c{m:02d}" for m in range(10)],
        dict.fromkeys(TOPICS, [1000] + [10] * 19),
    )


def planned(group: Group, query: Mapping[str, str] | None = None) -> AppTest:
    """Open the page for consumers of 1,000 records/s that have 1.17 s and nothing arriving."""
    asked = {"throughput": "1000.0", "total_rate": "0.0", "allowed": "1.17", "pause": "0.0"}
    return opened(group, asked | dict(query or {}))


def figures(page: AppTest) -> pd.DataFrame:
    return page.dataframe[0].value.set_index("Strategy")


def said(page: AppTest) -> str:
    return " ".join(text.value for text in (*page.markdown, *page.caption))


def errors(page: AppTest) -> list[str]:
    return [error.value for error in page.error]


def metrics(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def rules(page: AppTest) -> pd.DataFrame:
    return page.table[0].value.set_index("Rule")


def lines(page: AppTest) -> list[str]:
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    return [trace["name"] for trace in spec["data"]]


def test_the_page_starts_from_the_group_of_the_compare_page_with_an_answer() -> None:
    page = opened()

    assert page.title[0].value == samples.SAMPLES[0].title
    assert "**6 consumers** can be enough" in said(page)
    assert metrics(page)["Proved minimum"] == "6"
    assert "2,000 records/s in all, spread evenly" in said(page)
    assert "lag of 2 partitions is unknown and counts as 0" in said(page)


def test_the_first_number_that_works_and_the_one_from_which_it_always_does_stand_apart() -> None:
    page = planned(hot_first_partitions())

    table = figures(page)
    assert table["Works first at"].to_dict()["Round robin"] == 7
    assert table["Always from"].to_dict()["Round robin"] == 101
    assert pd.isna(table["Works first at"].to_dict()["Range"])
    assert table["Time today (s)"].to_dict()["Round robin"] == pytest.approx(6.06)
    assert "More can be worse: Round robin works with 7, but always only from 101 on." in said(page)


def test_a_partition_too_heavy_for_any_consumer_is_named_with_the_time_it_takes() -> None:
    page = planned(hot_first_partitions(), {"allowed": "0.5"})

    assert "**No number of consumers is enough**: t0-0 alone needs 1 s" in said(page)
    assert "5 more partitions are too slow as well." in said(page)
    assert metrics(page)["Proved minimum"] == "none"


def test_a_cap_per_partition_says_when_a_time_is_only_the_least() -> None:
    page = planned(hot_first_partitions(), {"partition_cap": "900.0", "allowed": "5.0"})

    assert "a time is the least it can be" in said(page)


def test_records_that_outrun_a_consumer_never_end() -> None:
    page = planned(hot_first_partitions(), {"total_rate": "120001.0"})

    assert "alone never catches up, since 1,000 records/s arrive" in said(page)
    assert metrics(page)["Time today"] == "never"


def test_kedas_and_flinks_rules_stand_beside_it() -> None:
    page = planned(hot_first_partitions(), {"allowed": "0.7"})

    assert rules(page)["Consumers"].tolist() == ["120, capped from 714", "11"]
    page.number_input(key="lag_threshold").set_value(1000.0).run()
    assert rules(page)["Consumers"].tolist() == ["8", "11"]
    assert rules(page)["In time under"].tolist() == ["none of them"] * 2


def test_idle_consumers_are_told_with_the_partitions_it_would_take() -> None:
    group = Group.fresh({"t": 5, "u": 3}, [f"c{m}" for m in range(10)])

    page = opened(group)

    assert "Under Range and Lag-based 5 of today's 10 consumers have nothing" in said(page)
    assert "a topic of 10 partitions" in said(page)
    assert "10 partitions in all" in said(page)
    assert figures(page)["Idle today"].to_dict()["Range"] == 5


def test_rates_measured_from_an_earlier_snapshot() -> None:
    later = Group.of(["t"], [2], ["c0"], lags=[100, 0], end_offsets=[700, 300])
    earlier = Group.of(["t"], [2], ["c0"], end_offsets=[100, 0])
    page = opened(later)

    page.selectbox(key="rates").set_value("measured from an earlier snapshot").run()
    nothing_yet = said(page)
    page.text_area(key="earlier_snapshot").set_value(group_json.encode(earlier).decode()).run()

    assert "No earlier snapshot yet: **nothing is taken to arrive**" in nothing_yet
    assert "measured over 60 s: 15 records/s in all" in said(page)
    assert not errors(page)


def test_an_earlier_snapshot_that_cannot_be_read_is_one_sentence() -> None:
    page = opened(Group.of(["t"], [1], ["c0"], lags=[1], end_offsets=[7]))
    page.selectbox(key="rates").set_value("measured from an earlier snapshot").run()

    page.text_area(key="earlier_snapshot").set_value("hello").run()

    assert len(errors(page)) == 1
    assert not page.exception


def test_stated_rates_are_taken_and_their_absence_is_said() -> None:
    stated = Group.of(["t"], [2], ["c0"], lags=[1, 1], rates=[3.0, float("nan")])

    page = opened(stated)

    assert page.selectbox(key="rates").value == "as the group states"
    assert "Those of 1 partitions are unknown and count as 0" in said(page)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"allowed": "5.0"}, "The time allowed (5 s) must be longer than the pause"),
        ({"throughput": "0.0"}, "The throughput of a consumer must be more than 0 records/s"),
        ({"partition_cap": "-3.0"}, "The cap per partition must be more than 0 records/s"),
        ({"total_rate": "-1.0"}, "The total produce rate must be 0 records/s or more"),
        ({"pause": "-1.0"}, "The pause must be 0 s or more"),
    ],
)
def test_wrong_input_is_one_clear_sentence(query: dict[str, str], sentence: str) -> None:
    page = opened(query=query)

    assert len(errors(page)) == 1
    assert sentence in errors(page)[0]
    assert not page.dataframe


def test_kedas_threshold_of_0_is_one_sentence_and_the_rest_stays() -> None:
    page = opened(query={"lag_threshold": "0.0"})

    assert errors(page) == ["KEDA's lag threshold must be more than 0 records; found 0."]
    assert len(figures(page)) > 3


def test_without_a_strategy_the_page_asks_for_one() -> None:
    page = opened()

    page.pills(key="strategies").set_value([]).run()

    assert page.info[0].value == "Choose at least one strategy."


@pytest.mark.parametrize("topics", [{}, {"t": 0}])
def test_a_group_without_partitions_says_what_to_do(topics: dict[str, int]) -> None:
    page = opened(Group.fresh(topics, ["c0"]))

    assert "Nobody subscribes to any partition" in page.info[0].value


def test_a_consumer_more_than_asked_for_is_tried_so_that_today_is_known() -> None:
    page = planned(hot_first_partitions(), {"most_consumers": "3"})

    assert "consumers today: 10" in lines(page)
    assert metrics(page)["Works first at"] == "7"


def test_the_file_holds_every_number_of_consumers_under_every_strategy() -> None:
    names: Sequence[str] = ("range", "roundrobin")
    capacity = Capacity(throughput=1000, allowed_s=1.17)
    found = curves(names, sweep(hot_first_partitions(), names, capacity, range(1, 8)))

    text = capacity_table(found).to_csv(index=False)

    read = pd.read_csv(io.StringIO(text))
    assert len(read) == 14
    assert read.query("strategy == 'roundrobin' and in_time")["consumers"].tolist() == [7]


def test_every_input_stands_in_the_link() -> None:
    page = opened(
        query={"throughput": "750.0", "partition_cap": "300.0", "allowed": "900.0", "pause": "3.0"}
    )

    assert page.number_input(key="throughput").value == 750
    assert page.number_input(key="partition_cap").value == 300
    assert page.number_input(key="allowed").value == 900
    assert page.number_input(key="pause").value == 3
