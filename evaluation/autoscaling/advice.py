"""What follows from the rules that were replayed: one kind of advice, with what it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from evaluation.autoscaling.comparison import RuleResult, best_settable
from evaluation.autoscaling.replay import Conditions
from evaluation.autoscaling.workloads import Workload
from evaluation.capacity.draining import TOLERANCE
from evaluation.severity import Severity


class ScalingKind(Enum):
    """What the rules come to."""

    TOO_HOT = "partition-too-hot"
    """One partition gets more than can be read of it, for good: no number of pods keeps up."""
    LATE = "none-in-time"
    """No rule that can be set is always in time."""
    STAY = "stay"
    """Today's number of pods is best."""
    SET = "set"
    """Another rule is best."""

    @property
    def severity(self) -> Severity:
        """How urgent it is."""
        return _SEVERITIES.get(self, Severity.FINE)


_SEVERITIES: Final = {
    ScalingKind.TOO_HOT: Severity.ALARM,
    ScalingKind.LATE: Severity.WARNING,
}


@dataclass(frozen=True, eq=False, kw_only=True)
class ScalingAdvice:
    """Which rule to set."""

    kind: ScalingKind
    best: RuleResult
    """What to set."""
    today: RuleResult
    """The number of pods there are."""
    too_hot: int | None
    """The partition that gets more than can be read of it; None if there is none."""
    in_time_after_s: float | None
    """When the best has read the backlog of the start; None if it is late again later."""

    def __repr__(self) -> str:
        return f"<ScalingAdvice {self.kind.value}: {self.best.candidate.name}>"


def scaling_advice(
    results: Sequence[RuleResult], workload: Workload, conditions: Conditions
) -> ScalingAdvice:
    """Return what follows from the results of rules, today's number of pods first."""
    today, best = results[0], best_settable(results, conditions.allowed_s)
    hot = _too_hot(workload, conditions.partition_speed) if best.minutes_late else None
    kind = ScalingKind.STAY if best.candidate is today.candidate else ScalingKind.SET
    if best.minutes_late:
        kind = ScalingKind.LATE if hot is None else ScalingKind.TOO_HOT
    return ScalingAdvice(
        kind=kind,
        best=best,
        today=today,
        too_hot=hot,
        in_time_after_s=_in_time_after_s(best, conditions.allowed_s),
    )


def _too_hot(workload: Workload, most: float) -> int | None:
    """Return the partition that gets more than can be read of it, for good; None if none does."""
    if not workload.rates.size:
        return None
    mean = workload.rates.mean(axis=0)
    hottest = int(np.argmax(mean))
    is_never_read = mean[hottest] == most and workload.lags[hottest] > 0
    return hottest if mean[hottest] > most or is_never_read else None


def _in_time_after_s(best: RuleResult, allowed_s: float) -> float | None:
    run = best.run
    is_late = run.time_lag_s > allowed_s * (1 + TOLERANCE)
    late = int(np.count_nonzero(is_late))
    return late * run.step_s if is_late[:late].all() and late < is_late.size else None
