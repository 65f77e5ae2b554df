"""Trying numbers of consumers on the page, with a cache."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from streamlit.delta_generator import DeltaGenerator

from assignors.model import NO_GENERATION, UNOWNED, Group, Owners
from assignors.rules import checked_answer
from assignors.strategy import Strategy
from evaluation.capacity.draining import Capacity, Drained, demand_of, drained, speeds
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.planning import PlanKind, PlanQuestion, plan_of, plan_search
from evaluation.capacity.search import SearchRange, coarse, minimum, try_numbers
from evaluation.capacity.trials import Trials
from evaluation.judging import Measure, judged
from evaluation.rebalance.switching import is_switch, keeps_owners
from ui import cache, told
from ui.capacity.findings import Findings
from ui.capacity.inputs import CapacityInputs
from ui.progress import PageProgress
from ui.workers import computed

_WORK: Final = 1_000_000
"""Numbers of consumers times partitions that are tried one by one."""
_MOST_IN_A_ROW: Final = 200
_ROUNDS: Final = 3
_CONFIRMED: Final = 12
"""Plans that are simulated, at most."""
_ANSWERS: Final = 2_000
"""Owners that stay known: other speeds ask for the same ones."""
_TRYING: Final = "Trying {:,} consumers…"


@cache.cached(_ANSWERS)
def _answered(group: Group, strategy: Strategy) -> Owners:
    return computed(group, checked_answer, strategy)


class SwitchStart(NamedTuple):
    """The group as the Compare page has it, from which a switch starts."""

    group: Group
    """With its weights."""
    runs: Strategy | None
    """The strategy that it runs, if known."""
    draws: tuple[int, ...]
    """Of what a switch to each strategy brings; once there are more, trials begin anew."""
    is_slow: bool
    """Whether a consumer that restarts is back after the group has rebalanced without it."""


def switch_start(
    group: Group, runs: Strategy | None, strategies: tuple[Strategy, ...]
) -> SwitchStart:
    """Return the group from which a switch to these strategies starts."""
    drawn = cache.expected(group, strategies, runs) if group.member_count else ()
    draws = tuple(0 if each.outlook is None else each.outlook.draws for each in drawn)
    return SwitchStart(group, runs, draws, told.is_slow())


@cache.cached(16)
def _trials(  # noqa: PLR0913, PLR0917 -- all of what a trial depends on
    group: Group,
    capacity: Capacity,
    most: int,
    measure: Measure,
    start: SwitchStart | None,
    headroom: float,
) -> Trials:
    def settled(resized: Group, strategy: Strategy) -> Owners:
        weighed = judged(resized, measure, resized.offsets.rates)
        if start is None or not is_switch(weighed, start.runs, strategy):
            return _answered(weighed, strategy)
        now = start.group
        if resized.members == now.members and now.layout.has_equal_subscriptions:
            return cache.expected(now, (strategy,), start.runs)[0].owners
        if not keeps_owners(start.runs, strategy):
            weighed = weighed.owned_by(weighed.nobody(), NO_GENERATION)
        return _answered(weighed, strategy)

    return Trials(group, capacity, most, settled, headroom)


_limits = cache.cached(128)(consumer_limits)


class CapacityTrials:
    """The trials of one question under the strategies chosen.

    What was tried stays cached for all visitors: leaving halfway, coming back or adding a
    strategy costs only what is new.
    """

    def __init__(
        self,
        question: CapacityInputs,
        strategies: tuple[Strategy, ...],
        start: SwitchStart | None = None,
        proposed: Strategy | None = None,
    ) -> None:
        """Resume the question where it was left, by any visitor.

        Without a ``start`` every strategy begins from the present owners. ``proposed`` is what the
        group's answer proposes to switch to.
        """
        self._proposed, self._start = proposed, start
        self._strategies = strategies
        self._group, self._capacity = question.group, question.capacity
        self._runs = None if start is None else start.runs
        self._question = question
        self.progress = PageProgress(
            f"{cache.digest(question.group)} {question.capacity} {question.most} "
            f"{question.measure} {question.margin} {question.outage}"
        )
        self._limits = _limits(self._group, self._capacity)
        fewest = self._limits.fewest or 1
        self._scope = SearchRange(
            fewest=fewest,
            most=max(question.most, fewest),
            exhaustive=min(_WORK // max(self._group.partition_count, 1), _MOST_IN_A_ROW),
        )
        self._trials = _trials(
            self._group,
            self._capacity,
            self._scope.most,
            question.measure,
            start,
            question.margin.headroom,
        )

    def search(self, area: DeltaGenerator) -> None:
        """Try what the recommendation takes; show in the area how far it is."""
        if self._limits.fewest is not None:
            outage = self._question.outage
            numbers = plan_search(self._trials, self._strategies, self._scope, outage)
            expected = len(coarse(self._scope)) * len(self._strategies)
            self.progress.run(numbers, area, expected, _TRYING)
        if self._group.member_count:
            self.fill([self._group.member_count], area)
        self._confirm()

    def _confirm(self) -> None:
        """Simulate the restarts of what is planned, as every page does; plan anew if that is late.

        The search itself rests on one assignment a number.
        """
        start = self._start
        confirmed: set[tuple[Strategy, int]] = set()
        while start is not None and not self.progress.is_stopped:
            found = self.findings()
            open_plans = [
                plan
                for plan in (found.plan, found.saving, found.without_jar)
                if plan is not None
                and plan.kind is PlanKind.CONSUMERS
                and (plan.strategy, plan.consumers) not in confirmed
            ]
            if not open_plans or len(confirmed) > _CONFIRMED:
                return
            for plan in open_plans:
                consumers = plan.consumers or 1
                confirmed.add((plan.strategy, consumers))
                if self._group.partition_count * consumers > _WORK:
                    continue  # many simulations, which no button could stop
                resized = self._trials.resized(consumers)
                weighed = judged(resized, self._question.measure, resized.offsets.rates)
                if is_switch(weighed, start.runs, plan.strategy):
                    (outcome,) = cache.expected(weighed, (plan.strategy,), start.runs)
                    self._trials.put(plan.strategy, consumers, outcome.owners)

    def settle(self, area: DeltaGenerator) -> None:
        """Try the numbers of the pictures; where one beats the recommendation, search on."""
        self.fill(self.findings().wanted, area)
        for _ in range(_ROUNDS):
            self.search(area)
            deciding = self.findings().deciding
            self.fill(deciding, area)
            if self.findings().deciding == deciding:
                return

    def fill(self, numbers: Sequence[int], area: DeltaGenerator) -> None:
        """Try these numbers under every strategy chosen, except beyond those considered."""
        inside = [number for number in numbers if number <= self._scope.most]
        tries = try_numbers(self._trials, self._strategies, inside)
        self.progress.run(tries, area, len(inside) * len(self._strategies), _TRYING)

    def findings(self) -> Findings:
        """Return what is known so far."""
        curves = tuple(self._trials.curve(each) for each in self._strategies)
        now, question = as_owned_now(self._group, self._capacity), self._question
        asked = PlanQuestion(
            today=self._group.member_count,
            now=now,
            rests_on=question.source,
            is_least=question.speed.is_least,
            is_deadline_stated=question.is_deadline_stated,
            headroom=question.margin.headroom,
            outage=question.outage,
            price_an_hour=question.price,
        )
        is_begun = self._limits.fewest is None or all(curve.consumers.size for curve in curves)
        return Findings(
            group=self._group,
            is_least=question.speed.is_least,
            still=question.still,
            capacity=self._capacity,
            limits=self._limits,
            scope=self._scope,
            curves=curves,
            raised=tuple(self._trials.curve_with_headroom(each) for each in self._strategies),
            minima=tuple(minimum(curve, self._scope) for curve in curves),
            plans=tuple(
                plan_of(each, self._trials, self._scope, asked) for each in self._strategies
            )
            if is_begun
            else (),
            now=now,
            runs=self._runs,
            proposed=self._proposed,
        )


def as_owned_now(group: Group, capacity: Capacity) -> Drained | None:
    """Return how long the present owners take; None if something to read has no owner."""
    unpaused = replace(capacity, pause_s=0.0)
    demand, owners = demand_of(group, unpaused), group.present_owners
    has_needs = demand.needs > 0
    if not has_needs.any() or (has_needs & (owners == UNOWNED)).any():
        return None
    return drained(demand, owners, speeds(group, capacity.throughput), unpaused)
