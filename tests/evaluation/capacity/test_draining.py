import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import UNKNOWN, UNOWNED, Group
from evaluation.capacity.draining import (
    Capacity,
    Drained,
    demand_of,
    drained,
    headroom_of,
    is_in_time,
    seconds_alone,
    seconds_per_member,
    speeds,
    too_heavy,
)
from evaluation.stated import InvalidNumberError


def group_with(
    lags: Sequence[int], rates: Sequence[float] | None = None, members: int = 2
) -> Group:
    return Group.of(["t"], [len(lags)], [f"c{m}" for m in range(members)], lags=lags, rates=rates)


def drain(group: Group, owners: Sequence[int], capacity: Capacity) -> Drained:
    demand = demand_of(group, capacity)
    return drained(demand, np.array(owners, np.int32), speeds(group, capacity.throughput), capacity)


@pytest.mark.parametrize(
    ("owners", "cap", "share"),
    [
        ([0, 1], None, 0.5),  # c0 has (100 - 100 / 10) / 60 - 1, c1 100 / 20 - 1
        ([0, 0], None, 90 / 80 - 1),
        ([0, 1], 80.0, 70 / 60 - 1),  # of t-0 80/s can be read
        ([0, UNOWNED], None, -1.0),
    ],
)
def test_headroom_is_what_more_may_arrive_everywhere(
    owners: list[int], cap: float | None, share: float
) -> None:
    group, capacity = (
        group_with([100, 0], [60.0, 20.0]),
        Capacity(throughput=100, allowed_s=10, partition_cap=cap),
    )
    demand, read = demand_of(group, capacity), speeds(group, 100.0)

    found = headroom_of(demand, np.array(owners, np.int32), read, capacity)

    assert found == pytest.approx(share)
    if found > 0:
        assert is_in_time(
            drain(
                group.with_rates(np.array([60, 20]) * (1 + found)),
                owners,
                replace(capacity, partition_cap=None),
            ).load
        )


def simulated(lags: Sequence[float], rates: Sequence[float], capacity: Capacity) -> float:
    """Read in small steps, dividing the speed fairly, until nothing is left."""
    step = 0.002
    waiting = np.array(lags) + np.array(rates) * capacity.pause_s
    cap = capacity.partition_cap or math.inf
    now = capacity.pause_s
    while (waiting > 1e-6).any() and now < 100:
        offered = waiting + np.array(rates) * step
        left = np.minimum(offered, cap * step)
        budget, read = capacity.throughput * step, np.zeros(len(lags))
        while budget > 1e-12 and (left - read > 1e-12).any():
            hungry = left - read > 1e-12
            share = min(budget / hungry.sum(), float((left - read)[hungry].min()))
            read[hungry] += share
            budget -= share * hungry.sum()
        waiting = offered - read
        now += step
    return now


def test_a_backlog_drains_after_the_pause_at_the_throughput_minus_the_rates() -> None:
    group = group_with([600, 300], [2.0, 1.0], members=1)
    capacity = Capacity(throughput=13, pause_s=10, allowed_s=200)

    found = drain(group, [0, 0], capacity)

    assert found.seconds == pytest.approx(10 + (900 + 30) / (13 - 3))


def test_the_group_is_done_when_its_slowest_consumer_is() -> None:
    capacity = Capacity(throughput=10, allowed_s=100)

    found = drain(group_with([600, 300]), [0, 1], capacity)

    assert found == Drained(60.0, 0.6, 0)


def test_records_that_arrive_as_fast_as_they_are_read_never_let_the_backlog_shrink() -> None:
    capacity = Capacity(throughput=10, allowed_s=100)

    assert drain(group_with([5], [10.0], 1), [0], capacity).seconds == math.inf
    assert drain(group_with([0], [11.0], 1), [0], capacity).seconds == math.inf


def test_without_backlog_a_consumer_that_just_keeps_up_is_done_immediately() -> None:
    found = drain(group_with([0], [10.0], 1), [0], Capacity(throughput=10, allowed_s=100))

    assert found.seconds == 0
    assert is_in_time(found.load)


def test_a_consumer_is_not_late_by_a_rounding_error() -> None:
    found = drain(group_with([0] * 3, [0.1] * 3, 1), [0] * 3, Capacity(throughput=0.3, allowed_s=9))

    assert found.load > 1
    assert is_in_time(found.load)
    assert found.seconds == 0


def test_a_rounding_error_to_spare_does_not_drain_a_backlog() -> None:
    group = group_with([5, 0, 0], [0.8, 0.1, 0.1], 1)

    found = drain(group, [0] * 3, Capacity(throughput=1 + 1e-12, allowed_s=9))

    assert found.seconds == math.inf


def test_a_partition_without_a_reader_never_drains() -> None:
    found = drain(group_with([5, 5]), [0, UNOWNED], Capacity(throughput=10, allowed_s=100))

    assert found.seconds == found.load == math.inf
    assert found.idle == 1


def test_unknown_lags_and_rates_count_as_nothing() -> None:
    group = group_with([UNKNOWN, 100], [math.nan, 0.0], members=1)

    found = drain(group, [0, 0], Capacity(throughput=10, allowed_s=100))

    assert found.seconds == 10


def test_a_consumer_that_states_its_throughput_reads_at_that() -> None:
    group = Group.of(["t"], [2], ["a", "b"], lags=[100, 100]).with_throughput([50.0, math.nan])

    found = drain(group, [0, 1], Capacity(throughput=10, allowed_s=100))

    assert speeds(group, 10).tolist() == [50, 10]
    assert found.seconds == 10


def test_a_consumer_that_reads_nothing_is_never_done_unless_it_has_nothing_to_read() -> None:
    group = Group.of(["t"], [2], ["a", "b"], lags=[5, 0]).with_throughput([10.0, -1.0])
    capacity = Capacity(throughput=10, partition_cap=10, allowed_s=100)

    assert drain(group, [1, 0], capacity).load == math.inf
    assert drain(group, [1, 0], capacity).seconds == math.inf
    assert drain(group, [0, 1], capacity).seconds == 0.5


def test_a_cap_that_binds_makes_the_slowest_partition_decide() -> None:
    capacity = Capacity(throughput=10, partition_cap=4, allowed_s=100)

    found = drain(group_with([100, 4], members=1), [0, 0], capacity)

    assert found.seconds == 25


def test_a_cap_on_a_lone_partition_decides() -> None:
    capacity = Capacity(throughput=10, partition_cap=4, allowed_s=100)

    found = drain(group_with([100, 4]), [0, 1], capacity)

    assert found == Drained(25.0, 0.25, 0)


def test_a_consumer_that_carries_its_needs_can_still_be_late_with_a_cap() -> None:
    # Within 10 s they need 6/s and 4/s of 10/s. But 5/s are read of both until the second is
    # done after 8 s; then 20 are left of the first, at most 6/s: 8 + 20 / 6 = 11.3 s.
    capacity = Capacity(throughput=10, partition_cap=6, allowed_s=10)

    found = drain(group_with([60, 40], members=1), [0, 0], capacity)

    assert found.seconds == pytest.approx(8 + 20 / 6)
    assert found.load == pytest.approx(found.seconds / 10)


def test_a_cap_that_never_binds_changes_nothing() -> None:
    group = group_with([100, 40], [4.0, 4.0], members=1)
    free = Capacity(throughput=10, allowed_s=100)
    capped = Capacity(throughput=10, partition_cap=6, allowed_s=100)

    assert drain(group, [0, 0], capped) == drain(group, [0, 0], free)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lags", "rates", "cap"),
    [
        ([30, 10, 5], [1, 0, 2], None),
        ([30, 10, 5], [1, 0, 2], 9),
        ([3, 40], [3, 1], 7.2),
        ([8, 8], [2, 2], 3),
        ([20, 1], [0, 0], 4),
    ],
)
def test_the_closed_form_is_what_a_simulation_finds(
    lags: list[float], rates: list[float], cap: float | None
) -> None:
    capacity = Capacity(throughput=10, partition_cap=cap, pause_s=1, allowed_s=60)
    group = group_with([int(lag) for lag in lags], rates, members=1)

    found = drain(group, [0] * len(lags), capacity)

    expected = simulated(lags, rates, capacity)
    assert found.seconds == pytest.approx(expected, abs=0.02)


@given(
    st.lists(st.tuples(st.integers(0, 500), st.integers(0, 9)), min_size=1, max_size=6),
    st.sampled_from([None, 3.0, 8.0, 40.0]),
    st.integers(0, 5),
)
def test_a_load_is_in_time_just_where_the_seconds_are(
    partitions: list[tuple[int, int]], cap: float | None, pause: int
) -> None:
    lags, rates = zip(*partitions, strict=True)
    capacity = Capacity(throughput=20, partition_cap=cap, pause_s=pause, allowed_s=31.7)

    found = drain(group_with(lags, rates), [k % 2 for k in range(len(lags))], capacity)

    assert is_in_time(found.load) == (found.seconds <= 31.7 * (1 + 1e-9))


def test_a_partition_no_consumer_reads_in_time_is_named_with_its_time_the_slowest_first() -> None:
    group = group_with([100, 3000, 2000, 0], [0.0, 5.0, 0.0, 50.0])
    capacity = Capacity(throughput=20, pause_s=10, allowed_s=60)
    demand = demand_of(group, capacity)

    heavy = too_heavy(demand, 20, capacity)

    assert heavy.tolist() == [3, 1, 2]
    alone = seconds_alone(demand, 20, capacity)
    assert alone[3] == math.inf
    assert alone[1] == pytest.approx(10 + (3000 + 50) / (20 - 5))


def test_topics_without_subscribers_require_nothing() -> None:
    group = Group.fresh({"t": 1, "u": 1}, {"c": ["t"]}, {"t": [5], "u": [1000]})

    demand = demand_of(group, Capacity(throughput=1, allowed_s=10))

    assert demand.backlog.tolist() == [5, 0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"throughput": 0.0}, "the processing rate of a consumer must be more than 0 records/s"),
        (
            {"throughput": math.nan},
            "the processing rate of a consumer must be more than 0 records/s",
        ),
        ({"partition_cap": -1.0}, "the most read from one partition must be more than 0 records/s"),
        ({"allowed_s": 0.0}, "the time allowed must be more than 0 min"),
        ({"pause_s": -1.0}, "the rebalance pause must be 0 s or more"),
        ({"pause_s": 60.0}, r"the time allowed \(1 min\) must be longer than the rebalance pause"),
    ],
)
def test_inputs_out_of_range_are_rejected_in_a_sentence(
    wrong: dict[str, float], message: str
) -> None:
    given_values: dict[str, float] = {"throughput": 10.0, "allowed_s": 60.0, "pause_s": 1.0}

    with pytest.raises(InvalidNumberError, match=message):
        Capacity(**(given_values | wrong))


def test_a_limit_per_partition_lengthens_the_time_of_its_consumer_alone() -> None:
    # a reads 100 records at 10/s instead of 50/s, b its 20 at 10/s
    group = Group.of(["t"], [2], ["a", "b"], lags=[100, 20])
    capacity = Capacity(throughput=50.0, allowed_s=60.0, partition_cap=10.0)
    of_member = speeds(group, capacity.throughput)

    demand, owners = demand_of(group, capacity), np.array([0, 1], np.int32)
    found = seconds_per_member(demand, owners, of_member, capacity)

    assert found.tolist() == [10.0, 2.0]
    assert drained(demand, owners, of_member, capacity).seconds == 10.0
