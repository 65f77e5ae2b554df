"""The plan in words: which figures and names they hold, by hand."""

import re
from dataclasses import replace
from math import nan

import pytest

from assignors.catalogue import strategy_called
from assignors.model import Group
from evaluation.capacity.draining import Capacity, as_owned_now
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.planning import NO_OUTAGE, PlanKind, PlanQuestion, plan_of, plan_search
from evaluation.capacity.search import SearchRange, minimum, try_numbers
from evaluation.capacity.trials import Trials
from evaluation.measuring.facts import Source
from tests.evaluation.capacity.test_search import uneven
from tests.named import named
from tests.said import lacks
from ui.capacity.caveats import caveats, idle_words, tried_words
from ui.capacity.findings import Findings
from ui.capacity.words import action, decided_by, evidence, finding, today

NAMES = ("range", "roundrobin")


def findings(  # noqa: PLR0913 -- a group and each part of its question
    group: Group,
    *,
    throughput: float,
    most: int = 8,
    names: tuple[str, ...] = NAMES,
    exhaustive: int = 99,
    headroom: float = 0.0,
) -> Findings:
    capacity, strategies = Capacity(throughput=throughput, allowed_s=10), named(*names)
    bounds = consumer_limits(group, capacity)
    scope = SearchRange(
        fewest=bounds.fewest or 1, most=max(most, group.member_count), exhaustive=exhaustive
    )
    trials = Trials(group, capacity, scope.most, headroom=headroom)
    if bounds.fewest is not None:
        list(plan_search(trials, strategies, scope, NO_OUTAGE))
    if group.member_count:
        list(try_numbers(trials, strategies, [group.member_count]))
    now = as_owned_now(group, capacity)
    asked = PlanQuestion(
        today=group.member_count,
        now=now,
        rests_on=Source.STATED,
        headroom=headroom,
    )
    return Findings(
        group=group,
        still=0,
        is_least=False,
        capacity=capacity,
        limits=bounds,
        scope=scope,
        curves=[trials.curve(each) for each in strategies],
        raised=[trials.curve_with_headroom(each) for each in strategies],
        minima=[minimum(trials.curve(each), scope) for each in strategies],
        plans=[plan_of(each, trials, scope, asked) for each in strategies],
        now=now,
    )


def numbers(text: str) -> list[str]:
    """Return the numbers of a text, in order."""
    return re.findall(r"\d[\d,.]*\d|\d", text)


def hot_first(members: int = 2) -> Group:
    """Return two topics of three partitions, the first of each with lag 100, the others 10."""
    return Group.fresh(
        dict.fromkeys("tu", 3),
        [f"c{m}" for m in range(members)],
        {topic: [100, 10, 10] for topic in "tu"},
    )


def test_the_verdict_is_the_plan_and_the_evidence_the_cliff_before_it() -> None:
    # Round robin: 2 consumers read 120 each, 3 read 200 + 20 + 20, 4 at most 110.
    found = findings(hot_first(), throughput=13)

    assert numbers(finding(found)) == ["4", "2"]
    assert numbers(evidence(found)) == ["4", "8.5", "8", "2", "3", "5.4"]
    assert "Round robin" in action(found)
    assert numbers(action(found)) == ["4"]


def test_of_equal_strategies_the_group_s_own_is_planned_then_one_that_stops_no_more() -> None:
    found = findings(hot_first(), throughput=100, names=("range", "sticky", "cooperative-sticky"))

    def of(name: str) -> str:
        plan = replace(found, runs=strategy_called(name)).plan
        return "" if plan is None else plan.strategy.name

    assert len({(each.consumers, each.ends_s) for each in found.plans}) == 1
    assert of("sticky") == "sticky"
    assert of("cooperative-sticky") == of("uniform") == "cooperative-sticky"


def test_a_jar_that_needs_fewer_is_named_beside_the_setting() -> None:
    found = findings(uneven(40, 3, 5), throughput=400, most=40, names=(*NAMES, "lag-capped"))

    assert found.tried.saving is not None
    assert lacks(action(found), "Lag-capped", f"{found.tried.saving.consumers} ") == []


def test_a_jar_alone_is_planned_where_no_setting_is_in_time() -> None:
    group = Group.fresh({"t": 4}, ["c0"], {"t": [90, 90, 10, 10]})

    found = findings(group, throughput=10, most=2, names=("range", "lag-capped"))

    assert found.plan is not None
    assert (found.plan.strategy.name, found.plan.consumers) == ("lag-capped", 2)


def test_where_no_number_is_in_time_none_is_planned() -> None:
    found = findings(hot_first(), throughput=11, most=2)

    assert found.plan is not None
    assert (found.plan.kind, found.plan.consumers) == (PlanKind.NONE, None)


def test_a_partition_that_decides_is_named_with_its_time_and_the_way_out() -> None:
    waits = findings(hot_first(), throughput=8)
    group = Group.of(["t"], [2], ["c0"], lags=[10, 0], rates=[900.0, 50.0])
    gets = findings(group, throughput=600, headroom=0.2)

    jar = findings(hot_first(), throughput=8, names=("range", "lag-capped")).plan
    assert jar is not None
    assert jar.strategy.name == "range"  # no jar is sold where none helps
    assert lacks(finding(waits), "t-0 alone", "12.5 s", "10 s") == []
    assert decided_by(waits) == "t-0 alone"
    assert "more time" in action(waits)
    # 900/s and 20 % more are 1,080/s, 1.8 consumers of 600/s; of even keys, the 1,140/s of the
    # topic are too.
    assert numbers(action(gets)) == ["2"]
    assert gets.tried.partitions_needed == {"t": 2}


def test_where_one_partition_alone_has_no_headroom_the_plan_is_its_split() -> None:
    # t-0 gets 550/s of the 600/s that a consumer reads, with 20 % more 660/s. The others get 100/s
    # and 20 % more, one consumer; t-0 has the other. Today's 4 stay until it is split.
    rates = [550.0, 50.0, 30.0, 20.0]
    group = Group.of(["t"], [4], [f"c{m}" for m in range(4)], lags=[0] * 4, rates=rates)
    found = findings(group, throughput=600, headroom=0.2, names=("range", "lag-capped"))

    planned = {plan.strategy.name: plan.consumers for plan in found.plans}
    assert planned == {"range": 4, "lag-capped": 4}
    assert found.plan is not None
    assert (found.plan.decided_by, found.plan.is_headroom_decisive) == (0, True)
    assert lacks(finding(found), "t-0") == []
    assert numbers(action(found)) == ["2", "4"]  # 660/s of 600/s; today's 4
    assert decided_by(found) == "t-0 alone"


def test_the_plan_is_that_of_the_strategy_which_the_answer_proposes() -> None:
    # Range needs 4 at 13/s (above), Lag-capped 2: it divides 120 and 120, and more evenly beyond.
    found = findings(hot_first(), throughput=13, names=("range", "roundrobin", "lag-capped"))
    (jar,) = named("lag-capped")

    proposed = replace(found, proposed=jar)

    assert found.plan is not None
    assert found.tried.saving is not None
    assert (found.plan.strategy.kind.name, found.tried.saving.strategy) == ("KAFKA_CLIENT", jar)
    assert proposed.plan is not None
    assert (proposed.plan.strategy, proposed.tried.saving) == (jar, None)
    assert proposed.tried.without_jar is not None
    assert proposed.tried.without_jar.consumers == found.plan.consumers
    assert "setting" in action(proposed)


def test_a_deadline_that_nobody_stated_keeps_todays_consumers() -> None:
    found = findings(hot_first(), throughput=13)
    near = [replace(each, kind=PlanKind.AS_TODAY, consumers=2, ends_s=10.2) for each in found.plans]

    kept = replace(found, plans=near)

    assert numbers(finding(kept)) == ["2"]
    assert numbers(evidence(kept)) == ["10.2", "0.2", "10", "4"]
    assert action(kept) == ""


def test_a_group_without_backlog_keeps_up() -> None:
    group = Group.fresh({"t": 2}, ["c0"], {"t": [0, 0]})

    found = findings(group, throughput=1)

    assert found.plan is not None
    assert (found.plan.consumers, found.plan.ends_s) == (1, 0)
    assert "keep" in evidence(found)


@pytest.mark.parametrize(
    ("group", "figures"),
    [
        (Group.of(["t"], [2], ["c0", "c1"], owners=[0, 0], lags=[80, 80]), ["2", "16", "6"]),
        (Group.of(["t"], [2], ["c0"], owners=[0, 0], lags=[80, 0]), ["1", "8"]),
        (Group.of(["t"], [2], ["c0"], owners=[0, 0], lags=[1, 1], rates=[8.0, 8.0]), ["1"]),
    ],
)
def test_todays_consumers_are_judged_as_they_are_assigned(group: Group, figures: list[str]) -> None:
    assert numbers(today(findings(group, throughput=10))) == figures


def test_a_group_without_consumers_is_read_by_none_today_and_gets_a_plan() -> None:
    found = findings(hot_first(0), throughput=13)

    assert found.plan is not None
    assert found.plan.consumers == 4
    assert numbers(today(found)) == []
    assert idle_words(found) == []


def test_idle_consumers_are_counted_with_what_would_give_them_work() -> None:
    said = idle_words(findings(hot_first(5), throughput=1000))

    assert numbers(said[0]) == ["2", "5", "5"]


def test_unknowns_and_simplifications_are_stated() -> None:
    wanted = {"c0": ["t"], "c1": ["t"], "c2": ["t", "u"]}
    mixed = Group.fresh({"t": 2, "u": 1}, wanted, {"t": [1, 1], "u": [1]})
    own = Group.of(["t"], [2], ["a", "b"], lags=[1, 1]).with_throughput([5.0, nan])
    unknown = Group.fresh({"t": 2}, ["c0"])

    assert [len(caveats(findings(each, throughput=1))) for each in (mixed, own, unknown)] == [
        2,
        1,
        1,
    ]


def test_the_tried_numbers_are_stated_as_a_range_or_a_list() -> None:
    group = uneven(60, 3, 4)

    whole = findings(group, throughput=900, most=60)
    some = findings(group, throughput=900, most=60, exhaustive=0)

    assert numbers(tried_words(whole))[-2:] == [str(whole.scope.fewest), "60"]
    assert len(numbers(tried_words(some))) > len(numbers(tried_words(whole)))
