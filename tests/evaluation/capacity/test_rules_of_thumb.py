import pytest

from assignors.model import UNKNOWN, Group
from assignors.registry import STRATEGIES
from evaluation.capacity.draining import Capacity, InvalidCapacityError
from evaluation.capacity.rules_of_thumb import Advice, flink, keda, partitions_to_busy


def test_keda_divides_the_total_lag_and_stops_at_the_partitions() -> None:
    group = Group.fresh({"t": 3}, ["c"], {"t": [90, 5, UNKNOWN]})

    assert keda(group, 50) == Advice(2, 2)
    assert keda(group, 10) == Advice(3, 10)
    assert keda(group, 1e9) == Advice(1, 1)


def test_numbers_of_consumers_beyond_all_counting_are_the_largest_there_are() -> None:
    group = Group.fresh({"t": 3}, ["c"], {"t": [2**63 - 1, 5, UNKNOWN]})
    slowest = Capacity(throughput=5e-324, allowed_s=60)

    assert keda(group, 5e-324) == flink(group, slowest) == Advice(3, 2**63 - 1)


def test_keda_refuses_a_threshold_of_0() -> None:
    with pytest.raises(InvalidCapacityError, match="lag threshold"):
        keda(Group.fresh({"t": 1}, ["c"]), 0)


def test_flink_adds_the_rate_to_the_lag_over_the_time_to_catch_up() -> None:
    group = Group.of(["t"], [4], ["c"], lags=[600, 0, 0, 0], rates=[5, 5, 5, 0])

    assert flink(group, Capacity(throughput=25, allowed_s=60)) == Advice(1, 1)
    assert flink(group, Capacity(throughput=24, allowed_s=60)) == Advice(2, 2)
    assert flink(group, Capacity(throughput=1, allowed_s=60)) == Advice(4, 25)


def test_busy_consumers_take_partitions_in_all_or_in_one_topic() -> None:
    assert partitions_to_busy(STRATEGIES["roundrobin"], 10) == "10 partitions in all"
    assert partitions_to_busy(STRATEGIES["range"], 10) == "a topic of 10 partitions"
