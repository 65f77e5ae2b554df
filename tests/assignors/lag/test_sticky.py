from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.lag.greedy import lag_of_each
from assignors.lag.sticky import default_moves, lag_sticky, placed_owners, steps_with_moves
from assignors.model import Group
from tests.groups import groups, tried

SKEWED = Group.fresh({"t": 8}, ["c0", "c1", "c2"], {"t": [50, 40, 30, 20, 10, 5, 5, 0]}).owned_by(
    np.array([0, 0, 0, 0, 1, 1, 2, 2], np.int32)
)


def moved(group: Group, owners: np.ndarray) -> int:
    stays = group.present_owners
    return int(np.count_nonzero((stays >= 0) & (stays != owners)))


def largest(group: Group, owners: np.ndarray) -> int:
    return int(lag_of_each(group, owners).max(initial=0))


def test_without_moves_everything_stays() -> None:
    assert lag_sticky(SKEWED, moves=0).tolist() == SKEWED.present_owners.tolist()


def test_every_move_takes_what_helps_most_off_the_busiest() -> None:
    found = [largest(SKEWED, lag_sticky(SKEWED, moves)) for moves in range(4)]

    assert found == [140, 90, 55, 55]


def test_a_swap_must_gain_as_much_as_two_moves() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [12, 12, 3, 2]})
    group = group.owned_by(np.array([0, 0, 1, 1], np.int32))

    assert lag_sticky(group, moves=1).tolist().count(0) == 1
    assert largest(group, lag_sticky(group, moves=1)) == 17


def test_the_best_first_move_need_not_be_part_of_the_best_two() -> None:
    group = Group.fresh({"t": 5}, ["c0", "c1", "c2"], {"t": [1, 8, 3, 4, 9]})
    group = group.owned_by(np.array([1, 2, 0, 2, 2], np.int32))

    assert largest(group, lag_sticky(group, moves=2)) == 10
    assert largest(group, np.array([1, 1, 0, 0, 2], np.int32)) == 9


def test_a_partition_without_an_owner_is_dealt_and_not_counted_as_moved() -> None:
    owners = np.array([0, 0, 1, -1], np.int32)
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [9, 8, 1, 6]}).owned_by(owners)

    assert lag_sticky(group, moves=0).tolist() == [0, 0, 1, 1]


def test_partitions_without_lag_go_to_the_consumer_with_fewest() -> None:
    owners = np.array([0, 1, 1, 1, -1, -1], np.int32)
    group = Group.fresh({"t": 6}, ["c0", "c1"], {"t": [9, 1, 1, 1, 0, 0]}).owned_by(owners)

    assert lag_sticky(group, moves=0).tolist() == [0, 1, 1, 1, 0, 0]


def test_a_consumer_that_no_longer_subscribes_gives_its_partitions_up() -> None:
    wanted = {"c0": ["a"], "c1": ["a", "b"]}
    group = Group.fresh({"a": 1, "b": 2}, wanted, {"a": [1], "b": [5, 5]})
    group = group.owned_by(np.array([0, 0, 0], np.int32))

    assert lag_sticky(group, moves=0).tolist() == [0, 1, 1]
    assert default_moves(group) == 1


@given(group=groups(), moves=st.integers(0, 12))
@tried(150)
def test_the_budget_is_kept_and_one_move_more_never_makes_it_worse(
    group: Group, moves: int
) -> None:
    start = placed_owners(group)

    owners, more = lag_sticky(group, moves), lag_sticky(group, moves + 1)

    assert np.count_nonzero((start != owners) & (start == group.present_owners)) <= moves
    assert largest(group, more) <= largest(group, owners) <= largest(group, start)


@given(group=groups())
@tried(100)
def test_the_largest_lag_never_rises_and_the_sum_of_squares_falls(group: Group) -> None:
    owners = placed_owners(group)
    totals = [lag_of_each(group, owners)]

    for turn in steps_with_moves(group, owners.copy()):
        for partition, member in turn.moves:
            owners[partition] = member
        totals.append(lag_of_each(group, owners))

    peaks = [int(each.max(initial=0)) for each in totals]
    squares = [sum(lag * lag for lag in each.tolist()) for each in totals]
    assert peaks == sorted(peaks, reverse=True)
    assert all(later < sooner for sooner, later in pairwise(squares))
