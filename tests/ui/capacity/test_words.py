import re
from dataclasses import replace
from math import nan

from hypothesis import given
from hypothesis import strategies as st

from assignors.catalogue import strategy_called
from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.capacity.draining import Capacity, is_in_time
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.search import SearchRange, minimum, search, try_numbers
from evaluation.capacity.trials import Trials
from tests.evaluation.capacity.test_search import uneven
from tests.groups import tried
from tests.named import named
from tests.said import lacks
from ui.capacity.caveats import caveats, idle_words, tried_words
from ui.capacity.findings import Findings
from ui.capacity.words import (
    answer,
    explanation,
    larger,
    smaller,
    way_out,
)
from ui.capacity.work import as_owned_now

NAMES = ("range", "roundrobin")


def findings(  # noqa: PLR0913 -- a group and each part of its question
    group: Group,
    *,
    throughput: float,
    most: int = 8,
    names: tuple[str, ...] = NAMES,
    exhaustive: int = 99,
    is_least: bool = False,
) -> Findings:
    capacity = Capacity(throughput=throughput, allowed_s=10)
    bounds = consumer_limits(group, capacity)
    scope = SearchRange(
        fewest=bounds.fewest or 1, most=max(most, group.member_count), exhaustive=exhaustive
    )
    trials = Trials(group, capacity, scope.most)
    if bounds.fewest is not None:
        list(search(trials, named(*names), scope))
    if group.member_count:
        list(try_numbers(trials, named(*names), [group.member_count]))
    curves = [trials.curve(each) for each in named(*names)]
    return Findings(
        group=group,
        still=0,
        is_least=is_least,
        capacity=capacity,
        limits=bounds,
        scope=scope,
        curves=curves,
        minima=[minimum(curve, scope) for curve in curves],
        now=as_owned_now(group, capacity),
    )


def hot_first(members: int = 2) -> Group:
    """Return two topics of three partitions, the first of each with lag 100, the others 10."""
    return Group.fresh(
        dict.fromkeys("tu", 3),
        [f"c{m}" for m in range(members)],
        {topic: [100, 10, 10] for topic in "tu"},
    )


def test_the_answer_names_the_number_the_strategy_and_the_time() -> None:
    found = findings(hot_first(), throughput=13)

    said = explanation(found)

    assert answer(found) == "2 consumers with Round robin clear the backlog in 9.2 s."
    assert said[0] == "Today's 2 consumers, with Round robin, take 9.2 s."
    assert lacks(said[1], "2 with Round robin is the minimum", "no assignment") == []
    assert said[1].endswith(
        "with Round robin: 3 is late; from 4 on, every number tried is in time."
    )


def test_of_equal_strategies_the_group_s_own_is_recommended_then_one_that_stops_no_more() -> None:
    found = findings(hot_first(), throughput=100, names=("range", "sticky", "cooperative-sticky"))

    def of(name: str) -> Strategy | None:
        best = replace(found, runs=strategy_called(name)).recommended
        return None if best is None else best.strategy

    assert len({(each.consumers, each.seconds) for each in found.minima}) == 1
    assert of("sticky") == strategy_called("sticky")
    assert of("cooperative-sticky") == of("uniform") == strategy_called("cooperative-sticky")
    assert found.recommended is found.minima[0]


def test_a_custom_assignor_that_needs_fewer_is_shown_beside_the_built_in_strategy() -> None:
    found = findings(uneven(40, 3, 5), throughput=400, most=40, names=(*NAMES, "lag-capped"))

    assert found.saving is not None
    assert answer(found).endswith(
        f"; {found.saving.consumers} would do with Lag-capped, a custom assignor."
    )
    assert len(explanation(found)) == 3


def test_a_custom_assignor_alone_is_recommended_where_no_setting_is_in_time() -> None:
    group = Group.fresh({"t": 4}, ["c0"], {"t": [90, 90, 10, 10]})

    found = findings(group, throughput=10, most=2, names=("range", "lag-capped"))

    assert answer(found) == (
        "2 consumers clear the backlog in 10 s, but only with Lag-capped, a custom assignor."
    )


def test_strategies_that_are_all_late_are_listed_with_what_was_tried() -> None:
    found = findings(hot_first(), throughput=11, most=2)

    assert lacks(answer(found), "No strategy", "within 10 s") == []
    assert found.recommended is None or found.recommended.consumers
    assert "Range: late with every number up to 2." in explanation(found)


def test_a_partition_too_heavy_for_any_consumer_ends_the_question() -> None:
    found = findings(hot_first(), throughput=8)

    assert answer(found) == (
        "No number of consumers is enough: t-0 alone takes 12.5 s, and 10 s is allowed."
    )
    assert way_out(found).startswith("1 more partition is too slow too. A partition has one owner")


def test_a_group_without_backlog_keeps_up() -> None:
    group = Group.fresh({"t": 2}, ["c0"], {"t": [0, 0]})

    assert answer(findings(group, throughput=1)) == (
        "1 consumer with Range keeps up with what arrives."
    )


def test_the_delay_of_todays_consumers_is_that_of_the_present_assignment() -> None:
    group = Group.of(["t"], [2], ["c0", "c1"], owners=[0, 0], lags=[80, 80])

    said = explanation(findings(group, throughput=10))

    assert said[0] == "Today's 2 consumers, as assigned now, take 16 s, 6 s too long."


def test_a_group_without_consumers_is_read_by_none_today_and_gets_an_answer() -> None:
    found = findings(hot_first(0), throughput=13)

    assert answer(found).startswith("2 consumers with Round robin clear")
    assert "no consumers today" in explanation(found)[0]
    assert idle_words(found) == []


def test_idle_consumers_are_counted_with_what_would_give_them_work() -> None:
    said = idle_words(findings(hot_first(5), throughput=1000))

    assert said[0].startswith("With Range, 2 of today's 5 consumers are idle; it takes a topic of")


def test_unknowns_and_simplifications_are_stated() -> None:
    wanted = {"c0": ["t"], "c1": ["t"], "c2": ["t", "u"]}
    mixed = Group.fresh({"t": 2, "u": 1}, wanted, {"t": [1, 1], "u": [1]})
    own = Group.of(["t"], [2], ["a", "b"], lags=[1, 1], throughput=[5.0, nan])
    unknown = Group.fresh({"t": 2}, ["c0"])

    assert any("subscribe to what most do" in s for s in caveats(findings(mixed, throughput=1)))
    assert any(
        not lacks(said, "1 partition", "nobody", "left out")
        for said in caveats(findings(mixed, throughput=1))
    )
    assert "1 consumer keeps its own stated processing rate." in caveats(
        findings(own, throughput=1)
    )
    assert caveats(findings(unknown, throughput=1))[0].startswith("No lag is known")


@given(st.integers(20, 70), st.integers(1, 2**16), st.integers(0, 20), st.floats(1.0, 3.0))
@tried(40)
def test_every_claim_holds_against_the_exhaustive_sweep(
    partitions: int, seed: int, exhaustive: int, ease: float
) -> None:
    group = uneven(partitions, 3, seed)
    throughput = float(group.counted_lags.max()) / 10 * ease + 1
    found = findings(group, throughput=throughput, most=partitions, exhaustive=exhaustive)
    every = Trials(group, found.capacity, found.scope.most)

    for least in found.minima:
        numbers = range(1, found.scope.most + 1)
        working = [m for m in numbers if is_in_time(every.attempt(least.strategy, m).load)]
        said = smaller(least, found.scope)
        if "the minimum" in said or "No smaller" in said:
            assert working[0] == least.consumers
        if "late with every number" in said:
            assert not working
        if "All" in larger(least):
            tried_numbers = found.curve(least.strategy).consumers.tolist()
            assert all(m in working for m in tried_numbers if m > (least.consumers or 0))
        assert not set(least.late_above) & set(working)


def test_one_larger_number_is_not_spoken_of_in_the_plural() -> None:
    found = findings(Group.fresh({"t": 2}, ["c0"], {"t": [10, 10]}), throughput=100, most=2)

    assert lacks(larger(found.minima[0]), "one larger number", "is in time") == []


def test_the_tried_numbers_are_stated_as_a_range_or_a_list() -> None:
    group = uneven(60, 3, 4)

    whole = findings(group, throughput=900, most=60)
    some = findings(group, throughput=900, most=60, exhaustive=0)

    assert tried_words(whole).endswith(f"from {whole.scope.fewest} to 60 was tried.")
    assert "The others were not tried." in tried_words(some)
    assert re.search(r"Of the \d+ numbers .* \d+ were tried", tried_words(some))


def test_one_consumer_of_today_is_spoken_of_in_the_singular() -> None:
    slow = Group.of(["t"], [2], ["c0"], owners=[0, 0], lags=[80, 0])
    busy = Group.of(["t"], [2], ["c0"], owners=[0, 0], lags=[1, 1], rates=[8.0, 8.0])

    assert explanation(findings(slow, throughput=10))[0] == (
        "Today's 1 consumer, as assigned now, takes 8 s."
    )
    assert explanation(findings(busy, throughput=10))[0] == (
        "Today's 1 consumer, as assigned now, never catches up."
    )
