"""Everything known about one question, and the numbers of consumers that follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from assignors.catalogue import strategies
from assignors.model import Group
from assignors.registry import STRATEGIES
from assignors.strategy import Strategy, StrategyKind
from evaluation.capacity.advice import CapacityAdvice, PlansTried
from evaluation.capacity.draining import Capacity, Demand, Drained
from evaluation.capacity.limits import ConsumerLimits
from evaluation.capacity.planning import ConsumerPlan
from evaluation.capacity.search import Minimum, SearchRange, spread, window
from evaluation.capacity.trials import Curve

_FEWEST = STRATEGIES["lag-capped"]
_COLUMNS = 14
"""Numbers of consumers in the grid: as many as a phone has room for."""
_POINTS = 20
"""Numbers of consumers in the chart."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Findings:
    """What was tried for one question, and what it shows."""

    group: Group
    """With the produce rates assumed."""
    is_least: bool
    """Whether a consumer reads at least as much as assumed, so that late is not proven."""
    still: int
    """How many of today's consumers read nothing while records wait for them."""
    capacity: Capacity
    limits: ConsumerLimits
    scope: SearchRange
    curves: Sequence[Curve]
    """One a strategy chosen, through whatever was tried."""
    raised: Sequence[Curve]
    """The same with the headroom, in the same order."""
    minima: Sequence[Minimum]
    """One a strategy chosen, in the same order."""
    plans: Sequence[ConsumerPlan]
    """One a strategy tried, in the same order."""
    now: Drained | None
    """The present owners, without a rebalance; None if something wanted has no owner."""
    runs: Strategy | None = None
    """The strategy that the group runs, if known."""
    proposed: Strategy | None = None
    """The strategy that the group's answer proposes to switch to."""

    @cached_property
    def tried(self) -> PlansTried:
        """The plans, and what is chosen of them."""
        return PlansTried(
            group=self.group,
            capacity=self.capacity,
            plans=self.plans,
            runs=self.runs,
            proposed=self.proposed,
        )

    @property
    def advice(self) -> CapacityAdvice:
        """What to do about the number of consumers."""
        return self.tried.advice

    @property
    def today(self) -> int:
        """How many consumers there are."""
        return self.tried.today

    @property
    def planned(self) -> Group:
        """The group as every trial has it."""
        return self.tried.planned

    @property
    def demand(self) -> Demand:
        """What each partition needs to be read in time."""
        return self.tried.demand

    @property
    def fastest(self) -> float:
        """Records per second that the fastest consumer reads."""
        return self.tried.fastest

    @property
    def plan(self) -> ConsumerPlan | None:
        """What to do."""
        return self.tried.plan

    @property
    def leading(self) -> list[ConsumerPlan]:
        """The best of both kinds, as far as there are such."""
        all_kinds = (self.plan, self.tried.settable, self.tried.custom)
        return [plan for plan in all_kinds if plan and plan.consumers is not None]

    @property
    def would_take(self) -> int | None:
        """How many of the planned strategy would be in time, where today's number is kept."""
        curve = None if self.plan is None else self.curve(self.plan.strategy)
        return None if curve is None else curve.always_from

    @property
    def span(self) -> tuple[int, int]:
        """The first and last number of consumers of the chart."""
        planned = [plan.consumers for plan in self.leading if plan.consumers]
        return window(self.today, planned, self.limits.fewest)

    @property
    def deciding(self) -> list[int]:
        """Numbers that matter, the most important first: today's, minima, and one less."""
        planned = [plan.consumers for plan in self.leading if plan.consumers]
        minima = [*planned, *(least.consumers for least in self.minima if least.consumers)]
        numbers = [self.today, *(number for most in minima for number in (most, most - 1))]
        first, last = self.span
        return [number for number in numbers if first <= number <= min(last, self.scope.most)]

    @property
    def wanted(self) -> list[int]:
        """The numbers of consumers to try for the grid and the chart."""
        first, last = self.span
        whole = range(first, min(last, max(self.scope.most, first)) + 1)
        return spread(whole, self.deciding, _POINTS)

    @property
    def points(self) -> list[int]:
        """The numbers of consumers of the chart: those tried under every strategy, if any."""
        first, last = self.span
        tried = [set(curve.consumers.tolist()) for curve in self.curves]
        shown = set.intersection(*tried) or set.union(*tried)
        return sorted(number for number in shown if first <= number <= last)

    @property
    def columns(self) -> list[int]:
        """The numbers of consumers of the grid, some of those of the chart."""
        return spread(self.points, self.deciding, _COLUMNS)

    def curve(self, strategy: Strategy) -> Curve:
        """Return what was tried under one strategy."""
        return next(curve for curve in self.curves if curve.strategy == strategy)

    def curve_with_headroom(self, strategy: Strategy) -> Curve:
        """Return the same with the headroom."""
        return next(curve for curve in self.raised if curve.strategy == strategy)


def with_fewest_consumers(chosen: Sequence[Strategy]) -> tuple[Strategy, ...]:
    """Return the strategies with lag-capped among them where any that takes a jar is.

    What takes a jar and is best with today's consumers is often not the one that needs the
    fewest; lag-capped, even in counts and lag, nearly always reaches the proved minimum.
    """
    is_custom = any(strategy.kind is StrategyKind.CUSTOM for strategy in chosen)
    wanted = {*chosen, _FEWEST} if is_custom else {*chosen}
    return tuple(strategy for strategy in strategies().values() if strategy in wanted)
