"""Kubernetes' Horizontal Pod Autoscaler on a metric per pod, and KEDA's step to and from zero."""

import math
from collections import deque
from dataclasses import dataclass

from evaluation.capacity.draining import InvalidCapacityError


@dataclass(frozen=True, kw_only=True)
class Scaling:
    """The ScaledObject without its trigger, with KEDA's and Kubernetes' defaults.

    Raises InvalidCapacityError if the limits cross.
    """

    min_replicas: int = 0
    """With 0, KEDA removes the last pod after ``cooldown_s`` without activity."""
    max_replicas: int = 100
    cooldown_s: float = 300.0
    tolerance: float = 0.1
    """``--horizontal-pod-autoscaler-tolerance``, in either direction."""
    down_window_s: float = 300.0
    """``behavior.scaleDown.stabilizationWindowSeconds``; scaling up has none."""
    sync_s: float = 15.0
    """``--horizontal-pod-autoscaler-sync-period``."""

    def __post_init__(self) -> None:
        if not 0 <= self.min_replicas <= self.max_replicas or self.max_replicas < 1:
            message = (
                "minReplicaCount must be 0 or more and no more than maxReplicaCount; found "
                f"{self.min_replicas:,} and {self.max_replicas:,}"
            )
            raise InvalidCapacityError(message)


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


class Scaler:
    """The HPA of one deployment, and KEDA's executor, which alone scales to and from zero."""

    def __init__(self, scaling: Scaling) -> None:
        self._scaling = scaling
        self._wanted: deque[tuple[float, int]] = deque()
        self._active_s = -math.inf

    def replicas(
        self, now_s: float, replicas: int, metric: float, target: float, *, is_active: bool
    ) -> int:
        """Return the number of pods after one sync."""
        scaling = self._scaling
        if is_active:
            self._active_s = now_s
            if replicas == 0:
                return max(scaling.min_replicas, 1)
        elif scaling.min_replicas == 0 and self._active_s + scaling.cooldown_s < now_s:
            return 0
        if replicas == 0:
            return scaling.min_replicas
        least = max(scaling.min_replicas, 1)
        if not least <= replicas <= scaling.max_replicas:
            return min(max(replicas, least), scaling.max_replicas)
        stable = self._stabilised(
            now_s, replicas, per_pod(metric, target, replicas, scaling.tolerance)
        )
        most = max(replicas + 4, 2 * replicas)  # the default behavior.scaleUp in one sync
        return max(min(stable, most, scaling.max_replicas), least)

    def _stabilised(self, now_s: float, replicas: int, wanted: int) -> int:
        """Return the largest recommendation of the window, at most the current pods.

        ``stabilizeRecommendationWithBehaviors``: scaling up takes the latest at once.
        """
        if not self._wanted:  # recordInitialRecommendation
            self._wanted.append((now_s, replicas))
        highest = wanted
        while self._wanted and self._wanted[0][0] <= now_s - self._scaling.down_window_s:
            self._wanted.popleft()
        for _, earlier in self._wanted:
            highest = max(highest, earlier)
        self._wanted.append((now_s, wanted))
        return max(wanted, min(replicas, highest))
