"""The autoscaler of Flink's Kubernetes operator, for a source that reads Kafka.

After ``JobVertexScaler`` and ``AutoScalerUtils``. Not modelled: observed scalability, and the
detection of ineffective scaling, which is off by default.
"""

import math
from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FlinkOptions:
    """Settings below ``job.autoscaler.``, with their defaults."""

    utilization: float = 0.7
    utilization_min: float = 0.4
    utilization_max: float = 1.0
    catch_up_s: float = 1800.0
    restart_s: float = 300.0
    backlog_s: float = 300.0
    """``backlog-processing.lag-threshold``: with more lag nothing is scaled down."""
    max_scale_down: float = 0.6
    scale_down_interval_s: float = 3600.0
    window_s: float = 900.0
    """``metrics.window``, over which rates are averaged."""
    stabilization_s: float = 300.0
    """No second change within this time."""


def capacity_needed(
    lag: float, rate: float, options: FlinkOptions, utilization: float, *, with_restart: bool
) -> float:
    """Return the records/s to be able to process: ``getTargetProcessingCapacity``.

    lag / C + rate R / C + rate / U, with the catch-up time C, the restart R (if counted) and the
    utilization U.
    """
    if utilization <= 0:
        return math.inf
    restarting = rate * options.restart_s / options.catch_up_s if with_restart else 0.0
    return math.floor(lag / options.catch_up_s + restarting + rate / utilization + 0.5)


def aligned(current: int, wanted: int, partitions: int) -> int:
    """Return a parallelism near the wanted one that suits the partitions: ``scale``.

    The next divisor upwards, at most the current parallelism when scaling down. Without one, the
    smallest downwards whose busiest subtask has no more partitions, unless that would reverse the
    direction.

    >>> [aligned(4, wanted, 12) for wanted in (5, 7, 3)]
    [6, 12, 3]
    """
    if wanted == current:
        return wanted
    is_up = wanted > current
    last = partitions if is_up else min(current, partitions)
    for parallelism in range(wanted, last + 1):
        if partitions % parallelism == 0:
            return parallelism
    parallelism = wanted
    while parallelism > 0 and partitions // parallelism <= partitions // wanted:
        parallelism -= 1
    if parallelism > 0 and partitions % parallelism:
        parallelism += 1
    is_turned = parallelism <= current if is_up else parallelism >= current
    return current if is_turned else max(parallelism, 1)


class Autoscaler:
    """The autoscaler of one source whose subtasks each process ``speed`` records per second."""

    def __init__(self, options: FlinkOptions, speed: float, partitions: int) -> None:
        self._options, self._speed, self._partitions = options, speed, partitions
        self._rates: deque[tuple[float, float]] = deque()
        self._lower: list[tuple[float, int]] = []
        self._changed_s = -math.inf

    def parallelism(self, now_s: float, current: int, lag: float, rate: float) -> int:
        """Return the new parallelism, given the lag and the rate in records per second."""
        options, most = self._options, current * self._speed
        self._rates.append((now_s, rate))
        while self._rates[0][0] < now_s - options.window_s:
            self._rates.popleft()
        if now_s < self._changed_s + options.stabilization_s:
            return current
        mean = sum(each for _, each in self._rates) / len(self._rates)
        needed = capacity_needed(lag, mean, options, options.utilization, with_restart=True)
        factor = max(needed / most, 1 - options.max_scale_down)
        wanted = min(max(math.ceil(factor * current), 1), self._partitions)
        new = aligned(current, wanted, self._partitions)
        if new >= current:
            self._lower.clear()
        if new == current:
            return current
        is_outside = self._is_outside(most, lag, mean)
        if new < current:
            self._lower.append((now_s, new))
            if now_s - options.scale_down_interval_s < self._lower[0][0]:
                return current
            start_s = now_s - options.scale_down_interval_s
            new = max(number for at_s, number in self._lower if at_s >= start_s)
        if not is_outside or new == current:
            return current
        self._changed_s = now_s
        self._lower.clear()
        return new

    def _is_outside(self, most: float, lag: float, rate: float) -> bool:
        """Return whether the processing capacity leaves the bounds of the utilization."""
        options = self._options
        is_behind = rate > 0 and lag / rate > options.backlog_s
        low = 0.0 if is_behind else options.utilization_min
        up = capacity_needed(lag, rate, options, options.utilization_max, with_restart=False)
        down = capacity_needed(lag, rate, options, low, with_restart=True)
        return most < up or most > down
