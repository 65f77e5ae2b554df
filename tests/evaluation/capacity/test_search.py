import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group
from evaluation.capacity.draining import Capacity, Drained, is_in_time
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.search import (
    NEIGHBOURS,
    Minimum,
    SearchRange,
    coarse,
    minimum,
    search,
    try_numbers,
)
from evaluation.capacity.trials import Curve, Trials
from tests.evaluation.capacity.test_trials import hot_first_partitions
from tests.groups import tried
from tests.named import named

STRATEGIES = named("range", "roundrobin", "sticky", "lag-capped")


def uneven(partitions: int, members: int, seed: int) -> Group:
    """Return two topics whose lags make strategies fail for some numbers of consumers."""
    lags = np.random.default_rng(seed).lognormal(5, 1.2, partitions).astype(int)
    half = partitions // 2
    return Group.of(
        ["t", "u"], [half, partitions - half], [f"c{m:03}" for m in range(members)], lags=lags
    )


def searched(trials: Trials, scope: SearchRange) -> dict[str, Minimum]:
    for _ in search(trials, STRATEGIES, scope):
        pass
    return {each.name: minimum(trials.curve(each), scope) for each in STRATEGIES}


def in_time(group: Group, capacity: Capacity, name: str, scope: SearchRange) -> list[int]:
    """Return every number of consumers that is in time, each tried separately."""
    trials = Trials(group, capacity, scope.most)
    numbers, (strategy,) = range(scope.fewest, scope.most + 1), named(name)
    return [m for m in numbers if is_in_time(trials.attempt(strategy, m).load)]


@given(
    st.integers(20, 70),
    st.integers(0, 9),
    st.integers(1, 2**16),
    st.integers(0, 30),
    st.floats(1.0, 3.0),
)
@tried(40)
def test_what_is_claimed_of_a_minimum_is_what_the_exhaustive_sweep_finds(
    partitions: int, members: int, seed: int, exhaustive: int, ease: float
) -> None:
    group = uneven(partitions, members, seed)
    capacity = Capacity(throughput=float(group.counted_lags.max()) * ease + 1, allowed_s=1)
    fewest = consumer_limits(group, capacity).fewest or 1
    scope = SearchRange(fewest=fewest, most=max(partitions, fewest), exhaustive=exhaustive)

    found = searched(Trials(group, capacity, scope.most), scope)

    for name, least in found.items():
        working = in_time(group, capacity, name, scope)
        if not least.untried_below:
            assert least.consumers == min(working, default=None)
        if least.consumers is not None:
            assert least.consumers in working
            below = least.consumers - scope.fewest
            assert least.tried_below + least.untried_below == below
        assert not set(least.late_above) & set(working)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 5, 7, 8])
def test_the_neighbours_of_a_minimum_that_wider_steps_led_to_are_tried(seed: int) -> None:
    group = uneven(2000, 50, seed)
    capacity = Capacity(throughput=float(group.counted_lags.max()) * 2, allowed_s=1)
    scope = SearchRange(
        fewest=consumer_limits(group, capacity).fewest or 1, most=2000, exhaustive=0
    )
    trials = Trials(group, capacity, scope.most)

    found = searched(trials, scope)["sticky"].consumers

    assert found is not None
    assert found > scope.fewest + 20  # beyond the numbers tried one by one
    (sticky,) = named("sticky")
    near = [*range(found - NEIGHBOURS, found), *range(found + 1, found + NEIGHBOURS + 1)]
    assert all(trials.is_tried(sticky, number) for number in near)


def test_where_few_numbers_come_into_question_all_of_them_are_tried() -> None:
    scope = SearchRange(fewest=7, most=26, exhaustive=20)
    capacity = Capacity(throughput=1000, allowed_s=1.17)

    found = searched(Trials(hot_first_partitions(), capacity, 26), scope)

    assert found["roundrobin"].consumers == 7
    assert found["roundrobin"].untried_below == 0
    assert found["roundrobin"].tried_above == 19
    assert {8, 10, 12, 20} <= set(found["roundrobin"].late_above)
    assert found["range"].consumers is None
    assert found["range"].tried_below == 20
    assert found["range"].seconds == math.inf


def test_a_large_scope_is_searched_in_a_fraction_of_its_numbers() -> None:
    group = uneven(2000, 50, 1)
    capacity = Capacity(throughput=float(group.counted_lags.max()) * 2, allowed_s=1)
    scope = SearchRange(
        fewest=consumer_limits(group, capacity).fewest or 1, most=2000, exhaustive=0
    )

    numbers = list(search(Trials(group, capacity, 2000), named("sticky"), scope))

    assert len(numbers) == len(set(numbers)) < 120


def test_numbers_below_the_minimum_are_counted_as_tried_or_not() -> None:
    tried = {3: (50.0, 5.0), 4: (40.0, 4.0), 9: (9.0, 0.9)}
    (range_,) = named("range")
    curve = Curve(range_, {m: Drained(*each, 0) for m, each in tried.items()})

    least = minimum(curve, SearchRange(fewest=3, most=20, exhaustive=0))

    assert (least.consumers, least.seconds) == (9, 9.0)
    assert (least.tried_below, least.untried_below) == (2, 4)


def test_nothing_is_tried_twice_and_a_search_goes_on_where_it_stopped() -> None:
    trials = Trials(hot_first_partitions(), Capacity(throughput=1000, allowed_s=1.17), 40)
    scope = SearchRange(fewest=7, most=40, exhaustive=50)
    first = search(trials, named("fair"), scope)
    begun = [next(first), next(first)]

    rest = list(search(trials, named("fair"), scope))

    assert begun == [7, 8]
    assert rest == list(range(9, 41))
    assert not list(try_numbers(trials, named("fair"), [9, 40]))


@pytest.mark.parametrize(("fewest", "most"), [(1, 1), (1, 2), (5, 5), (1, 5000), (300, 4000)])
def test_coarse_numbers_ascend_from_the_fewest_to_the_most(fewest: int, most: int) -> None:
    numbers = coarse(SearchRange(fewest=fewest, most=most, exhaustive=0))

    assert numbers == sorted(set(numbers))
    assert (numbers[0], numbers[-1]) == (fewest, most)
