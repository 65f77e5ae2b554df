from datetime import date

import plotly
from plotly.offline import get_plotlyjs

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.bounds import best_possible_max_lag
from evaluation.compare import as_it_is_now, compare
from sources import samples
from ui.compare.report import written


def report_on(group: Group, *names: str) -> str:
    now = as_it_is_now(group)
    outcomes = [*([now] if now else []), *compare(group, names)]
    text = written("Orders", group, outcomes, best_possible_max_lag(group), date(2026, 2, 3))
    return text.replace(get_plotlyjs(), "")


def test_the_report_holds_inputs_figures_reasons_charts_strategies_and_versions() -> None:
    text = report_on(samples.load("orders").group, "range", "sticky")

    for expected in (
        "Made on 03 February 2026",
        "12 consumers, 8 topics, 134 partitions",
        '<td>audit</td><td class="number">20</td>',
        "12 consumers subscribe to audit, clicks",
        "As it is now, none of 134 partitions lack an owner",
        "range cuts each topic alone",
        STRATEGIES["sticky"].weakness,
        "partition.assignment.strategy=org.apache.kafka.clients.consumer.StickyAssignor",
        plotly.__version__,
    ):
        assert expected in text
    assert text.count("Plotly.newPlot(") == 3


def test_the_same_day_gives_the_same_report() -> None:
    group = samples.load("kip-49").group

    assert report_on(group, "fair") == report_on(group, "fair")


def test_a_topic_called_script_is_only_a_name() -> None:
    name = "<script>alert(1)</script>"
    group = Group.fresh({name: 3}, [name], lags={name: [1, 2, 3]})

    text = report_on(group, *STRATEGIES)

    assert name not in text
    assert "<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>" in text


def test_unknown_lags_are_not_zero_in_the_report() -> None:
    text = report_on(Group.fresh({"t": 2}, ["c"]), "range")

    assert "Known lag in all: unknown records; 2 lags unknown" in text
    row = '<td>t</td><td class="number">2</td><td class="number">unknown</td>'
    assert row in text


def test_a_group_of_nothing_has_a_report() -> None:
    text = report_on(Group.fresh({}, []), *STRATEGIES)

    assert "0 consumers, 0 topics, 0 partitions" in text


def test_a_topic_without_partitions_leaves_the_others_figures_alone() -> None:
    group = Group.fresh({"a": 1, "b": 0, "c": 2}, ["m"], lags={"a": [4], "b": [], "c": [5, 6]})

    text = report_on(group, "range")

    assert '<td>c</td><td class="number">2</td><td class="number">11</td>' in text
    assert '<td>b</td><td class="number">0</td><td class="number">unknown</td>' in text
