"""The Horizontal Pod Autoscaler's rule, compared with results computed by hand."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.autoscaling.hpa import (
    DOWN,
    UP,
    Behavior,
    HpaMetric,
    Scaler,
    Scaling,
    ScalingPolicy,
    Select,
    per_pod,
)
from evaluation.stated import InvalidNumberError

COUNTS = st.integers(1, 100)
AT_ONCE = replace(DOWN, window_s=0.0)


def syncs(scaling: Scaling, pods: int, metrics: list[float], apart_s: float = 15.0) -> list[int]:
    """Return the pods after each sync, with a target of 10 per pod; active above 0."""
    scaler, found = Scaler(scaling), []
    for number, metric in enumerate(metrics):
        now_s = number * apart_s
        pods = scaler.replicas(now_s, pods, [HpaMetric(metric, 10.0)], is_active=metric > 0)
        found.append(pods)
    return found


@given(st.integers(0, 2000), COUNTS)
def test_outside_the_tolerance_the_target_is_met_by_no_pod_too_many(
    metric: int, replicas: int
) -> None:
    wanted = per_pod(metric, 10.0, replicas, 0.0)

    assert wanted * 10 >= metric > (wanted - 1) * 10


def test_scaling_up_doubles_or_adds_four_a_sync() -> None:
    assert syncs(Scaling(), 1, [1000.0] * 7) == [5, 10, 20, 40, 80, 100, 100]


def test_scaling_down_waits_for_the_highest_of_five_minutes() -> None:
    found = syncs(Scaling(), 8, [80.0, 50.0, *[20.0] * 20])

    # The recommendation of 8 leaves the window with the sync at 300 s, the one of 5 at 315 s.
    assert found == [8] * 20 + [5, 2]


def test_a_spike_above_the_window_is_followed_immediately() -> None:
    assert syncs(Scaling(), 4, [20.0, 80.0]) == [4, 8]


def test_within_the_tolerance_nothing_changes() -> None:
    assert syncs(Scaling(down=AT_ONCE), 10, [109.0, 91.0, 111.0]) == [10, 10, 12]


def test_the_last_pod_leaves_after_the_cooldown_and_the_first_returns_at_once() -> None:
    found = syncs(Scaling(cooldown_s=60.0, polling_s=15.0), 1, [5.0, *[0.0] * 5, 5.0])

    # Inactive from 15 s on; the cooldown of 60 s ends 60 s later.
    assert found == [1, 1, 1, 1, 1, 0, 1]


def test_with_a_minimum_pods_stay_without_activity() -> None:
    assert syncs(Scaling(min_replicas=3, cooldown_s=0.0), 2, [0.0, 0.0]) == [3, 3]


@given(st.lists(st.floats(0, 5000), min_size=1, max_size=60), COUNTS)
def test_pods_stay_within_the_limits(metrics: list[float], pods: int) -> None:
    found = syncs(Scaling(min_replicas=2, max_replicas=30), pods, metrics)

    assert all(2 <= count <= 30 for count in found)


def test_limits_that_cross_are_refused() -> None:
    with pytest.raises(InvalidNumberError, match="found 5 and 4"):
        Scaling(min_replicas=5, max_replicas=4)


def test_the_ratio_at_the_tolerance_is_within_it() -> None:
    assert [per_pod(metric, 100.0, 10, 0.1) for metric in (1100, math.nextafter(1100, 2000))] == [
        10,
        12,
    ]


def test_activity_is_seen_at_the_next_poll() -> None:
    metrics = [0.0, *[5.0] * 8]

    # Polled at 0 s and at 60 s.
    assert syncs(Scaling(polling_s=60.0), 0, metrics) == [0, 0, 0, 0, 1, 1, 1, 1, 1]


def test_without_activity_the_idle_pods_stay_and_the_minimum_returns_at_once() -> None:
    scaling = Scaling(min_replicas=4, idle_replicas=0, cooldown_s=30.0, polling_s=15.0)

    assert syncs(scaling, 4, [50.0, 0.0, 0.0, 0.0, 0.0, 5.0]) == [5, 5, 5, 0, 0, 4]


def test_of_several_metrics_the_highest_counts() -> None:
    scaler = Scaler(Scaling())

    demands = [HpaMetric(20.0, 10.0), HpaMetric(60.0, 10.0), HpaMetric(1.0, 10.0, is_average=False)]

    assert scaler.replicas(0.0, 3, demands, is_active=True) == 6


def test_a_value_is_met_by_all_pods_together() -> None:
    scaler = Scaler(Scaling(down=AT_ONCE))

    assert scaler.replicas(0.0, 4, [HpaMetric(15.0, 10.0, is_average=False)], is_active=True) == 6


@pytest.mark.parametrize(
    ("up", "found"),
    [
        # 2 pods in any 30 s, and 50 % in any 15 s: the better one.
        (
            replace(
                UP, policies=(ScalingPolicy(2, 30.0), ScalingPolicy(50, 15.0, is_percent=True))
            ),
            [6, 9, 14, 21],
        ),
        (
            replace(
                UP,
                policies=(ScalingPolicy(2, 30.0), ScalingPolicy(50, 15.0, is_percent=True)),
                select=Select.LEAST,
            ),
            [6, 6, 8, 8],
        ),
        (replace(UP, select=Select.NONE), [4, 4, 4, 4]),
        (replace(UP, policies=(ScalingPolicy(1, 60.0),)), [5, 5, 5, 5]),
    ],
)
def test_policies_limit_how_fast_pods_are_added(up: Behavior, found: list[int]) -> None:
    assert syncs(Scaling(up=up), 4, [1000.0] * 4) == found


def test_policies_limit_how_fast_pods_are_removed() -> None:
    slow = Behavior(
        window_s=0.0, policies=(ScalingPolicy(10, 60.0, is_percent=True), ScalingPolicy(3, 30.0))
    )
    slower = replace(slow, select=Select.LEAST)

    assert syncs(Scaling(down=slow), 20, [10.0] * 5) == [17, 17, 14, 14, 11]
    assert syncs(Scaling(down=slower), 20, [10.0] * 5) == [18, 18, 18, 18, 16]
    assert syncs(Scaling(down=replace(slow, select=Select.NONE)), 20, [10.0] * 3) == [20] * 3


def test_scaling_up_waits_for_the_lowest_of_its_window() -> None:
    patient = replace(UP, window_s=30.0)

    assert syncs(Scaling(up=patient), 2, [20.0, 60.0, 60.0, 60.0]) == [2, 2, 6, 6]


def test_idle_pods_are_fewer_than_the_least() -> None:
    with pytest.raises(InvalidNumberError, match="less than minReplicaCount; found 2 and 2"):
        Scaling(min_replicas=2, idle_replicas=2)
