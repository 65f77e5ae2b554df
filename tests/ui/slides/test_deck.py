"""Slides of small groups, worked out by hand: which there are, what is drawn, what stands out."""

from dataclasses import replace

import numpy as np
import pytest

from assignors.model import Group
from charts.deck.model import Chart, Slide
from charts.report import Figure
from evaluation.answering.action_rows.owners import SETTLING
from evaluation.answering.actions import Action
from evaluation.answering.caveats import CaveatKind
from evaluation.answering.compose import held_back
from evaluation.answering.words import words_of
from evaluation.verdict_kinds import VerdictKind
from tests.doors import texts
from tests.stories import story_of, story_of_group, story_of_sample, story_of_text
from ui.slides.deck import deck_of
from ui.slides.story import Story

UNEVEN = Group.of(
    ["t", "u"], [2, 2], ["c-10", "c-2"], owners=[1, 1, 0, 0], lags=[4000, 4000, 1000, 1000]
)
"""c-2 is 8,000 records behind, c-10 2,000; an even share is 5,000. Round robin gives that."""
STOPPED = texts.snapshots(texts.three_stopped(), dated=True)
HOT = texts.snapshots(texts.hot_partition(), dated=True)


def slides(of: Story) -> dict[str, Slide]:
    """Return the slides of a story by name."""
    return {each.name: each for each in deck_of(of, "").slides}


def chart(of: Story, name: str) -> Chart:
    """Return the picture of a slide."""
    found = slides(of)[name].chart
    assert found is not None
    return found


def marked(drawn: Chart) -> set[str]:
    """Return the names of the bars that stand out in the first state."""
    return {drawn.names[k] for k in drawn.states[0].marked}


def test_an_uneven_group_is_told_from_the_finding_to_the_next_step() -> None:
    of = story_of_group(UNEVEN)

    assert list(slides(of)) == ["Finding", "Cause", "Proposal", "Cost and time", "Next step"]
    assert slides(of)["Cost and time"].title.startswith("The rebalance moves 2 ")


@pytest.mark.slow
@pytest.mark.parametrize("text", [STOPPED, HOT, texts.describe(texts.hot_partition())])
def test_the_first_slide_is_the_answers_headline_and_evidence(text: str) -> None:
    of = story_of_text(text)
    words = words_of(of.answer)

    first = deck_of(of, "").slides[0]

    assert (first.title, first.subtitle) == (words.headline, words.evidence)


def test_the_finding_shows_every_consumer_beside_an_even_share_as_people_count() -> None:
    drawn = chart(story_of_group(UNEVEN), "Finding")

    assert drawn.names == ("c-2", "c-10")
    assert drawn.states[0].heights == (8000, 2000)
    assert drawn.line == 5000
    assert marked(drawn) == {"c-2"}
    assert not drawn.is_alarm


@pytest.mark.slow
def test_all_whom_the_verdict_names_stand_out_and_not_one() -> None:
    of = story_of_text(STOPPED)

    assert marked(chart(of, "Finding")) == {"worker-2", "worker-5", "worker-6"}
    assert chart(of, "Finding").is_alarm
    assert len(marked(chart(of, "Cause"))) == 9  # three partitions of each


@pytest.mark.slow
def test_a_hot_partition_stands_beside_what_one_consumer_reads() -> None:
    drawn = chart(story_of_text(HOT), "Finding")

    assert marked(drawn) == {"clickstream-7"}
    assert drawn.states[0].heights[0] == 900
    assert drawn.line == 700  # 600/s of the hot one, 50/s of two others


@pytest.mark.slow
@pytest.mark.parametrize("text", [STOPPED, HOT])
def test_where_no_owner_changes_nothing_is_proposed_in_pictures(text: str) -> None:
    assert not {"Proposal", "Cost and time"} & set(slides(story_of_text(text)))


def test_the_cause_counts_the_heaviest_partitions_of_the_busiest_consumer() -> None:
    drawn = chart(story_of_group(UNEVEN), "Cause")

    assert drawn.states[0].heights == (4000, 4000, 1000, 1000)
    assert drawn.states[0].marked == (0, 1)


def test_the_proposal_changes_one_picture_from_today_to_then() -> None:
    drawn = chart(story_of_group(UNEVEN), "Proposal")

    assert [state.heights for state in drawn.states] == [(8000, 2000), (5000, 5000)]
    assert drawn.line == 5000


def test_who_never_catches_up_is_red_before_the_change_too_and_nobody_after_it() -> None:
    group = UNEVEN.with_rates(np.array([400.0, 400.0, 100.0, 100.0]))

    drawn = chart(story_of_group(group, speed=600.0), "Proposal")

    assert drawn.is_alarm
    assert marked(drawn) == {"c-2"}
    assert drawn.states[1].marked == ()


def test_nothing_is_proposed_while_simulations_may_change_it() -> None:
    of = story_of(held_back(story_of_group(UNEVEN).answer))

    told = slides(of)

    assert list(told) == ["Finding", "Cause"]
    assert told["Finding"].points == (SETTLING,)


@pytest.mark.slow
def test_the_line_beside_a_proposal_is_the_lower_bound_and_the_first_an_even_share() -> None:
    of = story_of_group(UNEVEN)

    lines = [chart(of, name) for name in ("Finding", "Proposal")]

    assert [(each.line, each.is_line_bound) for each in lines] == [(5_000, False), (5_000, True)]


def test_a_proposal_says_how_many_simulations_it_rests_on() -> None:
    of = story_of_sample("orders")
    drawn = [o.outlook.draws for o in of.answer.outcomes.values() if o.outlook is not None]

    rough = replace(of.answer.caveats[0], kind=CaveatKind.ROUGH)
    still = replace(of, answer=replace(of.answer, caveats=(*of.answer.caveats, rough)))

    assert f"{max(drawn):,}" in slides(of)["Proposal"].basis
    assert slides(still)["Proposal"].basis == slides(of)["Proposal"].basis  # no operator's note


def test_two_pictures_that_nobody_could_tell_apart_are_not_shown() -> None:
    of = story_of_group(UNEVEN)
    now, switch = of.answer.now, of.switch
    assert now is not None
    assert switch is not None
    same = replace(switch, outcome=replace(now, strategy=switch.strategy))

    alike = replace(of, answer=replace(of.answer, proposal=same))

    assert "Proposal" not in slides(alike)


def test_an_even_group_has_one_slide() -> None:
    even = Group.of(["t"], [2], ["a", "b"], owners=[0, 1], lags=[50, 50])

    of = story_of_group(even)

    assert of.answer.verdict.kind is VerdictKind.HEALTHY
    assert list(slides(of)) == ["Finding"]


def test_a_backlog_that_is_over_by_itself_has_no_next_step() -> None:
    # 100 of 300/s more are read than arrive: 6,000 records are over in 20 s a partition
    soon = [texts.Flow(k, 100_000, 6_000, 50.0, 150.0) for k in range(2)]

    of = story_of_text(texts.snapshots(soon, dated=True))

    assert "Next step" not in slides(of)


def test_every_step_of_a_switch_stands_beside_its_settings_its_risk_and_a_decision() -> None:
    last = slides(story_of_sample("orders"))["Next step"]

    assert all("partition.assignment.strategy" in step.settings for step in last.steps)
    assert [aside.label for aside in last.asides] == ["Risk", "Rollback", "Check"]
    assert last.decision.endswith("?")


def test_what_only_the_reader_of_the_page_needs_stands_at_the_foot_alone() -> None:
    deck = deck_of(story_of_sample("orders"), "")

    for slide in deck.slides:
        said = (slide.title, slide.subtitle, *slide.points, *(a.text for a in slide.asides))
        assert not any("ssume" in text for text in said)
    assert "ssume" in deck.slides[0].basis


def test_costs_are_the_answers_own_figures() -> None:
    of = story_of_group(UNEVEN, speed=100.0, arriving=40.0)
    switch, keep = of.switch, of.answer.keep
    assert switch is not None
    assert keep is not None

    figures = {each.label: each for each in slides(of)["Cost and time"].figures}

    # 20/s of 40 arrive for each: 8,000 at 80/s are 100 s today, 5,000 at 80/s 62.5 s then
    assert (keep.ends_s, switch.ends_s) == (100.0, 62.5)
    assert figures["Time to clear the backlog"].value == "1 min 2 s"
    assert figures["Partitions that move"].value == f"{switch.moves}"
    assert chart(of, "Cost and time").states[0].heights == (100, 25)


def test_a_price_gives_a_cost_a_month() -> None:
    of = replace(story_of_group(UNEVEN), price=(0.5, "USD"))

    figures = {each.label: each for each in slides(of)["Cost and time"].figures}

    cost = figures["Cost a month"]
    assert cost.value == "USD 730"  # 2 consumers, 730 hours, 0.5 each
    assert cost.note == "as today"


def test_too_few_consumers_are_drawn_with_the_number_that_is_enough() -> None:
    # 4 partitions of 90/s at 100/s a consumer: 360/s for 2 consumers grow by 160/s
    full = [texts.Flow(k // 2, 100_000, 9_000, 90.0, 50.0) for k in range(4)]

    of = story_of_text(texts.snapshots(full, dated=True))

    assert of.answer.proposal is not None
    assert of.answer.proposal.action is Action.ADD_CONSUMERS
    assert of.consumers_then == 4
    priced = slides(replace(of, price=(0.5, "")))["Cost and time"].figures
    assert Figure("Cost a month", "1,460", "today 730") in priced
    drawn = chart(of, "Cost and time")
    assert drawn.names[0] == "2"
    assert drawn.states[0].heights[0] == 160
    assert "Proposal" not in slides(of)


def test_a_group_without_consumers_shows_where_its_records_wait() -> None:
    nobody = Group.of(["t"], [2], [], lags=[5000, 700])

    of = story_of_group(nobody)

    assert of.answer.verdict.kind is VerdictKind.NO_CONSUMERS
    assert chart(of, "Finding").states[0].heights == (5000, 700)
    assert slides(of)["Next step"].decision


def test_a_group_that_nobody_owns_yet_begins_with_what_is_to_be_shared() -> None:
    fresh = Group.fresh({"t": 4, "u": 2}, ["a", "b"])

    of = story_of_group(fresh)

    assert of.answer.verdict.kind is VerdictKind.NOT_STARTED
    assert chart(of, "Finding").states[0].heights == (4, 2)
    assert len(slides(of)["Next step"].steps) <= 1


@pytest.mark.proof
def test_of_many_consumers_a_bar_is_the_busiest_of_several() -> None:
    many = Group.of(
        ["t"],
        [1000],
        [f"c{k:04d}" for k in range(1000)],
        owners=range(1000),
        lags=np.arange(1000) * 10,
    )

    drawn = chart(story_of_group(many), "Finding")

    assert drawn.names == ()
    assert len(drawn.states[0].heights) == 200
    assert drawn.states[0].heights[-1] == 9990


def test_a_consumer_without_partitions_is_idle_and_one_without_lag_is_not() -> None:
    group = Group.of(["t"], [3], ["c-1", "c-2", "c-3"], owners=[0, 0, 1], lags=[8000, 10, 0])

    drawn = chart(story_of_group(group), "Finding")

    assert drawn.states[0].heights == (8010, 0, 0)
    assert drawn.states[0].is_idle == (False, False, True)
