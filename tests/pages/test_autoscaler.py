"""The Autoscaler page as a user sees it, without a browser."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from streamlit.testing.v1 import AppTest

from assignors.model import Group
from processes import calls
from processes.limits import TIME_LIMIT
from sources import links
from tests.pages.compare_page import opened as opened_compare
from tests.pages.compare_page import opened_alone, paste, verdict
from tests.pages.test_capacity import errors, headline, metrics, said
from tests.patience import PATIENCE_S
from tests.said import figures_in, lacks
from ui.autoscaler import work
from ui.autoscaler.inputs import step_for

ROOT = Path(__file__).resolve().parents[2]
GROUP = Group.of(
    ["orders"],
    [12],
    ["a", "b", "c"],
    id="billing",
    owners=np.arange(12) % 3,
    lags=np.zeros(12),
    rates=np.full(12, 50.0),
)
SHORT: Mapping[str, str] = {"hours": "2.0", "workload": "steady"}


def opened(group: Group = GROUP, query: Mapping[str, str] = SHORT) -> AppTest:
    return opened_alone("autoscaler", group=links.encode(group) or "", **query)


@cache
def opened_at_first() -> AppTest:
    """Return the page as it opens, for tests that change nothing on it."""
    return opened()


def opened_after_a_paste(text: str, **query: str) -> AppTest:
    page = opened_compare(**query)
    paste(page, text)
    page.switch_page("pages/autoscaler.py").run()
    assert not page.exception
    return page


def rules(page: AppTest) -> pd.DataFrame:
    table: pd.DataFrame = page.dataframe[0].value
    return table.set_index("Rule")


def test_the_page_opens_with_a_rule_what_it_costs_and_what_sets_it() -> None:
    page = opened_at_first()

    table = rules(page)
    assert figures_in(verdict(page)) == ["3", "5", "250", "6", "2"]
    # It saves 1 of 6 pod-hours, and 126 moves leave partitions unread for 32 min.
    keda = table.loc["KEDA with lagThreshold 37,500"]
    assert keda["Pod-hours"] < 6 < keda["With pauses"]
    assert metrics(page)["Late"] == "never"
    assert table["Late (min)"].is_monotonic_increasing
    assert not lacks(said(page), "250 records/s", "guess")
    assert len(page.get("plotly_chart")) == 1


def test_what_counts_is_asked_for_a_strategy_that_weighs_it() -> None:
    by_count = opened_at_first()
    by_work = opened(query={**SHORT, "scaled_strategy": "Lag-capped"})
    by_lag = opened(query={**SHORT, "scaled_strategy": "Lag-capped", "judge": "lag"})

    asked = [[box.key for box in page.selectbox] for page in (by_count, by_work, by_lag)]
    assert ["judge" in keys for keys in asked] == [False, True, True]
    captions = " ".join(caption.value for caption in by_count.caption)
    assert not lacks(captions, "Round robin")
    assert "Lag-capped weighs load;" in said(by_work)
    assert "Lag-capped weighs lag;" in said(by_lag)


def test_where_nothing_tells_what_arrives_the_page_asks_and_offers_a_figure_to_try() -> None:
    page = opened(GROUP.with_rates(np.full(12, np.nan)))

    assert not page.dataframe
    assert "unknown" in headline(page)
    page.button[0].click().run()
    assert page.number_input(key="total_rate").value == 1_500
    assert "1,500 records/s arrive" in said(page)
    assert "(a guess; change it)" in said(page)  # trying a figure states no speed
    assert rules(page).shape[0] > 1


def test_where_the_visitor_says_that_nothing_arrives_the_backlog_alone_is_replayed() -> None:
    page = opened(
        GROUP.with_rates(np.full(12, np.nan)),
        {**SHORT, "total_rate": "0"},
    )

    assert not lacks(verdict(page), "never", "5 min")


def test_a_limit_per_partition_counts_and_is_named() -> None:
    page = opened(query={**SHORT, "partition_cap": "45.0"})

    assert lacks(verdict(page), "orders-0 alone", "50", "at most 45") == []
    assert not lacks(said(page), "guess", "45", "stated")
    assert "of one partition" not in said(opened_at_first())


def test_a_scaled_object_can_be_copied() -> None:
    page = opened(query={"workload": "day and night", "hours": "2.0", "target": "60.0"})

    spec = yaml.safe_load(page.code[0].value)["spec"]
    assert spec["triggers"][0]["metadata"]["consumerGroup"] == "billing"
    told = ("KEDA with lagThreshold", "arrivals follow day and night")
    assert lacks(verdict(page), *told) == []


def test_the_answer_goes_into_the_report() -> None:
    page = opened()

    said, figures, *_, table, to_set = page.session_state["visited"]["Autoscaler"][1].parts
    assert said == verdict(page)
    assert figures.figures[1].value == "never"
    assert [row[0] for row in table.rows] == rules(page).index.tolist()
    assert to_set.text == page.code[0].value


def test_several_snapshots_in_a_paste_are_replayed_as_they_were_recorded() -> None:
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    rounds = [
        f"2026-11-23T{10 + k}:00:00Z\n{head}\n"
        + "".join(f"g t {p} {end - lag} {end} {lag} a-1 /10.0.0.1 a\n" for p in range(2))
        for k, (end, lag) in enumerate([(50_000, 36_000), (86_000, 0), (410_000, 0)])
    ]

    page = opened_after_a_paste("\n".join(rounds))
    page.number_input(key="throughput").set_value(130.0).run()

    today = rules(page).loc["1 pod, as today"]
    assert page.selectbox(key="workload").value == "as recorded"
    # 2 partitions with 10 records/s each for an hour, and 90 for another.
    assert not lacks(said(page), "100 records/s")
    assert "older than the target" in said(page)
    assert today["Pod-hours"] == pytest.approx(2.0)
    # The first record is an hour old, and 65 are read while 10 arrive: 3,600 - 5.5 t seconds behind
    # at t, until 600 s. From one hour on, 180 arrive and 130 are read: 50 / 180 of t.
    assert today["Late (min)"] == 9 + 60 - 18


def test_a_pasted_scaled_object_is_listed_with_the_other_rules() -> None:
    page, metadata = opened(), "spec: {{triggers: [{{type: kafka, metadata: {{{}}}}}]{}}}"

    text = metadata.format("lagThreshold: 9000", ", minReplicaCount: 2")
    page.text_area(key="scaled_object").set_value(text).run()
    assert "Your ScaledObject" in rules(page).index
    assert not lacks(said(page), "ScaledObject", "6.5 pod-hours")
    assert "Not used of your ScaledObject" not in said(page)

    text = metadata.format("lagThreshold: 9000", ", fallback: {replicas: 6}, minReplicaCount: 2")
    page.text_area(key="scaled_object").set_value(text).run()
    unused = "Not used of your ScaledObject: spec.fallback (it counts only while Kafka does not"
    assert 0 < said(page).index(unused) < said(page).index("Your ScaledObject would need")

    page.text_area(key="scaled_object").set_value(metadata.format("lagThreshold: none", "")).run()
    assert errors(page) == [
        "The ScaledObject, spec.triggers[0].metadata.lagThreshold: expected an int."
    ]


def test_the_strategy_that_the_group_runs_is_replayed_by_default() -> None:
    page = opened_at_first()  # its owners are those of round robin

    assert page.selectbox(key="scaled_strategy").value == "roundrobin"


def test_a_stated_price_counts_in_its_currency() -> None:
    page = opened(query={**SHORT, "pod_cost": "0.1"})

    page.text_input(key="currency").set_value("*EUR").run()

    assert verdict(page).endswith("*EUR 0.60 in 2 h.")
    costs = rules(page)["Cost (*EUR)"]
    assert costs["3 pods, as today"] == pytest.approx(0.6)
    assert costs.tolist() == costs.round(2).tolist()
    page.text_input(key="currency").set_value("").run()
    assert "Cost (USD)" in rules(page)


def test_pods_that_are_enough_and_cheapest_stay() -> None:
    alone = Group.of(["orders"], [1], ["a"], owners=[0], rates=[50.0])

    page = opened(alone)

    stay = ("Stay with today's 1 pod: never more than 5 min behind.", "2 pod-hours in 2 h.")
    assert lacks(verdict(page), *stay) == []


def test_the_replay_begins_with_the_backlog_of_now() -> None:
    # 12 partitions of 50/s, 38 minutes behind each: 114,000 records. Three consumers of 400/s read
    # 600/s beyond what arrives: 1,368,000 / 600 = 38 min; in time when 5 min (180,000) are left.
    behind = Group.of(
        ["orders"], [12], ["a", "b", "c"], owners=np.arange(12) % 3,
        lags=np.full(12, 50.0 * 60 * 38), rates=np.full(12, 50.0),
    )  # fmt: skip

    page = opened(behind, {**SHORT, "throughput": "400"})

    late = rules(page)["Late (min)"]
    assert late["3 pods, as today"] == pytest.approx((1_368_000 - 180_000) / 600 / 60, abs=1)
    assert late.min() > 0
    assert "in time after" in verdict(page).lower()
    assert "it begins late" in said(page)


def test_where_nothing_is_in_time_no_more_pods_than_help_are_recommended() -> None:
    # One partition gets 100/s where a consumer reads 40; the other 39 need two consumers.
    hot = Group.of(
        ["t"], [40], ["a", "b"], owners=np.arange(40) % 2, lags=np.zeros(40),
        rates=[100.0] + [2.0] * 39,
    )  # fmt: skip

    page = opened(hot, {**SHORT, "throughput": "40"})

    best = rules(page).iloc[0]
    assert lacks(verdict(page), "t-0", "100 records/s") == []
    assert best["Pod-hours"] <= 2 * 5


def test_a_group_without_consumers_has_no_today() -> None:
    nobody = Group.of(["orders"], [2], [], rates=np.full(2, 50.0))

    page = opened(nobody)

    assert "oday" not in verdict(page)
    assert page.metric[0].delta == "1 pod, fixed: 2"
    assert "1 pod, fixed" in rules(page).index


def test_a_partition_too_hot_for_a_consumer_is_named() -> None:
    page = opened(query={**SHORT, "throughput": "40.0"})

    assert figures_in(verdict(page)) == ["orders-0", "orders-0", "50", "40"]
    assert lacks(said(page), "figures", "orders-0 alone") == []
    assert not page.code
    assert opened_at_first().code


def test_another_rule_is_compared_and_the_stuck_partition_is_named() -> None:
    page = opened(query={"hours": "2.0", "workload": "a stuck partition"})

    page.selectbox(key="other_rule").set_value("Modified Worst Fit").run()

    assert not page.exception
    assert not lacks(said(page), "orders-0")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"hours": "0.0"}, "The time to replay a group of this size must be 0.0167 hours or more"),
        ({"target": "0.0"}, "The target must be more than 0 s; found 0 s."),
        ({"pod_start": "-1.0"}, "The start of a pod must be 0 s or more; found -1 s."),
        ({"pod_cost": "-1.0"}, "The cost of a pod must be 0 USD or more; found -1 USD."),
        ({"threads": "0.0"}, "The consumers per pod must be 1 or more; found 0."),
        ({"threads": "1e30"}, "The consumers per pod must be at most 1,000; found 1e+30."),
        (
            {"throughput": "1e300"},
            "The processing rate of a consumer must be at most 1,000,000,000",
        ),
        (
            {"rates": "a total, spread evenly", "total_rate": "1e14"},
            "The total produce rate must be at most 1,000,000,000,000 records/s",
        ),
    ],
)
def test_what_cannot_be_is_one_sentence(query: Mapping[str, str], sentence: str) -> None:
    page = opened(query={**SHORT, **query})

    assert len(errors(page)) == 1
    assert errors(page)[0].startswith(sentence)
    assert not page.dataframe


@pytest.mark.parametrize(
    ("partitions", "step_s"), [(500, 60.0), (10_000, 180.0), (10**6, 17_280.0)]
)
def test_a_large_group_is_replayed_in_longer_steps(partitions: int, step_s: float) -> None:
    group = Group.of(["t"], [partitions], ["a"])

    assert step_for(group, 86_400.0) == step_s


def test_the_first_answer_stands_before_every_rule_is_tried_and_stop_keeps_it() -> None:
    page = AppTest.from_string(STEPS, default_timeout=PATIENCE_S).run()
    assert not page.title
    assert not lacks(page.markdown[-1].value, "0 of")

    press(page, "Begin")
    first = page.title[0].value
    assert figures_in(page.markdown[-1].value) == ["2", "18"]
    assert not lacks(first, "3 pods")

    press(page, "Stop")
    press(page, "Go on")
    assert figures_in(page.markdown[-1].value) == ["2", "18"]
    assert page.title[0].value == first

    press(page, "Continue")
    press(page, "Go on")
    assert page.markdown[-1].value == "All tried."


def press(page: AppTest, label: str) -> None:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception


def test_where_no_rule_is_in_time_it_says_so_and_never_recommends_all_the_pods() -> None:
    # A backlog of an hour and a half on 96 partitions: 12 pods read twice what arrives.
    behind = Group.of(
        ["t"], [96], [f"c{m:02}" for m in range(12)], owners=np.arange(96) % 12,
        lags=np.full(96, 25.0 * 5400), rates=np.full(96, 25.0),
    )  # fmt: skip

    page = opened(behind, {**SHORT, "throughput": "400"})

    table = rules(page)
    assert lacks(verdict(page), "No rule", "5 min") == []
    assert not lacks(verdict(page), "12 pods", "late")
    assert table["Late (min)"].min() > 0
    cost = float(metrics(page)["Pod-hours"].replace(",", ""))
    assert cost <= 2 * 24 < table["Pod-hours"]["96 pods, fixed"]


@pytest.mark.proof
def test_a_replay_that_takes_too_long_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_LONG", 0)
    monkeypatch.setattr(calls, "CHECK_EVERY_S", 0.0)
    monkeypatch.setenv(TIME_LIMIT, "0.0001")

    page = opened(query={**SHORT, "hours": "3.0"})

    assert len(errors(page)) == 1
    assert not lacks(errors(page)[0], "0.0001 seconds")


STEPS = """
import streamlit as st
from evaluation.autoscaling.replay import Conditions
from evaluation.autoscaling.workloads import Profile, day
from tests.pages.test_autoscaler import GROUP
from ui.autoscaler.inputs import AutoscalerInputs
from ui.autoscaler.words import conclusion
from ui.autoscaler.work import Replays

asked = AutoscalerInputs(
    group=GROUP,
    workload=day(GROUP.offsets.rates, GROUP.lags, Profile.STEADY, hours=1.0),
    conditions=Conditions(speed=250.0, allowed_s=77.0),
    own=None,
    price=None,
    currency="",
    assumed="",
)
work = Replays(asked)
st.button("Stop", on_click=work.progress.stop)
if st.button("Begin"):
    work.begin(st.empty())
if work.progress.is_stopped:
    work.progress.stopped_notice(st.empty())
if found := work.findings():
    st.title(conclusion(found).finding)
if st.button("Go on"):
    work.go_on(st.empty())
st.markdown("All tried." if work.is_complete else work.so_far)
"""


def test_the_strategies_are_those_of_the_client() -> None:
    page = opened(query={**SHORT, "client": "librdkafka"})

    assert "Range (librdkafka 2)" in page.selectbox(key="librdkafka_scaled_strategy").options


@pytest.mark.proof
def test_a_day_is_replayed_outside_the_process_that_serves_everybody() -> None:
    while calls._idle:
        calls._idle.pop().end()

    opened(query={**SHORT, "hours": "24.0"})

    assert calls._idle, "a process has replayed, and waits for more"


AT_REST = """
spec:
  minReplicaCount: 1
  maxReplicaCount: 12
  triggers:
  - {type: kafka, metadata: {topic: orders, lagThreshold: "100"}}
"""


def test_a_scaled_object_says_first_where_it_comes_to_rest_and_then_the_steps() -> None:
    lagging = GROUP.with_lags(np.full(12, 500))

    page = opened(lagging, {**SHORT, "scaled_object": AT_REST})
    page.text_area(key="scaled_object").set_value(AT_REST).run()

    texts = [each.value for each in page.markdown]
    sentence = next(n for n, text in enumerate(texts) if "KEDA goes from 3 to 12 pods" in text)
    steps = texts[sentence + 1].splitlines()
    assert not lacks(steps[0], "6,000 over", "12 partitions", "12 times", "100", "1,200")
    assert "3 → 7 → 12" in steps[1]


def test_a_scaled_object_is_explained_where_nothing_tells_what_arrives() -> None:
    page = opened(GROUP.with_rates(np.full(12, np.nan)))

    page.text_area(key="scaled_object").set_value(AT_REST).run()

    assert not page.dataframe
    assert "the HPA keeps" in said(page) or "minReplicaCount is 1" in said(page)


def test_few_arrivals_are_not_nothing() -> None:
    page = opened(GROUP.with_rates(np.full(12, 0.001)))

    assert "0.012 records/s arrive" in said(page)


def test_a_rule_that_goes_up_to_all_partitions_is_named_with_its_limit() -> None:
    page = opened(GROUP.with_lags(np.full(12, 30_000)))

    assert "and maxReplicaCount 12" in verdict(page)
    assert re.search(r" in 2 h, with \d+ pod changes? and \d+ moves, unread for ", verdict(page))
    assert metrics(page)["Pods"].endswith("to 12")
