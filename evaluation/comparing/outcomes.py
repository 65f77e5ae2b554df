"""Run strategies on one group, check each result against the rules, and compute its figures.

Two questions, kept apart: ``at_next_rebalance`` answers what the next rebalance brings, exactly,
with the consumers, ids and claims that the group has; ``after_switch`` what a group reaches that
does not run the strategy yet, see ``outlook``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from assignors.certainty import EXACT, Certainty, Known
from assignors.model import Group, Owners
from assignors.rules import checked_answer
from assignors.strategy import Strategy
from evaluation.comparing.outlook import Depth, Outlook, outlook
from evaluation.metrics import Figures, figures_of, figures_of_each
from evaluation.rebalance.switching import is_switch

_AT_ONCE: Final = 1 << 18
"""Figures of several strategies are computed together, up to this many owners."""
_OF_CHANCE: Final = {Known.DISTRIBUTION, Known.NOT_PREDICTABLE, Known.BREAKS_THE_RULES}
"""What the strategy itself leaves to chance, whatever the ids."""
NOW: Final = "now"
"""The name of the outcome with the present owners."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """The owners under one strategy, with their figures."""

    strategy: Strategy | None
    """None for the present owners."""
    owners: Owners
    figures: Figures
    certainty: Certainty = EXACT
    """How certain the owners are before the rebalance."""
    outlook: Outlook | None = None
    """What a switch to the strategy may bring; None if the owners are those of the next rebalance.
    Owners and figures are then those of the median, moves the median of the moves."""

    @property
    def name(self) -> str:
        """The strategy's name, or ``NOW``."""
        return self.strategy.name if self.strategy else NOW

    @property
    def label(self) -> str:
        """Its name on screen."""
        return self.strategy.label if self.strategy else "As it is now"


def at_next_rebalance(group: Group, strategies: Sequence[Strategy]) -> list[Outcome]:
    """Return the group's outcome under each strategy, in the order given.

    Cooperative strategies are shown at their target, after the last round. Raises
    InvalidAssignmentError if a strategy breaks a rule.
    """
    step = max(1, _AT_ONCE // max(1, group.partition_count))
    return [
        outcome
        for first in range(0, len(strategies), step)
        for outcome in _outcomes(group, strategies[first : first + step])
    ]


def after_switch(
    group: Group,
    strategies: Sequence[Strategy],
    runs: Strategy | None = None,
    *,
    is_noticed: bool = True,
    depth: Depth = Depth.WHOLE,
) -> list[Outcome]:
    """Return what the group becomes when it switches to each strategy.

    ``runs`` is the strategy that it runs, if known; the rest is as in ``outlook``. A group needs a
    member. Raises InvalidAssignmentError if a strategy breaks a rule.
    """
    drawn = partial(outlook, group, before=runs, is_noticed=is_noticed, depth=depth)
    return [_switched(group, strategy, drawn(strategy)) for strategy in strategies]


def drawn_on(
    group: Group, outcome: Outcome, runs: Strategy | None, *, is_noticed: bool = True
) -> Outcome:
    """Return the outcome of a switch with some more draws, as far as there are any."""
    if outcome.strategy is None or outcome.outlook is None or not outcome.outlook.is_rough:
        return outcome
    further = outlook(
        group,
        outcome.strategy,
        runs,
        is_noticed=is_noticed,
        depth=Depth.MORE,
        known=outcome.outlook,
    )
    return _switched(group, outcome.strategy, further)


def solved(
    group: Group,
    strategies: Sequence[Strategy],
    runs: Strategy | None,
    is_noticed: bool = True,
    depth: Depth = Depth.WHOLE,
) -> tuple[Outcome, ...]:
    """Return what to expect of each strategy in a group that ``runs`` one, or an unknown one.

    Of the one that runs, and of a group that nobody owns yet, that is the next rebalance; of the
    others, the effect of a switch. Raises InvalidAssignmentError if a strategy breaks a rule.
    """
    return tuple(
        after_switch(group, [each], runs, is_noticed=is_noticed, depth=depth)[0]
        if is_switch(group, runs, each)
        else at_next_rebalance(group, [each])[0]
        for each in strategies
    )


def as_it_is_now(group: Group) -> Outcome | None:
    """Return the present owners as an outcome; None if nobody owns anything.

    They are observed rather than computed, so the rules do not apply: partitions may be unowned.
    """
    if not group.has_claims:
        return None
    owners = group.present_owners
    return Outcome(strategy=None, owners=owners, figures=figures_of(group, owners))


def _switched(group: Group, strategy: Strategy, drawn: Outlook) -> Outcome:
    owners = drawn.owners
    figures = replace(figures_of(group, owners), moved=drawn.moved if group.has_claims else None)
    certainty = strategy.certainty_for(group.owned_by(group.nobody()))
    return Outcome(
        strategy=strategy,
        owners=owners,
        figures=figures,
        certainty=certainty if certainty.known in _OF_CHANCE else EXACT,
        outlook=drawn,
    )


def _outcomes(group: Group, strategies: Sequence[Strategy]) -> list[Outcome]:
    owners = [checked_answer(group, strategy) for strategy in strategies]
    return [
        Outcome(
            strategy=strategy,
            owners=owned,
            figures=each,
            certainty=strategy.certainty_for(group),
        )
        for strategy, owned, each in zip(
            strategies, owners, figures_of_each(group, np.array(owners)), strict=True
        )
    ]
