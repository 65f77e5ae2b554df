"""Plans worked out by hand: cliffs, headroom, losses, partitions that decide, guessed deadlines."""

from dataclasses import replace

import numpy as np
import pytest

from assignors.model import Group
from evaluation.capacity.draining import Capacity, Drained
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.partitions import partitions_needed
from evaluation.capacity.planning import (
    ConsumerPlan,
    Margin,
    Outage,
    PlanKind,
    PlanQuestion,
    best_plan,
    is_known,
    plan_of,
    plan_search,
    rests_on,
)
from evaluation.capacity.search import SearchRange
from evaluation.capacity.trials import Trials
from evaluation.measuring.facts import Facts, Source, facts_of
from evaluation.stated import InvalidNumberError
from tests.named import named

(ROUND_ROBIN,) = named("roundrobin")
ASKED = PlanQuestion(today=2, rests_on=Source.MEASURED)


def planned(
    group: Group, capacity: Capacity, asked: PlanQuestion, most: int = 6, exhaustive: int = 99
) -> ConsumerPlan:
    """Return the plan of Round robin."""
    scope = SearchRange(
        fewest=consumer_limits(group, capacity).fewest or 1, most=most, exhaustive=exhaustive
    )
    trials = Trials(group, capacity, most, headroom=asked.headroom)
    list(plan_search(trials, [ROUND_ROBIN], scope, asked.outage))
    return plan_of(ROUND_ROBIN, trials, scope, asked)


def two_hot(rate: float = 0.0) -> Group:
    """Return six partitions, t-0 and t-3 heavy: three consumers give both to one."""
    lags = [100, 10, 10, 100, 10, 10]
    return Group.of(["t"], [6], ["c0", "c1"], lags=lags, rates=[rate] * 6)


def test_a_plan_is_the_first_number_from_which_all_larger_ones_hold() -> None:
    # Of 6 partitions in turn, 2 consumers read 120 each, 3 consumers 200, 20 and 20; 4 read at most
    # 110. At 13/s that takes 9.2 s, 15.4 s and 8.5 s of 10 s.
    plan = planned(two_hot(), Capacity(throughput=13, allowed_s=10), ASKED)

    assert (plan.kind, plan.least, plan.consumers) == (PlanKind.CONSUMERS, 2, 4)
    assert plan.late_between == (3,)
    assert plan.latest_between_s == pytest.approx(200 / 13 - 10)
    assert plan.ends_s == pytest.approx(110 / 13)
    assert plan.untried == 0


def test_headroom_is_more_arriving_under_the_same_owners() -> None:
    # Each of 4 partitions gets 10/s and has 30 behind; 2 consumers at 26/s carry 20/s and clear 60
    # in 10 s, but not at 24/s. From 4 on a consumer has one: 30 / (26 - 12).
    group = Group.of(["t"], [4], ["c0"], lags=[30] * 4, rates=[10.0] * 4)
    capacity = Capacity(throughput=26, allowed_s=10)

    plan = planned(group, capacity, replace(ASKED, headroom=0.2), most=5)
    without = planned(group, capacity, ASKED, most=5)

    assert (without.least, without.consumers) == (2, 2)
    assert (plan.least, plan.consumers, plan.late_between) == (2, 4, ())
    assert plan.ends_s == pytest.approx(30 / (26 - 10))
    assert plan.ends_with_headroom_s == pytest.approx(30 / (26 - 12))


@pytest.mark.parametrize(("loss", "consumers"), [(Outage(1), 5), (Outage(zones=3), 6)])
def test_with_a_host_or_zone_lost_the_rest_is_still_in_time(loss: Outage, consumers: int) -> None:
    plan = planned(two_hot(), Capacity(throughput=13, allowed_s=10), replace(ASKED, outage=loss))

    assert (plan.consumers, plan.lost) == (consumers, consumers - 4)


def test_a_partition_that_alone_takes_too_long_is_the_plan() -> None:
    group = Group.of(["t"], [3], ["c0", "c1"], lags=[500, 10, 10], rates=[1.0, 1.0, 1.0])

    plan = planned(group, Capacity(throughput=26, allowed_s=10), replace(ASKED, headroom=0.2))

    assert (plan.kind, plan.decided_by, plan.consumers) == (PlanKind.PARTITION, 0, None)
    assert plan.alone_s == pytest.approx(20)
    assert not plan.is_headroom_decisive


def test_where_one_partition_leaves_no_headroom_the_plan_is_the_one_without() -> None:
    group = Group.of(["t"], [2], ["c0"], lags=[50, 0], rates=[20.0, 1.0])

    plan = planned(group, Capacity(throughput=25.5, allowed_s=10), replace(ASKED, headroom=0.2), 2)

    assert (plan.kind, plan.least, plan.consumers) == (PlanKind.CONSUMERS, 2, 2)
    assert (plan.decided_by, plan.is_headroom_decisive) == (0, True)
    assert plan.alone_s == pytest.approx(50 / (25.5 - 24))


def test_a_lower_bound_of_the_speed_proves_no_partition_too_slow() -> None:
    group = Group.of(["t"], [1], ["c0"], lags=[500])

    plan = planned(group, Capacity(throughput=26, allowed_s=10), replace(ASKED, is_least=True))

    assert plan.kind is PlanKind.UNPROVEN


def test_a_lower_bound_of_the_speed_plans_no_consumer_more_than_today() -> None:
    # 10/s arrive in each of four partitions: at 20/s two consumers read them, with headroom four.
    group = Group.of(["t"], [4], ["c0", "c1"], lags=[0] * 4, rates=[10.0] * 4)
    capacity, least = Capacity(throughput=20, allowed_s=10), replace(ASKED, is_least=True)

    more = planned(group, capacity, replace(least, today=2, headroom=0.2), 4)
    enough = planned(group, capacity, replace(least, today=2), 4)

    assert (more.kind, more.consumers, more.least) == (PlanKind.UNPROVEN, None, 2)
    assert (enough.kind, enough.consumers) == (PlanKind.CONSUMERS, 2)


def test_a_deadline_that_nobody_stated_is_not_met_at_many_times_the_consumers() -> None:
    # Round robin gives t-0 and t-3 to one consumer of three, 200 records; five are needed to part
    # them for good. Today's takes 10.2 s of a usual 10 s.
    now = Drained(10.2, 1.02, 0)
    capacity = Capacity(throughput=13, allowed_s=10)
    guessed = replace(ASKED, today=1, now=now, is_deadline_stated=False)

    kept = planned(two_hot(), capacity, guessed)
    stated = planned(two_hot(), capacity, replace(guessed, is_deadline_stated=True))
    late = planned(two_hot(), capacity, replace(guessed, now=Drained(16.0, 1.6, 0)))

    assert (kept.kind, kept.consumers, kept.ends_s) == (PlanKind.AS_TODAY, 1, 10.2)
    assert (stated.consumers, late.consumers) == (4, 4)


def test_without_any_fact_nothing_is_planned() -> None:
    group = Group.of(["t"], [6], ["c0"], lags=[100] * 6)
    nothing = facts_of(group, None, None)
    arriving = facts_of(group.with_rates(group.lags / 10.0), None, None)

    plan = planned(
        group,
        Capacity(throughput=nothing.speed.records_s, allowed_s=10),
        replace(ASKED, is_known=is_known(nothing), rests_on=rests_on(nothing)),
    )

    assert (plan.kind, plan.consumers, plan.rests_on) == (PlanKind.UNKNOWN, None, Source.GUESS)
    assert is_known(arriving)
    assert rests_on(arriving) is Source.GUESS  # as its speed is


def test_the_weaker_source_is_what_a_plan_rests_on() -> None:
    group = Group.of(["t"], [1], ["c0"], lags=[100], rates=[1.0])
    facts: Facts = facts_of(group, None, None, stated_speed=5.0)

    assert rests_on(facts) is Source.STATED
    assert rests_on(replace(facts, arriving_source=None)) is Source.GUESS


def test_a_coarse_search_tries_the_numbers_at_which_partitions_pile_up() -> None:
    lags = [1000, *[10] * 19]
    group = Group.of([f"t{k}" for k in range(6)], [20] * 6, ["c0"], lags=lags * 6)
    capacity = Capacity(throughput=1000, allowed_s=1.17)

    every = planned(group, capacity, ASKED, most=120, exhaustive=200)
    coarse = planned(group, capacity, ASKED, most=120, exhaustive=0)

    assert (every.least, every.consumers, every.untried) == (7, 101, 0)
    assert (coarse.least, coarse.consumers) == (7, 101)
    assert coarse.untried > 0


def test_the_fewest_consumers_are_the_best_plan_and_a_number_is_better_than_none() -> None:
    plan = planned(two_hot(), Capacity(throughput=13, allowed_s=10), ASKED)
    more, none = replace(plan, consumers=5), replace(plan, consumers=None, kind=PlanKind.NONE)

    assert best_plan([none, more, plan]) is plan
    assert best_plan([none]) is none
    assert best_plan([]) is None


def test_a_price_makes_a_cost_a_month() -> None:
    asked = replace(ASKED, price_an_hour=0.12)

    plan = planned(two_hot(), Capacity(throughput=13, allowed_s=10), asked)

    assert plan.cost_a_month == pytest.approx(4 * 0.12 * 730)


def test_a_topic_needs_partitions_for_its_peak() -> None:
    group = Group.of(["t", "u"], [2, 1], ["c0"], rates=[500.0, 700.0, 90.0])

    needed = partitions_needed(group, 3 * np.array([500.0, 700.0, 90.0]), 600.0)

    assert needed.tolist() == [6, 1]


def test_margins_out_of_bounds_are_refused() -> None:
    assert Margin().headroom == pytest.approx(0.2)
    with pytest.raises(InvalidNumberError):
        Margin(headroom_percent=-1)
