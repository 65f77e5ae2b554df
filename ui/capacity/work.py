"""Trying numbers of consumers on the page, with a cache."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from streamlit.delta_generator import DeltaGenerator

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.capacity.draining import as_owned_now
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.planning import PlanKind, PlanQuestion, plan_of, plan_search
from evaluation.capacity.search import MOST_WORK, SearchRange, minimum, search_range, try_numbers
from evaluation.capacity.slices import (
    SearchStep,
    TrialSetup,
    UntriedError,
    known_alone,
    tried_on,
)
from evaluation.capacity.trials import Trials
from evaluation.judging import judged
from evaluation.rebalance.switching import is_switch
from ui import cache, caching, told
from ui.capacity.findings import Findings
from ui.capacity.inputs import CapacityInputs
from ui.progress import PageProgress
from ui.workers import run_or_stop

_ROUNDS: Final = 3
_CONFIRMED: Final = 12
"""Plans that are simulated, at most."""
_BRIEF: Final = 20_000
"""Partitions times numbers of consumers times strategies that take no time worth a process."""
_SLICE_S: Final = 0.7
"""For this long a process tries numbers before the page shows how far it is."""
FIRST_S: Final = 1.5
"""The first plan is shown after about this long; it is that of the strategies searched by then."""
_SLICES: Final = 8
_TRYING: Final = "Trying {:,} consumers…"


class SwitchStart(NamedTuple):
    """The group as the Group page has it, from which a switch starts."""

    group: Group
    """With its weights."""
    runs: Strategy | None
    """The strategy that it runs, if known."""
    draws: tuple[int, ...]
    """Of what a switch to each strategy brings; once there are more, trials begin anew."""
    is_noticed: bool
    """Whether a group rebalances without a consumer that restarts before that is back."""


def switch_start(
    group: Group, runs: Strategy | None, strategies: tuple[Strategy, ...]
) -> SwitchStart:
    """Return the group from which a switch to these strategies starts."""
    is_noticed = told.is_noticed()
    drawn = cache.solved(group, strategies, runs, is_noticed) if group.member_count else ()
    draws = tuple(0 if each.outlook is None else each.outlook.draws for each in drawn)
    return SwitchStart(group, runs, draws, is_noticed)


@caching.cached(16)
def _trials(setup: TrialSetup, start: SwitchStart | None, *, is_brief: bool) -> Trials:  # noqa: ARG001 -- what was simulated belongs to its start
    return setup.trials(None if is_brief else known_alone)


_limits = caching.cached(128)(consumer_limits)


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
            f"{caching.digest(question.group)} {question.capacity} {question.most} "
            f"{question.measure} {question.margin} {question.outage}"
        )
        self._limits = _limits(self._group, self._capacity)
        self._scope = search_range(self._group, self._limits.fewest, question.most)
        self._setup = TrialSetup(
            group=self._group,
            capacity=self._capacity,
            most=self._scope.most,
            headroom=question.margin.headroom,
            measure=question.measure,
            runs=self._runs,
            is_switched=start is not None,
            key=f"{caching.digest(self._group)} {question.measure} {self._runs!r} {start is None}",
        )
        numbers = self._scope.most - self._scope.fewest + 1
        work = self._group.partition_count * numbers * len(strategies)
        self._is_brief = work <= _BRIEF
        self._trials = _trials(self._setup, start, is_brief=self._is_brief)
        self._put_todays()
        self._shown = self._searched()

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to try for the plan and the pictures."""
        steps = [*self._steps(), self._pictured()]
        return all(map(self._is_known, steps))

    def search(self, area: DeltaGenerator, until: float = float("inf")) -> None:
        """Try what the recommendation takes; show in the area how far it is.

        From ``until``, a time of the monotonic clock, on only until one strategy has a plan: those
        that have none yet are left out of what is found.
        """
        self.progress.run(self._slices(until), area, _SLICES, _TRYING)

    def _slices(self, until: float) -> Iterator[int]:
        """Try on, and yield the last number of each slice."""
        for strategy in self._order:
            for step in self._first(strategy):
                yield from self._tried(step)
            self._shown = self._searched()
            if time.monotonic() >= until:
                break
        self._confirm()
        yield from self._tried(self._pictured(), until)
        for step in self._steps():
            if time.monotonic() >= until:
                return
            yield from self._tried(step, until)
        yield from self._settled(until)

    def _settled(self, until: float) -> Iterator[int]:
        """Try the numbers of the pictures; where one beats the recommendation, search on."""
        for _ in range(_ROUNDS):
            self._shown = self._searched()
            self._confirm()
            decides = self.findings().deciding
            for step in (*self._steps(), self._pictured()):
                yield from self._tried(step, until)
            if self.findings().deciding == decides:
                return

    def _tried(self, step: SearchStep, until: float = float("inf")) -> Iterator[int]:
        """Try all that a step needs, in slices; yield the last number of each."""
        while not self._is_known(step):
            if time.monotonic() >= until:
                return
            known = self._trials.tried
            new = run_or_stop(tried_on, self._setup, known, step, _SLICE_S)
            self._trials.add(new)
            yield max(max(tries) for tries in new.values())

    def _is_known(self, step: SearchStep) -> bool:
        """Return whether everything that a step needs was tried; of a brief one, try it."""
        try:
            for _ in step(self._trials):
                pass
        except UntriedError:
            return False
        return True

    def _first(self, strategy: Strategy) -> list[SearchStep]:
        """Return what gives one strategy a plan, from coarse to fine."""
        coarse = replace(self._scope, exhaustive=0)
        return [self._planned([strategy], coarse), self._todays([strategy])]

    def _steps(self) -> list[SearchStep]:
        """Return what every strategy takes, whatever was tried."""
        return [self._planned(self._strategies, self._scope), self._todays(self._strategies)]

    def _todays(self, strategies: Sequence[Strategy]) -> SearchStep:
        return self._numbers([self._group.member_count], strategies)

    def _pictured(self) -> SearchStep:
        """Return what the pictures take of the strategies that have a plan by now."""
        return self._numbers(self.findings().wanted, self._shown)

    def _planned(self, strategies: Sequence[Strategy], scope: SearchRange) -> SearchStep:
        if self._limits.fewest is None:
            return self._numbers([], strategies)
        outage = self._question.outage
        return partial(plan_search, strategies=strategies, scope=scope, outage=outage)

    def _numbers(self, numbers: Sequence[int], strategies: Sequence[Strategy]) -> SearchStep:
        """Return the step that tries these numbers, except beyond those considered."""
        inside = [number for number in numbers if 0 < number <= self._scope.most]
        return partial(try_numbers, strategies=strategies, numbers=inside)

    @property
    def _order(self) -> list[Strategy]:
        """The strategies, first what the answer proposes, then what the group runs."""
        first = (self._proposed, self._runs)
        return sorted(self._strategies, key=lambda each: (each != first[0], each != first[1]))

    def _searched(self) -> tuple[Strategy, ...]:
        """Return the strategies that have a plan by now, in their order on the page."""
        return tuple(
            each
            for each in self._strategies
            if self._trials.curve(each).consumers.size
            and all(map(self._is_known, self._first(each)))
        )

    def _put_todays(self) -> None:
        """Make what a switch with today's consumers brings, as every page has it, a trial."""
        start = self._start
        if start is None or not self._group.member_count:
            return
        resized = self._trials.resized(self._group.member_count)
        now = start.group
        if resized.members != now.members or not now.layout.has_equal_subscriptions:
            return
        for strategy in self._strategies:
            is_known = self._trials.is_tried(strategy, resized.member_count)
            weighed = judged(resized, self._question.measure, resized.offsets.rates)
            if not is_known and is_switch(weighed, start.runs, strategy):
                (outcome,) = cache.solved(now, (strategy,), start.runs, start.is_noticed)
                self._trials.put(strategy, resized.member_count, outcome.owners)

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
                for plan in (found.plan, found.tried.saving, found.tried.without_jar)
                if plan is not None
                and plan.kind is PlanKind.CONSUMERS
                and (plan.strategy, plan.consumers) not in confirmed
            ]
            if not open_plans or len(confirmed) > _CONFIRMED:
                return
            for plan in open_plans:
                consumers = plan.consumers or 1
                confirmed.add((plan.strategy, consumers))
                if self._group.partition_count * consumers > MOST_WORK:
                    continue  # many simulations, which no button could stop
                resized = self._trials.resized(consumers)
                weighed = judged(resized, self._question.measure, resized.offsets.rates)
                if is_switch(weighed, start.runs, plan.strategy):
                    wanted = (plan.strategy,)
                    (outcome,) = cache.solved(weighed, wanted, start.runs, start.is_noticed)
                    self._trials.put(plan.strategy, consumers, outcome.owners)

    def findings(self) -> Findings:
        """Return what is known so far, of the strategies that have a plan by now."""
        shown = self._shown or self._strategies
        curves = tuple(self._trials.curve(each) for each in shown)
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
            raised=tuple(self._trials.curve_with_headroom(each) for each in shown),
            minima=tuple(minimum(curve, self._scope) for curve in curves),
            plans=tuple(plan_of(each, self._trials, self._scope, asked) for each in shown)
            if is_begun
            else (),
            now=now,
            runs=self._runs,
            proposed=self._proposed,
        )
