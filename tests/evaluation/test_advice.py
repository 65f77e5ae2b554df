"""What is recommended is never worse than what is there, and no bigger change than needed."""

import numpy as np
from hypothesis import given

from assignors.model import Group
from assignors.registry import STRATEGIES, Kind, Protocol
from evaluation.advice import (
    REAL_GAIN,
    Advice,
    advise,
    best_of,
    custom_strategies,
    is_judged_by_lag,
    load,
    settable_strategies,
)
from evaluation.compare import NOW, Outcome, as_it_is_now, compare
from evaluation.metrics import figures
from tests.groups import groups, tried

FOUR = Group.of(
    ["t"],
    [4],
    ["a", "b"],
    class_of_member=np.zeros(2, int),
    class_topics=[[0]],
    lags=np.array([400, 300, 200, 100]),
)


def outcome(name: str, owners: list[int], moved: int | None = None) -> Outcome:
    """Return an outcome of four partitions with lags 400, 300, 200, 100."""
    answer = np.array(owners, np.int32)
    found = figures(FOUR, answer)
    values = {field: getattr(found, field) for field in found.__slots__} | {"moved": moved}
    return Outcome(name=name, label=name, owners=answer, figures=type(found)(**values))


def advised(group: Group) -> Advice:
    """Return the advice on a group as the page gets it."""
    return advise(
        group,
        as_it_is_now(group),
        compare(group, settable_strategies()),
        compare(group, custom_strategies()),
    )


@tried(150)
@given(groups())
def test_a_recommendation_is_better_than_now_or_leaves_less_unowned(group: Group) -> None:
    advice = advised(group)

    if advice.now is None:
        return
    for found in filter(None, (advice.settable, advice.custom)):
        owns_more = found.figures.unowned < advice.now.figures.unowned
        now = load(advice.now, by_lag=advice.by_lag)
        assert owns_more or load(found, by_lag=advice.by_lag) < now * (1 - REAL_GAIN)


@tried(150)
@given(groups())
def test_a_custom_assignor_is_recommended_only_above_what_can_be_set(group: Group) -> None:
    advice = advised(group)

    if advice.custom is None or advice.settable is None:
        return
    settable = load(advice.settable, by_lag=advice.by_lag)
    assert load(advice.custom, by_lag=advice.by_lag) < settable * (1 - REAL_GAIN)


@tried(150)
@given(groups())
def test_what_is_recommended_is_within_a_tenth_of_the_best_of_its_kind(group: Group) -> None:
    by_lag = is_judged_by_lag(group)
    for names in (settable_strategies(), custom_strategies()):
        outcomes = compare(group, names)

        best = best_of(outcomes, by_lag=by_lag)

        assert best is not None
        least = min(load(each, by_lag=by_lag) for each in outcomes)
        assert load(best, by_lag=by_lag) <= 1.1 * least


def test_between_equals_the_cooperative_protocol_comes_first() -> None:
    equal = [outcome(name, [0, 1, 1, 0]) for name in ("range", "uniform", "cooperative-sticky")]

    best = best_of(equal, by_lag=True)

    assert best is not None
    assert STRATEGIES[best.name].protocol is Protocol.COOPERATIVE


def test_nearly_as_good_with_far_fewer_moves_is_preferred() -> None:
    best = outcome("range", [0, 1, 1, 0], moved=10)  # 500
    near = outcome("fair", [0, 1, 1, 0], moved=4)
    too_far = outcome("sticky", [0, 1, 0, 1], moved=0)  # 600

    assert best_of([best, near, too_far], by_lag=True) is near
    assert best_of([best, too_far], by_lag=True) is best


def test_more_than_a_tenth_more_lag_is_not_nearly_as_good() -> None:
    best = outcome("range", [0, 0, 0, 1], moved=10)  # 900
    near = outcome("fair", [0, 0, 0, 0], moved=5)  # 1,000: nearly a tenth more
    far_fewer = outcome("sticky", [0, 0, 0, 0], moved=4)

    assert load(near, by_lag=True) > 1.1 * load(best, by_lag=True)
    assert best_of([best, near, far_fewer], by_lag=True) is best


def test_a_gain_under_one_percent_changes_nothing() -> None:
    group = Group.fresh({"t": 3}, ["a", "b"], lags={"t": [1000, 5, 990]})
    now = Outcome(
        name=NOW, label=NOW, owners=(held := np.array([0, 0, 1], np.int32)),
        figures=figures(group, held),
    )  # fmt: skip

    advice = advise(group, now, compare(group, settable_strategies()), compare(group, ["fair"]))

    assert load(now, by_lag=True) == 1005
    assert advice.settable is None
    assert advice.custom is None


def test_partitions_without_an_owner_make_any_strategy_better() -> None:
    group = Group.fresh({"t": 2}, ["a"], lags={"t": [10, 20]})
    held = np.array([0, -1], np.int32)
    now = Outcome(name=NOW, label=NOW, owners=held, figures=figures(group, held))

    advice = advise(group, now, compare(group, settable_strategies()), ())

    assert advice.settable is not None
    assert load(advice.settable, by_lag=True) > load(now, by_lag=True)


def test_where_no_lag_is_above_zero_partition_counts_decide() -> None:
    assert not is_judged_by_lag(Group.fresh({"t": 2}, ["a"]))
    assert not is_judged_by_lag(Group.fresh({"t": 2}, ["a"], lags={"t": [0, 0]}))
    assert not is_judged_by_lag(
        Group.fresh({"t": 1, "u": 1}, {"a": ["t"]}, lags={"t": [0], "u": [9]})
    )
    assert is_judged_by_lag(Group.fresh({"t": 2}, ["a"], lags={"t": [0, 1]}))


def test_every_strategy_is_settable_or_custom_or_of_another_client_and_never_two() -> None:
    settable, custom = set(settable_strategies()), set(custom_strategies())

    assert not settable & custom
    assert {STRATEGIES[name].kind for name in custom} == {Kind.CUSTOM}
    assert all(STRATEGIES[name].kind is not Kind.CUSTOM for name in settable)
