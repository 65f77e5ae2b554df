import numpy as np
from hypothesis import given

from assignors.lag.load_sticky import load_sticky
from assignors.model import Group
from evaluation.bounds.frontier import frontier
from evaluation.metrics import lag_per_member
from tests.groups import groups, tried

LAGS = {"t": [50, 40, 30, 20, 10, 5, 5, 0]}
OWNED = np.array([0, 0, 0, 0, 1, 1, 2, 2], np.int32)


def test_each_move_buys_less_than_the_one_before() -> None:
    group = Group.fresh({"t": 8}, ["c0", "c1", "c2"], LAGS).owned_by(OWNED)

    found = frontier(group)

    assert found is not None
    assert found.max_load.tolist() == [140, 90, 55]
    assert found.bound == 54
    assert found.fewest_moves(90) == 1
    assert found.fewest_moves(54) is None


def test_half_of_a_swap_buys_nothing() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [8, 8, 3, 3]})

    found = frontier(group.owned_by(np.array([0, 0, 1, 1], np.int32)))

    assert found is not None
    assert found.max_load.tolist() == [16, 16, 11]


def test_what_has_to_move_is_no_part_of_the_budget() -> None:
    wanted = {"c0": ["a"], "c1": ["a", "b"]}
    group = Group.fresh({"a": 1, "b": 1}, wanted, {"a": [1], "b": [5]})

    found = frontier(group.owned_by(np.array([0, 0], np.int32)))

    assert found is not None
    assert found.forced == 1
    assert found.max_load.tolist() == [5]


def test_without_owners_or_known_lag_there_is_no_curve() -> None:
    fresh = Group.fresh({"t": 8}, ["c0", "c1", "c2"], LAGS)
    unknown = Group.fresh({"t": 8}, ["c0", "c1", "c2"])

    assert frontier(fresh) is None
    assert frontier(unknown.owned_by(OWNED)) is None


@given(group=groups())
@tried(150)
def test_every_point_is_what_load_sticky_reaches_with_that_budget(group: Group) -> None:
    found = frontier(group)

    points = [] if found is None else found.max_load.tolist()
    reached = [
        int(lag_per_member(group, load_sticky(group, budget)).max())
        for budget in range(len(points))
    ]
    assert points == reached
    assert found is None or found.bound is None or points[-1] >= found.bound
