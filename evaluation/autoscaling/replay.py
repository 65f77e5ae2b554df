"""A workload replayed under a rule: consumers, lag, time lag, moves and pauses over time.

K steps, P partitions. Rates are constant within a step, and consumers read as in
``evaluation.fluid``. Rules decide at the start of a step; a new pod reads from the
first step after its start. A rule that assigns partitions itself waits for its pods before it
moves any.
"""

from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import numpy as np

from assignors.model import UNOWNED, BoolArray, FloatArray, Group, LongArray, Owners
from assignors.registry import STRATEGIES
from assignors.rules import checked_answer
from assignors.strategy import Protocol, Sees, Strategy
from evaluation.autoscaling.packing import r_score
from evaluation.autoscaling.rules import ScalingRule, View
from evaluation.autoscaling.workloads import Ages, Workload
from evaluation.capacity.draining import TOLERANCE
from evaluation.capacity.resizing import (
    as_planned,
    names_like,
    resizer,
    with_shared_subscription,
)
from evaluation.fluid import Flow, advanced
from evaluation.judging import LAG, Measure, judged
from evaluation.moves import is_moved
from evaluation.rebalance.timing import Timing
from evaluation.stated import check_stated, require, stated

_LITTLE: Final = 1e-6


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What all rules have in common.

    Raises InvalidNumberError for values out of range.
    """

    speed: float
    """Records per second that a consumer processes."""
    partition_cap: float | None = None
    """Maximum records per second from one partition, by any consumer."""
    allowed_s: float = field(
        metadata=stated(
            "the target",
            "Target",
            "How old the next record to read may be.",
            unit="s",
            usual=300.0,
            least=_LITTLE,
            most=1e9,
            link="target",
        )
    )
    pod_start_s: float = field(
        default=30.0,
        metadata=stated(
            "the start of a pod", "A pod starts within", "Until it reads.", unit="s", most=1e9
        ),
    )
    commit_s: float = field(
        default=5.0,
        metadata=stated(
            "the commit interval",
            "Offsets are committed every",
            "`auto.commit.interval.ms`: rules on lag see what is committed.",
            unit="s",
            most=1e9,
        ),
    )
    """Rules see committed offsets, half of it old on average."""
    threads: int = field(
        default=1,
        metadata=stated(
            "the consumers per pod",
            "Consumers per pod",
            "Threads, each a consumer of its own.",
            least=1,
            most=1_000,
            is_whole=True,
        ),
    )
    strategy: Strategy = STRATEGIES["cooperative-sticky"]
    """Assigns the partitions unless the rule does."""
    measure: Measure = LAG
    """What a strategy by lag weighs."""
    timing: Timing = field(default_factory=Timing)

    def __post_init__(self) -> None:
        rate, unit = "the processing rate of a consumer", "records/s"
        require(rate, self.speed, unit, least=_LITTLE, most=1e12)
        if self.partition_cap is not None:
            require("the most read from one partition", self.partition_cap, unit, least=1e-9)
        check_stated(self)

    @property
    def partition_speed(self) -> float:
        """Records per second that can be read of one partition, whoever owns it."""
        return self.speed if self.partition_cap is None else min(self.speed, self.partition_cap)

    @property
    def pause_s(self) -> float:
        """How long a moving partition is not read."""
        protocol = self.strategy.protocol
        return self.timing.round_s(protocol) + self.timing.warm_up_s


@dataclass(frozen=True, eq=False, kw_only=True)
class ScalingRun:
    """A workload under a rule; (K,) each, at the end of each step."""

    step_s: float
    pods: LongArray
    """Desired, and so paid for."""
    consumers: LongArray
    """Running."""
    lag: FloatArray
    """Records, without stuck partitions; likewise the time lag."""
    time_lag_s: FloatArray
    """The maximum age of a next record to be read."""
    moved: LongArray
    """Partitions that changed their owner at the start of the step."""
    paused_s: FloatArray
    """Partition-seconds unread because of moves."""
    r_score: FloatArray
    """The rate of the partitions that moved, in multiples of a consumer's capacity."""

    @property
    def pod_hours(self) -> float:
        """The total paid time of pods."""
        return float(self.pods.sum()) * self.step_s / 3600

    @property
    def pause_hours(self) -> float:
        """What pauses cost: the time that partitions were unread, as pod-hours of all pods."""
        return float((self.paused_s * self.pods).sum()) / 3600

    @property
    def priced_hours(self) -> float:
        """The pod-hours, paid for or lost to pauses."""
        return self.pod_hours + self.pause_hours

    def minutes_late(self, allowed_s: float) -> float:
        """Return how long the time lag exceeded the time allowed."""
        is_late = self.time_lag_s > allowed_s * (1 + TOLERANCE)
        return float(np.count_nonzero(is_late)) * self.step_s / 60


def simulate_rule(
    group: Group, workload: Workload, rule: ScalingRule, conditions: Conditions
) -> ScalingRun:
    """Replay a rule from today's consumers, all with the most frequent subscription.

    Raises InvalidAssignmentError if the strategy breaks a rule of the protocol.
    """
    run = _Run(group, workload, conditions)
    columns = np.array([run.step(step, rule) for step in range(workload.steps)]).T
    return ScalingRun(
        step_s=workload.step_s,
        pods=columns[0].astype(np.int64),
        consumers=columns[1].astype(np.int64),
        lag=columns[2],
        time_lag_s=columns[3],
        moved=columns[4].astype(np.int64),
        paused_s=columns[5],
        r_score=columns[6],
    )


class _Run:
    """The state of one replay."""

    def __init__(self, group: Group, workload: Workload, conditions: Conditions) -> None:
        self._workload, self._conditions = workload, conditions
        self._team = _Team(group, conditions)
        consumers = max(group.member_count, 1)
        self._started_s = [-np.inf] * -(-consumers // conditions.threads)
        self._lags = workload.lags.copy()
        self._owners = self._team.assigned(
            consumers, group.present_owners, self._lags, workload.rates[:1].sum(axis=0)
        )
        self._is_counted = as_planned(group).is_wanted & ~workload.stuck
        self._running = consumers
        self._planned: Owners | None = None
        """The rule's own assignment, while it waits for more consumers to run."""
        self._read_rate = np.zeros(self._lags.size)
        """(P,) records a second that were read during the last step."""
        self._paused_s = np.zeros(self._lags.size)
        self._ages = Ages(workload)

    def step(self, step: int, rule: ScalingRule) -> tuple[float, ...]:
        """Decide, rebalance, read; return the row of the run."""
        conditions, workload = self._conditions, self._workload
        now_s = step * workload.step_s
        if self._planned is None:
            wanted = rule(self._view(step))
            self._order(wanted.pods, now_s)
            self._planned = wanted.owners
        ready = conditions.threads * sum(start <= now_s for start in self._started_s)
        is_own = self._planned is not None
        before = self._owners
        moved = self._rebalance(ready, self._known_rates(step))
        score = r_score(workload.rates[step], before, self._owners, conditions.speed)
        paused_s = self._pause(moved, is_own=is_own)
        self._read(step)
        age_s = self._ages.after(step, self._lags)[self._is_counted].max(initial=0.0)
        lag = float(self._lags[self._is_counted].sum())
        count = int(np.count_nonzero(moved))
        return (len(self._started_s), self._running, lag, float(age_s), count, paused_s, score)

    def _rebalance(self, ready: int, rates: FloatArray) -> BoolArray:
        """Assign the partitions to the running consumers; return which moved (P,)."""
        before = self._owners
        if self._planned is None:
            if ready != self._running:
                self._owners = self._team.assigned(ready, before, self._lags, rates)
        elif np.unique(self._planned).size <= ready:
            self._owners, self._planned = self._planned, None
        self._running = ready
        return is_moved(before, self._owners)

    def _known_rates(self, step: int) -> FloatArray:
        """Return what arrived during the step before (P,)."""
        rates: FloatArray = self._workload.rates[max(step - 1, 0)]
        return rates

    def _view(self, step: int) -> View:
        workload, conditions = self._workload, self._conditions
        uncommitted = self._read_rate * conditions.commit_s / 2
        return View(
            now_s=step * workload.step_s,
            step_s=workload.step_s,
            pods=len(self._started_s),
            rates=self._known_rates(step),
            committed=np.floor(self._ages.ends[step] - self._lags - uncommitted).astype(np.int64),
            ends=np.floor(self._ages.ends[step]).astype(np.int64),
            owners=self._owners,
            paused_s=conditions.pod_start_s + conditions.pause_s,
        )

    def _order(self, pods: int, now_s: float) -> None:
        """Start missing pods; remove the latest ones first."""
        del self._started_s[pods:]
        start_s = now_s + self._conditions.pod_start_s
        self._started_s += [start_s] * (pods - len(self._started_s))

    def _pause(self, moved: BoolArray, *, is_own: bool) -> float:
        """Pause what the protocol pauses, or only what moves if the rule assigns."""
        if not moved.any():
            return 0.0
        is_eager = self._conditions.strategy.protocol is Protocol.EAGER
        is_paused = np.ones_like(moved) if is_eager and not is_own else moved
        self._paused_s[is_paused] = self._conditions.pause_s
        return float(np.count_nonzero(is_paused)) * self._conditions.pause_s

    def _read(self, step: int) -> None:
        """Advance the lags by a step: first while partitions pause, then with all of them read."""
        workload = self._workload
        rates, left_s, before = workload.rates[step], workload.step_s, self._lags
        owners = np.where(workload.stuck, UNOWNED, self._owners).astype(np.int32)
        speeds = np.full(max(int(owners.max(initial=0)) + 1, 1), self._conditions.speed)
        most = self._conditions.partition_speed
        while left_s > 0:
            is_paused = self._paused_s > 0
            until_s = min(self._paused_s[is_paused].min(initial=left_s), left_s)
            readers = np.where(is_paused, UNOWNED, owners).astype(np.int32)
            self._lags = advanced(
                Flow(self._lags, rates, readers, speeds, most), until_s
            )  # fmt: skip
            self._paused_s = np.maximum(self._paused_s - until_s, 0.0)
            left_s -= until_s
        self._read_rate = rates + (before - self._lags) / workload.step_s


class _Team:
    """The group with any number of consumers, numbered in the order in which they join."""

    def __init__(self, group: Group, conditions: Conditions) -> None:
        self._strategy, self._measure = conditions.strategy, conditions.measure
        self._alike = with_shared_subscription(group)
        self._most = 0

    def assigned(
        self, consumers: int, owners: Owners, lags: FloatArray, rates: FloatArray
    ) -> Owners:
        """Return the owners (P,) with this many consumers, given the previous ones.

        A strategy by lag weighs what waits and arrives now: ``lags`` and ``rates`` (P,).
        """
        if not consumers:
            return np.full_like(owners, UNOWNED)
        consumers = min(consumers, max(owners.size, self._alike.member_count))  # more are idle
        if consumers > self._most:
            self._grow(2 * consumers)
        group = self._resized(consumers)
        number = {name: m for m, name in enumerate(group.members)}
        member = np.array([number[name] for name in self._names[:consumers]], np.int32)
        stays = (owners != UNOWNED) & (owners < consumers)
        held = np.where(stays, member[np.where(stays, owners, 0)], UNOWNED).astype(np.int32)
        group = group.owned_by(held)
        if Sees.LAG in self._strategy.sees:
            now = group.with_lags(np.floor(lags).astype(np.int64))
            group = judged(now, self._measure, rates)
        answer = checked_answer(group, self._strategy)
        place = np.argsort(member).astype(np.int32)
        return np.where(answer == UNOWNED, UNOWNED, place[answer]).astype(np.int32)

    def _grow(self, most: int) -> None:
        today = self._alike.members
        self._most = max(most, len(today))
        self._resized = resizer(self._alike, self._most)
        self._names = [*today, *islice(names_like(today), self._most - len(today))]
