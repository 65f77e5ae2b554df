"""The comparison of rules: the candidates, the best one, and its settings."""

import pickle
from functools import partial

import numpy as np
import pytest
import yaml

from assignors.model import Group
from evaluation.autoscaling.comparison import (
    Candidate,
    RuleResult,
    best_settable,
    candidates,
    compare_rules,
    manifest,
    most_rules,
    results_to_show,
    run_candidate,
)
from evaluation.autoscaling.replay import Conditions, ScalingRun
from evaluation.autoscaling.rules import fixed
from evaluation.autoscaling.workloads import Profile, Workload, day

CONDITIONS = Conditions(speed=100.0, allowed_s=300.0)
GROUP = Group.of(
    ["orders"], [24], ["a", "b", "c"], owners=np.arange(24) % 3, rates=np.full(24, 25.0), id='"odd"'
)


def results_of(group: Group, workload: Workload, conditions: Conditions) -> list[RuleResult]:
    def play(candidate: Candidate) -> ScalingRun:
        return run_candidate(group, workload, candidate, conditions)

    return list(compare_rules(group, workload, conditions, play))


@pytest.fixture(scope="module")
def results() -> list[RuleResult]:
    workload = day(np.full(24, 25.0), np.zeros(24), Profile.DIURNAL, hours=12)
    return results_of(GROUP, workload, CONDITIONS)


@pytest.mark.slow
def test_the_least_fixed_number_in_time_is_found(results: list[RuleResult]) -> None:
    best = next(each for each in results_to_show(results) if each.candidate.name.endswith("fixed"))
    one_less = Candidate("", lambda: fixed((best.candidate.pods or 0) - 1))
    workload = day(np.full(24, 25.0), np.zeros(24), Profile.DIURNAL, hours=12)

    assert best.minutes_late == 0
    assert run_candidate(GROUP, workload, one_less, CONDITIONS).minutes_late(300.0) > 0


@pytest.mark.slow
def test_the_recommended_rule_is_the_cheapest_in_time_that_can_be_set(
    results: list[RuleResult],
) -> None:
    best = best_settable(results, 300.0)

    in_time = [r for r in results if not r.minutes_late and r.candidate.is_settable]
    assert best in in_time
    assert best.run.priced_hours == min(r.run.priced_hours for r in in_time)
    assert not next(
        r for r in results if r.candidate.name == "Fewest pods in time"
    ).candidate.is_settable
    assert [r.minutes_late for r in results_to_show(results)] == sorted(
        r.minutes_late for r in results_to_show(results)
    )


@pytest.mark.slow
def test_a_partition_too_hot_for_a_consumer_ends_the_search_immediately() -> None:
    group = Group.of(["t"], [4], ["a"], owners=[0] * 4)
    workload = day(np.array([500.0, 1, 1, 1]), np.zeros(4), Profile.STEADY, hours=1)

    results = results_of(group, workload, CONDITIONS)

    assert [r.candidate.pods for r in results if r.candidate.pods is not None] == [1, 4]
    assert all(result.minutes_late > 0 for result in results)


@pytest.mark.slow
def test_a_backlog_at_the_start_does_not_end_the_search_for_a_fixed_number() -> None:
    workload = day(np.full(24, 25.0), np.full(24, 30_000.0), Profile.STEADY, hours=2)

    fixed_ = [
        r for r in results_to_show(results_of(GROUP, workload, CONDITIONS)) if r.candidate.pods
    ]

    # One pod per partition clears the backlog first, within 7 minutes: 30,000 at 75 a second.
    assert fixed_[0].minutes_late == 6
    assert [each.candidate.pods for each in fixed_] == [24, 3]


def _run_of(pods: list[int], paused_s: float) -> ScalingRun:
    """Return a run of one hour a step, in time, with this much unread in the second."""
    nothing = np.zeros(len(pods))
    return ScalingRun(
        step_s=3600.0,
        pods=np.array(pods),
        consumers=np.array(pods),
        lag=nothing,
        time_lag_s=nothing,
        moved=np.zeros(len(pods), np.int64),
        paused_s=np.array([0.0, paused_s, *nothing[2:]]),
        r_score=nothing,
    )


@pytest.mark.parametrize(("paused_s", "best"), [(1_799.0, "busy"), (1_801.0, "today")])
def test_a_rule_that_saves_less_than_its_pauses_cost_is_not_recommended(
    paused_s: float, best: str
) -> None:
    # It saves 2 pod-hours of 12; half an hour unread by 4 pods costs those 2.
    today = RuleResult(Candidate("today", partial(fixed, 4), pods=4), _run_of([4, 4, 4], 0.0), 0.0)
    keda = candidates(GROUP, CONDITIONS)[1]._replace(name="busy")
    busy = RuleResult(keda, _run_of([3, 4, 3], paused_s), 0.0)

    assert best_settable([today, busy], 300.0).candidate.name == best


@pytest.mark.slow
def test_a_fixed_number_keeps_a_fifth_of_its_capacity_free_on_average() -> None:
    workload = day(np.full(24, 25.0), np.zeros(24), Profile.STEADY, hours=2)

    fixed_ = [r.candidate.pods for r in results_of(GROUP, workload, CONDITIONS)]

    # 600 records/s are 6 pods of 100; with headroom 7.5, so fewer than 8 are not tried.
    assert min(pods for pods in fixed_ if pods not in (None, 3)) == 8


@pytest.mark.slow
@pytest.mark.parametrize(("today", "most", "best"), [(12, 96, 12), (1, 12, 12), (12, 24, 24)])
def test_where_nothing_is_in_time_the_most_pods_are_advised_only_if_they_are_needed(
    today: int, most: int, best: int
) -> None:
    # Behind by 90 minutes: six pods read what arrives, and all of these are late for a while.
    group = Group.of(["t"], [96], [f"c{m:02}" for m in range(today)], owners=np.arange(96) % today)
    workload = day(np.full(96, 25.0), np.full(96, 25.0 * 5400), Profile.STEADY, hours=6)
    conditions = Conditions(speed=400.0, allowed_s=300.0)

    results = []
    for pods in (today, most):
        candidate = Candidate(f"{pods} pods", partial(fixed, pods), pods=pods)
        run = run_candidate(group, workload, candidate, conditions)
        results.append(RuleResult(candidate, run, run.minutes_late(300.0)))

    assert results[0].minutes_late > results[1].minutes_late > 0
    assert best_settable(results, 300.0).candidate.pods == best


@pytest.mark.slow
def test_the_number_of_rules_to_try_is_known_before(results: list[RuleResult]) -> None:
    workload = day(np.full(24, 25.0), np.zeros(24), Profile.DIURNAL, hours=12)

    assert len(results) <= most_rules(GROUP, workload, CONDITIONS) <= len(results) + 1


@pytest.mark.parametrize("topics", [1, 2])
def test_every_scaled_object_is_yaml_that_says_what_was_replayed(topics: int) -> None:
    names = ["orders", "payments"][:topics]
    group = Group.of(names, [6] * topics, ["a"], owners=[0] * 6 * topics, id='"odd": {')

    for candidate in candidates(group, CONDITIONS):
        if candidate.trigger is None:
            continue
        spec = yaml.safe_load(manifest(candidate, group))["spec"]
        trigger = spec["triggers"][0]["metadata"]
        assert trigger["consumerGroup"] == '"odd": {'
        assert ("topic" in trigger) == (topics == 1)
        assert trigger["lagThreshold"] == str(candidate.trigger.lag_threshold)
        assert ("excludePersistentLag" in trigger) == candidate.trigger.exclude_persistent_lag
        assert candidate.scaling is not None
        assert spec["maxReplicaCount"] == candidate.scaling.max_replicas == 6 * topics


def test_a_fixed_number_is_set_by_a_command() -> None:
    today = candidates(GROUP, CONDITIONS)[0]

    assert manifest(today, GROUP) == "kubectl scale deployment/consumers --replicas=3"


def test_candidates_can_be_handed_to_another_process() -> None:
    for candidate in candidates(GROUP, CONDITIONS):
        assert pickle.loads(pickle.dumps(candidate)).name == candidate.name  # noqa: S301 -- our own
