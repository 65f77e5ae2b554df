"""What the slides say of small groups, worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from charts.deck.model import Slide
from evaluation.clients import JAVA
from evaluation.diagnosis.findings import Finding
from evaluation.facts import Source, Speed, facts_of
from evaluation.running import Origin, Running
from tests.charts.outcomes import outcome
from tests.compared import compared, knowing
from tests.findings import CATCHING_UP, EVERY, FULL, STOPPED, TOO_HOT
from tests.said import lacks
from ui.compare.conclusion import when_over
from ui.slides.story import Story, costs, we_should
from ui.slides.words import deck_of
from ui.untrusted import plain

UNEVEN = Group.of(["t"], [4], ["c-10", "c-2"], owners=[1, 1, 0, 0], lags=[40, 40, 10, 10])
"""c-2 is 80 records behind, c-10 20; an even share is 50."""


def story(group: Group = UNEVEN, owners: tuple[int, ...] = (1, 0, 1, 0)) -> Story:
    """Return what is known of a group that round robin would give these owners."""
    reached = [outcome(group, list(owners), "roundrobin")] if owners else []
    return Story(
        title="orders",
        comparison=compared(group, reached),
        client=JAVA,
        findings=(),
        facts=facts_of(group, None, None),
        cost=None,
        basis="",
    )


def slide(of: Story, name: str) -> Slide:
    """Return one slide of the deck."""
    return next(each for each in deck_of(of, "").slides if each.name == name)


def test_the_deck_leads_from_the_problem_to_how_it_is_done() -> None:
    names = [each.name for each in deck_of(story(), "").slides]

    assert names == ["Problem", "Cause", "Proposal", "Cost and time", "How it is done"]


def test_the_problem_is_the_busiest_consumer_against_the_best_possible() -> None:
    # c-2 has 40 + 40; 100 records for two consumers leave 50 each: 80 is 60 % more
    problem = slide(story(), "Problem")

    assert (
        problem.title
        == "The busiest of 2 consumers is 80 records behind, 60 % above the best possible."
    )
    assert problem.chart is not None
    assert problem.chart.line == 50


def test_a_partition_that_gets_too_much_is_drawn_beside_what_one_consumer_reads() -> None:
    # t-3 gets 900/s, the others 10/s; a consumer reads 600/s.
    facts = replace(
        story().facts,
        arriving=np.array([10.0, 10.0, 10.0, 900.0]),
        speed=Speed(600.0, Source.STATED),
    )
    of = replace(story(), facts=facts, findings=(replace(TOO_HOT, partitions=(3,)),))

    chart = slide(of, "Cause").chart

    assert chart is not None
    assert (chart.names[0], chart.states[0].heights) == ("t-3", (900, 10, 10, 10))
    assert (chart.states[0].marked, chart.line) == ((0,), 600)


def test_where_one_partition_decides_the_proposal_shows_that_strategies_do_not() -> None:
    # t-0 has 90 of 100 records, whoever reads it.
    group = Group.of(["t"], [4], ["c-10", "c-2"], owners=[1, 0, 0, 0], lags=[90, 4, 3, 3])
    settings = tuple(outcome(group, [0, 1, 1, 1], name) for name in ("range", "roundrobin"))
    found = replace(compared(group, settings), outcomes=settings)
    of = replace(story(group, ()), comparison=found)

    problem, proposal = slide(of, "Problem").chart, slide(of, "Proposal").chart

    assert problem is not None
    assert proposal is not None
    assert proposal.names == tuple(each.label for each in settings)
    assert proposal.states[0].heights == (90, 90)
    assert proposal.states[0].marked == ()


@pytest.mark.parametrize("finding", EVERY, ids=lambda each: type(each).__name__)
def test_every_finding_is_told_as_the_cause(finding: Finding) -> None:
    told = slide(replace(story(), findings=(finding,)), "Cause").title

    assert told.endswith(".")


def test_consumers_stand_as_people_count() -> None:
    chart = slide(story(), "Problem").chart

    assert chart is not None
    assert chart.names == ("c-2", "c-10")
    assert chart.states[0].heights == (80, 20)
    assert chart.states[0].marked == (0,)


def test_the_cause_counts_the_heaviest_partitions_of_the_busiest_consumer() -> None:
    # of the four partitions with lag c-2 owns two, which hold 80 of 100 records
    cause = slide(story(), "Cause")

    assert "owns 2 of the 4 partitions with the most lag" in cause.title
    assert cause.chart is not None
    assert cause.chart.states[0].heights == (40, 40, 10, 10)
    assert cause.chart.states[0].marked == (0, 1)


def test_a_partition_that_decides_alone_gets_its_own_picture() -> None:
    hot = Group.of(["t"], [3], ["a", "b"], owners=[0, 1, 1], lags=[90, 5, 5])

    cause = slide(story(hot, ()), "Cause")

    assert lacks(cause.title, "t-0 alone", "90 %", "an even share") == []
    assert cause.chart is not None
    assert cause.chart.states[0].marked == (0,)
    assert cause.chart.line == 50
    assert we_should(story(hot, ())).startswith("We should find out why t-0 is behind")


def test_a_partition_that_decides_alone_is_spread_only_where_it_is_seen_to_get_much() -> None:
    hot = Group.of(["t"], [3], ["a", "b"], owners=[0, 1, 1], lags=[90, 5, 5], rates=[90, 5, 5])

    assert we_should(story(hot, ())).startswith("We should spread what goes into t-0")


def test_partitions_without_an_owner_are_not_said_to_lower_a_load() -> None:
    # b owns nothing of t-1: 5 now, 90 once every partition has an owner.
    group = Group.of(["t"], [2], ["a", "b"], owners=[0, -1], lags=[5, 90])

    assert we_should(story(group, (0, 1))) == (
        "We should give 1 partition an owner, as Round robin would: the busiest consumer then has "
        "90 records."
    )
    assert "no owner" in slide(story(group, (0, 1)), "Problem").title
    assert any("with today's owners never" in said for said in costs(story(group, (0, 1))))


def test_a_custom_assignor_is_proposed_only_if_it_is_worth_its_effort() -> None:
    # 100 today; 95 is a twentieth less, 60 two fifths.
    group = Group.of(["t"], [4], ["a", "b"], owners=[0, 0, 1, 1], lags=[60, 40, 35, 0])
    little, much = (
        replace(
            story(group), comparison=compared(group, [], [outcome(group, owners, "lag-capped")])
        )
        for owners in ([0, 1, 0, 1], [0, 1, 1, 1])
    )

    assert lacks(we_should(little), "no setting ... better", "custom Lag-capped gains too") == []
    assert we_should(much).startswith("We should use the custom assignor Lag-capped")


def test_a_setting_under_which_the_backlog_never_ends_gives_way_to_an_assignor_that_ends_it() -> (
    None
):
    # 100/s a consumer; 70 + 40/s arrive for a, or 70 + 35/s: never. 40 + 35 for b end after
    # 75 / (100 - 75) = 3 s.
    group = Group.of(
        ["t"], [3], ["a", "b"], owners=[0, 0, 1], lags=[70, 40, 35], rates=[70, 40, 35]
    )
    found = compared(
        group,
        [outcome(group, [0, 1, 0], "roundrobin")],
        [outcome(group, [0, 1, 1], "lag-capped")],
    )
    facts = replace(story(group, ()).facts, speed=Speed(100.0, Source.STATED))
    of = replace(story(group, ()), comparison=found, facts=facts)

    assert we_should(of).startswith("We should use the custom assignor Lag-capped")
    assert any("Round robin" in point for point in slide(of, "Proposal").points)
    assert plain(when_over(group, found.advice, facts)) == (
        "At 100/s a consumer (stated), the backlog ends in 3 s under Lag-capped, never under "
        "Round robin."
    )
    assert when_over(group, found.advice, story(group, ()).facts) == ""


def test_the_proposal_changes_one_picture_from_today_to_then() -> None:
    # owners 1 0 1 0 give each 40 + 10
    proposal = slide(story(), "Proposal")

    assert proposal.title == (
        "We should use Round robin: the busiest consumer falls to 50 records, 38 % less."
    )
    assert proposal.chart is not None
    assert [state.label for state in proposal.chart.states] == ["Today", "Round robin"]
    assert [state.heights for state in proposal.chart.states] == [(80, 20), (50, 50)]


def test_where_no_setting_is_better_nothing_is_proposed() -> None:
    kept = story(UNEVEN, ())

    names = [each.name for each in deck_of(kept, "").slides]

    assert names == ["Problem", "Cause", "Proposal"]
    assert we_should(kept) == "We should keep the strategy that runs: no other is reliably better."


def test_a_partition_does_not_decide_alone_where_some_restarts_are_better() -> None:
    hot = Group.of(["t"], [3], ["a", "b"], owners=[0, 0, 1], lags=[90, 9, 5])  # 99 now
    of = story(hot, (0, 1, 1))
    advice = replace(of.advice, settable=None, unreliable=of.advice.settable)

    assert we_should(replace(of, comparison=knowing(hot, advice))) == (
        "We should keep the strategy that runs: no other is reliably better, for Kafka's "
        "strategies do not look at lag."
    )


def test_what_stands_still_is_restarted_before_any_strategy() -> None:
    of = replace(story(), findings=(STOPPED,))
    # 5/s arrive in each partition; c-10 reads the 10/s of its two, c-2 nothing
    facts = replace(of.facts, arriving=np.full(4, 5.0), reading=np.array([10.0, 0.0]))
    of = replace(of, facts=facts)

    proposal, cause = slide(of, "Proposal"), slide(of, "Cause")

    assert cause.chart is not None
    assert (cause.chart.names, cause.chart.states[0].heights) == (("c-2", "c-10"), (10, 0))
    assert cause.chart.states[0].marked == (0,)
    assert proposal.chart is not None
    assert proposal.chart.axis.startswith("lag of a partition")
    assert "Restart it: no strategy helps a stalled consumer." in proposal.points[0]

    assert proposal.title == "We should restart c-2; no strategy helps while c-2 has stalled."
    assert cause.title == "c-2 has read nothing for 2 min: 80 records wait."
    assert [each.name for each in deck_of(of, "").slides] == ["Problem", "Cause", "Proposal"]


def test_consumers_that_are_too_few_are_drawn_with_the_number_that_is_enough() -> None:
    # 4 x 25/s arrive and a consumer reads 30/s: two get 50 each, 40 too much; of three one gets 50
    speed = Speed(30.0, Source.MEASURED)
    facts = replace(story().facts, speed=speed, arriving=np.full(4, 25.0))

    of = replace(story(), findings=(FULL,), facts=facts)

    chart = slide(of, "Proposal").chart
    assert chart is not None
    assert chart.names == ("2", "3", "4", "5")
    assert chart.states[0].heights == (40, 20, 0, 0)
    assert "About 4 consumers at 30/s each could keep pace" in slide(of, "Proposal").points[0]


def test_where_no_number_of_consumers_is_enough_none_is_drawn() -> None:
    beyond = replace(FULL, needed=None, too_heavy=(0, 3))
    facts = replace(story().facts, speed=Speed(5.0, Source.MEASURED), arriving=np.full(4, 25.0))

    of = replace(story(), findings=(beyond,), facts=facts)

    chart = slide(of, "Proposal").chart
    assert chart is not None
    assert chart.axis.startswith("lag of a partition")
    assert not lacks(slide(of, "Proposal").points[0], "No number ... t-0 and t-3 each get more")


def test_times_rest_on_the_speed_and_say_when_it_is_a_guess() -> None:
    # 80 records at 10/s take 8 s, 50 take 5 s
    facts = replace(story().facts, speed=Speed(10.0, Source.STATED))
    told = replace(facts, arriving=np.zeros(4), arriving_source=Source.STATED)
    stated = slide(replace(story(), facts=told), "Cost and time").points[0]
    alone = slide(replace(story(), facts=facts), "Cost and time").points[0]
    guessed = slide(story(), "Cost and time").points[0]

    assert stated == (
        "As one consumer reads 10 records/s (stated) and 0 records/s arrive, as stated: from then "
        "on the backlog is cleared in 5 s, with today's owners in 8 s."
    )
    assert alone.startswith("If one consumer reads 10 records/s (stated) and nothing more arrives")
    assert guessed.startswith("If one consumer reads 1,000 records/s (a guess) and nothing more")


def test_a_consumer_that_gets_more_than_it_reads_never_clears_its_backlog() -> None:
    group = UNEVEN.with_rates(np.array([20.0, 20.0, 1.0, 1.0]))
    facts = replace(facts_of(group, None, None), speed=Speed(10.0, Source.STATED))

    points = slide(replace(story(group), facts=facts), "Cost and time").points

    assert "never" in points[0]
    assert points[1].startswith("Some consumer gets more than it reads")


def test_a_group_without_consumers_has_one_slide_that_says_so() -> None:
    nobody = Group.of(["t"], [2], [], lags=[5, 5])

    deck = deck_of(replace(story(), comparison=compared(nobody)), "")

    assert [each.title for each in deck.slides] == [
        "This group has no consumers; 10 records wait in 2 partitions."
    ]


def test_costs_name_the_way_the_moves_and_the_times() -> None:
    said = list(costs(story()))

    assert said[0] == "It takes the next rebalance; 2 of 4 partitions change hands."
    assert "the backlog is cleared" in said[-1]
    assert list(costs(replace(story(), findings=(STOPPED,)))) == []


def test_what_nobody_ships_is_not_said_to_take_a_restart() -> None:
    # Of c-2's 80 records load-sticky leaves 50; the group's brokers assign.
    reached = outcome(UNEVEN, [1, 0, 1, 0], "load-sticky")
    found = replace(
        compared(UNEVEN, (), [reached]),
        running=Running(STRATEGIES["uniform-kafka-18688"], Origin.READ),
    )
    of = replace(story(), comparison=found)

    way = slide(of, "How it is done")

    assert slide(of, "Cost and time").title == (
        "It takes an assignor of your own; 2 of 4 partitions change hands."
    )
    assert way.title == "No setting brings Load-sticky to this group."
    assert not lacks(way.points[0], "on every broker's class path")


def test_a_backlog_of_which_as_much_arrives_as_is_read_is_not_said_to_shrink() -> None:
    even = replace(CATCHING_UP, arriving=5, reading=5)

    title = slide(replace(story(), findings=(even,)), "Cause").title

    assert title == "The backlog stays: 5/s arrive, 5/s are read."


FRESH = Group.fresh({"a": 24, "b": 48, "c": 12}, [f"c-{k}" for k in range(10)])


def fresh_story() -> Story:
    """Return a group of which nothing is known but counts, with what two settings would give."""
    first = [p % 10 for p in range(84)]
    uneven = [0, *first[:-1]]
    even, worse = outcome(FRESH, first, "sticky"), outcome(FRESH, uneven, "range")
    comparison = replace(compared(FRESH, [even, worse]), outcomes=(worse, even))
    return replace(story(FRESH, ()), comparison=comparison)


def test_a_group_that_nobody_owns_yet_begins_with_what_is_to_be_shared() -> None:
    problem = slide(fresh_story(), "Problem")

    assert problem.title == "10 consumers will share 84 partitions of 3 topics."
    assert problem.chart is not None
    assert problem.chart.states[0].heights == (48, 24, 12)
    assert [figure.value for figure in problem.figures] == ["84", "10", "8.4", "unknown"]


def test_where_nobody_owns_a_partition_the_strategies_stand_side_by_side() -> None:
    cause = slide(fresh_story(), "Cause")

    assert cause.chart is not None
    assert cause.chart.states[0].heights == (10, 9)
    assert cause.chart.states[0].marked == (0,)
    assert "9 partitions under Sticky, 10 under Range" in cause.title


def test_what_starts_afresh_needs_no_way_there() -> None:
    cost, way = slide(fresh_story(), "Cost and time"), slide(fresh_story(), "How it is done")

    assert "Nothing has to move" in cost.title
    assert lacks(way.title, "Set Sticky", "first start") == []
    assert [step.settings.count("partition.assignment.strategy") for step in way.steps] == [1]


def test_every_step_of_a_switch_stands_beside_its_settings() -> None:
    # from range to cooperative sticky: first both, then the new one alone
    reached = [outcome(UNEVEN, [1, 0, 1, 0], "cooperative-sticky")]
    runs = Running(STRATEGIES["range"], Origin.STATED)
    of = replace(story(), comparison=replace(compared(UNEVEN, reached), running=runs))

    steps = slide(of, "How it is done").steps

    assert [step.settings.count("Assignor") for step in steps] == [2, 1]
    assert lacks(steps[0].text, "First rolling restart") == []
    assert lacks(steps[1].text, "Second rolling restart") == []


def test_what_starts_afresh_shows_what_more_consumers_would_share() -> None:
    chart = slide(fresh_story(), "Cost and time").chart

    assert chart is not None
    assert chart.names == ("10", "15", "20", "30", "40", "84")
    assert chart.states[0].heights == (9, 6, 5, 3, 3, 1)  # 84 for 10, 15, 20, 30, 40 and 84


def test_the_cost_shows_when_each_consumer_is_done_and_what_it_costs_a_month() -> None:
    # at 10 records/s: 80 and 20 records take 8 and 2 s, 50 each take 5 s
    facts = replace(story().facts, speed=Speed(10.0, Source.STATED))
    cost = slide(replace(story(), facts=facts, price=(0.5, "EUR")), "Cost and time")

    assert cost.chart is not None
    assert cost.chart.axis.startswith("seconds")
    assert [state.heights for state in cost.chart.states] == [(8, 2), (5, 5)]
    by_label = {figure.label: figure.value for figure in cost.figures}
    assert by_label["Backlog cleared after"] == "5 s"
    assert by_label["Cost a month"] == "EUR 730"  # 2 consumers, 730 hours, 0.5 each


def test_a_group_that_starts_afresh_with_a_backlog_says_when_it_is_read() -> None:
    # at 10 records/s, 50 each take 5 s
    fresh = Group.fresh({"t": 4}, ["c-10", "c-2"], lags={"t": [40, 40, 10, 10]})
    of = story(fresh)
    facts = replace(of.facts, speed=Speed(10.0, Source.STATED))

    cost = slide(replace(of, facts=facts), "Cost and time")

    assert cost.chart is not None
    assert [state.heights for state in cost.chart.states] == [(5, 5)]
    assert lacks(cost.points[0], "cleared in 5 s") == []
    assert "today" not in cost.points[0]


def test_of_many_consumers_a_bar_is_the_last_of_several() -> None:
    group = Group.of(
        *(["t"], [400], [f"c{k:03d}" for k in range(400)]),
        owners=list(range(400)),
        lags=[10] * 399 + [70],
    )
    facts = replace(facts_of(group, None, None), speed=Speed(10.0, Source.STATED))
    of = story(group, tuple(reversed(range(400))))
    advice = replace(of.advice, settable=outcome(group, list(reversed(range(400))), "roundrobin"))

    comparison = knowing(group, advice)
    chart = slide(replace(of, facts=facts, comparison=comparison), "Cost and time").chart

    assert chart is not None
    assert chart.below.endswith("a bar is the last of 2")
    assert [state.heights[0] for state in chart.states] == [1, 7]
    assert [len(state.heights) for state in chart.states] == [200, 200]


def test_what_runs_already_needs_no_setting() -> None:
    of = story()
    proposed = of.proposed
    assert proposed is not None
    runs = Running(proposed.strategy, Origin.READ)

    way = slide(replace(of, comparison=replace(of.comparison, running=runs)), "How it is done")

    assert way.title.startswith("It runs already, so nothing is to be set")


def test_a_backlog_that_is_over_by_itself_is_waited_for() -> None:
    hot = Group.of(["t"], [3], ["a", "b"], owners=[0, 1, 1], lags=[90, 5, 5], rates=[90, 5, 5])

    assert we_should(replace(story(hot, ()), findings=(CATCHING_UP,))) == (
        "We should wait: the backlog is over in 2 min."
    )


def test_a_busy_partition_that_is_read_up_needs_nothing() -> None:
    read_up = Group.of(["t"], [3], ["a", "b"], owners=[0, 1, 1], lags=[0, 5, 5])
    group = read_up.with_weights([900, 5, 5])

    assert we_should(story(group, ())).startswith("We should keep")


def test_a_proposal_under_which_the_backlog_never_ends_says_so() -> None:
    # a gets 150/s and reads 100/s; with t-1 on b it is still 110/s
    group = Group.of(["t"], [2], ["a", "b"], owners=[0, 0], lags=[110, 40], rates=[110, 40])
    facts = replace(story(group, ()).facts, speed=Speed(100.0, Source.STATED))
    of = replace(story(group, (0, 1)), facts=facts)

    assert lacks(we_should(of), "less, though the backlog does not end") == []
    assert "never ends under Round robin" in plain(when_over(group, of.advice, facts))
