import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.lag.greedy import load_of_each
from assignors.lag.skew import lag_capped
from assignors.model import UNKNOWN, Group
from assignors.roundrobin import roundrobin
from tests.groups import tried


def counts_and_lags(group: Group) -> tuple[list[int], list[int]]:
    owners = lag_capped(group)
    counts = np.bincount(owners, minlength=group.member_count)
    return counts.tolist(), load_of_each(group, owners).tolist()


def test_one_hot_partition_in_each_topic_is_spread_over_the_consumers() -> None:
    topics = {f"t{number}": 2 for number in range(4)}
    group = Group.fresh(topics, [f"c{m}" for m in range(4)], {name: [1000, 10] for name in topics})

    assert counts_and_lags(group) == ([2, 2, 2, 2], [1010, 1010, 1010, 1010])


def test_the_best_of_all_even_counts_is_found_where_dealing_alone_misses_it() -> None:
    lags = [900, 500, 400, 300, 300, 250, 30, 10, 10]
    group = Group.fresh({"t0": 9}, ["c0", "c1", "c2"], {"t0": lags})

    counts, found = counts_and_lags(group)

    assert counts == [3, 3, 3]
    assert max(found) == 930


def test_partitions_of_unknown_lag_are_assigned_by_count() -> None:
    lags = {"t": [UNKNOWN] * 5 + [100]}
    group = Group.fresh({"t": 6}, ["c0", "c1", "c2"], lags)

    assert counts_and_lags(group)[0] == [2, 2, 2]


def test_unequal_subscriptions_are_kept_to_and_swapped_within() -> None:
    wanted = {"c0": ["a"], "c1": ["a", "b"]}
    group = Group.fresh({"a": 3, "b": 1}, wanted, {"a": [8, 7, 1], "b": [9]})

    assert group.named(lag_capped(group)) == {"c0": ("a-0", "a-1"), "c1": ("a-2", "b-0")}


def test_totals_beyond_64_bits_are_evened_out_all_the_same() -> None:
    huge = 2**63 - 1
    group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [huge, huge, huge, 5]})

    owners = lag_capped(group)

    assert sorted(np.bincount(owners[:3]).tolist()) == [1, 2]
    assert np.bincount(owners).tolist() == [2, 2]


@given(lags=st.lists(st.integers(0, 10**6), min_size=1, max_size=60), members=st.integers(1, 12))
@tried(100)
def test_the_order_in_which_consumers_have_lag_does_not_depend_on_topics(
    lags: list[int], members: int
) -> None:
    ids, half = [f"c{member:02}" for member in range(members)], len(lags) // 2
    one = Group.fresh({"t": len(lags)}, ids, {"t": lags})
    two = Group.fresh({"t": half, "u": len(lags) - half}, ids, {"t": lags[:half], "u": lags[half:]})

    assert lag_capped(one).tolist() == lag_capped(two).tolist()


@pytest.mark.parametrize("partitions", [0, 1])
def test_fewer_partitions_than_consumers_leave_some_idle(partitions: int) -> None:
    group = Group.fresh({"t": partitions}, ["c0", "c1"], {"t": [7] * partitions})

    assert counts_and_lags(group)[0] == [partitions, 0]


def test_round_robin_is_improved_instead_where_dealing_ends_up_above_it() -> None:
    lags = [6, 24, 21, 21, 15, 6, 10]
    group = Group.fresh({"t": 7}, ["c0", "c1"], {"t": lags})

    assert load_of_each(group, roundrobin(group)).max() == 52
    assert load_of_each(group, lag_capped(group)).max() == 52


@given(
    lags=st.lists(st.sampled_from([0, 1, 2, 50, 1000]), min_size=1, max_size=30),
    members=st.integers(1, 7),
)
@tried(200)
def test_counts_differ_by_at_most_one_however_uneven_the_lags(
    lags: list[int], members: int
) -> None:
    group = Group.fresh({"t": len(lags)}, [f"c{m}" for m in range(members)], {"t": lags})

    counts, _ = counts_and_lags(group)

    assert max(counts) - min(counts) <= 1
