from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.lag.local_search import CountLimits, LocalSearch, Terms, _fit
from assignors.lag.skew import lag_capped
from assignors.model import Group
from tests.groups import tried

LAGS = st.lists(st.integers(0, 40), max_size=8).map(sorted)


@given(gives=LAGS, takes=LAGS, gap=st.integers(0, 60))
@tried(300)
def test_no_exchange_gains_more_than_the_one_found(
    gives: list[int], takes: list[int], gap: int
) -> None:
    gain, given, taken = _fit(np.array(gives, np.int64), np.array(takes, np.int64), gap)

    moved = [give - take for give in gives for take in takes]
    assert gain == max([0, *(min(lag, gap - lag) for lag in moved)])
    if gain:
        assert gain == min(gives[given] - takes[taken], gap - gives[given] + takes[taken])


def test_the_search_goes_on_below_a_partition_as_large_as_the_busiest_total() -> None:
    group = Group.fresh({"t": 5}, ["c0", "c1", "c2"], {"t": [9, 5, 4, 1, 0]})
    of_one = LocalSearch(group, group.lags, np.array([0, 1, 1, 2, 2], np.int32), Terms())
    of_two = LocalSearch(group, group.lags, np.array([1, 0, 0, 2, 2], np.int32), Terms())

    assert of_one.is_best
    assert list(of_one.relieve()) == [[(2, 2)]]
    assert of_two.is_best
    assert list(of_two.relieve()) == [[(2, 2)]]
    assert of_two.owners.tolist() == [1, 0, 2, 2, 2]


def test_a_total_just_above_the_even_share_is_still_improved() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [1, 1, 1, 1]})
    search = LocalSearch(group, group.lags, np.array([0, 0, 0, 1], np.int32), Terms())

    assert not search.is_best
    assert len(list(search.relieve())) == 1
    assert search.is_best


@given(lags=st.lists(st.integers(0, 20), min_size=2, max_size=7))
@tried(200)
def test_a_largest_load_that_counts_as_proven_is_the_least_under_the_limits(
    lags: list[int],
) -> None:
    group = Group.fresh({"t": len(lags)}, ["c0", "c1"], {"t": lags})
    limits = CountLimits(np.full(2, len(lags) // 2), np.full(2, -(-len(lags) // 2)))
    search = LocalSearch(group, group.lags, lag_capped(group), Terms(limits))

    halves = combinations(lags, len(lags) // 2)
    least = min(max(sum(half), sum(lags) - sum(half)) for half in halves)
    assert search.largest >= least
    assert search.largest == least or not search.is_best


def test_a_search_for_the_largest_load_ends_once_none_can_be_lower() -> None:
    group = Group.fresh({"t": 6}, ["c0", "c1", "c2"], {"t": [9, 1, 4, 3, 2, 2]})
    owners, two = np.array([0, 0, 1, 1, 2, 2], np.int32), np.full(3, 2)
    below = Terms(CountLimits(two, two))

    assert list(LocalSearch(group, group.lags, owners, below).relieve()) == [[(3, 2), (4, 1)]]
    ending = LocalSearch(group, group.lags, owners, below._replace(is_for_largest=True))
    assert ending.is_best
    assert not list(ending.relieve())


@given(lags=st.lists(st.integers(0, 40), min_size=8, max_size=24))
@tried(100)
def test_swaps_compared_at_once_gain_as_much_as_one_by_one(lags: list[int]) -> None:
    group = Group.fresh({"t": len(lags)}, ["c0", "c1", "c2", "c3"], {"t": lags})
    owners = np.resize(np.array([0, 1, 0, 2, 0, 3], np.int32), len(lags))
    search = LocalSearch(group, group.lags, owners, Terms())
    search._lay_out()
    takers = np.flatnonzero(search._loads < search._loads[0]).astype(np.int32)

    if takers.size:
        at_once = search._gains(0, takers)
        assert at_once == {taker: search._swap(0, taker)[0] for taker in takers.tolist()}
