from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import UNKNOWN, Group
from evaluation.bounds.lag import best_possible_max_lag, deciding_partition
from evaluation.metrics import lag_per_member


def test_the_bound_is_the_mean_rounded_up_where_no_partition_is_larger() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1", "c2"], {"t": [3, 3, 3, 1]})

    assert best_possible_max_lag(group) == 4


def test_the_bound_is_the_largest_partition_where_that_is_above_the_mean() -> None:
    group = Group.fresh({"t": 3}, ["c0", "c1"], {"t": [100, 1, 1]})

    assert best_possible_max_lag(group) == 100


def test_the_bound_need_not_be_reachable() -> None:
    group = Group.fresh({"t": 3}, ["c0", "c1"], {"t": [2, 2, 2]})
    best = min(
        lag_per_member(group, np.array(owners, np.int32)).max()
        for owners in product(range(2), repeat=3)
    )

    assert best_possible_max_lag(group) == 3
    assert best == 4


def test_consumers_and_topics_without_the_other_do_not_count() -> None:
    members = {"c0": ["t"], "c1": []}
    group = Group.fresh({"t": 2, "u": 1}, members, {"t": [4, 5], "u": [1000]})

    assert best_possible_max_lag(group) == 9


def test_there_is_no_bound_without_known_lag_or_without_consumers() -> None:
    unknown = Group.fresh({"t": 1}, ["c0"], {"t": [UNKNOWN]})
    deserted = Group.fresh({"t": 1}, [], {"t": [5]})

    assert best_possible_max_lag(unknown) is None
    assert best_possible_max_lag(deserted) is None


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6), st.integers(1, 3))
def test_no_assignment_of_a_small_group_beats_the_bound(lags: list[int], count: int) -> None:
    group = Group.fresh({"t": len(lags)}, [f"c{m}" for m in range(count)], {"t": lags})

    bound = best_possible_max_lag(group)

    best = min(
        lag_per_member(group, np.array(owners, np.int32)).max()
        for owners in product(range(count), repeat=len(lags))
    )
    assert bound is not None
    assert bound <= best


def test_a_partition_with_more_than_an_even_share_decides_the_bound() -> None:
    group = Group.fresh({"t": 4}, members=["c0", "c1"], lags={"t": [1, 2, 90, 3]})

    assert best_possible_max_lag(group) == 90
    assert deciding_partition(group) == 2


def test_an_even_share_decides_the_bound_even_where_a_partition_equals_it() -> None:
    even = Group.fresh({"t": 2}, members=["c0", "c1"], lags={"t": [5, 5]})
    shared = Group.fresh({"t": 3}, members=["c0", "c1"], lags={"t": [5, 5, 4]})

    assert deciding_partition(even) is None
    assert deciding_partition(shared) is None


def test_without_lag_no_consumer_is_decisive() -> None:
    group = Group.fresh({"t": 2}, members=["c0"], lags={"t": [0, 0]})

    assert deciding_partition(group) is None
