"""Which rule is advised: kind, severity, and the partition that no rule helps."""

import numpy as np
import pytest

from assignors.model import Group
from evaluation.autoscaling.advice import ScalingAdvice, ScalingKind, scaling_advice
from evaluation.autoscaling.workloads import Profile, day
from evaluation.severity import Severity
from tests.evaluation.autoscaling.test_comparison import CONDITIONS, results_of

pytestmark = pytest.mark.slow


def _advice(members: int, *rates: float, lag: float = 0.0) -> ScalingAdvice:
    """Return the advice on an hour of steady arrivals; a consumer reads 100/s."""
    size, names = len(rates), [f"c{each}" for each in range(members)]
    group = Group.of(["t"], [size], names, owners=np.arange(size) % members)
    workload = day(np.array(rates), np.full(size, lag), Profile.STEADY, hours=1)
    return scaling_advice(results_of(group, workload, CONDITIONS), workload, CONDITIONS)


def test_a_partition_that_gets_more_than_a_consumer_reads_is_an_alarm() -> None:
    found = _advice(1, 500.0, 1.0, 1.0, 1.0)

    assert (found.kind, found.kind.severity) == (ScalingKind.TOO_HOT, Severity.ALARM)
    assert found.too_hot == 0


def test_todays_pods_stay_where_they_are_best_and_else_a_rule_is_set() -> None:
    enough, many = _advice(1, 10.0, 10.0), _advice(4, 10.0, 10.0, 10.0, 10.0)

    assert (enough.kind, enough.best) == (ScalingKind.STAY, enough.today)
    assert (many.kind, many.kind.severity) == (ScalingKind.SET, Severity.FINE)
    assert many.best.run.pod_hours < many.today.run.pod_hours


def test_a_backlog_older_than_the_target_is_late_and_then_in_time() -> None:
    found = _advice(2, 50.0, 50.0, lag=60_000.0)

    # 50/s to spare read 60,000 records in 20 min; 300 s of arrivals may wait.
    assert (found.kind, found.kind.severity) == (ScalingKind.LATE, Severity.WARNING)
    assert found.too_hot is None
    assert found.in_time_after_s is not None
    assert 0 < found.in_time_after_s <= 1200
