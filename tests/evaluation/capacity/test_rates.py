import numpy as np
import pytest

from assignors.model import UNKNOWN, Group
from evaluation.capacity.draining import InvalidCapacityError
from evaluation.capacity.rates import default_throughput, measured, spread_by_lag, spread_evenly


def snapshot(topics: list[str], counts: list[int], ends: list[int] | None) -> Group:
    return Group.of(topics, counts, ["c"], end_offsets=ends)


def test_a_total_is_spread_evenly() -> None:
    group = Group.fresh({"t": 4}, ["c"])

    assert spread_evenly(group, 10).tolist() == [2.5] * 4


def test_a_total_is_spread_by_lag_and_evenly_where_there_is_none() -> None:
    group = Group.fresh({"t": 3}, ["c"], {"t": [30, UNKNOWN, 10]})

    assert spread_by_lag(group, 8).tolist() == [6, 0, 2]
    assert spread_by_lag(Group.fresh({"t": 2}, ["c"]), 8).tolist() == [4, 4]


def test_rates_are_what_end_offsets_grew_by_matched_by_topic_and_number() -> None:
    earlier = snapshot(["a", "t"], [1, 2], [7, 100, 200])
    later = snapshot(["t", "u"], [3, 1], [160, 200, 50, 9000])

    found = measured(earlier, later, 30)

    assert found[:2].tolist() == [2, 0]
    assert np.isnan(found[2:]).all()


def test_an_end_offset_that_fell_or_is_unknown_gives_no_rate() -> None:
    earlier = snapshot(["t"], [3], [100, 5, UNKNOWN])
    later = snapshot(["t"], [3], [130, 4, 9])

    found = measured(earlier, later, 10)

    assert found[0] == 3
    assert np.isnan(found[1:]).all()


def test_snapshots_without_a_common_end_offset_are_refused() -> None:
    with pytest.raises(InvalidCapacityError, match="no partition has an end offset in both"):
        measured(snapshot(["t"], [1], None), snapshot(["t"], [1], [5]), 10)
    with pytest.raises(InvalidCapacityError, match="more than 0 s"):
        measured(snapshot(["t"], [1], [1]), snapshot(["t"], [1], [5]), 0)


def test_by_default_todays_consumers_would_be_80_percent_busy() -> None:
    group = Group.fresh({"t": 100}, [f"c{m}" for m in range(4)], {"t": [320] * 100})

    assert default_throughput(group, pause_s=0, allowed_s=100) == 100


def test_by_default_the_heaviest_partition_takes_at_most_half_of_a_consumer() -> None:
    group = Group.fresh({"t": 3}, ["c0", "c1", "c2"], {"t": [1230, 0, 0]})

    assert default_throughput(group, pause_s=10, allowed_s=20) == 250


def test_without_consumers_or_work_there_is_a_default_as_well() -> None:
    assert default_throughput(Group.fresh({"t": 20}, []), pause_s=0, allowed_s=1) == 1
    group = Group.fresh({"t": 20}, [], {"t": [400] * 20})
    assert default_throughput(group, pause_s=0, allowed_s=10) == 100
