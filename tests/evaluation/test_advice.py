"""A recommendation is never worse than the present owners, and no larger a change than needed."""

from dataclasses import replace

import numpy as np
from hypothesis import given

from assignors.certainty import Known
from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from assignors.strategy import Protocol, StrategyKind
from evaluation.advice import Advice, advise, best_of
from evaluation.clients import JAVA
from evaluation.compare import Outcome, as_it_is_now, compare
from evaluation.load import Load, load_in
from evaluation.metrics import REAL_GAIN, figures_of
from tests.groups import groups, tried
from tests.named import named

LAG = Load()
LAGS = (400, 390, 380, 370)


def outcome(
    name: str, owners: list[int], moved: int | None = None, lags: tuple[int, ...] = LAGS
) -> Outcome:
    """Return an outcome of one topic's partitions with these lags and two consumers."""
    group = Group.fresh({"t": len(lags)}, ["a", "b"], lags={"t": lags})
    answer = np.array(owners, np.int32)
    found = replace(figures_of(group, answer), moved=moved)
    return Outcome(strategy=STRATEGIES[name], owners=answer, figures=found)


def advised(group: Group) -> Advice:
    """Return the advice on a group as the page gets it."""
    return advise(
        group,
        as_it_is_now(group),
        compare(group, JAVA.settable),
        compare(group, JAVA.custom),
    )


@tried(150)
@given(groups())
def test_a_recommendation_is_better_than_now_or_leaves_less_unowned(group: Group) -> None:
    advice = advised(group)

    if advice.now is None:
        return
    for found in filter(None, (advice.settable, advice.custom)):
        owns_more = found.figures.unowned < advice.now.figures.unowned
        now = advice.load.of(advice.now)
        assert owns_more or advice.load.of(found) < now * (1 - REAL_GAIN)


@tried(150)
@given(groups())
def test_a_custom_assignor_is_recommended_only_above_what_can_be_set(group: Group) -> None:
    advice = advised(group)

    if advice.custom is None or advice.settable is None:
        return
    settable = advice.load.of(advice.settable)
    assert advice.load.of(advice.custom) < settable * (1 - REAL_GAIN)


@tried(150)
@given(groups())
def test_what_is_recommended_is_within_a_tenth_of_the_best_of_its_kind(group: Group) -> None:
    load = load_in(group)
    for names in (JAVA.settable, JAVA.custom):
        outcomes = compare(group, names)

        best = best_of(outcomes, load)

        assert best is not None
        least = min(load.of(each) for each in outcomes)
        assert load.of(best) <= 1.1 * least


def test_between_equals_the_cooperative_protocol_comes_first() -> None:
    equal = [outcome(name, [0, 1, 1, 0]) for name in ("range", "uniform", "cooperative-sticky")]

    best = best_of(equal, LAG)

    assert best is not None
    assert STRATEGIES[best.name].protocol is Protocol.COOPERATIVE


def test_nearly_as_good_with_far_fewer_moves_is_preferred() -> None:
    best = outcome("range", [0, 1, 1, 0], moved=10)
    near = outcome("fair", [0, 1, 0, 1], moved=4)

    assert (LAG.of(best), LAG.of(near)) == (770, 780)
    assert best_of([best, near], LAG) is near


def test_half_as_many_moves_are_not_far_fewer() -> None:
    best = outcome("range", [0, 1, 1, 0], moved=10)
    near = outcome("fair", [0, 1, 0, 1], moved=5)

    assert best_of([best, near], LAG) is best


def test_more_than_a_tenth_more_lag_is_not_nearly_as_good() -> None:
    best = outcome("range", [0, 1, 1, 0], moved=10, lags=(420, 400, 310, 300))
    worse = outcome("fair", [0, 0, 1, 1], moved=0, lags=(420, 400, 310, 300))

    assert (LAG.of(best), LAG.of(worse)) == (720, 820)
    assert best_of([best, worse], LAG) is best


def test_of_several_that_are_nearly_as_good_the_one_with_fewest_moves_is_preferred() -> None:
    best = outcome("range", [0, 1, 1, 0], moved=10)
    near = outcome("fair", [0, 1, 0, 1], moved=4)  # 780
    fewest = outcome("sticky", [0, 0, 1, 1], moved=1)  # 790

    assert best_of([best, near, fewest], LAG) is fewest


def test_a_gain_under_one_percent_changes_nothing() -> None:
    group = Group.fresh({"t": 3}, ["a", "b"], lags={"t": [1000, 5, 990]})
    now = Outcome(
        strategy=None, owners=(held := np.array([0, 0, 1], np.int32)),
        figures=figures_of(group, held),
    )  # fmt: skip

    advice = advise(group, now, compare(group, JAVA.settable), compare(group, named("fair")))

    assert LAG.of(now) == 1005
    assert advice.settable is None
    assert advice.custom is None


def test_an_outcome_that_moves_and_gains_nothing_does_not_hide_one_that_gains() -> None:
    # Owned in pairs of 52 + 48 = 100 and 40 + 44 = 84. Sticky keeps both pairs: 100, no moves.
    # Round robin deals 52 + 40 = 92 and 48 + 44 = 92, half of 184: two moves, the best possible.
    group = Group.fresh({"t": 4}, ["a", "b"], lags={"t": [52_000, 48_000, 40_000, 44_000]})
    group = group.owned_by(np.array([0, 0, 1, 1], np.int32))

    advice = advise(group, as_it_is_now(group), compare(group, JAVA.settable), ())

    assert advice.settable is not None
    assert advice.settable.name == "roundrobin"
    assert LAG.of(advice.settable) == 92_000


@tried(150)
@given(groups())
def test_a_strategy_that_is_better_than_now_is_never_denied(group: Group) -> None:
    advice = advised(group)

    if advice.now is None or not group.is_wanted.any():
        return
    least = advice.load.of(advice.now) * (1 - REAL_GAIN)
    for names, found in ((JAVA.settable, advice.settable), (JAVA.custom, advice.custom)):
        reached = [advice.load.of(each) for each in compare(group, names)]
        assert found is not None or advice.settable is not None or min(reached) >= least


def test_partitions_without_an_owner_make_any_strategy_better() -> None:
    group = Group.fresh({"t": 2}, ["a"], lags={"t": [10, 20]})
    held = np.array([0, -1], np.int32)
    now = Outcome(strategy=None, owners=held, figures=figures_of(group, held))

    advice = advise(group, now, compare(group, JAVA.settable), ())

    assert advice.settable is not None
    assert LAG.of(advice.settable) > LAG.of(now)


def test_where_no_lag_is_above_zero_partition_counts_decide() -> None:
    assert not load_in(Group.fresh({"t": 2}, ["a"])).by_weight
    assert not load_in(Group.fresh({"t": 2}, ["a"], lags={"t": [0, 0]})).by_weight
    unread = Group.fresh({"t": 1, "u": 1}, {"a": ["t"]}, lags={"t": [0], "u": [9]})
    assert not load_in(unread).by_weight
    assert load_in(Group.fresh({"t": 2}, ["a"], lags={"t": [0, 1]})).by_weight


def test_every_strategy_is_settable_or_custom_or_of_another_client_and_never_two() -> None:
    settable, custom = set(JAVA.settable), set(JAVA.custom)

    assert not settable & custom
    assert {strategy.kind for strategy in custom} == {StrategyKind.CUSTOM}
    assert all(strategy.kind is not StrategyKind.CUSTOM for strategy in settable)


def test_a_strategy_that_fails_is_not_recommended_and_said_to_be_left_out() -> None:
    # The first consumer has all; only what sticky shows would even that out, and Kafka throws.
    claims = [("a", 1), ("a", 7), ("a", 5), ("z", 4), ("z", 1), ("z", 3)]
    own = [("z", 7), ("z", 6), ("a", 4), ("a", 3)]
    group = group_of(
        {"z": Topic(8, lags=[9] * 8), "a": Topic(8, lags=[9] * 8)},
        [
            Member("F", ["nowhere"], owned=claims),
            Member("consumer-8-2f33447b80", ["z", "a"], owned=own, generation=1),
            Member("J", ["z"], generation=2),
        ],
    )
    sticky, fair = compare(group, named("sticky")), compare(group, named("roundrobin"))
    now = as_it_is_now(group)

    assert sticky[0].certainty.known is Known.FAILS
    assert advise(group, now, sticky, ()).settable is None
    assert [each.name for each in advise(group, now, sticky, ()).left_out] == ["sticky"]
    assert (advise(group, now, [*sticky, *fair], ()).settable or sticky[0]).name == "roundrobin"
