"""The rule of Flink's autoscaler, in closed form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.autoscaling.flink import Autoscaler, FlinkOptions, aligned, capacity_needed


def test_what_is_needed_is_the_sum_of_three() -> None:
    options = FlinkOptions(catch_up_s=600, restart_s=60)

    needed = capacity_needed(6000.0, 700.0, options, 0.7, with_restart=True)

    assert needed == 6000 / 600 + 700 * 60 / 600 + 700 / 0.7


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 60))
def test_the_next_divisor_is_taken_where_there_is_one_on_the_way(
    current: int, wanted: int, partitions: int
) -> None:
    current, wanted = min(current, partitions), min(wanted, partitions)
    last = partitions if wanted > current else current
    divisors = [n for n in range(wanted, last + 1) if partitions % n == 0]

    found = aligned(current, wanted, partitions)

    if wanted == current:
        assert found == wanted
    elif divisors:
        assert found == divisors[0]
    else:  # scaling down, to a divisor or as long as a subtask gets no more whole partitions
        whole = partitions // found
        assert found <= max(current, wanted)
        assert found == current or not partitions % found or whole == partitions // wanted


@pytest.mark.parametrize(
    ("current", "wanted", "partitions", "found"),
    [
        (10, 7, 13, 7),  # 13 // 7 is 1, 13 // 6 is 2: no fewer than 7
        (10, 9, 13, 7),  # with 7, 8 or 9 the busiest has two partitions: the smallest of them
        (10, 3, 24, 3),
        (5, 9, 24, 12),
        (7, 5, 7, 7),  # 7 itself is the next divisor: no scaling down
    ],
)
def test_alignment_by_hand(current: int, wanted: int, partitions: int, found: int) -> None:
    assert aligned(current, wanted, partitions) == found


def minutes(rates: list[float], options: FlinkOptions, current: int = 4) -> list[int]:
    scaler, found = Autoscaler(options, 100.0, 24), []
    for minute, rate in enumerate(rates):
        current = scaler.parallelism(60.0 * minute, current, 0.0, rate)
        found.append(current)
    return found


def test_scaling_up_is_immediate_and_scaling_down_waits_an_hour() -> None:
    options = FlinkOptions(window_s=0.0, stabilization_s=0.0, restart_s=0.0)

    found = minutes([700.0] * 5 + [300.0] * 62, options)

    # 700 / 0.7 needs 10 pods of 100/s, and 12 divides 24. Scaling down, 300 / 0.7 needs 5, and 6
    # divides 24; at 300/s the bounds allow up to 750, not 1,200.
    assert found[:5] == [12] * 5
    assert found[5:65] == [12] * 60
    assert found[65] == 6


def test_within_the_bounds_of_utilization_nothing_changes() -> None:
    options = FlinkOptions(window_s=0.0, stabilization_s=0.0, restart_s=0.0)

    # 4 pods process 400: from 160 (40 %) to 400 (100 %) nothing changes, though 0.7 is the target.
    assert minutes([390.0, 170.0], options) == [4, 4]
    assert minutes([401.0], options) == [6]


def test_after_a_change_the_next_waits_for_the_stabilization() -> None:
    options = FlinkOptions(window_s=0.0, stabilization_s=300.0, restart_s=0.0)

    assert minutes([500.0] + [1000.0] * 5, options) == [8, 8, 8, 8, 8, 24]
