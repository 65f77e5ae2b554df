import math
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.capacity import Capacity, demand_of, drained, is_in_time
from evaluation.sweep import Curve, Limits, curves, limits, sweep
from tests.groups import groups, tried


def hot_first_partitions(members: int = 10) -> Group:
    """Return six topics of 20 partitions, the first of each with lag 1,000, the others 10."""
    names = [f"t{k}" for k in range(6)]
    return Group.fresh(
        dict.fromkeys(names, 20),
        [f"c{m:02d}" for m in range(members)],
        dict.fromkeys(names, [1000] + [10] * 19),
    )


def curve_of(group: Group, name: str, capacity: Capacity, most: int) -> Curve:
    (found,) = curves([name], sweep(group, [name], capacity, range(1, most + 1)))
    return found


def test_round_robin_is_not_monotone_and_every_number_is_tried() -> None:
    capacity = Capacity(throughput=1000, allowed_s=1.17)

    found = curve_of(hot_first_partitions(), "roundrobin", capacity, 21)

    fullest = dict(zip(found.consumers.tolist(), found.seconds * 1000, strict=True))
    assert [round(fullest[m]) for m in (7, 10, 11, 20)] == [1170, 6060, 1100, 6000]
    assert found.first == 7
    assert found.always_from == 21


def test_a_strategy_that_fails_at_the_last_number_never_works_always() -> None:
    found = curve_of(
        hot_first_partitions(), "roundrobin", Capacity(throughput=1000, allowed_s=1.17), 20
    )

    assert found.first == 7
    assert found.always_from is None


def test_a_strategy_that_never_works_has_neither_figure() -> None:
    found = curve_of(hot_first_partitions(), "range", Capacity(throughput=1000, allowed_s=1.17), 30)

    assert (found.first, found.always_from) == (None, None)
    assert not found.works.any()


def test_consumers_beyond_a_topic_stay_idle_under_range() -> None:
    group = Group.fresh({"t": 5, "u": 3}, ["c0"], {"t": [1] * 5, "u": [1] * 3})
    capacity = Capacity(throughput=1, allowed_s=10)

    assert curve_of(group, "range", capacity, 10).at(10).idle == 5
    assert curve_of(group, "roundrobin", capacity, 10).at(10).idle == 2


def test_a_sweep_computes_no_further_than_it_is_asked() -> None:
    rows = sweep(
        hot_first_partitions(), ["range"], Capacity(throughput=1, allowed_s=1), range(1, 10**6, 2)
    )

    assert [row.consumers for row in islice(rows, 2)] == [1, 3]


def test_all_strategies_are_swept_over_one_row_a_number() -> None:
    names = tuple(STRATEGIES)

    rows = list(
        sweep(hot_first_partitions(), names, Capacity(throughput=1000, allowed_s=9), range(1, 4))
    )

    assert [row.consumers for row in rows] == [1, 2, 3]
    assert all(len(row.outcomes) == len(names) for row in rows)
    assert {curve.seconds[0] for curve in curves(names, rows)} == {7.14}


def test_the_limits_of_the_example_are_those_of_its_hot_partitions() -> None:
    found = limits(hot_first_partitions(), Capacity(throughput=1000, allowed_s=1.17))

    assert found == Limits(fewest=7, enough=7)


def test_no_number_is_enough_for_a_partition_that_one_consumer_cannot_read() -> None:
    found = limits(hot_first_partitions(), Capacity(throughput=1000, allowed_s=0.9))

    assert found == Limits(fewest=None, enough=None)


def test_consumers_of_unequal_speed_have_a_lower_limit_only() -> None:
    group = Group.of(["t"], [3], ["a", "b"], lags=[10, 10, 10], throughput=[10.0, math.nan])

    found = limits(group, Capacity(throughput=5, allowed_s=1.5))

    assert found == Limits(fewest=3, enough=None)


def test_a_group_without_work_needs_one_consumer() -> None:
    group = Group.fresh({"t": 2}, ["c"], {"t": [0, 0]})

    assert limits(group, Capacity(throughput=1, allowed_s=1)) == Limits(fewest=1, enough=1)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=5), st.integers(12, 20))
@tried(60)
def test_the_limits_hold_for_every_assignment_there_is(lags: list[int], throughput: int) -> None:
    group = Group.fresh({"t": len(lags)}, ["c0"], {"t": lags})
    capacity = Capacity(throughput=throughput, allowed_s=1)

    found = limits(group, capacity)

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


@given(groups(), st.integers(1, 30), st.sampled_from([None, 4.0]))
@tried(40)
def test_no_strategy_works_with_fewer_than_the_proved_minimum(
    group: Group, throughput: int, cap: float | None
) -> None:
    capacity = Capacity(throughput=throughput, partition_cap=cap, allowed_s=2)
    names = tuple(STRATEGIES)

    found = curves(names, sweep(group, names, capacity, range(1, 8)))

    fewest = limits(group, capacity).fewest
    for curve in found:
        assert curve.first is None or (fewest is not None and curve.first >= fewest)
        assert curve.always_from is None or curve.first is not None
        assert curve.always_from is None or curve.always_from >= (curve.first or 0)


@pytest.mark.parametrize("name", STRATEGIES)
def test_with_a_consumer_a_partition_a_balanced_strategy_is_as_slow_as_the_slowest(
    name: str,
) -> None:
    group = Group.fresh({"t": 4}, ["c0"], {"t": [40, 10, 20, 30]})

    found = curve_of(group, name, Capacity(throughput=10, allowed_s=4), 4)

    assert found.at(4).seconds == 4
    assert found.at(4).load == 1
