"""Kubernetes' Horizontal Pod Autoscaler on metrics per pod, and KEDA's step to and from zero."""

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from evaluation.stated import InvalidNumberError


class Select(Enum):
    """``selectPolicy``: which of several policies counts."""

    MOST = "Max"
    LEAST = "Min"
    NONE = "Disabled"


class ScalingPolicy(NamedTuple):
    """One entry of ``behavior.scaleUp.policies`` or ``scaleDown.policies``."""

    value: int
    """Pods, or percent of those at the start of the period."""
    period_s: float
    is_percent: bool = False


@dataclass(frozen=True, kw_only=True)
class Behavior:
    """``behavior.scaleUp`` or ``behavior.scaleDown``."""

    window_s: float
    """``stabilizationWindowSeconds``."""
    policies: tuple[ScalingPolicy, ...]
    select: Select = Select.MOST


UP: Final = Behavior(
    window_s=0.0, policies=(ScalingPolicy(4, 15.0), ScalingPolicy(100, 15.0, is_percent=True))
)
DOWN: Final = Behavior(window_s=300.0, policies=(ScalingPolicy(100, 15.0, is_percent=True),))
"""Kubernetes' defaults."""


@dataclass(frozen=True, kw_only=True)
class Scaling:
    """The ScaledObject without its triggers, with KEDA's and Kubernetes' defaults.

    Raises InvalidNumberError if the limits cross.
    """

    min_replicas: int = 0
    """With 0, KEDA removes the last pod after ``cooldown_s`` without activity."""
    max_replicas: int = 100
    idle_replicas: int | None = None
    """How many pods stay without activity, if fewer than ``min_replicas``."""
    cooldown_s: float = 300.0
    polling_s: float = 30.0
    """How often KEDA looks whether there is activity."""
    tolerance: float = 0.1
    """``--horizontal-pod-autoscaler-tolerance``, in either direction."""
    up: Behavior = UP
    down: Behavior = DOWN
    sync_s: float = 15.0
    """``--horizontal-pod-autoscaler-sync-period``."""

    def __post_init__(self) -> None:
        if not 0 <= self.min_replicas <= self.max_replicas or self.max_replicas < 1:
            message = (
                "minReplicaCount must be 0 or more and no more than maxReplicaCount; found "
                f"{self.min_replicas:,} and {self.max_replicas:,}"
            )
            raise InvalidNumberError(message)
        if self.idle_replicas is not None and self.idle_replicas >= self.min_replicas:
            message = (
                "idleReplicaCount must be less than minReplicaCount; found "
                f"{self.idle_replicas:,} and {self.min_replicas:,}"
            )
            raise InvalidNumberError(message)

    @property
    def without_activity(self) -> int:
        """How many pods stay without activity."""
        return self.min_replicas if self.idle_replicas is None else self.idle_replicas


class HpaMetric(NamedTuple):
    """One metric of the HPA."""

    metric: float
    target: float
    is_average: bool = True
    """Whether the target is for each pod (``AverageValue``) or for all (``Value``)."""


def per_pod(metric: float, target: float, replicas: int, tolerance: float) -> int:
    """Return the number of pods that brings a metric per pod to its target.

    ``ceil(metric / target)``, or the current number while the ratio is within the tolerance:
    ``GetExternalPerPodMetricReplicas`` of Kubernetes' replica calculator.

    >>> [per_pod(metric, 10, 4, 0.1) for metric in (44, 45, 36, 35)]
    [4, 5, 4, 4]
    """
    ratio = metric / (target * replicas)
    if 1 - tolerance <= ratio <= 1 + tolerance:
        return replicas
    return math.ceil(metric / target)


def by_value(metric: float, target: float, replicas: int, tolerance: float) -> int:
    """Return as many pods more or fewer as the metric exceeds or misses its target.

    ``GetExternalMetricReplicas``.

    >>> [by_value(metric, 10, 4, 0.1) for metric in (11, 12, 9, 5)]
    [4, 5, 4, 2]
    """
    ratio = metric / target
    return replicas if 1 - tolerance <= ratio <= 1 + tolerance else math.ceil(ratio * replicas)


def most_wanted(replicas: int, demands: Iterable[HpaMetric], tolerance: float) -> int:
    """Return the number of pods of the metric that wants the most, before any limit."""
    return max(
        (per_pod if is_average else by_value)(metric, target, replicas, tolerance)
        for metric, target, is_average in demands
    )


def one_step(scaling: Scaling, replicas: int, demands: Sequence[HpaMetric]) -> int:
    """Return the pods after the next change, whose windows and periods have passed.

    The same number where metrics that stay as they are change nothing.
    """
    least = max(scaling.min_replicas, 1)
    if not least <= replicas <= scaling.max_replicas:
        return min(max(replicas, least), scaling.max_replicas)
    return Scaler(scaling).limited(0.0, replicas, most_wanted(replicas, demands, scaling.tolerance))


class Scaler:
    """The HPA of one deployment, and KEDA's executor, which alone scales to and from zero."""

    def __init__(self, scaling: Scaling) -> None:
        self._scaling = scaling
        self._wanted: deque[tuple[float, int]] = deque()
        self._changes: deque[tuple[float, int]] = deque()
        """When the HPA added (above 0) or removed pods, and how many."""
        self._active_s = self._polled_s = -math.inf

    def replicas(
        self, now_s: float, replicas: int, demands: Iterable[HpaMetric], *, is_active: bool
    ) -> int:
        """Return the number of pods after one sync; of several metrics the highest counts."""
        scaling = self._scaling
        if self._polled_s + scaling.polling_s <= now_s:
            self._polled_s = now_s
            if (kept := self._after_poll(now_s, replicas, is_active=is_active)) is not None:
                return kept
        if replicas <= (scaling.idle_replicas or 0):
            return replicas  # the HPA is off
        least = max(scaling.min_replicas, 1)
        if not least <= replicas <= scaling.max_replicas:
            return min(max(replicas, least), scaling.max_replicas)
        wanted = most_wanted(replicas, demands, scaling.tolerance)
        limited = self.limited(now_s, replicas, self._stabilised(now_s, replicas, wanted))
        if limited != replicas:
            self._changes.append((now_s, limited - replicas))
        return limited

    def _after_poll(self, now_s: float, replicas: int, *, is_active: bool) -> int | None:
        """Return the pods that KEDA sets after a poll, None if it leaves them to the HPA."""
        scaling, idle = self._scaling, self._scaling.without_activity
        if is_active:
            self._active_s = now_s
            is_idle = replicas <= (scaling.idle_replicas or 0)
            return max(scaling.min_replicas, 1) if is_idle else None
        may_rest = scaling.min_replicas == 0 or scaling.idle_replicas is not None
        if may_rest and replicas > idle and self._active_s + scaling.cooldown_s < now_s:
            return idle
        return idle if replicas < idle else None

    def _stabilised(self, now_s: float, replicas: int, wanted: int) -> int:
        """Return the recommendation that the windows allow.

        ``stabilizeRecommendationWithBehaviors``: up to the smallest of one window, down to the
        largest of the other.
        """
        if not self._wanted:  # recordInitialRecommendation
            self._wanted.append((now_s, replicas))
        up_s, down_s = (each.window_s for each in (self._scaling.up, self._scaling.down))
        while self._wanted and self._wanted[0][0] <= now_s - max(up_s, down_s):
            self._wanted.popleft()
        lowest = min((n for at_s, n in self._wanted if at_s > now_s - up_s), default=wanted)
        highest = max((n for at_s, n in self._wanted if at_s > now_s - down_s), default=wanted)
        self._wanted.append((now_s, wanted))
        return max(min(replicas, max(wanted, highest)), min(wanted, lowest))

    def limited(self, now_s: float, replicas: int, wanted: int) -> int:
        """Return what policies and limits allow: ``convertDesiredReplicasWithBehaviorRate``."""
        scaling = self._scaling
        longest_s = max(
            (policy.period_s for each in (scaling.up, scaling.down) for policy in each.policies),
            default=0.0,
        )
        while self._changes and self._changes[0][0] <= now_s - longest_s:
            self._changes.popleft()
        if wanted > replicas:
            most = max(self._limit(now_s, replicas, scaling.up, 1), replicas)
            return min(wanted, most, scaling.max_replicas)
        if wanted < replicas:
            least = min(self._limit(now_s, replicas, scaling.down, -1), replicas)
            return max(wanted, least, scaling.min_replicas, 1)
        return replicas

    def _limit(self, now_s: float, replicas: int, behavior: Behavior, sign: int) -> int:
        if behavior.select is Select.NONE or not behavior.policies:
            return replicas
        limits = [
            _limit_of(policy, now_s, replicas, self._changes, sign) for policy in behavior.policies
        ]
        is_furthest = behavior.select is Select.MOST
        return max(limits) if is_furthest == (sign > 0) else min(limits)


def _limit_of(
    policy: ScalingPolicy,
    now_s: float,
    replicas: int,
    changes: Sequence[tuple[float, int]],
    sign: int,
) -> int:
    """Return how many pods a policy allows, from those at the start of its period."""
    recent = sum(change for at_s, change in changes if at_s > now_s - policy.period_s)
    start = replicas - recent
    if not policy.is_percent:
        return start + sign * policy.value
    share = start * (1 + sign * policy.value / 100)
    return math.ceil(share) if sign > 0 else int(share)
