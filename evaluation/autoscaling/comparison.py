"""Autoscaling rules compared: candidates, their runs, the recommendation and its manifest."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from assignors.model import Group
from evaluation.autoscaling import flink
from evaluation.autoscaling.hpa import Scaling
from evaluation.autoscaling.keda import KedaTrigger
from evaluation.autoscaling.packing import Fit
from evaluation.autoscaling.replay import Conditions, ScalingRun, simulate_rule
from evaluation.autoscaling.resting import Scaled
from evaluation.autoscaling.rules import (
    ScalingRule,
    Trigger,
    fixed,
    flink_rule,
    keda_rule,
    lag_per_consumer,
    least,
    packing_rule,
)
from evaluation.autoscaling.workloads import Workload
from evaluation.wording import plural

_HEADROOM: Final = 0.75
"""How full Modified Any Fit fills a consumer: 100 of 133 in the authors' configuration."""
_BUSY: Final = 0.8
"""How much of a fixed number's capacity the average may take; the rest is headroom."""
_HARDLY: Final = 0.02
"""Two rules that are late are equally late up to this share and a step."""
_MOST_TRIED: Final = 8
"""Fixed numbers tried between the average load and one consumer per partition."""
_DEAREST: Final = 2.0
"""Where no rule is in time, what one may cost at most, in multiples of what keeps up."""

_FLAGS: Final = {
    "allowIdleConsumers": "allow_idle_consumers",
    "excludePersistentLag": "exclude_persistent_lag",
    "scaleToZeroOnInvalidOffset": "scale_to_zero_on_invalid_offset",
    "limitToPartitionsWithLag": "limit_to_partitions_with_lag",
    "ensureEvenDistributionOfPartitions": "ensure_even_distribution_of_partitions",
}
_MANIFEST: Final = """apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: consumers
spec:
  scaleTargetRef:
    name: consumers
  pollingInterval: 30
  cooldownPeriod: 300
  minReplicaCount: {least}
  maxReplicaCount: {most}
  triggers:
    - type: kafka
      metadata:
{metadata}"""


class Candidate(NamedTuple):
    """A rule in a comparison."""

    name: str
    make: Callable[[], ScalingRule]
    trigger: KedaTrigger | None = None
    """Of KEDA's scaler."""
    scaling: Scaling | None = None
    pods: int | None = None
    """Of a fixed number."""
    is_own: bool = False
    """Whether it is the user's own ScaledObject."""
    scaled: Scaled | None = None
    """The user's own, to say where it comes to rest."""
    rejected: tuple[str, ...] = ()
    """Why KEDA 2 would not take the user's own as written."""
    notes: tuple[str, ...] = ()
    """Sentences on what of it the replay leaves out or assumes."""

    @property
    def is_settable(self) -> bool:
        """Whether KEDA or a number of replicas implements it; else it requires a controller."""
        return self.trigger is not None or self.pods is not None


class RuleResult(NamedTuple):
    """The run of one candidate."""

    candidate: Candidate
    run: ScalingRun
    minutes_late: float


Play = Callable[[Candidate], ScalingRun]
"""Replays a candidate, in whatever process."""


def run_candidate(
    group: Group, workload: Workload, candidate: Candidate, conditions: Conditions
) -> ScalingRun:
    """Replay a candidate; a module-level function, so that another process can run it."""
    return simulate_rule(group, workload, candidate.make(), conditions)


def candidates(group: Group, conditions: Conditions) -> list[Candidate]:
    """Return the rules to compare, those first that decide most: today's number, KEDA's usual ones.

    KEDA's thresholds are what a pod reads in half and in a tenth of the target, and its average
    uncommitted records when 70 % busy, which its variants have too. With a single
    topic the trigger can name it, and then limit replicas by partitions.
    """
    threads, speed = conditions.threads, conditions.speed
    most = max(math.ceil(group.partition_count / threads), 1)
    scaling = Scaling(min_replicas=1, max_replicas=most)
    one_topic = len(group.topics) == 1
    seconds = (conditions.allowed_s / 2, conditions.allowed_s / 10, 0.7 * conditions.commit_s / 2)
    lags = [max(round(speed * threads * each), 1) for each in seconds]
    triggers = [KedaTrigger(lag_threshold=each, has_topic=one_topic) for each in (*lags, 10)]
    busy = triggers[2]
    variants = [("no persistent lag", replace(busy, exclude_persistent_lag=True))]
    if one_topic:
        even = replace(busy, ensure_even_distribution_of_partitions=True)
        limited = replace(busy, limit_to_partitions_with_lag=True)
        variants += [("even partitions", even), ("lagging partitions", limited)]
    pack = partial(packing_rule, room=speed * _HEADROOM, threads=threads)
    today = max(math.ceil(group.member_count / threads), 1)
    return [
        _fixed(today, "as today" if group.member_count else "fixed"),
        *(_keda(each, scaling, _lag_threshold(each)) for each in dict.fromkeys(triggers)),
        *(_keda(each, scaling, name) for name, each in variants),
        Candidate(
            f"A pod per {plural(lags[1], 'record')}",
            partial(lag_per_consumer, lags[1], scaling),
        ),
        Candidate("Flink's autoscaler", partial(flink_rule, flink.FlinkOptions(), speed, threads)),
        Candidate("Modified Worst Fit", partial(pack, Fit.WORST, by_largest=False)),
        Candidate("Modified Best Fit", partial(pack, Fit.BEST, by_largest=True)),
        Candidate("Fewest pods in time", partial(least, speed, conditions.allowed_s, threads)),
    ]


def compare_rules(
    group: Group,
    workload: Workload,
    conditions: Conditions,
    play: Play,
    own: Candidate | None = None,
) -> Iterator[RuleResult]:
    """Yield the result of each rule, then of fixed numbers: one consumer per partition, and fewer.

    Today's number comes first, then the user's own rule. The smallest fixed number that is hardly
    later is found by bisection, so a smaller one may exist.
    """

    def result(candidate: Candidate) -> RuleResult:
        run = play(candidate)
        return RuleResult(candidate, run, run.minutes_late(conditions.allowed_s))

    today, *others = candidates(group, conditions)
    for candidate in (today, *([own] if own else []), *others):
        yield result(candidate)
    few, many = _fixed_between(group, workload, conditions)
    best = result(_fixed(many, "fixed"))
    yield best
    for _ in range(_MOST_TRIED):
        if many - few <= 1:
            return
        tried = (few + many) // 2
        other = result(_fixed(tried, "fixed"))
        yield other
        is_later = other.minutes_late > _as_late_as(best)
        few, many = (tried, many) if is_later else (few, tried)


def most_rules(
    group: Group, workload: Workload, conditions: Conditions, own: Candidate | None = None
) -> int:
    """Return how many results ``compare_rules`` yields at most."""
    few, many = _fixed_between(group, workload, conditions)
    halvings = min((many - few - 1).bit_length(), _MOST_TRIED)
    return len(candidates(group, conditions)) + (own is not None) + 1 + halvings


def _fixed_between(group: Group, workload: Workload, conditions: Conditions) -> tuple[int, int]:
    """Return a number of pods that is too few, or untried, and one consumer per partition."""
    pod = conditions.speed * conditions.threads
    few = math.ceil(float(workload.rates.sum(axis=1).mean()) / (pod * _BUSY))
    many = max(math.ceil(group.partition_count / conditions.threads), 1)
    return min(max(few - 1, 0), many - 1), many


def results_to_show(results: Sequence[RuleResult]) -> list[RuleResult]:
    """Return the results to show, best first: fewest minutes late, then fewest pod-hours.

    Pauses are priced: a rule that saves pods by many changes is better than a fixed number only
    if it saves more than the time unread costs.

    A rule that is hardly later than the best counts as equal: where nothing is in time, more pods
    than help are no advice.

    Of fixed numbers only today's and the best, and of rules with the same pods only the first.
    """
    today = results[0]
    earliest = min(results, key=lambda each: each.minutes_late)
    best = sorted(results, key=partial(_rank, most_late=_as_late_as(earliest)))
    fixed_ = [each for each in best if each.candidate.pods not in (None, today.candidate.pods)]
    kept = [each for each in best if each is today or each in fixed_[:1] or not _is_fixed(each)]
    others = [each for each in reversed(kept) if not each.candidate.is_own]
    same = {(r.run.pods.tobytes(), r.run.moved.tobytes()): r for r in others}
    return [each for each in kept if each.candidate.is_own or each in same.values()]


def _rank(each: RuleResult, *, most_late: float) -> tuple[float, float, bool]:
    late = 0.0 if each.minutes_late <= most_late else each.minutes_late
    return late, each.run.priced_hours, not _is_fixed(each)


def _as_late_as(best: RuleResult) -> float:
    """Return how many minutes late another rule may be to count as no later."""
    if not best.minutes_late:
        return 0.0
    return best.minutes_late * (1 + _HARDLY) + best.run.step_s / 60


def best_settable(results: Sequence[RuleResult], allowed_s: float) -> RuleResult:
    """Return the best that requires no controller.

    Where none is in time, more pods buy minutes: then it costs at most twice as much as today's
    number, or as the cheapest that has caught up at the end.
    """
    settable = [each for each in results_to_show(results) if each.candidate.is_settable]
    if not settable[0].minutes_late:
        return settable[0]
    keeping_up = [each for each in settable if each.run.time_lag_s[-1] <= allowed_s]
    enough = min((each.run.pod_hours for each in keeping_up), default=0.0)
    most = _DEAREST * max(enough, results[0].run.pod_hours)
    return next(each for each in settable if each.run.pod_hours <= most)


def _is_fixed(result: RuleResult) -> bool:
    return result.candidate.pods is not None


def _fixed(pods: int, suffix: str) -> Candidate:
    return Candidate(f"{plural(pods, 'pod')}, {suffix}", partial(fixed, pods), pods=pods)


def _keda(trigger: KedaTrigger, scaling: Scaling, setting: str) -> Candidate:
    rule = partial(keda_rule, (Trigger(trigger),), scaling)
    return Candidate(f"KEDA with {setting}", rule, trigger, scaling)


def _lag_threshold(trigger: KedaTrigger) -> str:
    return f"lagThreshold {trigger.lag_threshold:,}"


def manifest(candidate: Candidate, group: Group) -> str:
    """Return the ScaledObject, or the command that sets a fixed number."""
    if candidate.pods is not None:
        return f"kubectl scale deployment/consumers --replicas={candidate.pods}"
    if candidate.is_own:
        return "# Your ScaledObject, unchanged."
    trigger, scaling = candidate.trigger, candidate.scaling
    if trigger is None or scaling is None:
        return ""
    metadata = {
        "bootstrapServers": "broker:9092",
        "consumerGroup": group.id or "group",
        **({"topic": group.topics[0]} if trigger.has_topic else {}),
        "lagThreshold": str(trigger.lag_threshold),
        **{name: "true" for name, field in _FLAGS.items() if getattr(trigger, field)},
    }
    lines = [f"        {name}: {json.dumps(value)}" for name, value in metadata.items()]
    return _MANIFEST.format(
        least=scaling.min_replicas,
        most=scaling.max_replicas,
        metadata="\n".join(lines),
    )
