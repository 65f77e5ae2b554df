import numpy as np

from assignors.model import Group
from charts.frontier import frontier_curve
from evaluation.bounds.frontier import frontier
from evaluation.comparing.outcomes import as_it_is_now, at_next_rebalance
from sources import samples
from tests.named import named


def test_the_curve_the_choice_and_every_strategy_are_drawn() -> None:
    lags = {"t": [50, 40, 30, 20, 10, 5]}
    group = Group.fresh({"t": 6}, ["c0", "c1"], lags).owned_by(np.array([0, 0, 0, 0, 0, 1]))
    found, now = frontier(group), as_it_is_now(group)
    assert found is not None
    assert now is not None

    figure = frontier_curve(found, [now, *at_next_rebalance(group, named("range"))], 1)

    curve, bound, chosen, strategies = figure.data
    assert curve.y[0] == 150
    assert list(bound.y) == [found.bound] * 2
    assert (chosen.x[0], chosen.y[0]) == (1, found.max_load[1])
    assert list(strategies.text) == ["As it is now", "Range"]
    assert list(strategies.y) == [150, 120]


def test_a_strategy_that_moves_more_than_the_curve_stands_at_its_own_moves() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [9, 9, 0, 0]})
    group = group.owned_by(np.array([0, 1, 0, 1]))
    found = frontier(group)
    assert found is not None

    figure = frontier_curve(found, at_next_rebalance(group, named("range")), 0)

    curve, strategies = figure.data[0], figure.data[-1]
    assert found.max_load.size - 1 < 2
    assert list(strategies.x) == [2]
    assert curve.x[-1] == 2
    assert curve.y[-1] == found.max_load[-1]
    assert figure.layout.xaxis.range[1] > 2


def test_strategies_side_by_side_share_one_label_and_keep_their_points() -> None:
    lags = {"t": [1_000, *range(20, 43)]}
    group = Group.fresh({"t": 24}, ["c0", "c1", "c2"], lags).owned_by(
        np.arange(24, dtype=np.int32) % 3
    )
    found = frontier(group)
    assert found is not None
    outcomes = at_next_rebalance(
        group, named("range", "sticky", "lag-capped", "lag-skew", "load-sticky")
    )

    strategies = frontier_curve(found, outcomes, 0).data[-1]

    labels = [text.replace("<br>", " ") for text in strategies.text if text]
    assert len(labels) < len(strategies.x) < len(outcomes) + 1
    assert sorted(", ".join(labels).split(", ")) == sorted(o.label for o in outcomes)


def test_strategies_with_one_answer_share_one_label_that_stays_inside() -> None:
    group = samples.load("orders").group
    found = frontier(group)
    assert found is not None
    now = as_it_is_now(group)
    assert now is not None

    figure = frontier_curve(
        found, [now, *at_next_rebalance(group, named("sticky", "cooperative-sticky"))], 3
    )

    strategies = figure.data[-1]
    assert strategies.text == ("As it is now", "Sticky, Cooperative<br>sticky")
    assert strategies.textposition == ("top right", "top left")
