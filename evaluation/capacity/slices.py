"""A search of numbers of consumers in slices, each in a process of its own if that is worth it.

Whoever shows a plan knows what was tried and computes nothing: a search that needs more ends
there, and one slice elsewhere tries on from what is known.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from assignors.model import NO_GENERATION, Group, Owners
from assignors.rules import checked_answer
from assignors.strategy import Strategy
from evaluation.capacity.draining import Capacity
from evaluation.capacity.trials import Trials, Tries
from evaluation.judging import LAG, Measure, judged
from evaluation.rebalance.switching import is_switch, keeps_owners

SearchStep: TypeAlias = Callable[[Trials], Iterator[int]]
"""Tries numbers of consumers and yields each, such as ``planning.plan_search`` of a scope."""
_MOST_KEPT: Final = 20_000
"""Partitions of the largest group whose owners stay known: other speeds ask for the same ones."""


class UntriedError(LookupError):
    """A search needs a trial that is not known yet: a strategy's with a number of consumers."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TrialSetup:
    """All of what the trials of a group depend on; see ``trials.Trials``."""

    group: Group
    capacity: Capacity
    most: int
    headroom: float = 0.0
    measure: Measure = LAG
    """What strategies by load weigh."""
    runs: Strategy | None = None
    """The strategy that the group runs, if known."""
    is_switched: bool = False
    """Whether another strategy starts as after a switch, or else from the present owners."""
    key: str = ""
    """Equal where strategies give equal owners, whatever consumers read."""

    def owners(self, resized: Group, strategy: Strategy) -> Owners:
        """Return what the strategy gives the group with another number of consumers.

        Raises InvalidAssignmentError if it breaks a rule.
        """
        kept = _kept(self.key) if self.key and resized.partition_count <= _MOST_KEPT else {}
        place = (strategy.name, resized.member_count)
        if place not in kept:
            kept[place] = checked_answer(self.started(resized, strategy), strategy)
        return kept[place]

    def started(self, resized: Group, strategy: Strategy) -> Group:
        """Return the group from which the strategy starts, with its weights."""
        weighed = judged(resized, self.measure, resized.offsets.rates)
        is_after_switch = self.is_switched and is_switch(weighed, self.runs, strategy)
        if is_after_switch and not keeps_owners(self.runs, strategy):
            return weighed.owned_by(weighed.nobody(), NO_GENERATION)
        return weighed

    def trials(self, settle: Callable[[Group, Strategy], Owners] | None = None) -> Trials:
        """Return trials of which none has run."""
        return Trials(
            self.group, self.capacity, self.most, settle or self.owners, headroom=self.headroom
        )


@lru_cache(maxsize=2)
def _kept(key: str) -> dict[tuple[str, int], Owners]:  # noqa: ARG001 -- it is what tells them apart
    return {}


def known_alone(group: Group, strategy: Strategy) -> Owners:
    """Raise UntriedError: a settle for trials that only know what was tried elsewhere."""
    raise UntriedError(strategy.name, group.member_count)


def tried_on(setup: TrialSetup, known: Tries, step: SearchStep, seconds: float) -> Tries:
    """Go on with a search for about this long, at least by one trial; return the new trials."""
    trials = setup.trials()
    trials.add(known)
    ends_at = time.monotonic() + seconds
    for _ in step(trials):
        if time.monotonic() >= ends_at:
            break
    new = {
        strategy: {n: each for n, each in tries.items() if n not in known.get(strategy, {})}
        for strategy, tries in trials.tried.items()
    }
    return {strategy: tries for strategy, tries in new.items() if tries}
