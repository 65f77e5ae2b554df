"""The advice that follows from plans: its kind, its severity, its steps."""

from dataclasses import replace

import numpy as np
import pytest

from assignors import Group, Statements, answer, consumers_needed
from assignors.registry import STRATEGIES
from evaluation.capacity.advice import (
    AllowTime,
    AvoidJar,
    CapacityAdvice,
    CapacityKind,
    MeasureSpeed,
    PlansTried,
    RunConsumers,
    RunFewer,
    SplitKeys,
)
from evaluation.capacity.draining import Capacity
from evaluation.capacity.planning import ConsumerPlan, PlanKind
from evaluation.severity import Severity

# 3 consumers of 50/s clear 6 x 6,000 records in 600 s while 60/s arrive.
_GROUP = Group.of(["t"], [6], ["a", "b"], owners=[0, 0, 0, 1, 1, 1], lags=[6_000] * 6)
_FOUND = consumers_needed(
    answer(_GROUP, stated=Statements(arriving=60.0, speed=50.0)), strategies=["range"]
)


def _advice(plan: ConsumerPlan | None, *others: ConsumerPlan) -> CapacityAdvice:
    tried = PlansTried(
        group=_GROUP.with_rates(np.full(6, 10.0)),
        capacity=Capacity(throughput=50.0, allowed_s=600.0),
        plans=() if plan is None else (plan, *others),
        proposed=None if plan is None else plan.strategy,
    )
    return tried.advice


def _plan() -> ConsumerPlan:
    assert _FOUND.plan is not None
    return _FOUND.plan


@pytest.mark.parametrize(
    ("plan", "kind", "severity", "steps"),
    [
        (_plan(), CapacityKind.RUN, Severity.FINE, [RunConsumers]),
        (replace(_plan(), consumers=2), CapacityKind.KEEP, Severity.FINE, [RunConsumers]),
        (
            replace(_plan(), kind=PlanKind.AS_TODAY, consumers=2),
            CapacityKind.KEEP,
            Severity.FINE,
            [],
        ),
        (
            replace(_plan(), is_headroom_decisive=True, decided_by=1),
            CapacityKind.SPLIT,
            Severity.WARNING,
            [AllowTime, RunConsumers],
        ),
        (
            replace(_plan(), kind=PlanKind.NONE, consumers=None, least=3),
            CapacityKind.NOT_SAFE,
            Severity.ALARM,
            [AllowTime],
        ),
        (
            replace(_plan(), kind=PlanKind.NONE, consumers=None, least=None),
            CapacityKind.NOT_ENOUGH,
            Severity.ALARM,
            [AllowTime],
        ),
        (
            replace(_plan(), kind=PlanKind.UNPROVEN, consumers=None, decided_by=1),
            CapacityKind.UNPROVEN,
            Severity.FINE,
            [MeasureSpeed],
        ),
        (
            replace(_plan(), kind=PlanKind.UNPROVEN, consumers=None),
            CapacityKind.NOTHING_SHOWS_MORE,
            Severity.FINE,
            [MeasureSpeed],
        ),
        (
            replace(_plan(), kind=PlanKind.UNKNOWN, consumers=None),
            CapacityKind.UNKNOWN,
            Severity.FINE,
            [],
        ),
    ],
)
def test_each_plan_comes_to_one_kind_of_advice(
    plan: ConsumerPlan, kind: CapacityKind, severity: Severity, steps: list[type]
) -> None:
    found = _advice(plan)

    assert (found.kind, found.kind.severity) == (kind, severity)
    assert [type(each) for each in found.steps] == steps


def test_nothing_is_advised_before_anything_has_been_tried() -> None:
    found = _advice(None)

    assert (found.kind, found.steps) == (CapacityKind.NOT_TRIED, ())


def test_a_jar_that_needs_fewer_and_a_setting_that_needs_none_are_steps() -> None:
    setting = replace(_plan(), consumers=5)
    jar = replace(_plan(), consumers=3, strategy=STRATEGIES["lag-capped"])

    by_setting, by_jar = _advice(setting, jar), _advice(jar, setting)

    assert [type(each) for each in by_setting.steps] == [RunConsumers, RunFewer]
    assert [type(each) for each in by_jar.steps] == [RunConsumers, AvoidJar]


def test_keys_are_split_over_as_many_partitions_as_are_in_time() -> None:
    heavy = replace(_plan(), kind=PlanKind.PARTITION, consumers=None, decided_by=1, headroom=0.0)
    group = _GROUP.with_lags([0] * 6).with_rates(np.array([10.0, 90.0, 10.0, 10.0, 10.0, 10.0]))
    tried = PlansTried(
        group=group, capacity=Capacity(throughput=50.0, allowed_s=600.0), plans=(heavy,)
    )

    (step,) = tried.advice.steps

    # 90/s are two partitions at 50/s; 140/s in all are three, and there are six.
    assert isinstance(step, SplitKeys)
    assert (step.partition, step.over, step.topic, step.has) == (1, 2, "t", 6)
    assert step.needs == tried.partitions_needed["t"] == 3
