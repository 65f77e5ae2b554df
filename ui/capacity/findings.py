"""Everything known about one question, and the numbers of consumers that follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from assignors.catalogue import strategies
from assignors.model import Group
from assignors.registry import STRATEGIES
from assignors.strategy import Protocol, Strategy, StrategyKind
from evaluation.capacity.draining import Capacity, Demand, Drained, demand_of
from evaluation.capacity.limits import ConsumerLimits, fastest_of
from evaluation.capacity.resizing import as_planned
from evaluation.capacity.search import Minimum, SearchRange, spread, window
from evaluation.capacity.trials import Curve
from evaluation.clients import is_settable

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
    minima: Sequence[Minimum]
    """One a strategy chosen, in the same order."""
    now: Drained | None
    """The present owners, without a rebalance; None if something wanted has no owner."""
    runs: Strategy | None = None
    """The strategy that the group runs, if known."""

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

    @property
    def settable(self) -> Minimum | None:
        """The best that a setting of Kafka's clients or brokers gives."""
        return _best([o for o in self.minima if is_settable(o.strategy)], self.runs)

    @property
    def custom(self) -> Minimum | None:
        """The best that takes an assignor of one's own on every consumer."""
        custom = [o for o in self.minima if o.strategy.kind is StrategyKind.CUSTOM]
        return _best(custom, self.runs)

    @property
    def recommended(self) -> Minimum | None:
        """What to do: set a strategy where one is in time, else use a custom assignor."""
        return self.settable or self.custom

    @property
    def leading(self) -> list[Minimum]:
        """The best of both kinds, as far as there are such."""
        return [least for least in (self.settable, self.custom) if least]

    @property
    def saving(self) -> Minimum | None:
        """The custom assignor, where it needs fewer consumers than any setting."""
        if self.settable is None or self.custom is None:
            return None
        needed, other = self.settable.consumers or 0, self.custom.consumers or 0
        return self.custom if other < needed else None

    @property
    def span(self) -> tuple[int, int]:
        """The first and last number of consumers of the chart."""
        minima = [least.consumers for least in self.leading if least.consumers]
        return window(self.today, minima, self.limits.fewest)

    @property
    def deciding(self) -> list[int]:
        """Numbers that matter, the most important first: today's, minima, and one less."""
        minima = [each.consumers for each in (*self.leading, *self.minima) if each.consumers]
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


def with_fewest_consumers(chosen: Sequence[Strategy]) -> tuple[Strategy, ...]:
    """Return the strategies with lag-capped among them where any custom assignor is.

    The custom assignor that is best with today's consumers is often not the one that needs the
    fewest; lag-capped, even in counts and lag, nearly always reaches the proved minimum.
    """
    is_custom = any(strategy.kind is StrategyKind.CUSTOM for strategy in chosen)
    wanted = {*chosen, _FEWEST} if is_custom else {*chosen}
    return tuple(strategy for strategy in strategies().values() if strategy in wanted)


def _best(minima: Sequence[Minimum], runs: Strategy | None) -> Minimum | None:
    """Return the fewest consumers; of equals what stays in time with more, then the fastest.

    Of equals in that too, what the group ``runs``; if that stops only what moves, what does so too.
    """
    keeps = runs is not None and runs.protocol is not Protocol.EAGER
    return min(
        (least for least in minima if least.consumers is not None),
        key=lambda least: (
            least.consumers,
            len(least.late_above) > 0,
            least.seconds,
            least.strategy != runs,
            keeps and least.strategy.protocol is Protocol.EAGER,
        ),
        default=None,
    )
