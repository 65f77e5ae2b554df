"""The number of consumers to plan, which every page and assistant asks here.

Not the first number in time, for one consumer more can be late (``search``): the first from which
all larger ones are in time, with headroom, and still are once a zone or a host is lost.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from assignors.strategy import Protocol, Strategy, StrategyKind
from evaluation.assuming.clients import is_settable
from evaluation.capacity.deciding import deciding, held_from
from evaluation.capacity.draining import (
    ALLOWED_S,
    Capacity,
    Drained,
    seconds_alone,
    too_heavy,
)
from evaluation.capacity.search import (
    SearchRange,
    search,
    try_numbers,
)
from evaluation.capacity.trials import Trials
from evaluation.measuring.facts import Facts, Source
from evaluation.stated import check_stated, stated

HOURS_A_MONTH: Final = 730
_NEARLY: Final = 0.05
"""Today's consumers miss a deadline that nobody stated by so little that it proves nothing."""
_FAR: Final = 2
"""More than this multiple of today's consumers is no answer to that."""
_PERCENT: Final = 100.0


@dataclass(frozen=True, kw_only=True)
class Margin:
    """What a plan must withstand beside today's load; raises InvalidNumberError out of bounds."""

    peak: float = field(
        default=1.0,
        metadata=stated(
            "the peak",
            "Peak, times the arrivals",
            "Arrivals at the busiest hour, as a multiple of the arrivals now.",
            least=0.01,
            most=1_000.0,
        ),
    )
    headroom_percent: float = field(
        default=20.0,
        metadata=stated(
            "the headroom",
            "Headroom",
            "So much more may arrive, and the plan is still in time.",
            unit="%",
            most=1_000.0,
            link="headroom",
        ),
    )

    def __post_init__(self) -> None:
        check_stated(self)

    @property
    def headroom(self) -> float:
        """As a share."""
        return self.headroom_percent / _PERCENT


class Outage(NamedTuple):
    """What may be lost at once, with the rest still in time."""

    consumers: int = 0
    """On one host, say."""
    zones: int = 0
    """One of this many zones, over which consumers are spread evenly; 0: no zone."""

    def of(self, consumers: int) -> int:
        """Return how many of these consumers are lost.

        >>> Outage(zones=3).of(25), Outage(consumers=4).of(25)
        (9, 4)
        """
        return max(self.consumers, -(-consumers // self.zones) if self.zones else 0)

    def before(self, left: int) -> int:
        """Return the fewest consumers of which at least ``left`` are left.

        >>> Outage(zones=3).before(16), Outage(consumers=4).before(16), Outage().before(16)
        (24, 20, 16)
        """
        consumers = left
        while consumers - self.of(consumers) < left:
            consumers += 1
        return consumers


NO_OUTAGE: Final = Outage()


class PlanKind(Enum):
    """What a plan comes to."""

    CONSUMERS = "a number of consumers"
    AS_TODAY = "today's consumers miss a deadline that nobody stated by little"
    PARTITION = "one partition alone takes too long"
    NONE = "no number tried is in time from there on"
    UNPROVEN = "a lower bound of the speed proves nothing late, and no consumer more needed"
    UNKNOWN = "neither the arrival rate nor the read rate is known"


@dataclass(frozen=True, kw_only=True)
class PlanQuestion:
    """What a plan is asked for, beside the trials."""

    today: int
    now: Drained | None = None
    """The present owners; None if something wanted has no owner."""
    rests_on: Source
    is_known: bool = True
    """Whether the arrival rate or the read rate is known."""
    is_least: bool = False
    """Whether consumers read at least as much as assumed."""
    is_deadline_stated: bool = True
    headroom: float = 0.0
    outage: Outage = NO_OUTAGE
    price_an_hour: float | None = None


@dataclass(frozen=True, kw_only=True)
class ConsumerPlan:
    """How many consumers to run under one strategy, and what decides that. Times in seconds."""

    kind: PlanKind
    strategy: Strategy
    today: int
    consumers: int | None
    """None where no number is planned."""
    least: int | None
    """The smallest number tried that is in time without headroom; None if none is."""
    late_between: tuple[int, ...] = ()
    """Numbers tried between ``least`` and the plan that are late even without headroom."""
    latest_between_s: float = 0.0
    """By how much the worst of those is late; infinite if it never ends."""
    untried: int = 0
    """Larger numbers, up to the most considered, that were not tried."""
    headroom: float
    lost: int = 0
    """How many of the planned consumers may be lost."""
    decided_by: int | None = None
    """The partition that alone takes too long."""
    alone_s: float = 0.0
    """How long that takes with a consumer of its own."""
    ends_s: float = math.inf
    """When the plan's backlog ends; with ``AS_TODAY``, that of the present owners."""
    ends_with_headroom_s: float = math.inf
    rests_on: Source
    cost_a_month: float | None = None
    """Of the planned consumers."""
    is_headroom_decisive: bool = False
    """Whether that is so with the headroom alone: the plan then leaves that partition none, and is
    no less than today's consumers."""


def rests_on(facts: Facts) -> Source:
    """Return the weaker source of arrival rate and read rate; unknown is a guess."""
    arriving = Source.GUESS if facts.arriving_source is None else facts.arriving_source
    sources = list(Source)
    return min(arriving, facts.speed.source, key=sources.index)


def capacity_of(facts: Facts, allowed_s: float | None = None, pause_s: float = 0.0) -> Capacity:
    """Return what one consumer reads and how long it may take: ``ALLOWED_S`` unless stated."""
    return Capacity(
        throughput=facts.speed.records_s,
        allowed_s=ALLOWED_S if allowed_s is None else allowed_s,
        pause_s=pause_s,
        partition_cap=facts.partition_cap,
    )


def is_known(facts: Facts) -> bool:
    """Return whether a plan has any fact of the flow to rest on."""
    return facts.arriving_source is not None or facts.speed.source is not Source.GUESS


def plan_search(
    trials: Trials, strategies: Sequence[Strategy], scope: SearchRange, outage: Outage = NO_OUTAGE
) -> Iterator[int]:
    """Try the numbers that decide the plan of every strategy; yield each. See ``search``."""
    yield from search(trials, strategies, scope)
    if not scope.is_tried_out:
        yield from deciding(trials, strategies, scope)
    for strategy in strategies:
        start = held_from(trials.curve_with_headroom(strategy), scope)
        if start is not None:
            yield from try_numbers(trials, [strategy], [min(outage.before(start), scope.most)])


def plan_of(
    strategy: Strategy, trials: Trials, scope: SearchRange, asked: PlanQuestion
) -> ConsumerPlan:
    """Return the plan under one strategy, from what was tried."""
    plan = ConsumerPlan(
        kind=PlanKind.NONE,
        strategy=strategy,
        today=asked.today,
        consumers=None,
        least=trials.curve(strategy).first,
        headroom=asked.headroom,
        rests_on=asked.rests_on,
    )
    if not asked.is_known:
        return replace(plan, kind=PlanKind.UNKNOWN)
    plan = _by_partition(plan, trials, is_least=asked.is_least)
    if plan.kind is not PlanKind.NONE:
        return plan
    start = held_from(trials.curve_with_headroom(strategy), scope)
    consumers = None if start is None else asked.outage.before(start)
    if consumers is not None and _headroom_decides(trials):
        consumers = max(consumers, asked.today)  # none is let go where no headroom is left
    is_far = consumers is None or consumers > _FAR * asked.today
    if is_far and is_nearly_in_time(asked, trials.capacity.allowed_s):
        return replace(
            plan,
            kind=PlanKind.AS_TODAY,
            consumers=asked.today,
            ends_s=np.inf if asked.now is None else asked.now.seconds,
            cost_a_month=_cost(asked.today, asked),
        )
    if asked.is_least and (consumers is None or consumers > asked.today):
        return replace(plan, kind=PlanKind.UNPROVEN)
    if consumers is None or start is None:
        return plan
    found = replace(
        plan,
        kind=PlanKind.CONSUMERS,
        consumers=consumers,
        lost=asked.outage.of(consumers),
        cost_a_month=_cost(consumers, asked),
    )
    return _with_times(found, trials, scope, start)


def _with_times(plan: ConsumerPlan, trials: Trials, scope: SearchRange, start: int) -> ConsumerPlan:
    """Return a plan with what was tried, of which all numbers from ``start`` on are in time."""
    base, raised = trials.curve(plan.strategy), trials.curve_with_headroom(plan.strategy)
    allowed_s, late = trials.capacity.allowed_s, tuple[int, ...]()
    if (least := plan.least) is not None:
        late = tuple(n for n in base.consumers[~base.works].tolist() if least < n < start)
    consumers = plan.consumers or start
    at = consumers if consumers in base.tried else start
    tried_above = int(np.count_nonzero((base.consumers > start) & (base.consumers <= scope.most)))
    return replace(
        plan,
        late_between=late,
        latest_between_s=max((base.tried[n].seconds - allowed_s for n in late), default=0.0),
        untried=scope.most - start - tried_above,
        ends_s=base.tried[at].seconds,
        ends_with_headroom_s=raised.tried[at].seconds,
    )


def is_nearly_in_time(asked: PlanQuestion, allowed_s: float) -> bool:
    """Return whether today's consumers miss a deadline that nobody stated by little, or not."""
    return (
        asked.now is not None
        and not asked.is_deadline_stated
        and asked.now.seconds <= (1 + _NEARLY) * allowed_s
    )


def best_plan(plans: Sequence[ConsumerPlan], runs: Strategy | None = None) -> ConsumerPlan | None:
    """Return the plan with the fewest consumers, else one that says why there is none.

    Of equals the one that is done first, then what the group ``runs``; if that is cooperative,
    another cooperative one.
    """
    keeps = runs is not None and runs.protocol is not Protocol.EAGER
    return min(
        plans,
        key=lambda plan: (
            plan.consumers is None,
            plan.consumers or 0,
            plan.ends_with_headroom_s,
            plan.strategy != runs,
            keeps and plan.strategy.protocol is Protocol.EAGER,
        ),
        default=None,
    )


def chosen_plan(
    plans: Sequence[ConsumerPlan], proposed: Strategy | None = None, runs: Strategy | None = None
) -> ConsumerPlan | None:
    """Return what to do: with the strategy that the answer proposes, where that gives a number.

    Else set a strategy where one is in time, else what takes a jar; None without any plan.
    """
    for plan in plans:
        if plan.strategy == proposed and plan.consumers is not None:
            return plan
    settable = best_plan([plan for plan in plans if is_settable(plan.strategy)], runs)
    custom = best_plan([plan for plan in plans if plan.strategy.kind is StrategyKind.CUSTOM], runs)
    has_number = custom is not None and custom.consumers is not None
    if settable is None or (settable.consumers is None and has_number):
        return custom
    return settable


def _headroom_decides(trials: Trials) -> bool:
    """Return whether some partition is too slow with the headroom alone."""
    is_out = too_heavy(trials.raised, trials.fastest, trials.capacity).size > 0
    return is_out and not too_heavy(trials.demand, trials.fastest, trials.capacity).size


def _by_partition(plan: ConsumerPlan, trials: Trials, *, is_least: bool) -> ConsumerPlan:
    """Return the plan with the partition that decides: all of it, or the headroom alone."""
    heavy = too_heavy(trials.demand, trials.fastest, trials.capacity)
    if heavy.size:
        alone = seconds_alone(trials.demand, trials.fastest, trials.capacity)
        kind = PlanKind.UNPROVEN if is_least else PlanKind.PARTITION
        decides = int(heavy[0])
        return replace(plan, kind=kind, decided_by=decides, alone_s=float(alone[decides]))
    heavy = too_heavy(trials.raised, trials.fastest, trials.capacity)
    if not heavy.size:
        return plan
    alone = seconds_alone(trials.raised, trials.fastest, trials.capacity)
    decides = int(heavy[0])
    kind = PlanKind.UNPROVEN if is_least else plan.kind
    return replace(
        plan,
        kind=kind,
        decided_by=decides,
        alone_s=float(alone[decides]),
        is_headroom_decisive=True,
    )


def cost_a_month(consumers: int, price_an_hour: float) -> float:
    """Return what consumers cost that run all month."""
    return price_an_hour * HOURS_A_MONTH * consumers


def _cost(consumers: int, asked: PlanQuestion) -> float | None:
    price = asked.price_an_hour
    return None if price is None else cost_a_month(consumers, price)
