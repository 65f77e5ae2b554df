"""What was replayed for one question, and what follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluation.autoscaling.advice import ScalingAdvice, scaling_advice
from evaluation.autoscaling.comparison import RuleResult, results_to_show
from ui.autoscaler.inputs import AutoscalerInputs


@dataclass(frozen=True, eq=False)
class ScalingFindings:
    """The results of one question so far."""

    question: AutoscalerInputs
    results: Sequence[RuleResult]
    """One a rule replayed, today's number of pods first; at least that."""

    @cached_property
    def advice(self) -> ScalingAdvice:
        """Which rule to set."""
        question = self.question
        return scaling_advice(self.results, question.workload, question.conditions)

    @property
    def today(self) -> RuleResult:
        """The number of pods there are."""
        return self.advice.today

    @property
    def best(self) -> RuleResult:
        """What to set."""
        return self.advice.best

    @cached_property
    def ranked(self) -> Sequence[RuleResult]:
        """The results to show, the best first; of rules that led to the same pods, one."""
        return results_to_show(self.results)
