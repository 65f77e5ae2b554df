"""The section "Over time" of the Rebalance page as a user sees it, without a browser."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from assignors.registry import STRATEGIES
from evaluation.measuring.facts import Source
from sources import links
from sources.histories import GUIDES
from sources.text import read_text
from tests.pages.compare_page import opened_alone
from tests.pages.test_time import FIRST, SECOND
from ui.rebalance.history import OWN_GROUP

ROOT = Path(__file__).resolve().parents[2]
JOIN = next(guide for guide in GUIDES if guide.id == "cooperative-two-rounds")
STATIC = next(guide for guide in GUIDES if guide.id == "range-static-restart")
DYNAMIC = next(guide for guide in GUIDES if guide.id == "range-dynamic-restart")
STICKY, COOPERATIVE, UNIFORM = (
    STRATEGIES[name].label for name in ("sticky", "cooperative-sticky", "uniform-kafka-18688")
)


def opened(guide: str = JOIN.title, **inputs: str) -> AppTest:
    link = {"history_guide": guide, "rebalance_view": "Over time", **inputs}
    return opened_alone("rebalance", **link)


def table(page: AppTest, column: str, by: str) -> pd.DataFrame:
    found = next(frame.value for frame in page.dataframe if column in frame.value)
    return found.set_index(by)


def lost(page: AppTest) -> dict[str, float]:
    found = table(page, "Caught up after", "Strategy")["Partition-seconds"]
    return {str(label): float(seconds) for label, seconds in found.items()}


def losses(page: AppTest) -> pd.DataFrame:
    return table(page, "With static ids", "Protocol")


def said(page: AppTest, text: str) -> bool:
    return any(text in found.value for found in page.markdown)


def test_eager_stops_everything_cooperative_and_the_broker_only_what_moves() -> None:
    page = opened()

    found = lost(page)
    assert (found[STICKY], found[COOPERATIVE], found[UNIFORM]) == (6 * 10, 2 * 10, 2 * 2.5)


def test_a_limit_per_partition_counts_and_is_named() -> None:
    told = {"total_rate": "120", "throughput": "100"}
    free, slow = opened(**told), opened(**told, partition_cap="11")

    times = [table(page, "Caught up after", "Strategy")["Caught up after"] for page in (free, slow)]
    assert said(slow, "of one partition at most 11 (stated)")
    assert not said(free, "of one partition")
    assert (times[0] != times[1]).all()


def test_the_events_of_a_history_are_as_far_apart_as_is_asked_for() -> None:
    near, far = opened(), opened(time_apart="200")

    # Two waits, the one after the last event included, take 200 s each, not 20.
    assert (last_s(near), last_s(far)) == (60, 60 + 2 * 180)


def last_s(page: AppTest) -> float:
    layout = json.loads(page.get("plotly_chart")[2].proto.spec)["layout"]
    end: float = layout["xaxis"]["range"][1]
    return end


def test_a_longer_pause_loses_more() -> None:
    page = opened()

    page.number_input(key="pause").set_value(20.0).run()

    assert lost(page)[STICKY] == 120
    assert lost(page)[UNIFORM] == 5


def test_a_link_brings_its_inputs() -> None:
    page = opened(pause="7", time_warm_up="1")

    assert page.number_input(key="pause").value == 7
    assert lost(page)[COOPERATIVE] == 2 * (7 + 1)


def test_a_static_restart_loses_its_own_partitions_whatever_the_strategy() -> None:
    page = opened(STATIC.title, time_restart="20")

    assert set(lost(page).values()) == {2 * 20}


def test_a_dynamic_restart_that_takes_time_is_two_rebalances_and_the_page_says_so() -> None:
    page = opened(DYNAMIC.title, pause="3", time_restart="20")

    assert lost(page)[STICKY] == 2 * 3 * 6
    assert said(page, "is two rebalances")


def test_unknown_lags_and_rates_are_stated_and_a_given_rate_is_too() -> None:
    page = opened(pause="3")
    assert said(page, "The lag of 6 partitions is unknown")
    assert said(page, "The produce rates of 6 partitions are unknown")

    page.number_input(key="throughput").set_value(500.0)
    page.number_input(key="total_rate").set_value(120.0).run()

    assert said(page, "One consumer reads 500 records/s (stated)")
    assert not said(page, "produce rates of 6 partitions are unknown")
    assert table(page, "Caught up after", "Strategy")["Highest lag"].to_dict()[STICKY] == 180


def test_a_group_that_cannot_keep_up_never_catches_up() -> None:
    page = opened(total_rate="6000", throughput="100")

    assert table(page, "Caught up after", "Strategy")["Caught up after"].eq("never").all()


def test_a_group_is_watched_for_a_while_even_if_nothing_happens() -> None:
    page = opened(OWN_GROUP, events="[]", time_apart="0")

    found = table(page, "Caught up after", "Strategy")
    assert set(found["Partition-seconds"]) == {0}
    assert found["Highest lag"].min() > 0
    assert not found["Caught up after"].isin(["0 s", "never"]).any()


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("pause", -1.0, "The rebalance pause must be 0 s or more; found -1 s."),
        ("time_apart", -5.0, "The time between events must be 0 s or more; found -5 s."),
        (
            "throughput",
            0.0,
            "The throughput of a consumer must be more than 0 records/s; found 0 records/s.",
        ),
        (
            "total_rate",
            -12.0,
            "The produce rate of a partition must be 0 records/s or more; found -2 records/s.",
        ),
        ("time_restarted", 0, "A rolling restart needs 1 consumer or more and 0 partitions or"),
    ],
)
def test_a_wrong_input_is_one_clear_sentence(key: str, value: float, sentence: str) -> None:
    page = opened()

    page.number_input(key=key).set_value(value).run()

    assert not page.exception
    errors = [re.sub(r"\\(\W)", r"\1", error.value) for error in page.error]
    assert [error for error in errors if error.startswith(sentence)]
    assert len(page.error) == 1
    assert page.metric  # and the rest of the page is still there
    assert len(page.get("plotly_chart")) >= 2


def test_the_calculator_answers_the_example_of_120_partitions_and_12_consumers() -> None:
    page = opened(time_restarted="12", time_shared="120", pause="3")

    found = losses(page)
    assert found["Without static ids"].to_dict() == {
        "eager": 8_640,
        "cooperative": 720,
        "broker-side": 600,
    }
    assert set(found["With static ids"]) == {2_400}
    assert found["Per partition, without"].to_dict()["eager"] == 72
    assert said(page, "less than **6 s** under cooperative")
    assert said(page, "A restart takes 20 s: they pay off **under eager**.")


@pytest.mark.parametrize(
    ("restart", "where"),
    [("4", "under every protocol"), ("50", "under no protocol"), ("5.5", "under eager and coop")],
)
def test_where_static_ids_pay_off_follows_the_time_a_restart_takes(
    restart: str, where: str
) -> None:
    page = opened(time_restarted="12", time_restart=restart)

    assert said(page, f"they pay off **{where}")


def test_a_rolling_restart_of_the_group_on_screen_is_simulated() -> None:
    page = opened(time_story="a rolling restart without static ids", pause="3")
    without = lost(page)
    page.selectbox(key="time_story").set_value("a rolling restart with static ids").run()

    assert without[STICKY] == 2 * 2 * 3 * 6
    assert set(lost(page).values()) == {20 * 6}


def test_the_static_ids_of_a_group_do_not_count_in_a_restart_without_them() -> None:
    page = opened(STATIC.title, time_story="a rolling restart without static ids", pause="3")

    assert lost(page)[STICKY] == 3 * 2 * 3 * 6


def test_a_crashed_consumer_is_missed_when_its_session_times_out() -> None:
    leave = next(guide for guide in GUIDES if guide.id == "rr-mixed-subscriptions")
    page = opened(leave.title, time_session="30")
    polite = lost(page)[COOPERATIVE]

    page.toggle(key="time_crash").set_value(True).run()

    assert lost(page)[COOPERATIVE] > polite


def test_the_seconds_between_undated_snapshots_are_asked_for_where_rates_are_used() -> None:
    (reading,) = read_text(FIRST + SECOND)
    text = links.encode(reading) or ""
    page = opened_alone("rebalance", group=text, rebalance_view="Over time")
    assert page.number_input(key="throughput").placeholder == "1,000, a guess"
    assert said(page, "One consumer reads 1,000 records/s (a guess; change it).")

    page.number_input(key="snapshot_interval").set_value(60.0).run()

    assert page.number_input(key="total_rate").placeholder == f"15, {Source.TIMED.value}"
    assert page.query_params["snapshot_interval"] in ("60", ["60"])
    assert not [each for each in opened().number_input if each.key == "snapshot_interval"]
