"""Replays, compared with closed forms and with the functions of other pages."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import FloatArray, Group, Owners
from assignors.registry import STRATEGIES
from evaluation.autoscaling.replay import Conditions, ScalingRun, simulate_rule
from evaluation.autoscaling.rules import ScalingRule, View, Wanted, fixed, least
from evaluation.autoscaling.workloads import Profile, Workload, day
from evaluation.judging import JudgeBy, Measure
from evaluation.measuring.lag_in_time import Series, time_lag
from evaluation.stated import InvalidNumberError


def group_of(partitions: int, consumers: int) -> Group:
    owners = np.arange(partitions) % max(consumers, 1) if consumers else None
    ids = [f"c{number:02}" for number in range(consumers)]
    return Group.of(["t"], [partitions], ids, owners=owners)


def workload_of(
    rates: list[float], lags: list[float], steps: int, stuck: list[bool] | None = None
) -> Workload:
    return Workload(
        step_s=60.0,
        rates=np.tile(np.array(rates), (steps, 1)),
        lags=np.array(lags),
        stuck=np.array(stuck or [False] * len(rates)),
    )


def conditions(**given: Any) -> Conditions:  # noqa: ANN401 -- a field's value each
    usual = Conditions(speed=100.0, allowed_s=120.0, pod_start_s=0.0, commit_s=0.0)
    return replace(usual, **given)


def from_step(step: int, pods: int, before: int) -> ScalingRule:
    return lambda view: Wanted(pods if view.now_s >= 60 * step else before)


def test_too_slow_a_consumer_falls_behind_by_the_difference() -> None:
    run = simulate_rule(group_of(1, 1), workload_of([150.0], [0.0], 10), fixed(1), conditions())

    minutes = np.arange(1, 11)
    assert run.lag == pytest.approx(50 * 60 * minutes)
    # The record read at t was written at 100 / 150 t.
    assert run.time_lag_s == pytest.approx(60 * minutes / 3)
    assert run.minutes_late(120.0) == 4


@pytest.mark.parametrize(
    ("by", "weights"),
    [
        (JudgeBy.LAG, [[600, 0], [0, 0]]),
        (JudgeBy.WORK, [[600 + 3000, 6000], [3000, 6000]]),
        (JudgeBy.RATE, [[600, 1200], [600, 1200]]),
    ],
)
def test_a_strategy_by_lag_weighs_what_waits_and_arrives_by_then(
    by: JudgeBy, weights: list[list[int]]
) -> None:
    seen: list[list[int]] = []

    def noting(group: Group) -> Owners:
        seen.append(group.weights.tolist())
        return STRATEGIES["lag-based"].settle(group)

    noted = replace(STRATEGIES["lag-based"], assign=noting, target=None)
    given = conditions(strategy=noted, measure=Measure(by=by))

    simulate_rule(
        group_of(2, 1), workload_of([10.0, 20.0], [600.0, 0.0], 3), from_step(1, 2, 1), given
    )

    assert seen == weights


def test_a_backlog_drains_with_the_speed_that_is_left_and_was_written_before() -> None:
    run = simulate_rule(group_of(1, 1), workload_of([40.0], [9000.0], 4), fixed(1), conditions())

    assert run.lag == pytest.approx([5400, 1800, 0, 0])
    assert run.time_lag_s == pytest.approx([5400 / 40, 1800 / 40, 0, 0])


@given(
    st.lists(st.floats(0, 60), min_size=2, max_size=6),
    st.lists(st.floats(0, 9), min_size=1, max_size=12),
)
def test_the_time_lag_is_that_of_lag_in_time(rates: list[float], factors: list[float]) -> None:
    arriving = np.outer(factors, np.round(rates)).round()
    partitions = arriving.shape[1]
    workload = Workload(
        step_s=60.0,
        rates=arriving,
        lags=np.zeros(partitions),
        stuck=np.zeros(partitions, np.bool_),
    )
    seen: list[View] = []

    def watching(view: View) -> Wanted:
        seen.append(view)
        return Wanted(1)

    run = simulate_rule(group_of(partitions, 1), workload, watching, conditions())

    ends = np.array([view.ends for view in seen])
    for step in range(1, len(seen)):
        known = Series.of_snapshots(np.arange(step + 1) * np.float64(60), ends[: step + 1])
        found = time_lag(known, seen[step].committed)
        # Offsets are whole in one and not in the other: a difference of up to one record's time.
        slowest = min((rate for rate in arriving[:step].ravel().tolist() if rate), default=1.0)
        assert run.time_lag_s[step - 1] == pytest.approx(
            found.seconds.max(), abs=1 / slowest + 1e-6
        )


def test_a_pod_reads_once_it_has_started_and_costs_from_when_it_is_wanted() -> None:
    workload = workload_of([0.0] * 4, [0.0] * 4, 6)

    run = simulate_rule(
        group_of(4, 1), workload, from_step(1, 3, 1), conditions(pod_start_s=90.0, threads=2)
    )

    assert run.pods.tolist() == [1, 3, 3, 3, 3, 3]
    assert run.consumers.tolist() == [2, 2, 2, 6, 6, 6]
    assert run.pod_hours == pytest.approx(16 / 60)


@pytest.mark.parametrize("name", ["cooperative-sticky", "range", "uniform-kafka-18688"])
def test_what_moves_is_what_the_strategy_moves(name: str) -> None:
    group = group_of(10, 3)

    run = simulate_rule(
        group,
        workload_of([1.0] * 10, [0.0] * 10, 3),
        from_step(1, 4, 3),
        conditions(strategy=STRATEGIES[name]),
    )

    settle = STRATEGIES[name].settle
    three = settle(group)
    larger = Group.of(["t"], [10], [f"c{n:02}" for n in range(4)], owners=three)
    assert run.moved[1] == np.count_nonzero(settle(larger) != three)


def test_what_a_pod_leaves_behind_goes_to_those_that_stay() -> None:
    workload = workload_of([1.0] * 9, [0.0] * 9, 3)

    run = simulate_rule(group_of(9, 3), workload, from_step(1, 2, 3), conditions())

    assert run.moved.tolist() == [0, 3, 0]
    assert run.r_score.sum() == pytest.approx(3 * 1.0 / 100.0)
    assert not run.lag[-1]


def test_eager_pauses_everything_and_cooperative_what_moves() -> None:
    workload = workload_of([10.0] * 4, [0.0] * 4, 2)
    lags = {}

    for name in ("range", "cooperative-sticky"):
        run = simulate_rule(
            group_of(4, 1),
            workload,
            from_step(0, 2, 1),
            conditions(strategy=STRATEGIES[name], speed=1000.0),
        )
        lags[name] = (run.paused_s[0], run.lag[0])

    assert lags["range"] == (4 * 10.0, 0.0)
    assert lags["cooperative-sticky"] == (2 * 10.0, 0.0)


def test_a_pause_leaves_what_arrives_during_it() -> None:
    workload = workload_of([10.0] * 4, [0.0] * 4, 1)

    run = simulate_rule(
        group_of(4, 1),
        workload,
        from_step(0, 2, 1),
        conditions(strategy=STRATEGIES["range"], speed=20.0),
    )

    assert run.lag[0] == pytest.approx(4 * 10 * 10)  # two consumers just keep up


def test_a_stuck_partition_is_seen_by_the_rule_and_counts_in_no_figure() -> None:
    seen: list[int] = []

    def watching(view: View) -> Wanted:
        seen.append(int(view.lags.sum()))
        return Wanted(1)

    run = simulate_rule(
        group_of(2, 1),
        workload_of([10.0, 5.0], [0.0, 0.0], 4, [True, False]),
        watching,
        conditions(),
    )

    assert seen == [0, 600, 1200, 1800]
    assert not run.lag.any()
    assert not run.time_lag_s.any()


def test_rules_see_what_is_committed_half_an_interval_late() -> None:
    seen: list[list[int]] = []

    def watching(view: View) -> Wanted:
        seen.append(view.lags.tolist())
        return Wanted(1)

    workload = workload_of([40.0, 20.0], [0.0, 0.0], 3, [False, True])
    run = simulate_rule(group_of(2, 1), workload, watching, conditions(commit_s=5.0))

    assert seen == [[0, 0], [100, 1200], [100, 2400]]
    assert not run.lag.any()


def test_without_pods_nothing_is_read() -> None:
    run = simulate_rule(
        group_of(2, 1), workload_of([10.0, 5.0], [0.0, 0.0], 3), from_step(1, 0, 1), conditions()
    )

    assert run.consumers.tolist() == [1, 0, 0]
    assert run.lag.tolist() == [0, 900, 1800]


def test_a_group_without_consumers_starts_with_one_pod() -> None:
    run = simulate_rule(
        group_of(2, 0), workload_of([1.0, 1.0], [0.0, 0.0], 2), fixed(1), conditions()
    )

    assert run.consumers.tolist() == [1, 1]
    assert not run.lag.any()


@pytest.mark.parametrize(
    "given",
    [
        {"speed": 0.0},
        {"allowed_s": np.inf},
        {"threads": 0},
        {"pod_start_s": -1.0},
    ],
)
def test_conditions_out_of_range_are_refused(given: dict[str, float]) -> None:
    with pytest.raises(InvalidNumberError, match="must be"):
        conditions(**given)


@pytest.mark.slow
def test_ours_is_in_time_with_fewer_consumer_hours_than_the_peak_takes() -> None:
    rates: FloatArray = np.random.default_rng(7).uniform(1, 20, 60)
    rates *= 1000 / rates.sum()
    workload = day(rates, np.zeros(60), Profile.DIURNAL)
    peak = int(np.ceil(workload.rates.sum(axis=1).max() / 100))

    run: ScalingRun = simulate_rule(
        group_of(60, 10),
        workload,
        least(100.0, 300.0),
        conditions(allowed_s=300.0, pod_start_s=30.0),
    )

    assert run.minutes_late(300.0) == 0
    assert run.pod_hours < 0.8 * 24 * peak
    assert run.consumers.sum() * 100 * 60 >= workload.rates.sum() * 60
