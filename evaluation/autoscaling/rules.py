"""Rules that decide, step by step, a group's desired replicas and owners.

A rule is created anew for each replay, since most keep state.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from assignors.model import UNOWNED, FloatArray, LongArray, Owners
from evaluation.autoscaling import flink, hpa, keda
from evaluation.autoscaling.packing import Fit, modified_any_fit
from evaluation.capacity.draining import TOLERANCE
from evaluation.capacity.limits import best_fit_decreasing, fewest_bins


class View(NamedTuple):
    """What a rule sees at the start of a step."""

    now_s: float
    step_s: float
    pods: int
    """Desired so far, including those that are starting."""
    rates: FloatArray
    """(P,) records per second that arrived during the last step."""
    committed: LongArray
    """(P,) offsets, as are the ends."""
    ends: LongArray
    owners: Owners
    """(P,) the consumer of each partition."""
    paused_s: float
    """How long a partition is unread if it moves to a pod that must start first."""

    @property
    def lags(self) -> LongArray:
        """(P,) records behind the end."""
        return self.ends - self.committed


class Wanted(NamedTuple):
    """The decision of a rule."""

    pods: int
    owners: Owners | None = None
    """(P,) from a rule that assigns partitions itself; otherwise the group's strategy does."""


class ScalingRule(Protocol):
    """Decides at the start of every step."""

    def __call__(self, view: View, /) -> Wanted:
        """Return the desired state."""


def fixed(pods: int) -> ScalingRule:
    """Return the rule of a fixed number of pods."""
    return lambda _: Wanted(pods)


def lag_per_consumer(lag: float, scaling: hpa.Scaling) -> ScalingRule:
    """Return the rule ``ceil(total lag / lag per pod)``, immediate and stateless."""

    def decide(view: View) -> Wanted:
        pods = math.ceil(int(view.lags.sum()) / lag)
        return Wanted(max(min(pods, scaling.max_replicas), scaling.min_replicas, 1))

    return decide


class Trigger(NamedTuple):
    """One Kafka trigger of a ScaledObject."""

    options: keda.KedaTrigger
    partitions: LongArray | None = None
    """Those that count, if not all."""
    topic: str | None = None
    """None for all of the group's."""


def keda_rule(triggers: Sequence[Trigger], scaling: hpa.Scaling) -> ScalingRule:
    """Return KEDA's Kafka scaler with the HPA behind it: one poll per step, a sync every 15 s.

    Any active trigger keeps pods; of their metrics the one that wants the most pods counts.
    """
    scaler = hpa.Scaler(scaling)
    before: list[keda.Metric | None] = [None] * len(triggers)
    polled_s = [-math.inf] * len(triggers)

    def measured(number: int, view: View) -> keda.Metric:
        options, partitions, _ = triggers[number]
        of = slice(None) if partitions is None else partitions
        committed, ends = view.committed[of], view.ends[of]
        last = before[number]
        if last and options.is_cached and polled_s[number] + scaling.polling_s > view.now_s:
            return last
        polled_s[number] = view.now_s
        known = None if last is None else last.committed
        return keda.metric(options, committed, ends, np.zeros_like(ends), known)

    def decide(view: View) -> Wanted:
        metrics = [measured(number, view) for number in range(len(triggers))]
        before[:] = metrics
        demands = [
            hpa.HpaMetric(metric.lag, options.lag_threshold, options.is_average)
            for metric, (options, *_) in zip(metrics, triggers, strict=True)
        ]
        is_active, pods = any(metric.is_active for metric in metrics), view.pods
        for sync in range(max(round(view.step_s / scaling.sync_s), 1)):
            now_s = view.now_s + sync * scaling.sync_s
            pods = scaler.replicas(now_s, pods, demands, is_active=is_active)
        return Wanted(pods)

    return decide


def as_it_is() -> ScalingRule:
    """Return the rule of a paused ScaledObject: the pods stay as they are."""
    return lambda view: Wanted(view.pods)


def flink_rule(options: flink.FlinkOptions, speed: float, threads: int = 1) -> ScalingRule:
    """Return Flink's rule for consumers that process ``speed`` records per second each."""
    scaler: flink.Autoscaler | None = None

    def decide(view: View) -> Wanted:
        nonlocal scaler
        scaler = scaler or flink.Autoscaler(options, speed, view.lags.size)
        consumers = scaler.parallelism(
            view.now_s,
            view.pods * threads,
            float(view.lags.sum()),
            float(view.rates.sum()),
        )
        return Wanted(math.ceil(consumers / threads))

    return decide


def packing_rule(fit: Fit, room: float, threads: int = 1, *, by_largest: bool) -> ScalingRule:
    """Return Modified Any Fit on the rates, into consumers with this much room."""

    def decide(view: View) -> Wanted:
        owners = modified_any_fit(view.rates, view.owners, room, fit, by_largest=by_largest)
        return Wanted(math.ceil(np.unique(owners).size / threads), owners)

    return decide


def least(
    speed: float, allowed_s: float, threads: int = 1, *, calm_s: float = 600.0
) -> ScalingRule:
    """Return our own rule: the fewest consumers that meet the time allowed, with few moves.

    A partition with rate r and lag L needs r + (L + r D) / (T - D) records per second, as in
    ``evaluation.capacity.draining.demand_of``, with the time allowed T and the start of a pod as
    the pause D. If a consumer needs more than its speed, its partitions other than the largest
    move to the fullest consumers with room, or to a new one. Before the last consumers are
    emptied, fewer must have been enough for ``calm_s``, by best fit decreasing.
    """
    since_s = math.inf

    def decide(view: View) -> Wanted:
        nonlocal since_s
        rest_s = max(allowed_s - view.paused_s, view.step_s)
        needs = view.rates + (np.maximum(view.lags, 0) + view.rates * view.paused_s) / rest_s
        needs = np.minimum(needs, speed)  # one that needs more gets its own consumer
        owners = relieved(needs, view.owners, speed)
        bins = int(np.unique(owners).size)
        if fewest_bins(needs, speed) < bins and _fits_fewer(needs, speed, bins):
            since_s = min(since_s, view.now_s)
        else:
            since_s = math.inf
        if view.now_s - since_s >= calm_s:
            owners, since_s = emptied(needs, owners, speed), math.inf
        return Wanted(math.ceil((int(owners.max(initial=0)) + 1) / threads), owners)

    return decide


def relieved(needs: FloatArray, owners: Owners, room: float) -> Owners:
    """Return the owners after overloaded consumers give up their largest partitions but one.

    No consumer exceeds the room unless a single partition does. Consumers stay numbered 0 to n - 1.
    """
    relieving = owners.copy()
    loads = np.bincount(owners[owners != UNOWNED], needs[owners != UNOWNED], owners.max() + 1)
    moving = np.flatnonzero(owners == UNOWNED).tolist()
    for consumer in np.flatnonzero(loads > room * (1 + TOLERANCE)).tolist():
        held = np.flatnonzero(owners == consumer)
        for partition in held[np.argsort(-needs[held], kind="stable")][1:].tolist():
            if loads[consumer] <= room * (1 + TOLERANCE):
                break
            loads[consumer] -= needs[partition]
            moving.append(partition)
    totals = loads.tolist()
    for partition in sorted(moving, key=lambda p: -float(needs[p])):
        consumer = _best_fit(totals, float(needs[partition]), room)
        if consumer == len(totals):
            totals.append(0.0)
        totals[consumer] += float(needs[partition])
        relieving[partition] = consumer
    return relieving


def emptied(needs: FloatArray, owners: Owners, room: float) -> Owners:
    """Return the owners after the last consumers are emptied one by one while the others have room.

    Last because a StatefulSet removes that pod; consumers stay numbered 0 to n - 1.
    """
    packed = owners
    totals = np.bincount(owners, needs).tolist()
    while len(totals) > 1:
        totals.pop()
        target, leaving = packed.copy(), np.flatnonzero(packed == len(totals))
        for partition in leaving[np.argsort(-needs[leaving], kind="stable")].tolist():
            consumer = _best_fit(totals, float(needs[partition]), room)
            if consumer == len(totals):
                return packed
            totals[consumer] += float(needs[partition])
            target[partition] = consumer
        packed = target
    return packed


def _fits_fewer(needs: FloatArray, room: float, bins: int) -> bool:
    packed = best_fit_decreasing(needs[needs > 0], room * (1 + TOLERANCE))
    return int(packed.max(initial=0)) + 1 < bins


def _best_fit(totals: list[float], need: float, room: float) -> int:
    """Return the fullest consumer with room for a need; one past the last if there is none."""
    most = room * (1 + TOLERANCE) - need
    fitting = [(-total, c) for c, total in enumerate(totals) if total <= most]
    return min(fitting)[1] if fitting else len(totals)
