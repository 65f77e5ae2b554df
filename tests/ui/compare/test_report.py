import re

import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from charts.report import Section
from evaluation.clients import CLIENTS
from sources import samples
from tests.reports import report_on


def main_of(text: str) -> str:
    """Return the content of the first printed page."""
    return text[text.index("<main>") : text.index("</main>")]


def test_the_first_page_holds_question_answer_three_pictures_and_what_to_set() -> None:
    first = main_of(report_on(samples.load("orders").group, "range", "sticky"))

    for expected in (
        "Made on 03 February 2026",
        "12 consumers, 8 topics, 134 partitions",
        "Which assignment of 134 partitions to 12 consumers gives the busiest consumer",
        "The busiest consumer is 72.7 k records behind now",
        "partition.assignment.strategy=org.apache.kafka.clients.consumer.CooperativeSticky",
    ):
        assert expected in first
    assert first.count('<svg class="panel"') == 3


def test_the_first_page_says_what_we_should_do_and_what_it_costs() -> None:
    text = report_on(
        samples.load("orders").group, "range", proposal="We should wait.", costs=["It takes <1 h."]
    )

    first = main_of(text)

    assert '<p class="conclusion">We should wait.</p>' in first
    assert "It takes &lt;1 h." in first
    assert first.index("We should wait.") < first.index("The busiest consumer is 72.7 k")


def test_a_report_says_why_the_group_is_behind_and_sets_nothing_that_cannot_help() -> None:
    text = report_on(
        samples.load("orders").group,
        "range",
        incident=["worker-2 has read nothing. Restart it."],
        hindrance="worker-2 has stalled",
    )

    first = main_of(text)

    assert "worker-2 has read nothing. Restart it." in first
    assert "no strategy helps while worker-2 has stalled" in first
    assert "What to set for" not in first


def test_the_appendix_holds_inputs_figures_reasons_strategies_and_versions() -> None:
    text = report_on(samples.load("orders").group, "range", "sticky")

    for expected in (
        '<td>audit</td><td class="number">20</td>',
        "12 consumers subscribe to audit, clicks",
        "<dt>Range</dt><dd>Cuts each topic alone",
        STRATEGIES["sticky"].weakness,
    ):
        assert expected in text.replace("&#x27;", "'")


def test_the_rules_of_a_report_are_those_of_a_release_and_not_of_a_date() -> None:
    text = report_on(samples.load("kip-49").group, "range")

    (rules,) = re.findall(r"<dt>Rules</dt><dd>(.*?)</dd>", text)
    assert rules == "Apache Kafka 4.4.0"


@pytest.mark.parametrize(("sample", "most"), [("orders", 300_000), ("large", 1_500_000)])
def test_a_report_is_small_enough_to_send(sample: str, most: int) -> None:
    text = report_on(samples.load(sample).group, "range", "sticky", "cooperative-sticky")

    assert len(text.encode()) < most


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


def test_an_edited_group_is_shown_beside_its_baseline() -> None:
    baseline = Group.fresh({"t": 4}, ["c0"], lags={"t": [10, 20, 30, 40]})
    edited = Group.fresh({"t": 4}, ["c0", "c1"], lags={"t": [10, 20, 30, 40]})

    first = main_of(report_on(edited, "range", baseline=baseline))

    assert "Compared with the baseline: 1 more consumer." in first
    assert "50 (was 100)" in first


def test_a_custom_assignor_is_not_something_to_set() -> None:
    first = main_of(report_on(samples.load("large").group, "range"))

    assert "<h3>What it takes to run Load-sticky</h3>" in first
    assert "What to set" not in first


def test_an_empty_group_has_a_report() -> None:
    text = report_on(Group.fresh({}, []), *STRATEGIES)

    assert "0 consumers, 0 topics, 0 partitions" in text


def test_a_group_without_consumers_is_given_nothing_to_set() -> None:
    first = main_of(report_on(Group.fresh({"t": 2}, [], lags={"t": [5, 7]})))

    assert "This group has no consumers" in first
    assert "What to set" not in first


def test_a_topic_without_partitions_leaves_the_others_figures_alone() -> None:
    group = Group.fresh({"a": 1, "b": 0, "c": 2}, ["m"], lags={"a": [4], "b": [], "c": [5, 6]})

    text = report_on(group, "range")

    assert '<td>c</td><td class="number">2</td><td class="number">11</td>' in text
    assert '<td>b</td><td class="number">0</td><td class="number">unknown</td>' in text


def test_what_other_pages_showed_comes_first_in_the_appendix() -> None:
    text = report_on(
        samples.load("kip-49").group, "fair", others=[Section("Rebalance", ["c joins."])]
    )

    titles = re.findall(r"<h2>(.*?)</h2>", text)
    assert titles[0] == "Rebalance"
    assert "c joins." in text


def test_the_report_is_in_the_words_of_the_client() -> None:
    group = samples.load("orders").group
    on_java, on_librdkafka = (report_on(group, client=CLIENTS[c]) for c in ("java", "librdkafka"))

    assert "clients: librdkafka" in on_librdkafka
    assert "org.apache.kafka" in on_java
    assert "org.apache.kafka" not in on_librdkafka
    assert "clients:" not in on_java


def test_the_report_says_what_each_prediction_is_worth() -> None:
    two_topics = Group.fresh({"t": 3, "u": 3}, ["a", "b"])

    certain, uncertain = report_on(two_topics, "range"), report_on(two_topics, "uniform")

    assert "(counts only)" in uncertain
    assert "counts are exact, owners are not" in uncertain
    assert "<dt>Prediction</dt><dd>exact" in certain
