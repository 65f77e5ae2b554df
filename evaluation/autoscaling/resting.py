"""Where a ScaledObject comes to rest from today's pods while lags stay as they are, and why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNKNOWN, BoolArray, Group, LongArray
from evaluation.autoscaling.hpa import HpaMetric, Scaling, most_wanted, one_step
from evaluation.autoscaling.keda import NOT_COMMITTED, KedaTrigger, metric
from evaluation.autoscaling.rules import Trigger
from evaluation.measuring.offset_history import (
    COMMITTED,
    OffsetHistory,
    history_offsets,
)

_A_PAIR: Final = 2


class Stop(Enum):
    """Why pods are neither added nor removed any more."""

    PAUSED = "paused"
    """By KEDA's annotation."""
    IDLE = "no activity"
    """No trigger is above its activation threshold, so KEDA leaves the idle number."""
    ON_TARGET = "on target"
    """The metric wants just this number."""
    TOLERANCE = "within tolerance"
    """Another number would meet the target, but the ratio is within the HPA's tolerance."""
    MOST = "maxReplicaCount"
    LEAST = "minReplicaCount"
    POLICY = "policy"
    """``selectPolicy: Disabled``, or policies that leave no step."""


class Scaled(NamedTuple):
    """What of a ScaledObject decides how many pods there are."""

    triggers: tuple[Trigger, ...]
    scaling: Scaling
    is_paused: bool = False
    paused_at: int | None = None
    """Pods while paused; None: as many as there are."""


@dataclass(frozen=True, kw_only=True)
class Polled:
    """What one trigger measures now; counts are of partitions, lags and the metric in records."""

    options: KedaTrigger
    topic: str | None
    """None for all topics in which the group has committed."""
    counted: int
    left_out: int
    """Of its topic, by ``partitionLimitation``."""
    uncommitted: int
    """Without a committed offset: each counts as ``offsetResetPolicy`` says."""
    is_from_start: bool
    """Whether first offsets are unknown that the metric needs, so that it is at most this."""
    unknown: int
    """Whose lag nobody told; they count as if nothing were committed."""
    persistent: int
    """Left out since their committed offset did not move, by ``excludePersistentLag``."""
    lag: int
    """The sum over the partitions that count, before the cap."""
    cap: int | None
    metric: int
    is_active: bool
    desired: int = 0
    """What the HPA would want of this metric alone, at the pods of rest, without tolerance or
    limits."""

    @property
    def demand(self) -> HpaMetric:
        """The metric as the HPA sees it."""
        return HpaMetric(self.metric, self.options.lag_threshold, self.options.is_average)


@dataclass(frozen=True, kw_only=True)
class Resting:
    """Where today's pods end while lags stay as they are."""

    scaled: Scaled
    polled: tuple[Polled, ...]
    path: Sequence[int]
    """The numbers of pods, today's first, that of rest last."""
    desired: int
    """That meets the target of the trigger that wants the most, without tolerance or limits."""
    stop: Stop
    goes_on_from: int | None = None
    """At rest within the tolerance: the nearest number from which pods would still change."""

    @property
    def rests_at(self) -> int:
        """The last number of pods."""
        return self.path[-1]

    @property
    def decides(self) -> Polled:
        """The trigger that wants the most pods, the first of equals."""
        return max(self.polled, key=lambda each: each.desired)


def resting_point(
    scaled: Scaled, group: Group, replicas: int, before: LongArray | None = None
) -> Resting:
    """Return where the pods come to rest from today's ``replicas``, with lags as they are now.

    ``before`` (P,) are the committed offsets of an earlier poll, for ``excludePersistentLag``;
    without them nothing is known to persist. The path takes each change that windows and periods
    allow, as far as the policies let it go.
    """
    measured = [_polled(each, group, before) for each in scaled.triggers]
    path, stop = _path(scaled, measured, replicas)
    pods, tolerance = max(path[-1], 1), 0.0
    polled = [
        replace(each, desired=most_wanted(pods, [each.demand], tolerance)) for each in measured
    ]
    resting = Resting(
        scaled=scaled,
        polled=tuple(polled),
        path=path,
        desired=max(each.desired for each in polled),
        stop=stop or Stop.ON_TARGET,
    )
    return resting if stop else _at_rest(resting)


def committed_before(group: Group, history: OffsetHistory | None) -> LongArray | None:
    """Return the committed offsets (P,) one snapshot earlier; None without one."""
    if history is None or len(history.moments) < _A_PAIR:
        return None
    earlier: LongArray = history_offsets(group, history.moments[-2:-1])[0, COMMITTED]
    return earlier


def _path(scaled: Scaled, polled: Sequence[Polled], replicas: int) -> tuple[list[int], Stop | None]:
    """Return today's pods and those after each change, and why they stop if KEDA itself stops."""
    if scaled.is_paused:
        pods = replicas if scaled.paused_at is None else scaled.paused_at
        return list(dict.fromkeys((replicas, pods))), Stop.PAUSED
    scaling, path = scaled.scaling, [replicas]
    if any(each.is_active for each in polled):
        if replicas <= (scaling.idle_replicas or 0):
            path.append(max(scaling.min_replicas, 1))
    else:
        idle = scaling.without_activity
        is_left = scaling.min_replicas == 0 or scaling.idle_replicas is not None
        if replicas < idle or (is_left and replicas > idle and np.isfinite(scaling.cooldown_s)):
            path.append(idle)
        if is_left and path[-1] == idle:
            return path, Stop.IDLE
    demands = [each.demand for each in polled]
    while (after := one_step(scaling, path[-1], demands)) != path[-1]:
        path.append(after)
    return path, None


def _at_rest(resting: Resting) -> Resting:
    """Return it with the reason why the HPA leaves the last number."""
    scaling, demands = resting.scaled.scaling, [each.demand for each in resting.polled]
    stop = _stop(scaling, resting.rests_at, demands, resting.desired)
    if stop is not Stop.TOLERANCE:
        return replace(resting, stop=stop)
    from_ = _goes_on_from(scaling, resting.rests_at, demands, resting.desired)
    return replace(resting, stop=stop, goes_on_from=from_)


def _stop(scaling: Scaling, pods: int, demands: Sequence[HpaMetric], desired: int) -> Stop:
    if pods == desired:
        return Stop.ON_TARGET
    if desired > pods == scaling.max_replicas:
        return Stop.MOST
    if desired < pods == max(scaling.min_replicas, 1):
        return Stop.LEAST
    is_kept = most_wanted(pods, demands, scaling.tolerance) == pods
    return Stop.TOLERANCE if is_kept else Stop.POLICY


def _goes_on_from(
    scaling: Scaling, pods: int, demands: Sequence[HpaMetric], desired: int
) -> int | None:
    """Return the nearest number on the other side of ``desired`` that the HPA would change."""
    away = -1 if desired > pods else 1
    other = pods + away
    least = max(scaling.min_replicas, 1)
    while least <= other <= scaling.max_replicas:
        if most_wanted(other, demands, scaling.tolerance) != other:
            return other
        other += away
    return None


def _polled(trigger: Trigger, group: Group, before: LongArray | None) -> Polled:
    options, offsets = trigger.options, _Offsets.of(group)
    is_counted = _counted(trigger, group, offsets.is_committed)
    of = np.flatnonzero(is_counted)
    topic = group.topic_of_partition
    is_of_topic = np.isin(topic, np.unique(topic[of]))
    known = None if before is None else before[of]
    found = metric(options, offsets.committed[of], offsets.ends[of], offsets.starts[of], known)
    uncommitted = ~offsets.is_committed[of]
    counts_all = not (options.resets_to_latest or options.scale_to_zero_on_invalid_offset)
    is_guess = counts_all & uncommitted & ~offsets.is_start_known[of] & (offsets.ends[of] > 0)
    lags = (offsets.ends - offsets.committed)[of]
    return Polled(
        options=options,
        topic=trigger.topic,
        counted=of.size,
        left_out=int(np.count_nonzero(is_of_topic)) - of.size,
        uncommitted=int(np.count_nonzero(uncommitted)),
        is_from_start=bool(is_guess.any()),
        unknown=int(np.count_nonzero(offsets.is_unknown[of])),
        persistent=int(np.count_nonzero(~uncommitted & (lags > 0) & (found.lags == 0))),
        lag=int(found.lags.sum()),
        cap=None if found.most is None else found.most * options.lag_threshold,
        metric=found.lag,
        is_active=found.is_active,
    )


def _counted(trigger: Trigger, group: Group, is_committed: BoolArray) -> BoolArray:
    """Return the partitions that count (P,): without a topic, those of topics with a commit."""
    counted = np.zeros(group.partition_count, np.bool_)
    if trigger.partitions is not None:
        counted[trigger.partitions] = True
        return counted
    topic = group.topic_of_partition
    commits = np.bincount(topic[is_committed], minlength=len(group.topics)) > 0
    of_commits: BoolArray = commits[topic]
    return of_commits if of_commits.any() else ~counted


class _Offsets(NamedTuple):
    """What KEDA asks Kafka for, as far as it is known; (P,) each."""

    committed: LongArray
    """``NOT_COMMITTED`` where nothing is, or nobody knows."""
    ends: LongArray
    starts: LongArray
    is_start_known: BoolArray
    is_unknown: BoolArray

    @classmethod
    def of(cls, group: Group) -> "_Offsets":
        """Take offsets where they are known; else lags, from a committed offset of 0."""
        nothing = np.full(group.partition_count, UNKNOWN)
        begin, end, committed = (
            nothing if row is None else row
            for row in (group.offsets.begin, group.offsets.end, group.offsets.committed)
        )
        has_both = (end != UNKNOWN) & (committed != UNKNOWN)
        says_none = (end != UNKNOWN) & (group.offsets.committed is not None) & ~has_both
        by_lag = ~has_both & ~says_none & group.is_lag_known
        return cls(
            committed=np.where(has_both, committed, np.where(by_lag, 0, NOT_COMMITTED)),
            ends=np.where(by_lag, group.counted_lags, np.maximum(end, 0)),
            starts=np.maximum(begin, 0),
            is_start_known=begin != UNKNOWN,
            is_unknown=~has_both & ~says_none & ~by_lag,
        )

    @property
    def is_committed(self) -> BoolArray:
        """(P,)."""
        is_committed: BoolArray = self.committed != NOT_COMMITTED
        return is_committed
