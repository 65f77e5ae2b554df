"""How many consumers to plan, as an assistant reads it."""

import numpy as np

from assistant import answers
from evaluation.answering.answer import Answer
from evaluation.answering.consumers_needed import ConsumersNeeded
from evaluation.capacity.planning import ConsumerPlan, Margin
from evaluation.takes import takes_of


def capacity_plan(found: Answer, needed: ConsumersNeeded, margin: Margin) -> answers.CapacityPlan:
    """Return what a group needs, beside what its answer knows of it."""
    facts, subject = found.known.facts, found.given.group
    decides = None if needed.plan is None else needed.plan.decided_by
    return answers.CapacityPlan(
        group=found.given.name,
        consumers_today=subject.member_count,
        plan=None if needed.plan is None else _plan(needed.plan),
        rests_on=needed.rests_on.value,
        records_per_second_of_a_consumer=facts.speed.records_s,
        speed_is=facts.speed.source.value + (", at least" if facts.speed.is_least else ""),
        records_per_second_arriving=facts.total_arriving if facts.arriving_source else None,
        arriving_is=facts.arriving_source.value if facts.arriving_source else None,
        peak=margin.peak,
        headroom_percent=margin.headroom_percent,
        seconds_allowed=needed.capacity.allowed_s,
        seconds_paused=needed.capacity.pause_s,
        fewest_possible=needed.fewest,
        decided_by=None if decides is None else subject.partition_name(decides),
        too_heavy=[subject.partition_name(p) for p in needed.too_heavy],
        partitions_needed=dict(needed.partitions_needed),
        strategies=[_plan(plan) for plan in needed.plans],
    )


def _plan(plan: ConsumerPlan) -> answers.StrategyPlan:
    """Return a plan as an assistant reads it."""
    ends, raised = plan.ends_s, plan.ends_with_headroom_s
    return answers.StrategyPlan(
        strategy=plan.strategy.name,
        label=plan.strategy.label,
        takes=takes_of(plan.strategy).value,
        kind=plan.kind.value,
        consumers=plan.consumers,
        least=plan.least,
        late_between=list(plan.late_between),
        seconds=ends if np.isfinite(ends) else None,
        seconds_with_headroom=raised if np.isfinite(raised) else None,
        untried_above=plan.untried,
    )
