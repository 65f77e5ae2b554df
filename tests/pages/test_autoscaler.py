"""The Autoscaler page as a user meets it, without a browser."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml  # type: ignore[import-untyped]  # its stubs are another package
from streamlit.testing.v1 import AppTest

from assignors.model import Group
from sources import group_json
from tests.pages.test_capacity import errors, headline, metrics, said

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


def opened(
    text: str = group_json.encode(GROUP).decode(), query: Mapping[str, str] = SHORT
) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for name, value in query.items():
        page.query_params[name] = value
    page.run()
    page.segmented_control(key="start").set_value("Paste").run()
    page.text_area(key="pasted").set_value(text)
    next(button for button in page.button if button.label == "Read it").click().run()
    page.switch_page("pages/autoscaler.py").run()
    assert not page.exception
    return page


def rules(page: AppTest) -> pd.DataFrame:
    table: pd.DataFrame = page.dataframe[0].value
    return table.set_index("Rule")


def test_the_page_opens_with_a_rule_what_it_costs_and_what_sets_it() -> None:
    page = opened()

    table = rules(page)
    assert headline(page).startswith("KEDA with lagThreshold 37,500: never more than 5 min behind")
    assert headline(page).endswith("in 2 h. Today's 3 pods do so for 0.60.")
    assert metrics(page)["Late"] == "never"
    assert table["Late (min)"].is_monotonic_increasing
    assert "each consumer processes 250 records/s" in said(page)
    assert len(page.get("plotly_chart")) == 1


def test_a_scaled_object_can_be_copied() -> None:
    page = opened(query={"workload": "day and night", "hours": "24.0", "target": "60.0"})

    spec = yaml.safe_load(page.code[0].value)["spec"]
    assert spec["triggers"][0]["metadata"]["consumerGroup"] == "billing"
    assert headline(page).startswith("KEDA with lagThreshold")


def test_several_snapshots_in_a_paste_are_replayed_as_they_were_recorded() -> None:
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    rounds = [
        f"2026-11-23T{10 + k}:00:00Z\n{head}\n"
        + "".join(f"g t {p} {end} {end} 0 a-1 /10.0.0.1 a\n" for p in range(2))
        for k, end in enumerate([0, 36_000, 360_000])
    ]

    page = opened("\n".join(rounds), {})

    assert page.selectbox(key="workload").value == "as recorded"
    assert rules(page)["Cost"].to_dict()["1 pod, as today"] == pytest.approx(0.2)
    # 2 partitions with 10 records/s each for an hour, and 90 for another.
    assert "100 records/s arrive on average, as recorded" in said(page)
    assert "in 2 h" in headline(page)


def test_a_partition_too_hot_for_a_consumer_is_named() -> None:
    page = opened(query={**SHORT, "throughput": "40.0"})

    assert headline(page).startswith("Nothing that can be set stays within 5 min:")
    assert "orders-0 alone gets more than one consumer processes" in said(page)


def test_another_rule_is_compared_and_the_stuck_partition_is_named() -> None:
    page = opened(query={"hours": "2.0", "workload": "a stuck partition"})

    page.selectbox(key="other_rule").set_value("Flink's autoscaler").run()

    assert not page.exception
    assert "Nobody gets past the next record of orders-0" in said(page)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"hours": "0.0"}, "The hours to replay must be 0.02 to"),
        ({"target": "0.0"}, "The target must be more than 0; found 0."),
        ({"pod_start": "-1.0"}, "The start of a pod must be 0 or more; found -1."),
        ({"threads": "0.0"}, "The consumers per pod must be more than 0; found 0."),
        ({"throughput": "-5.0"}, "The processing rate of a consumer must be more than 0"),
    ],
)
def test_what_cannot_be_is_one_sentence(query: Mapping[str, str], sentence: str) -> None:
    page = opened(query={**SHORT, **query})

    assert len(errors(page)) == 1
    assert errors(page)[0].startswith(sentence)
    assert not page.dataframe
