"""The Horizontal Pod Autoscaler's rule, compared with results computed by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.autoscaling.hpa import Scaler, Scaling, per_pod
from evaluation.capacity.draining import InvalidCapacityError

COUNTS = st.integers(1, 100)


def syncs(scaling: Scaling, pods: int, metrics: list[float], apart_s: float = 15.0) -> list[int]:
    """Return the pods after each sync, with a target of 10 per pod; active above 0."""
    scaler, found = Scaler(scaling), []
    for number, metric in enumerate(metrics):
        now_s = number * apart_s
        pods = scaler.replicas(now_s, pods, metric, 10.0, is_active=metric > 0)
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
    assert syncs(Scaling(down_window_s=0.0), 10, [109.0, 91.0, 111.0]) == [10, 10, 12]


def test_the_last_pod_leaves_after_the_cooldown_and_the_first_returns_at_once() -> None:
    found = syncs(Scaling(cooldown_s=60.0), 1, [5.0, *[0.0] * 5, 5.0])

    # Inactive from 15 s on; the cooldown of 60 s ends 60 s later.
    assert found == [1, 1, 1, 1, 1, 0, 1]


def test_with_a_minimum_pods_stay_without_activity() -> None:
    assert syncs(Scaling(min_replicas=3, cooldown_s=0.0), 2, [0.0, 0.0]) == [3, 3]


@given(st.lists(st.floats(0, 5000), min_size=1, max_size=60), COUNTS)
def test_pods_stay_within_the_limits(metrics: list[float], pods: int) -> None:
    found = syncs(Scaling(min_replicas=2, max_replicas=30), pods, metrics)

    assert all(2 <= count <= 30 for count in found)


def test_limits_that_cross_are_refused() -> None:
    with pytest.raises(InvalidCapacityError, match="found 5 and 4"):
        Scaling(min_replicas=5, max_replicas=4)


def test_the_ratio_at_the_tolerance_is_within_it() -> None:
    assert [per_pod(metric, 100.0, 10, 0.1) for metric in (1100, math.nextafter(1100, 2000))] == [
        10,
        12,
    ]
