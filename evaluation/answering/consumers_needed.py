"""How many consumers clear a backlog in time, as an answer's facts have it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from assignors.catalogue import given_in_person, strategies_asked
from assignors.kinds import require_consumers
from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.answer import Answer
from evaluation.capacity.advice import CapacityAdvice, PlansTried
from evaluation.capacity.draining import (
    Capacity,
    as_owned_now,
    too_heavy,
)
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.planning import (
    ConsumerPlan,
    Margin,
    PlanKind,
    PlanQuestion,
    capacity_of,
    is_known,
    plan_of,
    plan_search,
    rests_on,
)
from evaluation.capacity.search import SearchRange, search_range, usual_most
from evaluation.capacity.slices import TrialSetup
from evaluation.measuring.facts import Source
from evaluation.stated import require_a

_USUAL: Final = Margin()


@dataclass(frozen=True, eq=False, kw_only=True)
class ConsumersNeeded:
    """How many consumers a group needs, and what decides that."""

    plan: ConsumerPlan | None
    """Of what the answer proposes, else the best setting, else the best jar; None where neither
    arrivals nor the speed of a consumer are known."""
    advice: CapacityAdvice
    """What to do, typed, as the page Consumers words it."""
    plans: tuple[ConsumerPlan, ...]
    """One for each strategy, in the order given."""
    fewest: int | None
    """No assignment is in time with fewer; None if no number of consumers is enough."""
    too_heavy: tuple[int, ...]
    """Partitions that no single consumer clears in time."""
    partitions_needed: Mapping[str, int] = field(repr=False)
    """For each topic, at the peak with headroom and with keys spread evenly."""
    capacity: Capacity
    rests_on: Source
    """The weaker source of arrivals and speed."""

    def __repr__(self) -> str:
        plan = self.plan
        told = "unknown" if plan is None else f"{plan.consumers} under {plan.strategy.name}"
        return f"<ConsumersNeeded: {told}, fewest={self.fewest}>"


def consumers_needed(
    answer: Answer,
    *,
    allowed_s: float | None = None,
    pause_s: float = 0.0,
    margin: Margin = _USUAL,
    strategies: Iterable[str | Strategy] | None = None,
) -> ConsumersNeeded:
    """Return how many consumers clear the backlog of an answer's group within a time, in seconds.

    A plan is the number from which all larger ones are in time. Without ``allowed_s`` that is
    ``ALLOWED_S``, which today's consumers may miss by little. Nobody reads for ``pause_s`` at the
    start; ``margin`` says what more may arrive than today. Strategies are by default those of the
    answer's client.

    Raises InvalidArgumentError for what is no Answer or no Margin, UnsupportedKind for a kind of
    group that runs no strategy of consumer groups, InvalidNumberError for a number out of bounds,
    UnknownStrategyError for what is no strategy, and InvalidAssignmentError if one breaks a rule.

    >>> from assignors import Group, Statements, answer
    >>> group = Group.of(["t"], [6], ["a", "b"], owners=[0, 0, 0, 1, 1, 1], lags=[6_000] * 6)
    >>> found = answer(group, stated=Statements(speed=50.0, arriving=60.0))
    >>> plan = consumers_needed(found, strategies=["range"]).plan
    >>> plan.consumers, plan.least, plan.rests_on.value
    (3, 3, 'stated')
    """
    require_a(Answer, "answer", answer, "consumers_needed(answer(group)) takes one")
    require_a(Margin, "margin", margin, "write margin=Margin(peak=2.0)")
    require_consumers(answer.kind, answer.group.id)
    facts = answer.known.facts
    group = answer.given.group.with_rates(facts.arriving * margin.peak)
    capacity = capacity_of(facts, allowed_s, pause_s)
    fewest = consumer_limits(group, capacity).fewest
    scope = search_range(group, fewest, max(usual_most(group), group.member_count))
    setup = _setup(answer, group, capacity, margin, scope.most)
    asked = PlanQuestion(
        today=group.member_count,
        now=as_owned_now(group, capacity),
        rests_on=rests_on(facts),
        is_known=is_known(facts),
        is_least=facts.speed.is_least,
        is_deadline_stated=allowed_s is not None,
        headroom=margin.headroom,
    )
    wanted = answer.given.client.strategies if strategies is None else strategies
    chosen = [given_in_person(each) for each in strategies_asked(wanted)]
    tried = PlansTried(
        group=group,
        capacity=capacity,
        plans=_plans(setup, chosen, scope, asked, is_possible=fewest is not None),
        runs=answer.running.strategy,
        proposed=None if answer.proposal is None else answer.proposal.strategy,
    )
    return _needed(tried, fewest, asked.rests_on)


def _needed(tried: PlansTried, fewest: int | None, rests_on: Source) -> ConsumersNeeded:
    """Return what the plans that were tried say."""
    best = tried.plan
    return ConsumersNeeded(
        plan=None if best is None or best.kind is PlanKind.UNKNOWN else best,
        advice=tried.advice,
        plans=tuple(tried.plans),
        fewest=fewest,
        too_heavy=tuple(too_heavy(tried.demand, tried.fastest, tried.capacity).tolist()),
        partitions_needed=tried.partitions_needed,
        capacity=tried.capacity,
        rests_on=rests_on,
    )


def _setup(
    answer: Answer, group: Group, capacity: Capacity, margin: Margin, most: int
) -> TrialSetup:
    """Return how numbers of consumers are tried, up to ``most``: as after a switch."""
    return TrialSetup(
        group=group,
        capacity=capacity,
        most=most,
        headroom=margin.headroom,
        measure=answer.known.measure,
        runs=answer.running.presumed,
        is_switched=True,
    )


def _plans(
    setup: TrialSetup,
    strategies: Sequence[Strategy],
    scope: SearchRange,
    asked: PlanQuestion,
    *,
    is_possible: bool,
) -> tuple[ConsumerPlan, ...]:
    """Return the plan under each strategy."""
    trials = setup.trials()
    if is_possible and asked.is_known:
        for _ in plan_search(trials, strategies, scope):
            pass
    return tuple(plan_of(strategy, trials, scope, asked) for strategy in strategies)
