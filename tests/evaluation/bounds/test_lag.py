import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from assignors.lag.skew import lag_capped, lag_skew
from assignors.layout import Layout, SubscriptionClasses
from assignors.model import UNKNOWN, Group, Owners
from evaluation.bounds.lag import (
    consumer_count,
    count_balanced_bound,
    deciding_partition,
    lower_bound,
)
from evaluation.metrics import lag_per_member
from tests.brute_force import every_assignment, small_groups, totals
from tests.groups import groups, tried


def best(group: Group, *, even: bool) -> int:
    every = every_assignment(group)
    if even:
        counts = totals(group, every, np.ones(group.partition_count, np.int64))
        every = every[np.ptp(counts, axis=1) <= 1]
    return int(totals(group, every, group.counted_lags).max(axis=1).min())


def random_group(random: np.random.Generator, *, equal: bool) -> Group:
    sizes, members = random.integers(1, 4, 2), [f"c{m}" for m in range(random.integers(2, 4))]
    names = ["t0", "t1"]
    wanted = {m: names if equal else names[random.integers(2) :] for m in members}
    wanted["c0"] = names
    lags = {n: random.integers(0, 30, s).tolist() for n, s in zip(names, sizes, strict=True)}
    return Group.fresh(dict(zip(names, sizes.tolist(), strict=True)), wanted, lags)


@pytest.mark.parametrize(
    ("lags", "free", "even"),
    [
        ([5, 5, 5], 10, 10),
        ([90, 1, 2, 3], 90, 91),
        ([7, 7, 7, 1, 1, 1], 14, 15),
        ([4, 3, 2, 1], 5, 5),
    ],
)
def test_the_bounds_of_a_small_topic_are_those_computed_by_hand(
    lags: list[int], free: int, even: int
) -> None:
    group = Group.fresh({"t": len(lags)}, ["c0", "c1"], {"t": lags})

    assert lower_bound(group) == free
    assert count_balanced_bound(group) == even


def test_a_topic_of_few_consumers_decides_with_unequal_subscriptions() -> None:
    wanted = {"c0": ["a", "b"], "c1": ["b"], "c2": ["b"]}
    group = Group.fresh({"a": 2, "b": 3}, wanted, {"a": [30, 20], "b": [1, 2, 3]})

    assert lower_bound(group) == 50
    assert count_balanced_bound(group) is None


def test_there_is_no_bound_without_known_lag_or_without_consumers() -> None:
    unknown = Group.fresh({"t": 1}, ["c0"], {"t": [UNKNOWN]})
    deserted = Group.fresh({"t": 1}, [], {"t": [5]})

    assert lower_bound(unknown) is lower_bound(deserted) is None
    assert count_balanced_bound(unknown) is count_balanced_bound(deserted) is None


def test_lag_beyond_64_bits_is_added_up_exactly() -> None:
    huge = 2**62 + 1
    group = Group.fresh({"t": 5}, ["c0", "c1"], {"t": [huge] * 5})

    assert lower_bound(group) == 3 * huge
    assert count_balanced_bound(group) == 3 * huge


@given(group=small_groups(equal=True))
@tried(300)
def test_no_assignment_beats_the_bounds_with_equal_subscriptions(group: Group) -> None:
    free, even = lower_bound(group), count_balanced_bound(group)

    assert free is not None
    assert even is not None
    assert free <= best(group, even=False)
    assert free <= even <= best(group, even=True)


@given(group=small_groups(equal=False))
@tried(300)
def test_no_assignment_beats_the_bound_with_unequal_subscriptions(group: Group) -> None:
    free = lower_bound(group)

    assert free is not None
    assert free <= best(group, even=False)


@pytest.mark.parametrize("equal", [True, False])
def test_the_lower_bound_is_reached_in_most_small_groups(*, equal: bool) -> None:
    random = np.random.default_rng(7)
    drawn = [random_group(random, equal=equal) for _ in range(200)]

    tight = sum(lower_bound(group) == best(group, even=False) for group in drawn)

    assert tight >= 100


def test_the_balanced_bound_is_reached_in_most_small_groups() -> None:
    random = np.random.default_rng(7)
    drawn = [random_group(random, equal=True) for _ in range(200)]

    tight = sum(count_balanced_bound(group) == best(group, even=True) for group in drawn)

    assert tight >= 170


@pytest.mark.slow
def test_the_best_found_is_nearly_always_the_best_there_is() -> None:
    random = np.random.default_rng(7)
    drawn = [random_group(random, equal=True) for _ in range(200)]

    even = sum(_largest(each, lag_capped(each)) == best(each, even=True) for each in drawn)
    free = sum(_largest(each, lag_skew(each, 99)) == best(each, even=False) for each in drawn)

    assert even >= 195
    assert free >= 195


def _largest(group: Group, owners: Owners) -> int:
    return int(lag_per_member(group, owners).max())


@given(group=groups())
@tried(100)
def test_no_bound_is_below_an_even_share_or_the_heaviest_partition(group: Group) -> None:
    bound, weights = lower_bound(group), group.counted_weights[group.is_wanted]

    assert (bound is None) == (not group.is_weight_known[group.is_wanted].any())
    if bound is not None:
        assert bound >= max(-(-int(weights.sum(dtype=object)) // consumer_count(group)), *weights)


def test_the_bound_is_of_the_weights_and_not_of_the_lags() -> None:
    group = Group.fresh({"t": 3}, ["c0", "c1"], {"t": [9, 7, 7]})

    weighed = group.with_weights([1, 1, 1])

    assert lower_bound(group) == 14
    assert lower_bound(weighed) == 2
    assert (deciding_partition(weighed), count_balanced_bound(weighed)) == (None, 2)


@given(seed=st.integers(0, 10**6))
@tried(60)
def test_the_share_of_a_crowd_is_the_value_of_the_linear_program(seed: int) -> None:
    random = np.random.default_rng(seed)
    topics, members = 5, 6
    wants = random.random((members, topics)) < 0.35
    wants[0] |= ~wants.any(axis=0)
    lags = random.integers(0, 1000, (topics, 40))
    names = [f"t{topic}" for topic in range(topics)]
    group = Group.with_layout(
        Layout.of(
            names,
            [40] * topics,
            [f"c{member}" for member in range(members)],
            subscriptions=SubscriptionClasses(
                np.arange(members), [np.flatnonzero(row) for row in wants]
            ),
        ),
        lags=lags.ravel(),
    )
    pairs = np.argwhere(wants)
    serves = (pairs[:, 1] == np.arange(topics)[:, None]).astype(float)
    carries = (pairs[:, 0] == np.arange(members)[:, None]).astype(float)

    found = linprog(
        np.append(np.zeros(len(pairs)), 1),
        A_ub=np.column_stack([carries, -np.ones(members)]),
        b_ub=np.zeros(members),
        A_eq=np.column_stack([serves, np.zeros(topics)]),
        b_eq=lags.sum(axis=1),
    )

    # No partition is large compared with a share here, so the shares alone determine the bound.
    assert lower_bound(group) == max(np.ceil(float(found.fun or 0) - 1e-6), 0)
