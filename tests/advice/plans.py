"""What Capacity, Time, Rebalance and Autoscaler say of a case, from its facts alone."""

from dataclasses import replace

import numpy as np

from assignors.registry import STRATEGIES
from evaluation.autoscaling.replay import Conditions, simulate_rule
from evaluation.autoscaling.rules import fixed
from evaluation.autoscaling.workloads import Workload
from evaluation.capacity.draining import Capacity, as_owned_now
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.planning import (
    ConsumerPlan,
    PlanQuestion,
    is_known,
    plan_of,
    plan_search,
    rests_on,
)
from evaluation.capacity.search import SearchRange, minimum, try_numbers
from evaluation.capacity.trials import Trials
from evaluation.measuring.consumer_times import consumers_at
from evaluation.rebalance.lag_over_time import LagTimeline, lag_timeline, load_of
from evaluation.rebalance.ownership import ownership_of
from evaluation.rebalance.simulation import simulate_history
from evaluation.rebalance.timing import Timing
from tests.advice.groups import Case
from tests.named import named
from ui import facts
from ui.capacity.findings import Findings
from ui.capacity.words import evidence, finding, today

_STRATEGIES = ("range", "roundrobin", "sticky", "lag-capped")


def planned(case: Case, allowed_s: float = 600.0) -> Findings:
    """Return what Capacity finds out without a pause."""
    group = case.group.with_rates(case.facts.arriving)
    capacity = Capacity(
        throughput=case.facts.speed.records_s,
        allowed_s=allowed_s,
        pause_s=0.0,
        partition_cap=case.facts.partition_cap,
    )
    limits = consumer_limits(group, capacity)
    scope = SearchRange(
        fewest=limits.fewest or 1,
        most=max(group.partition_count, group.member_count),
        exhaustive=99,
    )
    trials, strategies = Trials(group, capacity, scope.most), named(*_STRATEGIES)
    if limits.fewest is not None:
        list(plan_search(trials, strategies, scope))
    if group.member_count:
        list(try_numbers(trials, strategies, [group.member_count]))
    now = as_owned_now(group, capacity)
    asked = PlanQuestion(
        today=group.member_count,
        now=now,
        rests_on=rests_on(case.facts),
        is_known=is_known(case.facts),
        is_least=case.facts.speed.is_least,
    )
    return Findings(
        group=group,
        is_least=case.facts.speed.is_least,
        still=int(case.facts.is_still.sum()),
        capacity=capacity,
        limits=limits,
        scope=scope,
        curves=[trials.curve(each) for each in strategies],
        raised=[trials.curve_with_headroom(each) for each in strategies],
        minima=[minimum(trials.curve(each), scope) for each in strategies],
        plans=[plan_of(each, trials, scope, asked) for each in strategies],
        now=now,
    )


def capacity_says(case: Case, allowed_s: float = 600.0) -> str:
    """Return the verdict, its evidence and what it says of today, as plain text."""
    found = planned(case, allowed_s)
    said = (finding(found), evidence(found, facts.rests_on(case.facts)), today(found))
    return " ".join(filter(None, said))


def plan_says(case: Case) -> ConsumerPlan:
    """Return the plan for ten minutes, without headroom."""
    plan = planned(case).plan
    assert plan is not None
    return plan


def time_says(case: Case) -> float:
    """Return when the view Time has the last of today's consumers catch up, in seconds."""
    found, group = case.facts, case.group
    speeds = np.full(group.member_count, found.speed.records_s)
    times = consumers_at(case.times, group.present_owners, speeds, found.partition_cap)
    return float(times.catch_up_s.max())


def rebalance_says(case: Case) -> float:
    """Return when Rebalance over time has the group catch up if nothing happens, in seconds."""
    return timeline(case).caught_up_at_s


def timeline(case: Case, calm_s: float = 10.0) -> LagTimeline:
    """Return lag over time if nothing happens to today's owners."""
    offsets = replace(case.group.offsets, rates=case.facts.arriving)
    group, strategy = replace(case.group, offsets=offsets), STRATEGIES["range"]
    steps = simulate_history(group, [], strategy)
    ownership = ownership_of(steps, [], strategy.protocol, Timing(), calm_s=calm_s)
    speed, cap = case.facts.speed.records_s, case.facts.partition_cap
    load = load_of(group, group, ownership.consumers, throughput_per_consumer=speed)
    return lag_timeline(ownership, replace(load, partition_cap=np.inf if cap is None else cap))


def autoscaler_lags(case: Case, minutes: int) -> list[float]:
    """Return the group's lag after each minute with as many pods as today."""
    found, group = case.facts, case.group
    workload = Workload(
        step_s=60.0,
        rates=np.tile(np.nan_to_num(found.arriving), (minutes, 1)),
        lags=group.counted_lags.astype(np.float64),
        stuck=np.zeros(group.partition_count, np.bool_),
    )
    conditions = Conditions(
        speed=found.speed.records_s, partition_cap=found.partition_cap, allowed_s=300.0
    )
    lags: list[float] = simulate_rule(
        group, workload, fixed(group.member_count), conditions
    ).lag.tolist()
    return lags
