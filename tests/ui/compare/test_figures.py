import json

import numpy as np
import pandas as pd
import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.comparing.load import load_in
from evaluation.comparing.outcomes import as_it_is_now, at_next_rebalance
from evaluation.judging import LAG, JudgeBy, Measure, judged
from sources import samples
from tests.named import named
from ui.compare.figures import consumers_frame, figures_frame, why
from ui.downloads import encoded, file_name

GROUP = Group.fresh(
    {"t": 3, "u": 1}, {"a": ["t"], "b": ["t", "u"]}, lags={"t": [5, 7, 9], "u": [100]}
)


def consumers(group: Group, *names: str) -> pd.DataFrame:
    return consumers_frame(group, at_next_rebalance(group, named(*names)), load_in(group))


def test_there_is_one_row_for_each_strategy_and_consumer() -> None:
    table = consumers(GROUP, "range", "roundrobin")

    found = table[table["strategy"] == "Range"].drop(columns="strategy").to_dict("records")

    assert len(table) == 4
    assert found == [
        {
            "consumer": "b",
            "partitions": 2,
            "lag": 109,
            "unknown lag": 0,
            "topics": 2,
            "of all lag": 109 / 121,
        },
        {
            "consumer": "a",
            "partitions": 2,
            "lag": 12,
            "unknown lag": 0,
            "topics": 1,
            "of all lag": 12 / 121,
        },
    ]


def test_a_consumer_of_whose_partitions_no_lag_is_known_has_none() -> None:
    group = Group.fresh({"t": 1}, ["a", "b"])

    table = consumers(group, "range")

    assert table["lag"].isna().tolist() == [True, False]
    assert "unknown lag" not in table  # partitions decide


def test_the_busiest_consumer_of_each_strategy_comes_first_and_2_before_10() -> None:
    group = Group.fresh({"t": 4}, ["c-1", "c-10", "c-2", "c-3"], lags={"t": [7, 5, 5, 90]})

    shown = consumers(group, "roundrobin", "range")

    assert shown["strategy"].tolist() == ["Round robin"] * 4 + ["Range"] * 4
    assert shown["consumer"].tolist()[:4] == ["c-3", "c-1", "c-2", "c-10"]
    assert shown["lag"].tolist()[:4] == [90, 7, 5, 5]


def test_columns_that_say_nothing_are_left_out() -> None:
    table = figures_frame(at_next_rebalance(GROUP, named("range")), load_in(GROUP), None)

    assert {"Moved", "Off rack"}.isdisjoint(table.columns)


@pytest.mark.parametrize(
    ("by", "headings"),
    [
        (JudgeBy.LAG, "Busiest, Even share, Lag spread, Busiest / even share, Unknown lag"),
        (
            JudgeBy.WORK,
            "Busiest, Even share, Load spread, Busiest / even share, Unknown load",
        ),
        (
            JudgeBy.RATE,
            "Busiest, Even share, Arrivals spread, Busiest / even share, Unknown arrivals",
        ),
        (JudgeBy.PARTITIONS, "Most lag"),
    ],
)
def test_columns_of_load_are_headed_by_what_is_judged_and_a_lag_stays_a_lag(
    by: JudgeBy, headings: str
) -> None:
    measure = Measure(by=by)
    group = judged(GROUP, measure, np.array([1.0, 1.0, 1.0, 5.0]))  # a gets 2/s, b 6/s
    outcomes = at_next_rebalance(group, named("range"))
    load = load_in(group, measure)

    table = figures_frame(outcomes, load, load.bound(group))

    assert table["Busiest" if by is JudgeBy.LAG else "Most lag"].tolist() == [109]
    if by in {JudgeBy.WORK, JudgeBy.RATE}:
        headings = headings.replace("Unknown", "Most lag, Unknown")
    always = {"Strategy", "Above lower bound", "Most partitions", "Partition spread", "Idle"}
    assert ", ".join(name for name in map(str, table) if name not in always) == headings


def test_what_is_unknown_stays_unknown_in_a_file() -> None:
    group = Group.fresh({"t": 1}, ["a"])
    table = consumers(group, "range")

    csv, json_ = (encoded(lambda: table, kind).decode() for kind in ("CSV", "JSON"))

    assert csv.splitlines()[1] == '"Range","a",1,"",1'
    assert json.loads(json_)[0]["lag"] is None


def test_a_reason_beside_its_label_does_not_repeat_the_name() -> None:
    group = samples.load("orders").group
    now = as_it_is_now(group)
    assert now is not None

    for outcome in (now, *at_next_rebalance(group, tuple(STRATEGIES.values()))):
        sentence = why(group, None, outcome, LAG)
        assert outcome.name not in sentence
        assert not sentence.casefold().startswith(outcome.label.casefold())
        assert sentence[0].isupper()


def test_a_name_that_a_spreadsheet_would_run_as_a_formula_is_text_in_csv() -> None:
    names = ["=1+1", "+c", "-2+3|cmd", "@x", "\t=1", "-", "-12", "=", "orders"]
    table = pd.DataFrame({"consumer": names, "lag": range(-1, 8)})

    csv = encoded(lambda: table, "CSV").decode().splitlines()[1:]
    json_ = json.loads(encoded(lambda: table, "JSON"))

    quoted = [row.rsplit(",", 1)[0].strip('"') for row in csv]
    assert quoted[:5] == ["'=1+1", "'+c", "'-2+3|cmd", "'@x", "'\t'=1"]
    assert quoted[5:] == ["-", "-12", "=", "orders"]
    assert [row["consumer"] for row in json_] == names


def test_files_are_named_after_groups_of_any_name() -> None:
    assert file_name("\u202egpj.exe\r\n/x", ".json") == "gpj.exe_x.json"
    assert file_name("größe-1", "-report.html") == "größe-1-report.html"
    assert len(file_name("x" * 60_000, ".json")) == 105
