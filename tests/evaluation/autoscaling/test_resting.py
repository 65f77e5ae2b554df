"""Where a ScaledObject comes to rest, worked out by hand."""

import re
from typing import Any

import numpy as np
import pytest

from assignors.model import UNKNOWN, Group
from evaluation.autoscaling.hpa import DOWN, UP, Behavior, Scaling, ScalingPolicy, Select
from evaluation.autoscaling.keda import KedaTrigger
from evaluation.autoscaling.resting import Resting, Scaled, Stop, resting_point
from evaluation.autoscaling.resting_words import resting_sentence, resting_steps
from evaluation.autoscaling.rules import Trigger


def _group(lags: list[int]) -> Group:
    return Group.of(["t"], [len(lags)], ["a"], lags=lags)


def _rests(
    group: Group,
    replicas: int,
    trigger: KedaTrigger | None = None,
    **scaling: Any,  # noqa: ANN401 -- the fields of Scaling
) -> Resting:
    scaled = Scaled(
        (Trigger(trigger or KedaTrigger(), None, "t"),),
        Scaling(**{"min_replicas": 1, **scaling}),
    )
    return resting_point(scaled, group, replicas)


def test_63_pods_of_64_partitions_stay_since_the_64th_is_within_the_tolerance() -> None:
    group = _group([1_000] * 64)

    found = {pods: _rests(group, pods) for pods in (58, 59, 63, 64)}

    assert {pods: each.rests_at for pods, each in found.items()} == {58: 64, 59: 59, 63: 63, 64: 64}
    assert found[63].goes_on_from == 58  # 64 / 58 = 1.103
    assert found[63].polled[0].metric == 640


def test_pods_above_the_target_stay_too_where_a_slow_policy_leads_past_the_tolerance() -> None:
    one = Behavior(window_s=0.0, policies=(ScalingPolicy(1, 60.0),))
    group = _group([10] * 20)

    quick, slow = _rests(group, 26), _rests(group, 26, down=one)

    assert list(quick.path) == [26, 20]
    assert (list(slow.path), slow.stop) == ([26, 25, 24, 23, 22], Stop.TOLERANCE)  # 20/22 = 0.91
    assert slow.goes_on_from == 23


def test_the_cap_binds_a_whole_threshold_above_it_as_in_keda() -> None:
    just, more = _rests(_group([59, 0]), 1), _rests(_group([30, 0]), 1)

    assert (just.polled[0].metric, just.rests_at) == (20, 2)
    assert (more.polled[0].metric, more.polled[0].cap) == (20, 20)
    between = _rests(_group([29, 0]), 1)
    assert (between.polled[0].metric, between.rests_at) == (29, 3)  # 3 pods for 2 partitions


@pytest.mark.parametrize(
    ("options", "metric", "rests_at"),
    [
        (KedaTrigger(), 40, 4),
        (KedaTrigger(allow_idle_consumers=True), 200, 20),
        (KedaTrigger(limit_to_partitions_with_lag=True), 20, 2),
        (KedaTrigger(ensure_even_distribution_of_partitions=True), 40, 4),
        (KedaTrigger(is_average=False), 40, 30),  # Value: 4 times as many each time, up to the most
        (KedaTrigger(activation_lag_threshold=200), 40, 4),
    ],
)
def test_options_of_the_trigger_count(options: KedaTrigger, metric: int, rests_at: int) -> None:
    found = _rests(_group([150, 50, 0, 0]), 1, options, max_replicas=30)

    assert (found.polled[0].metric, found.rests_at) == (metric, rests_at)


@pytest.mark.parametrize(
    ("options", "metric"),
    [
        (KedaTrigger(lag_threshold=1_000), 7 + 1 + 1),
        (KedaTrigger(lag_threshold=1_000, resets_to_latest=False), 7 + 50 + 30),
        (KedaTrigger(lag_threshold=1_000, scale_to_zero_on_invalid_offset=True), 7),
    ],
)
def test_what_is_not_committed_counts_by_the_reset_policy(
    options: KedaTrigger, metric: int
) -> None:
    group = _group([7, 0, 0]).with_offsets(
        begin=[0, 50, 0],
        end=[107, 100, 30],
        committed=[100, UNKNOWN, UNKNOWN],
    )

    (polled,) = _rests(group, 1, options).polled

    assert (polled.metric, polled.uncommitted, polled.unknown) == (metric, 2, 0)


def test_a_lag_that_nobody_told_is_counted_apart() -> None:
    (polled,) = _rests(_group([7, UNKNOWN, 3]), 1).polled

    assert (polled.metric, polled.uncommitted, polled.unknown) == (11, 1, 1)


def test_without_a_first_offset_the_retained_records_are_said_to_be_at_most_that() -> None:
    group = _group([UNKNOWN]).with_offsets(end=[30], committed=[UNKNOWN])

    (polled,) = _rests(group, 1, KedaTrigger(resets_to_latest=False)).polled

    assert (polled.lag, polled.is_from_start) == (30, True)


def test_a_standing_partition_does_not_count_under_exclude_persistent_lag() -> None:
    group = _group([90, 30]).with_offsets(end=[100, 100], committed=[10, 70])
    scaled = Scaled((Trigger(KedaTrigger(exclude_persistent_lag=True)),), Scaling(min_replicas=1))

    first = resting_point(scaled, group, 1).polled[0]
    then = resting_point(scaled, group, 1, np.array([10, 60])).polled[0]

    assert (first.lag, first.persistent) == (120, 0)
    assert (then.lag, then.persistent, then.is_active) == (30, 1, True)


def test_a_trigger_without_topic_sums_the_topics_in_which_something_is_committed() -> None:
    group = Group.of(["a", "b", "c"], [2, 2, 2], ["m"], lags=[60, 40, 30, 30, UNKNOWN, UNKNOWN])
    whole = Scaled((Trigger(KedaTrigger(has_topic=False)),), Scaling(min_replicas=1))
    each = Scaled(
        tuple(
            Trigger(KedaTrigger(lag_threshold=50), np.arange(2) + 2 * number, topic)
            for number, topic in enumerate("ab")
        ),
        Scaling(min_replicas=1),
    )

    (polled,), of_two = resting_point(whole, group, 1).polled, resting_point(each, group, 1)

    assert (polled.lag, polled.counted, polled.cap) == (160, 4, 40)
    assert [each.desired for each in of_two.polled] == [2, 2]
    assert of_two.rests_at == 2


@pytest.mark.parametrize(
    ("lag", "replicas", "scaling", "path", "stop"),
    [
        (0, 5, {"min_replicas": 0}, [5, 0], Stop.IDLE),
        (0, 0, {"min_replicas": 0}, [0], Stop.IDLE),
        (0, 5, {"min_replicas": 2}, [5, 2], Stop.LEAST),
        (0, 5, {"min_replicas": 3, "idle_replicas": 1}, [5, 1], Stop.IDLE),
        (0, 5, {"min_replicas": 0, "cooldown_s": np.inf}, [5, 1], Stop.LEAST),
        (35, 0, {"min_replicas": 0}, [0, 1, 4], Stop.ON_TARGET),
        (35, 9, {"max_replicas": 3}, [9, 3], Stop.MOST),
        (35, 1, {"up": Behavior(window_s=0, policies=UP.policies, select=Select.NONE)}, [1], None),
        (
            5,
            4,
            {"down": Behavior(window_s=0, policies=DOWN.policies, select=Select.NONE)},
            [4],
            None,
        ),
    ],
)
def test_limits_idle_pods_and_policies_stop_it(
    lag: int, replicas: int, scaling: dict[str, Any], path: list[int], stop: Stop | None
) -> None:
    found = _rests(_group([lag, 0, 0, 0]), replicas, **scaling)

    assert (list(found.path), found.stop) == (path, stop or Stop.POLICY)


@pytest.mark.parametrize(("paused_at", "path"), [(None, [3]), (7, [3, 7])])
def test_a_paused_one_stays_where_it_is_paused(paused_at: int | None, path: list[int]) -> None:
    triggers = (Trigger(KedaTrigger()),)
    scaled = Scaled(triggers, Scaling(), is_paused=True, paused_at=paused_at)

    found = resting_point(scaled, _group([900]), 3)

    assert (list(found.path), found.stop) == (path, Stop.PAUSED)


@pytest.mark.parametrize("replicas", [0, 1, 3, 9])
@pytest.mark.parametrize("lag", [0, 35, 400])
def test_every_reason_is_said_with_its_numbers(replicas: int, lag: int) -> None:
    none = Behavior(window_s=0, policies=(), select=Select.NONE)
    usual: dict[str, Any] = {}
    for scaling in (usual, {"min_replicas": 0}, {"max_replicas": 2}, {"up": none, "down": none}):
        found = _rests(_group([lag, 0, 0, 0]), replicas, **scaling)
        said = resting_sentence(found)
        assert re.search(rf"\b{found.rests_at} pods?\b", said)
        steps = list(resting_steps(found))
        assert f"lag {lag} over 4 partitions" in steps[0]
        assert (len(found.path) > 1) == any("→" in step for step in steps)
