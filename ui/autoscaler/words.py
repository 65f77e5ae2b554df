"""What the Autoscaler page says, as plain text."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from evaluation.autoscaling.advice import ScalingKind
from evaluation.autoscaling.comparison import RuleResult
from evaluation.wording import duration, listed, plural, rate_amount
from ui.autoscaler.findings import ScalingFindings
from ui.autoscaler.inputs import AutoscalerInputs
from ui.facts import again
from ui.picture.model import Tone, VerdictBand


def conclusion(findings: ScalingFindings) -> VerdictBand:
    """Return the answer, with the conditions that it rests on before its evidence."""
    band, question = _answer(findings), findings.question
    rests_on, is_alarm = question.rests_on, band.tone is Tone.RED
    if question.still and not is_alarm:
        rests_on = (*rests_on, again(question.still))
    if not rests_on:
        return band
    first = band.evidence
    if first.startswith(("That ", "Today's ")):
        first = f"{first[0].lower()}{first[1:]}"
    return replace(band, evidence=f"If {listed(rests_on)}: {first}")


def _answer(findings: ScalingFindings) -> VerdictBand:
    """Return what to set, what it costs, and today's pods beside it."""
    question, best, today = findings.question, findings.best, findings.today
    target, name = duration(question.conditions.allowed_s), best.candidate.name + _up_to(best)
    costs = f"comes to {question.cost(best.run.pod_hours)} in {question.span}{_price_of(best)}"
    pods = plural(today.candidate.pods or 0, "pod")
    advice, is_today = findings.advice, best.candidate is today.candidate
    beside = "" if is_today else f" {_todays(findings, pods)}"
    tone = Tone.of(advice.kind.severity)
    if advice.too_hot is not None:
        partition = question.group.partition_name(advice.too_hot)
        return VerdictBand(
            tone=tone,
            finding=f"No number of pods keeps up with {partition}.",
            evidence=f"{_why_too_hot(findings, advice.too_hot)}.",
        )
    if advice.kind is ScalingKind.LATE:
        after_s = advice.in_time_after_s
        late = f"late for {duration(best.minutes_late * 60)}"
        if after_s is not None:
            late = f"in time after {duration(after_s)}"
        closest = f"{name} comes closest"
        if is_today and question.group.member_count:
            closest = f"Today's {pods} come{'s' if today.candidate.pods == 1 else ''} closest"
        return VerdictBand(
            tone=tone,
            finding=f"No rule that can be set keeps the time lag within {target}.",
            evidence=f"{closest}: {late}. That {costs}.{beside}",
        )
    if is_today:
        name = f"Stay with today's {pods}" if question.group.member_count else pods
    return VerdictBand(
        tone=tone,
        finding=f"{name}: never more than {target} behind.",
        evidence=f"That {costs}.{beside}",
    )


def _todays(findings: ScalingFindings, pods: str) -> str:
    """Return what today's pods come to, beside another rule."""
    question, today = findings.question, findings.today
    now = f"Today's {pods}" if question.group.member_count else pods
    then = question.cost(today.run.pod_hours)
    if today.minutes_late:
        then = f"late for {duration(today.minutes_late * 60)}"
    return f"{now}: {then}."


def _price_of(best: RuleResult) -> str:
    """Return how often pods change, what moves and how long that is unread."""
    run = best.run
    changes, moved = int(np.count_nonzero(np.diff(run.pods))), int(run.moved.sum())
    if not changes and not moved:
        return ""
    unread = f", unread for {duration(float(run.paused_s.sum()))} in all" if moved else ""
    return f", with {plural(changes, 'pod change')} and {plural(moved, 'move')}{unread}"


def _up_to(best: RuleResult) -> str:
    """Return the limit of a rule that goes up to it."""
    scaling = best.candidate.scaling
    if scaling is None or int(best.run.pods.max()) < scaling.max_replicas:
        return ""
    return f" and maxReplicaCount {scaling.max_replicas:,}"


def _why_too_hot(findings: ScalingFindings, partition: int) -> str:
    """Return how much a partition gets, and how much of that can be read."""
    question = findings.question
    conditions, mean = question.conditions, float(question.workload.rates[:, partition].mean())
    most = rate_amount(conditions.partition_speed)
    reads = (
        f"and one consumer reads {most}"
        if conditions.partition_speed == conditions.speed
        else f"of which at most {most} can be read"
    )
    name = question.group.partition_name(partition)
    return f"{name} alone gets {rate_amount(mean)} records/s, {reads}"


def explanation(findings: ScalingFindings) -> Iterator[str]:
    """Yield what a controller of one's own would save, and what no rule can help."""
    question, best, other = findings.question, findings.best, findings.ranked[0]
    group, conditions, workload = question.group, question.conditions, question.workload
    if not other.candidate.is_settable:
        rule = f"A controller of your own, by the rule “{other.candidate.name}”"
        yield f"{rule}, would need {_taken(question, other)}."
    if findings.advice.too_hot is not None:
        yield f"The figures are of {best.candidate.name}; that partition falls behind anyway."
    for each in findings.results:
        if each.candidate.is_own:
            yield from each.candidate.notes
            if each is not best:
                yield f"Your ScaledObject would need {_taken(question, each)}."
    if all(each.run.time_lag_s[0] > conditions.allowed_s for each in findings.results):
        yield "Under every rule it begins late: the backlog at the start is older than the target."
    hot = workload.rates.max(axis=0) > conditions.partition_speed
    if best.minutes_late and hot.any():
        name = group.partition_name(int(np.argmax(workload.rates.max(axis=0))))
        yield (
            f"At its peak {name} alone gets more than can be read of it: no number of pods "
            "helps, since a partition has one consumer. Spread its keys or make consumers faster."
        )
    if workload.stuck.any():
        name = group.partition_name(int(np.argmax(workload.stuck)))
        yield (
            f"No consumer gets past the next record of {name}; the figures leave it out, the rules "
            "see it."
        )


def _taken(question: AutoscalerInputs, result: RuleResult) -> str:
    late = duration(result.minutes_late * 60)
    then = f"be late for {late}" if result.minutes_late else "be in time"
    return f"{question.cost(result.run.pod_hours)} and {then}"


def at_other_speeds(rule: RuleResult, late: Mapping[float, float]) -> str:
    """Return how late the recommended rule would be at other speeds, in minutes by records/s."""
    said = [
        f"at {rate_amount(speed)}/s it would "
        + (f"be late for {duration(minutes * 60)}" if minutes else "never be late")
        for speed, minutes in late.items()
    ]
    return f"The speed is a guess. Of {rule.candidate.name}: {', '.join(said)}."
