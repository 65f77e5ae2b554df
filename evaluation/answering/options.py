"""What could be done about a group, comparable: each with what it brings, takes and costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from assignors.lag.load_sticky import load_sticky
from assignors.model import UNOWNED, Group, Owners
from assignors.strategy import Protocol, Strategy
from evaluation.answering.action_rows import ACTIONS
from evaluation.answering.actions import Action
from evaluation.answering.ending import ends_s
from evaluation.answering.given import Knowledge
from evaluation.answering.why_not import Ground, WhyNot
from evaluation.assuming.running import Running
from evaluation.bounds.frontier import Frontier
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome
from evaluation.comparing.worth import WORTH
from evaluation.metrics import figures_of
from evaluation.rebalance.switching import fewest_restarts, pauses_all, rolling_restarts
from evaluation.takes import Takes, takes_of

_MOST_OF_THE_GAIN: Final = 0.9
"""The share of what the best known assignment takes off the busiest consumer that few moves must
reach to be worth naming."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Option:
    """One thing that could be done, with its figures; None where a figure is unknown."""

    action: Action
    takes: Takes = Takes.HANDS
    outcome: Outcome | None = None
    """Owners and figures, for what changes the owners."""
    busiest: int | None = None
    """The busiest consumer's load, in the unit of the answer's load; the median after a switch."""
    low: int | None = None
    """The 5th percentile of simulated restarts; None if it is one figure."""
    high: int | None = None
    """The 95th percentile."""
    gain: float | None = None
    """The share that it takes off today's busiest consumer; negative if that has more then, but
    None if only because somebody reads what nobody owns today."""
    reliability: float | None = None
    """The share of simulated restarts in which it takes off at least 5 %."""
    moves: int | None = None
    restarts: int | None = None
    """Rolling restarts on the way."""
    fewest_restarts: int | None = None
    """Those on the way where the clients set no strategy, of which Java's list two since 3.0."""
    stops_all: bool = False
    """Whether each of its rebalances stops all consumers."""
    pauses: int | None = None
    """Partitions that nobody reads during each rebalance on the way: all that are owned, or those
    that move in the only one; None if unknown, as where consumers restart one after another."""
    ends_s: float | None = None
    """Until the group's backlog has ended; infinite if never, None if unknown or none waits."""
    caught_up_s: float | None = None
    """Until those that it concerns, its members or partitions, have caught up; None if unknown."""
    consumers: int | None = None
    """How many, for adding and removing."""
    least: int | None = None
    """How many stop the growth, where ``consumers`` clear what waits, too."""
    members: tuple[int, ...] = ()
    """Whom it concerns."""
    partitions: tuple[int, ...] = ()
    why_not: WhyNot | None = None
    """None for the proposal, and for keeping the present owners."""

    def __repr__(self) -> str:
        by = "" if self.strategy is None else f" {self.strategy.name}"
        busiest = "" if self.busiest is None else f", busiest={self.busiest}"
        why = None if self.why_not is None else self.why_not.value
        return f"<Option {self.action.value}{by}{busiest}, why_not={why}>"

    @property
    def strategy(self) -> Strategy | None:
        """The strategy that it switches to or keeps."""
        return None if self.outcome is None else self.outcome.strategy

    @property
    def changes_owners(self) -> bool:
        """Whether owners would be others than today."""
        return ACTIONS[self.action].changes_owners

    @property
    def passes(self) -> bool:
        """Whether nothing stands against it but that another option comes first."""
        return self.why_not is None or self.why_not.ground is Ground.PROPOSAL

    @property
    def is_gain(self) -> bool:
        """Whether the busiest consumer has less under it."""
        return self.gain is not None and self.gain > 0


def option_of(
    outcome: Outcome, now: Outcome | None, load: Load, known: Knowledge, running: Running
) -> Option:
    """Return an outcome as an option; the present owners are to keep."""
    low, high = load.ends(outcome) or (None, None)
    busiest, strategy = load.of(outcome), outcome.strategy
    today = None if now is None else load.of(now)
    runs = running.presumed if strategy == running.presumed else running.strategy
    restarts = fewest = None
    if strategy is not None and runs is not None:
        restarts, fewest = rolling_restarts(runs, strategy), fewest_restarts(runs, strategy)
    is_kept = strategy is None or strategy == running.presumed
    return Option(
        action=Action.KEEP if is_kept else Action.SWITCH,
        takes=Takes.NOTHING if is_kept else takes_of(strategy),
        outcome=outcome,
        busiest=busiest,
        low=low,
        high=high,
        gain=_gain_over(now, outcome, load),
        reliability=_reliability(outcome, today, load),
        moves=outcome.figures.moved,
        restarts=restarts,
        fewest_restarts=fewest,
        stops_all=strategy is not None and strategy.protocol is Protocol.EAGER,
        pauses=_pauses(known.group, outcome, runs),
        ends_s=ends_s(outcome.owners, known),
    )


def _pauses(group: Group, outcome: Outcome, runs: Strategy | None) -> int | None:
    """Return how many partitions pause in each rebalance on the way to an outcome."""
    strategy = outcome.strategy
    owned = int(np.count_nonzero(group.present_owners != UNOWNED))
    if strategy is None or not owned:
        return 0
    if pauses_all(runs or strategy, strategy):
        return owned
    is_one_rebalance = runs is not None and not rolling_restarts(runs, strategy)
    return outcome.figures.moved if is_one_rebalance else None


def gain_of(busiest: int | None, today: int | None) -> float | None:
    """Return the share that is taken off today's busiest consumer; None if either is unknown."""
    if busiest is None or today is None:
        return None
    return 1 - busiest / today if today else 0.0


def _gain_over(now: Outcome | None, outcome: Outcome, load: Load) -> float | None:
    """Return what an outcome takes off today's busiest consumer; None where that cannot be told.

    Whoever gets what nobody owns today has more for it, which is no loss.
    """
    if now is None:
        return None
    gain = gain_of(load.of(outcome), load.of(now))
    reads_more = outcome.figures.unowned < now.figures.unowned
    return None if reads_more and gain is not None and gain < 0 else gain


def _reliability(outcome: Outcome, today: int | None, load: Load) -> float | None:
    if today is None:
        return None
    least = today * (1 - WORTH)
    if outcome.outlook is None:
        return float(load.of(outcome) <= least)
    return float(np.mean(load.drawn(outcome.outlook) <= least))


def few_moves(
    group: Group, curve: Frontier | None, now: Outcome | None, load: Load, known: Knowledge
) -> Option | None:
    """Return the fewest moves that bring most of what moves can gain; None if they gain too little.

    Most is nine tenths. ``curve`` is the group's frontier, None where lag does not decide.
    """
    if curve is None or now is None or not load.by_weight:
        return None
    today, least = int(curve.max_load[0]), int(curve.max_load[-1])
    wanted = today - _MOST_OF_THE_GAIN * (today - least)
    moves = curve.fewest_moves(int(wanted))
    if not moves or least > (1 - WORTH) * today:
        return None
    outcome = moved_by(group, load_sticky(group, moves))
    return Option(
        action=Action.MOVE,
        takes=Takes.JAR,
        outcome=outcome,
        busiest=load.of(outcome),
        gain=gain_of(load.of(outcome), load.of(now)),
        reliability=1.0,
        moves=outcome.figures.moved,
        restarts=None,
        ends_s=ends_s(outcome.owners, known),
    )


def moved_by(group: Group, owners: Owners) -> Outcome:
    """Return owners that somebody arranges, as an outcome without a strategy."""
    return Outcome(strategy=None, owners=owners, figures=figures_of(group, owners))


def best_first(options: Sequence[Option]) -> list[Option]:
    """Return options in the order of every screen: by setting, broker, jar; best first."""
    order = tuple(Takes)
    return sorted(
        options,
        key=lambda o: (
            order.index(o.takes),
            np.inf if o.busiest is None else o.busiest,
            o.stops_all,
        ),
    )
