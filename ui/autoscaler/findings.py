"""What was replayed for one question, and what follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluation.autoscaling.comparison import RuleResult, best_settable, results_to_show
from evaluation.capacity.draining import TOLERANCE
from ui.autoscaler.inputs import AutoscalerInputs


@dataclass(frozen=True, eq=False)
class ScalingFindings:
    """The results of one question so far."""

    question: AutoscalerInputs
    results: Sequence[RuleResult]
    """One a rule replayed, today's number of pods first; at least that."""

    @property
    def today(self) -> RuleResult:
        """The number of pods there are."""
        return self.results[0]

    @cached_property
    def best(self) -> RuleResult:
        """What to set."""
        return best_settable(self.results, self.question.conditions.allowed_s)

    @cached_property
    def ranked(self) -> Sequence[RuleResult]:
        """The results to show, the best first; of rules that led to the same pods, one."""
        return results_to_show(self.results)

    @cached_property
    def too_hot(self) -> int | None:
        """The partition that gets more than can be read of it, for good; None if the best copes."""
        workload, most = self.question.workload, self.question.conditions.partition_speed
        if not workload.rates.size or not self.best.minutes_late:
            return None
        mean = workload.rates.mean(axis=0)
        hottest = int(np.argmax(mean))
        is_never_read = mean[hottest] == most and workload.lags[hottest] > 0
        return hottest if mean[hottest] > most or is_never_read else None

    @property
    def in_time_after_s(self) -> float | None:
        """When the best has read the backlog of the start; None if it is late again later."""
        run = self.best.run
        is_late = run.time_lag_s > self.question.conditions.allowed_s * (1 + TOLERANCE)
        late = int(np.count_nonzero(is_late))
        return late * run.step_s if is_late[:late].all() and late < is_late.size else None
