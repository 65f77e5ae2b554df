"""Rules from the outside: what they change, and what they leave alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.autoscaling import flink, hpa, keda
from evaluation.autoscaling.packing import Fit
from evaluation.autoscaling.rules import (
    Trigger,
    View,
    emptied,
    flink_rule,
    keda_rule,
    lag_per_consumer,
    least,
    packing_rule,
    relieved,
)
from evaluation.capacity.limits import fewest_bins

NEEDS = st.lists(st.floats(0.1, 50), min_size=1, max_size=30)
ROOM = 50.0


def view_of(
    lags: list[int], rates: list[float], owners: list[int], now_s: float = 0.0, pods: int = 1
) -> View:
    return View(
        now_s=now_s,
        step_s=60.0,
        pods=pods,
        rates=np.array(rates),
        committed=np.zeros(len(lags), np.int64),
        ends=np.array(lags),
        owners=np.array(owners, np.int32),
        paused_s=0.0,
    )


@given(NEEDS, st.data())
def test_after_relief_no_consumer_exceeds_its_capacity(
    drawn: list[float], data: st.DataObject
) -> None:
    needs = np.array(drawn)
    held = st.lists(st.integers(-1, 5), min_size=needs.size, max_size=needs.size)
    owners = np.array(data.draw(held), np.int32)

    after = relieved(needs, owners, ROOM)

    loads = np.bincount(after, needs)
    before = np.bincount(owners[owners >= 0], needs[owners >= 0], 6)
    assert (loads <= ROOM * (1 + 1e-6)).all()
    stayed = [consumer for consumer in np.unique(owners[owners >= 0]) if before[consumer] <= ROOM]
    assert all((after[owners == consumer] == consumer).all() for consumer in stayed)


@given(NEEDS)
def test_emptying_moves_only_what_the_last_consumers_own(drawn: list[float]) -> None:
    needs = np.array(drawn)
    owners = np.arange(needs.size, dtype=np.int32)

    after = emptied(needs, owners, ROOM)

    count = int(after.max()) + 1
    assert (np.bincount(after, needs) <= ROOM * (1 + 1e-6)).all()
    assert (after[:count] == owners[:count]).all()
    assert count >= fewest_bins(needs, ROOM)


def test_ours_empties_consumers_only_after_a_calm_time() -> None:
    rule = least(ROOM, 60.0, calm_s=120.0)
    wanted = [
        rule(view_of([0] * 3, [10.0] * 3, [0, 1, 2], now_s)).pods for now_s in (0.0, 60.0, 120.0)
    ]

    assert wanted == [3, 3, 1]


def test_lag_per_consumer_rounds_up_and_stops_at_the_most() -> None:
    rule = lag_per_consumer(10.0, hpa.Scaling(max_replicas=2))

    assert rule(view_of([11, 10], [0.0, 0.0], [0, 0])).pods == 2
    assert rule(view_of([1, 0], [0.0, 0.0], [0, 0])).pods == 1
    assert rule(view_of([900, 0], [0.0, 0.0], [0, 0])).pods == 2


def test_keda_leaves_a_persistent_lag_out_from_the_second_poll_on() -> None:
    options = keda.KedaTrigger(lag_threshold=10, exclude_persistent_lag=True)
    rule = keda_rule(
        (Trigger(options),), hpa.Scaling(min_replicas=1, down=replace(hpa.DOWN, window_s=0.0))
    )

    first = rule(view_of([80, 0, 0, 0, 0, 0, 0, 0], [0.0] * 8, [0] * 8))
    second = rule(view_of([80, 0, 0, 0, 0, 0, 0, 0], [0.0] * 8, [0] * 8, 60.0, first.pods))

    assert (first.pods, second.pods) == (8, 1)


def test_flinks_consumers_are_threads_of_pods() -> None:
    rule = flink_rule(flink.FlinkOptions(restart_s=0.0), speed=100.0, threads=4)

    # 700 / 0.7 / 100 is 10 consumers; the next divisor of 24 partitions is 12.
    assert rule(view_of([0] * 24, [700 / 24] * 24, [0] * 24)).pods == 3


@pytest.mark.parametrize(("threads", "pods"), [(1, 3), (2, 2)])
def test_packing_requests_a_pod_for_each_of_its_consumers(threads: int, pods: int) -> None:
    rule = packing_rule(Fit.BEST, ROOM, threads, by_largest=False)

    wanted = rule(view_of([0] * 3, [30.0, 30.0, 30.0], [0, 0, 0]))

    assert wanted.pods == pods
    assert wanted.owners is not None
    assert sorted(wanted.owners.tolist()) == [0, 1, 2]


@pytest.mark.parametrize(("step_s", "syncs"), [(60.0, 4), (30.0, 2), (20.0, 1), (5.0, 1)])
def test_a_step_has_as_many_syncs_as_fit_and_one_at_least(step_s: float, syncs: int) -> None:
    """Each sync adds four pods, of 15 s, until the windows of the first end."""
    view = view_of([1_000] * 100, [0.0] * 100, [0] * 100)._replace(step_s=step_s)
    up = hpa.Behavior(window_s=0.0, policies=(hpa.ScalingPolicy(4, 15.0),))
    once = keda_rule((Trigger(keda.KedaTrigger(lag_threshold=10)),), hpa.Scaling(up=up))
    by_sync = keda_rule((Trigger(keda.KedaTrigger(lag_threshold=10)),), hpa.Scaling(up=up))

    pods = 1
    for sync in range(syncs):
        pods = by_sync(view._replace(step_s=15.0, now_s=15.0 * sync, pods=pods)).pods

    assert (once(view).pods, pods) == (1 + 4 * syncs, 1 + 4 * syncs)
