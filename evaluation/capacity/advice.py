"""What follows from the plans of a group: one kind of advice, and the steps that lead there."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from assignors.model import Group
from assignors.strategy import Strategy, StrategyKind
from evaluation.assuming.clients import is_settable
from evaluation.capacity.draining import Capacity, Demand, demand_of
from evaluation.capacity.limits import fastest_of
from evaluation.capacity.partitions import partitions_in_time, partitions_needed
from evaluation.capacity.planning import ConsumerPlan, PlanKind, best_plan, chosen_plan
from evaluation.capacity.resizing import as_planned
from evaluation.severity import Severity


class CapacityKind(Enum):
    """What a group's number of consumers comes to; the value is written to JSON."""

    NOT_TRIED = "not-tried"
    UNKNOWN = "unknown"
    """Neither the arrival rate nor the read rate is known."""
    UNPROVEN = "unproven"
    """The speed is a lower bound, and at that speed one partition takes too long."""
    NOTHING_SHOWS_MORE = "nothing-shows-more"
    """The speed is a lower bound, and nothing shows that more consumers are needed."""
    KEEP = "keep"
    """Today's number."""
    RUN = "run"
    """Another number."""
    SPLIT = "split-keys"
    """No number gives one partition the headroom; without it there is a number."""
    PARTITION = "partition-too-slow"
    """One partition alone takes too long, so that no number helps."""
    NOT_SAFE = "none-is-safe"
    """Some number is in time, and larger ones are not."""
    NOT_ENOUGH = "none-is-enough"

    @property
    def severity(self) -> Severity:
        """How urgent it is."""
        return _SEVERITIES.get(self, Severity.FINE)


_SEVERITIES: Final = {
    CapacityKind.SPLIT: Severity.WARNING,
    CapacityKind.PARTITION: Severity.ALARM,
    CapacityKind.NOT_SAFE: Severity.ALARM,
    CapacityKind.NOT_ENOUGH: Severity.ALARM,
}


@dataclass(frozen=True)
class MeasureSpeed:
    """Measure a consumer under backlog, or state what it reads."""


@dataclass(frozen=True, kw_only=True)
class SplitKeys:
    """Split the keys of one partition, at that arrival rate."""

    partition: int
    over: int
    """That many partitions."""
    topic: str
    has: int
    """Partitions of that topic today."""
    needs: int
    """With keys spread evenly."""


@dataclass(frozen=True, kw_only=True)
class AllowTime:
    """Allow more time, or make consumers faster."""

    is_behind: bool
    """Whether what is behind takes too long, which more partitions do not spread."""


@dataclass(frozen=True, kw_only=True)
class RunConsumers:
    """Run a number of consumers under a strategy."""

    plan: ConsumerPlan
    is_today: bool
    is_until_split: bool
    """Whether keys are to be split first."""


@dataclass(frozen=True, kw_only=True)
class RunFewer:
    """Another strategy needs fewer consumers."""

    plan: ConsumerPlan


@dataclass(frozen=True, kw_only=True)
class AvoidJar:
    """A setting needs more consumers, and no jar."""

    plan: ConsumerPlan


CapacityStep: TypeAlias = MeasureSpeed | SplitKeys | AllowTime | RunConsumers | RunFewer | AvoidJar


@dataclass(frozen=True, eq=False, kw_only=True)
class CapacityAdvice:
    """What to do about the number of consumers."""

    kind: CapacityKind
    today: int
    plan: ConsumerPlan | None
    """What it is about; None before anything has been tried."""
    steps: tuple[CapacityStep, ...] = ()
    """The first first."""

    def __repr__(self) -> str:
        return f"<CapacityAdvice {self.kind.value}: today {self.today}, {self.plan!r}>"


@dataclass(frozen=True, eq=False, kw_only=True)
class PlansTried:
    """The plans of a group, one a strategy, and what is chosen of them."""

    group: Group
    """With the arrivals that are planned for."""
    capacity: Capacity
    plans: Sequence[ConsumerPlan]
    runs: Strategy | None = None
    """The strategy that the group runs, if known."""
    proposed: Strategy | None = None
    """The strategy that the group's answer proposes to switch to."""

    @property
    def today(self) -> int:
        """How many consumers there are."""
        return self.group.member_count

    @cached_property
    def planned(self) -> Group:
        """The group as every trial has it: all consumers subscribe to what most do."""
        return as_planned(self.group)

    @cached_property
    def demand(self) -> Demand:
        """What each partition needs to be read in time."""
        return demand_of(self.planned, self.capacity)

    @cached_property
    def fastest(self) -> float:
        """Records per second that the fastest consumer reads."""
        return fastest_of(self.group, self.capacity)

    @cached_property
    def plan(self) -> ConsumerPlan | None:
        """What to do; see ``planning.chosen_plan``."""
        return chosen_plan(self.plans, self.proposed, self.runs)

    @cached_property
    def settable(self) -> ConsumerPlan | None:
        """The best that a setting of Kafka's clients or brokers gives."""
        return best_plan([p for p in self.plans if is_settable(p.strategy)], self.runs)

    @cached_property
    def custom(self) -> ConsumerPlan | None:
        """The best that takes an assignor of one's own on every consumer."""
        custom = [p for p in self.plans if p.strategy.kind is StrategyKind.CUSTOM]
        return best_plan(custom, self.runs)

    @property
    def saving(self) -> ConsumerPlan | None:
        """What needs fewer consumers than the plan: a setting, or else a jar."""
        plan, others = self.plan, (self.settable, self.custom)
        if plan is None or plan.consumers is None:
            return None
        return next(
            (each for each in others if each and (each.consumers or np.inf) < plan.consumers), None
        )

    @property
    def without_jar(self) -> ConsumerPlan | None:
        """The best setting, where a jar is planned that needs fewer."""
        plan, setting = self.plan, self.settable
        if plan is None or setting is None or plan.strategy.kind is not StrategyKind.CUSTOM:
            return None
        is_more = (setting.consumers or 0) > (plan.consumers or np.inf)
        return setting if is_more else None

    @property
    def partitions_needed(self) -> dict[str, int]:
        """How many partitions of even keys each topic needs, with headroom."""
        headroom = 0.0 if self.plan is None else self.plan.headroom
        rates = self.demand.rates * (1 + headroom)
        needed = partitions_needed(self.planned, rates, self._of_one_partition)
        return dict(zip(self.planned.topics, needed.tolist(), strict=True))

    @property
    def split(self) -> SplitKeys | AllowTime:
        """The way out for the partition that decides the plan.

        Its arrival rate may fit a consumer, and what is behind, which stays where it is, not.
        """
        if self.plan is None or (worst := self.plan.decided_by) is None:
            return AllowTime(is_behind=False)
        rate = float(self.demand.rates[worst]) * (1 + self.plan.headroom)
        behind = float(self.demand.backlog[worst])
        speed = self._of_one_partition
        parts = partitions_in_time(rate, behind, speed, self.capacity.allowed_s)
        if parts is None or parts == 1:
            return AllowTime(is_behind=True)
        topic = int(self.planned.topic_of_partition[worst])
        name = self.planned.topics[topic]
        return SplitKeys(
            partition=worst,
            over=parts,
            topic=name,
            has=int(self.planned.topic_sizes[topic]),
            needs=max(self.partitions_needed[name], parts),
        )

    @cached_property
    def advice(self) -> CapacityAdvice:
        """What to do about the number of consumers."""
        kind = _kind_of(self.plan, self.today)
        return CapacityAdvice(
            kind=kind, today=self.today, plan=self.plan, steps=tuple(_steps(self, kind))
        )

    @property
    def _of_one_partition(self) -> float:
        """Records per second that can be read of one partition."""
        cap = self.capacity.partition_cap
        return self.fastest if cap is None else min(self.fastest, cap)


def _kind_of(plan: ConsumerPlan | None, today: int) -> CapacityKind:
    if plan is None:
        return CapacityKind.NOT_TRIED
    number = CapacityKind.KEEP if plan.consumers == today else CapacityKind.RUN
    is_open = plan.decided_by is not None or plan.least is None
    return {
        PlanKind.CONSUMERS: CapacityKind.SPLIT if plan.is_headroom_decisive else number,
        PlanKind.AS_TODAY: CapacityKind.KEEP,
        PlanKind.PARTITION: CapacityKind.PARTITION,
        PlanKind.NONE: CapacityKind.NOT_ENOUGH if plan.least is None else CapacityKind.NOT_SAFE,
        PlanKind.UNPROVEN: (CapacityKind.UNPROVEN if is_open else CapacityKind.NOTHING_SHOWS_MORE),
        PlanKind.UNKNOWN: CapacityKind.UNKNOWN,
    }[plan.kind]


def _steps(tried: PlansTried, kind: CapacityKind) -> list[CapacityStep]:
    plan = tried.plan
    if plan is None:
        return []
    if kind in {CapacityKind.UNPROVEN, CapacityKind.NOTHING_SHOWS_MORE}:
        return [MeasureSpeed()]
    if kind is CapacityKind.PARTITION:
        return [tried.split]
    if kind in {CapacityKind.NOT_SAFE, CapacityKind.NOT_ENOUGH}:
        return [AllowTime(is_behind=False)]
    found: list[CapacityStep] = [tried.split] if kind is CapacityKind.SPLIT else []
    if plan.kind is PlanKind.CONSUMERS:
        is_split = kind is CapacityKind.SPLIT
        is_today = plan.consumers == tried.today
        found.append(RunConsumers(plan=plan, is_today=is_today, is_until_split=is_split))
    if tried.saving is not None and tried.saving.consumers is not None:
        found.append(RunFewer(plan=tried.saving))
    if tried.without_jar is not None and tried.without_jar.consumers is not None:
        found.append(AvoidJar(plan=tried.without_jar))
    return found
