import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.capacity.draining import Capacity, demand_of, drained, is_in_time
from evaluation.capacity.limits import ConsumerLimits, consumer_limits
from tests.evaluation.capacity.test_trials import curve_of, hot_first_partitions
from tests.groups import groups, tried


def test_the_limits_of_the_example_are_those_of_its_hot_partitions() -> None:
    found = consumer_limits(hot_first_partitions(), Capacity(throughput=1000, allowed_s=1.17))

    assert found == ConsumerLimits(fewest=7, enough=7)


def test_no_number_is_enough_for_a_partition_that_one_consumer_cannot_read() -> None:
    found = consumer_limits(hot_first_partitions(), Capacity(throughput=1000, allowed_s=0.9))

    assert found == ConsumerLimits(fewest=None, enough=None)


def test_consumers_of_unequal_speed_have_a_lower_limit_only() -> None:
    group = Group.of(["t"], [3], ["a", "b"], lags=[10, 10, 10]).with_throughput([10.0, math.nan])

    found = consumer_limits(group, Capacity(throughput=5, allowed_s=1.5))

    assert found == ConsumerLimits(fewest=3, enough=None)


def test_a_group_without_work_needs_one_consumer() -> None:
    group = Group.fresh({"t": 2}, ["c"], {"t": [0, 0]})

    assert consumer_limits(group, Capacity(throughput=1, allowed_s=1)) == ConsumerLimits(
        fewest=1, enough=1
    )


@given(st.lists(st.integers(0, 12), min_size=1, max_size=5), st.integers(12, 20))
@tried(60)
def test_the_limits_hold_for_every_assignment_there_is(lags: list[int], throughput: int) -> None:
    group = Group.fresh({"t": len(lags)}, ["c0"], {"t": lags})
    capacity = Capacity(throughput=throughput, allowed_s=1)

    found = consumer_limits(group, capacity)

    demand = demand_of(group, capacity)
    working = next(
        m
        for m in range(1, len(lags) + 1)
        if any(
            is_in_time(
                drained(
                    demand, np.array(owners, np.int32), np.full(m, float(throughput)), capacity
                ).load
            )
            for owners in product(range(m), repeat=len(lags))
        )
    )
    assert found.fewest is not None
    assert found.enough is not None
    assert found.fewest <= working <= found.enough


@pytest.mark.slow
@given(groups(), st.integers(1, 30), st.sampled_from([None, 4.0]))
@tried(40)
def test_no_strategy_works_with_fewer_than_the_proved_minimum(
    group: Group, throughput: int, cap: float | None
) -> None:
    capacity = Capacity(throughput=throughput, partition_cap=cap, allowed_s=2)
    names = tuple(STRATEGIES)

    found = [curve_of(group, name, capacity, 7) for name in names]

    fewest = consumer_limits(group, capacity).fewest
    for curve in found:
        assert curve.first is None or (fewest is not None and curve.first >= fewest)
        assert curve.always_from is None or curve.first is not None
        assert curve.always_from is None or curve.always_from >= (curve.first or 0)


def test_a_packing_that_a_cap_makes_late_is_not_called_enough() -> None:
    # Both carry 6/s and 4/s within 10 s at 10/s, but take 11.3 s at most 6/s of one partition.
    group = Group.fresh({"t": 2}, ["c0"], {"t": [60, 40]})

    assert consumer_limits(
        group, Capacity(throughput=10, partition_cap=6, allowed_s=10)
    ) == ConsumerLimits(fewest=1, enough=None)


def test_a_group_without_consumers_has_limits_too() -> None:
    group = Group.fresh({"t": 3}, [], {"t": [30, 20, 10]})

    assert consumer_limits(group, Capacity(throughput=10, allowed_s=3)) == ConsumerLimits(
        fewest=2, enough=2
    )
