"""The report of small groups: the story of the slides, and what it rests on."""

import re
from html import unescape

import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from charts.deck.model import SlidePlace
from charts.report import Section
from evaluation.assuming.clients import CLIENTS
from evaluation.releases import holds_for
from sources import samples
from tests.doors import texts
from tests.reports import report_of, report_on
from tests.stories import story_of_sample, story_of_text
from ui.slides.deck import deck_of


def main_of(text: str) -> str:
    """Return the content of the first printed page."""
    return unescape(text[text.index("<main>") : text.index("</main>")])


@pytest.mark.slow
def test_the_first_page_holds_the_answer_its_pictures_and_what_it_assumes() -> None:
    story = story_of_sample("orders")

    first = main_of(report_of(story))

    words = story.words
    at = [first.index(each) for each in (words.headline, words.evidence, words.action)]
    assert at == sorted(at)
    assert first.count('<svg class="panel"') == 3  # finding, cause, proposal
    assert first.index("Assumes: ") > first.rindex("</svg>")


def test_report_and_slides_say_the_same_next_step() -> None:
    story = story_of_sample("orders")
    *_, last = deck_of(story, "").slides

    first = main_of(report_of(story))

    assert last.title in first
    assert all(aside.text in first for aside in last.asides)
    assert all(step.settings in first for step in last.steps)
    assert last.decision in first


def test_the_first_page_has_what_a_switch_costs_and_how_long_it_takes() -> None:
    story = story_of_sample("orders")
    slides = {each.name: each for each in deck_of(story, "").slides}
    cost = slides[SlidePlace.COST_AND_TIME]

    first = main_of(report_of(story))

    assert cost.title in first
    assert all(figure.label in first for figure in cost.figures)


@pytest.mark.slow
def test_a_group_that_no_assignment_helps_is_given_nothing_to_set() -> None:
    story = story_of_text(texts.snapshots(texts.three_stopped(), dated=True))

    text = report_of(story)

    assert "partition.assignment.strategy" not in text
    red = re.findall(r'fill="#c22f3a"[^>]*><title>(.*?):', text)
    assert {"worker-2", "worker-5", "worker-6"} <= {*red}


def test_the_appendix_holds_options_inputs_and_versions() -> None:
    story = story_of_sample("orders")

    text = report_of(story)

    for option in story.answer.strategies:
        assert option.outcome is not None
        assert f"<td>{option.outcome.label}</td>" in text
    assert '<td>audit</td><td class="number">20</td>' in text
    assert "12 consumers subscribe to audit, clicks" in text


def test_strategies_are_links_to_where_they_are_explained() -> None:
    story = story_of_sample("orders")

    there, nowhere = report_of(story, address="http://host:8501/"), report_of(story)

    assert 'href="http://host:8501/strategies#roundrobin"' in there
    assert "href" not in nowhere
    assert STRATEGIES["roundrobin"].weakness not in unescape(there)


def test_a_report_says_which_releases_its_predictions_hold_for_and_their_defects() -> None:
    story = story_of_sample("orders")
    shown = [each.strategy for each in story.answer.strategies if each.strategy is not None]

    text = report_of(story)

    assert "sticky" in {each.name for each in shown}
    assert holds_for(shown) in unescape(text)


def test_the_rules_of_a_report_are_those_of_a_release_and_not_of_a_date() -> None:
    text = report_of(story_of_sample("kip-49"))

    (rules,) = re.findall(r"<dt>Rules</dt><dd>(.*?)</dd>", text)
    assert rules == "Apache Kafka 4.4.0"


@pytest.mark.proof
@pytest.mark.parametrize(("sample", "most"), [("orders", 300_000), ("large", 1_500_000)])
def test_a_report_is_small_enough_to_send(sample: str, most: int) -> None:
    text = report_of(story_of_sample(sample))

    assert len(text.encode()) < most


def test_the_same_day_gives_the_same_report() -> None:
    group = samples.load("kip-49").group

    assert report_on(group) == report_on(group)


def test_a_topic_called_script_is_only_a_name() -> None:
    name = "<script>alert(1)</script>"
    group = Group.fresh({name: 3}, [name], lags={name: [1, 2, 3]})

    text = report_on(group)

    assert name not in text
    assert "<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>" in text


def test_unknown_lags_are_not_zero_in_the_report() -> None:
    text = report_on(Group.fresh({"t": 2}, ["c"]))

    assert "Known lag in all: unknown records; 2 lags unknown" in text
    row = '<td>t</td><td class="number">2</td><td class="number">unknown</td>'
    assert row in text


def test_an_edited_group_says_how_it_differs() -> None:
    first = main_of(report_on(Group.fresh({"t": 4}, ["c0", "c1"]), edits="1 more consumer"))

    assert "1 more consumer." in first


def test_an_empty_group_has_a_report() -> None:
    text = report_on(Group.fresh({}, []))

    assert "0 consumers, 0 topics, 0 partitions" in text


def test_a_topic_without_partitions_leaves_the_others_figures_alone() -> None:
    group = Group.fresh({"a": 1, "b": 0, "c": 2}, ["m"], lags={"a": [4], "b": [], "c": [5, 6]})

    text = report_on(group)

    assert '<td>c</td><td class="number">2</td><td class="number">11</td>' in text
    assert '<td>b</td><td class="number">0</td><td class="number">unknown</td>' in text


def test_what_other_pages_showed_comes_first_in_the_appendix() -> None:
    text = report_of(story_of_sample("kip-49"), others=[Section("Rebalance", ["c joins."])])

    titles = re.findall(r"<h2>(.*?)</h2>", text)
    assert titles[0] == "Rebalance"
    assert "c joins." in text


def test_the_report_is_in_the_words_of_the_client() -> None:
    group = samples.load("kip-49").group

    on_java, on_librdkafka = (report_on(group, client=CLIENTS[c]) for c in ("java", "librdkafka"))

    assert "clients: librdkafka" in on_librdkafka
    assert "org.apache.kafka" in on_java
    assert "org.apache.kafka" not in on_librdkafka
    assert "clients:" not in on_java
