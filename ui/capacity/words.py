"""The plan in sentences, as plain text: the verdict, its evidence and what to do."""

from collections.abc import Sequence
from typing import Final, assert_never

import numpy as np

from evaluation.capacity.advice import (
    AllowTime,
    AvoidJar,
    CapacityKind,
    CapacityStep,
    MeasureSpeed,
    RunConsumers,
    RunFewer,
    SplitKeys,
)
from evaluation.capacity.draining import TOLERANCE, too_heavy
from evaluation.capacity.planning import ConsumerPlan, PlanKind
from evaluation.measuring.facts import Source
from evaluation.takes import takes_of
from evaluation.wording import (
    amount,
    duration,
    listed,
    percent,
    plural,
    rate_amount,
)
from ui.capacity.findings import Findings
from ui.facts import again

_NAMED: Final = 5
_OPEN: Final = {
    CapacityKind.NOT_TRIED: "No number of consumers has been tried yet. Continue to get an answer.",
    CapacityKind.UNKNOWN: "How many consumers this group needs is not known.",
    CapacityKind.UNPROVEN: "Whether any number of consumers is enough is not known.",
}


def finding(findings: Findings) -> str:
    """Return the verdict."""
    advice, plan = findings.advice, findings.plan
    if plan is None:
        return _OPEN[advice.kind]
    guess = ", on a guess" if plan.rests_on is Source.GUESS else ""
    today, most = plural(advice.today, "consumer"), f"up to {findings.scope.most:,}"
    match advice.kind:
        case CapacityKind.SPLIT:
            said = f"Split the keys of {_decider(plan, findings)}: no number of consumers gives "
            said += "it room."
        case CapacityKind.KEEP:
            said = f"Keep today's {today}{guess}."
        case CapacityKind.RUN:
            planned = plural(plan.consumers or 0, "consumer")
            said = f"Plan {planned} (today {advice.today:,}){guess}."
        case CapacityKind.PARTITION:
            said = f"No number of consumers helps: {_alone(plan, findings)}"
        case CapacityKind.NOT_SAFE:
            least = plural(plan.least or 0, "consumer")
            said = f"{least} just make it; none {most} is safe."
        case CapacityKind.NOT_ENOUGH:
            said = f"No number of consumers, {most}, is enough."
        case CapacityKind.NOTHING_SHOWS_MORE:
            said = f"Nothing shows that more than today's {today} are needed."
        case CapacityKind.UNKNOWN | CapacityKind.UNPROVEN | CapacityKind.NOT_TRIED:
            said = _OPEN[advice.kind]
        case _:
            assert_never(advice.kind)
    return said


def evidence(findings: Findings, rests_on: Sequence[str] = ()) -> str:
    """Return the numbers that prove the verdict, on the conditions that they rest on."""
    plan = findings.plan
    if plan is None or plan.kind is PlanKind.UNKNOWN:
        return ""
    if findings.still and plan.kind in {PlanKind.CONSUMERS, PlanKind.AS_TODAY}:
        rests_on = (*rests_on, again(findings.still))
    if plan.kind is PlanKind.UNPROVEN and plan.decided_by is None:
        return _seen(plan, findings)
    condition = f"If {listed(rests_on)}: " if rests_on else ""
    said = {
        PlanKind.CONSUMERS: _holds,
        PlanKind.AS_TODAY: _nearly,
        PlanKind.PARTITION: _partition,
        PlanKind.UNPROVEN: _unproven,
    }.get(plan.kind, _none)(plan, findings)
    return f"{condition}{said}"


def action(findings: Findings) -> str:
    """Return what to do, and what a jar would save."""
    return " ".join(_step(each) for each in findings.advice.steps)


def _step(step: CapacityStep) -> str:
    """Return one step as a sentence."""
    match step:
        case MeasureSpeed():
            said = "Measure a consumer under backlog, or state what it reads."
        case SplitKeys():
            said = _split(step)
        case AllowTime(is_behind=True):
            said = (
                "Allow more time, or make the consumer faster: more partitions only spread records "
                "still to come."
            )
        case AllowTime():
            said = "Allow more time, or make consumers faster."
        case RunConsumers(plan=plan):
            run = "Until then, run" if step.is_until_split else "Run"
            today = " today's" if step.is_today else ""
            said = f"{run}{today} {plan.consumers:,} with {with_home(plan)}."
        case RunFewer(plan=plan):
            are = "is" if plan.consumers == 1 else "are"
            said = f"With {with_home(plan)}, {plan.consumers:,} {are} enough."
        case AvoidJar(plan=plan):
            said = f"By a setting, {plan.strategy.label}, it takes {plan.consumers:,}."
        case _:
            assert_never(step)
    return said


def with_home(plan: ConsumerPlan) -> str:
    """Return the plan's strategy and how one gets it."""
    return f"{plan.strategy.label} ({takes_of(plan.strategy).value})"


def today(findings: Findings) -> str:
    """Return how today's consumers do: as assigned now, or else with the planned strategy."""
    if not findings.today:
        return "There are no consumers today: nobody reads."
    consumers = f"Today's {plural(findings.today, 'consumer')}"
    if findings.now is not None:
        pace, once = _pace(findings.now.seconds, findings), ""
        if findings.still and 0 < findings.now.seconds < np.inf:
            once = f" once {again(findings.still)}"
        return f"{consumers}, as assigned now, {pace}{once}."
    plan = findings.plan
    at = None if plan is None else findings.curve(plan.strategy).at(findings.today)
    if plan is None or at is None:
        return ""
    return f"{consumers}, with {plan.strategy.label}, {_pace(at.seconds, findings)}."


def decided_by(findings: Findings) -> str:
    """Return what decides the number, for a row of a table."""
    plan = findings.plan
    if plan is None:
        return ""
    if plan.decided_by is not None:
        return f"{findings.planned.partition_name(plan.decided_by)} alone"
    arriving = float(findings.demand.rates.sum())
    backlog = float(findings.demand.backlog.sum())
    rate = f"{rate_amount(arriving)}/s arrive" if arriving else ""
    behind = f"{amount(round(backlog))} behind" if backlog else ""
    return ", ".join(filter(None, (rate, behind)))


def _decider(plan: ConsumerPlan, findings: Findings) -> str:
    return findings.planned.partition_name(plan.decided_by or 0)


def _holds(plan: ConsumerPlan, findings: Findings) -> str:
    consumers = plan.consumers or 0
    s = "s" if consumers == 1 else ""
    has_backlog = bool((findings.group.counted_lags > 0).any())
    first = (
        f"{consumers:,} clear{s} the backlog in {duration(plan.ends_s)}"
        if has_backlog and plan.ends_s
        else f"{consumers:,} keep{s} up with arrivals"
    )
    if plan.headroom and findings.demand.rates.any() and not plan.is_headroom_decisive:
        first += f", with {percent(plan.headroom)} more arrivals"
        first += f" in {duration(plan.ends_with_headroom_s)}" if has_backlog else ""
    tried = "every larger number"
    if plan.untried:
        tried = "every larger number tried"
    first += f", and so does {tried} up to {findings.scope.most:,}."
    said = (_no_headroom(plan, findings), first, _between(plan, findings), _lost(plan))
    return " ".join(filter(None, said))


def _no_headroom(plan: ConsumerPlan, findings: Findings) -> str:
    if not plan.is_headroom_decisive:
        return ""
    name, allowed = _decider(plan, findings), duration(findings.capacity.allowed_s)
    needs = f"takes {duration(plan.alone_s)} of the {allowed} allowed"
    if not np.isfinite(plan.alone_s):
        needs = "never catches up"
    return f"With {percent(plan.headroom)} more arrivals, {name} alone on a consumer {needs}."


def _between(plan: ConsumerPlan, findings: Findings) -> str:
    """Return why not the least number that is in time at all."""
    start = (plan.consumers or 0) - plan.lost
    if plan.least is None or plan.least >= start:
        return ""
    least = f"{plan.least:,} {'is' if plan.least == 1 else 'are'} enough"
    if plan.headroom:
        least = f"Without headroom, {least}"
    if not plan.late_between:
        return f"{least}."
    late = listed([f"{n:,}" for n in plan.late_between], most=_NAMED)
    are = "is" if len(plan.late_between) == 1 else "are"
    by = plan.latest_between_s
    late_by = f"late by up to {duration(by)}" if np.isfinite(by) else "never done"
    name = findings.curve(plan.strategy).strategy.label
    return (
        f"{least}, but {late} {are} {late_by}: there {name} gives one consumer too many "
        "of the heavy partitions."
    )


def _lost(plan: ConsumerPlan) -> str:
    return f"{plan.lost:,} of them may be lost at once." if plan.lost else ""


def _nearly(plan: ConsumerPlan, findings: Findings) -> str:
    late = plan.ends_s - findings.capacity.allowed_s
    far = findings.would_take
    more = f" {far:,} would be needed to save that." if far else ""
    by = f", {duration(late)} more than" if late > TOLERANCE * plan.ends_s else " of"
    return (
        f"As assigned now they take {duration(plan.ends_s)}{by} the usual "
        f"{duration(findings.capacity.allowed_s)}, which nobody stated.{more}"
    )


def _none(plan: ConsumerPlan, findings: Findings) -> str:
    allowed = duration(findings.capacity.allowed_s)
    if plan.least is None:
        return f"No number tried clears the backlog within {allowed} with {plan.strategy.label}."
    return (
        f"{plan.least:,} would, but larger numbers are late again or leave no "
        f"{percent(plan.headroom)} headroom within {allowed}."
    )


def _alone(plan: ConsumerPlan, findings: Findings) -> str:
    name = findings.planned.partition_name(plan.decided_by or 0)
    allowed = duration(findings.capacity.allowed_s)
    if np.isfinite(plan.alone_s):
        return f"{name} alone needs {duration(plan.alone_s)} of the {allowed} allowed."
    return f"{name} alone never catches up."


def _partition(plan: ConsumerPlan, findings: Findings) -> str:
    """Return the facts of the partition that decides, and how many others are like it."""
    worst = plan.decided_by or 0
    name = findings.planned.partition_name(worst)
    rate, cap = float(findings.demand.rates[worst]), findings.capacity.partition_cap
    reads = (
        f"one consumer reads {rate_amount(findings.fastest)}"
        if cap is None or cap >= findings.fastest
        else f"at most {rate_amount(cap)} of it can be read"
    )
    if np.isfinite(plan.alone_s):
        behind = amount(int(findings.group.counted_lags[worst]))
        first = f"{name} is {behind} records behind and gets {rate_amount(rate)}/s; {reads}/s"
    else:
        first = f"{rate_amount(rate)} records/s arrive in it, and {reads}"
    others = too_heavy(findings.demand, findings.fastest, findings.capacity).size - 1
    more = f" {plural(others, 'more partition')} {'is' if others == 1 else 'are'} too slow too."
    return f"{first}.{more if others > 0 else ''} A partition has one owner."


def _split(step: SplitKeys) -> str:
    """Return over how many partitions the keys go, and how many the topic needs in all."""
    even = f"{step.topic} needs {plural(step.needs, 'partition')} of even keys in all"
    even = f"{even} (today {step.has:,})"
    if step.needs <= step.has:
        even = f"with even keys, {step.topic} has enough partitions"
    return f"Split its keys over {step.over:,} partitions at that arrival rate; {even}."


def _unproven(plan: ConsumerPlan, findings: Findings) -> str:
    """Return what a partition needs where the speed is only known to be at least something."""
    needed, more = findings.demand.needs, ""
    if plan.is_headroom_decisive:
        needed = needed + findings.demand.rates * plan.headroom
        more = f", with {percent(plan.headroom)} more arrivals"
    worst = int(np.argmax(needed))
    needs, seen = (rate_amount(rate) for rate in (float(needed[worst]), findings.fastest))
    name, allowed = findings.planned.partition_name(worst), duration(findings.capacity.allowed_s)
    return (
        f"{name} alone needs {needs}/s to be read within {allowed}{more}; consumers were seen to "
        f"read {seen}/s at most."
    )


def _seen(plan: ConsumerPlan, findings: Findings) -> str:
    """Return what consumers were seen to read, and how many are enough even at that."""
    seen = f"Consumers were seen to read {rate_amount(findings.fastest)}/s at most"
    if plan.least is None:
        return f"{seen}; what they read under backlog is not known."
    are = "is" if plan.least == 1 else "are"
    return (
        f"{seen}, which may be all that arrived for them; even at that speed {plan.least:,} {are} "
        "enough without headroom."
    )


def _pace(seconds: float, findings: Findings) -> str:
    late, s = seconds - findings.capacity.allowed_s, "s" if findings.today == 1 else ""
    if late <= findings.capacity.allowed_s * TOLERANCE:
        return f"take{s} {duration(seconds)}" if seconds else f"keep{s} up"
    if findings.is_least and not np.isfinite(seconds):
        return f"catch{'es' if s else ''} up only if a consumer reads more than was measured"
    if not np.isfinite(seconds):
        return "never catches up" if s else "never catch up"
    return f"take{s} {duration(seconds)}, {duration(late)} too long"
