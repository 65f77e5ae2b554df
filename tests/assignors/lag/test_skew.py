import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.lag.greedy import load_of_each
from assignors.lag.skew import lag_capped, lag_skew
from assignors.model import Group
from tests.groups import equal_groups, groups, tried

HOT = Group.fresh({"t": 6}, ["c0", "c1"], {"t": [90, 30, 30, 10, 10, 10]})


def counts(group: Group, owners: np.ndarray) -> list[int]:
    found: list[int] = np.bincount(owners[owners >= 0], minlength=group.member_count).tolist()
    return found


@pytest.mark.parametrize(
    ("skew", "expected", "largest"),
    [(0, [3, 3], 110), (1, [3, 3], 110), (2, [2, 4], 100), (4, [1, 5], 90), (100, [1, 5], 90)],
)
def test_more_skew_takes_more_off_the_consumer_of_a_hot_partition(
    skew: int, expected: list[int], largest: int
) -> None:
    owners = lag_skew(HOT, skew)

    assert sorted(counts(HOT, owners)) == expected
    assert load_of_each(HOT, owners).max() == largest


def test_an_exchange_of_three_partitions_is_not_found() -> None:
    group = Group.fresh({"t": 6}, ["c0", "c1"], {"t": [9, 9, 8, 6, 2, 2]})

    assert sorted(load_of_each(group, lag_skew(group, 100))) == [17, 19]


@given(group=equal_groups(), skew=st.integers(0, 6))
@tried(100)
def test_counts_differ_by_at_most_one_more_than_the_skew(group: Group, skew: int) -> None:
    found = counts(group, lag_skew(group, skew))

    assert max(found, default=0) - min(found, default=0) <= skew + 1


@given(group=groups(), skew=st.integers(0, 6))
@tried(100)
def test_unequal_subscriptions_add_half_of_the_skew_to_the_largest_count(
    group: Group, skew: int
) -> None:
    even = counts(group, lag_capped(group))

    found = counts(group, lag_skew(group, skew))

    assert max(found, default=0) <= max(even, default=0) + (skew + 1) // 2
