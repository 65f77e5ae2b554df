"""The recommendation: a strategy to set today, and what a custom assignor would add."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from assignors.strategy import Protocol, Strategy
from evaluation.compare import Outcome
from schemas.tables import REAL_GAIN

_NEARLY: Final = 1.1
"""An outcome within a tenth of the best is good enough if far fewer partitions move."""
_FAR_FEWER: Final = 0.5
_LEAST_DISRUPTIVE: Final = (Protocol.COOPERATIVE, Protocol.EAGER, Protocol.BROKER)
"""Order of preference between equal outcomes: no pause first, a change of protocol last."""


@dataclass(frozen=True, kw_only=True)
class Advice:
    """The current state and the best of two kinds of strategies; each may be missing."""

    now: Outcome | None
    """The current owners; None if nobody owns anything."""
    settable: Outcome | None
    """The best that a setting selects; None if none beats the current owners."""
    custom: Outcome | None
    """The best custom assignor; None if none beats both."""
    takes_custom: bool = True
    """Whether the client supports custom assignors."""
    by_lag: bool
    """Whether the busiest consumer's lag decides; otherwise its number of partitions."""


def is_judged_by_lag(group: Group) -> bool:
    """Return whether any lag is known and above zero, so that lag tells strategies apart."""
    return bool(group.counted_lags[group.is_wanted].any())


def busiest_load(outcome: Outcome, *, by_lag: bool) -> int:
    """Return the busiest consumer's lag in records, or its number of partitions."""
    figures = outcome.figures
    return (figures.max_lag or 0) if by_lag else figures.max_count


def best_of(outcomes: Sequence[Outcome], *, by_lag: bool) -> Outcome | None:
    """Return the outcome with the least load on its busiest consumer; None if there is none.

    An outcome within a tenth of that is preferred if it moves less than half as many partitions;
    ties go to the least disruptive protocol, then the registry's order.
    """
    best = min(outcomes, key=lambda o: _rank(o, by_lag=by_lag), default=None)
    if best is None:
        return None
    near = [
        o
        for o in outcomes
        if busiest_load(o, by_lag=by_lag) <= _NEARLY * busiest_load(best, by_lag=by_lag)
        and _moved(o) < _FAR_FEWER * _moved(best)
    ]
    return min(near, key=lambda o: (_moved(o), _rank(o, by_lag=by_lag)), default=best)


def advise(
    group: Group,
    now: Outcome | None,
    settable: Sequence[Outcome],
    custom: Sequence[Outcome],
) -> Advice:
    """Return what to set today and what a custom assignor would add.

    Neither if there is nothing to assign or nobody to assign it to.
    """
    by_lag = is_judged_by_lag(group)
    if not group.member_count or not group.is_wanted.any():
        return Advice(now=now, settable=None, custom=None, by_lag=by_lag)
    # Fewer moves are preferred only among outcomes that are better: an outcome that moves
    # nothing and gains nothing must not hide one that gains.
    today = best_of(_better(settable, now, by_lag=by_lag), by_lag=by_lag)
    beyond = best_of(_better(custom, now, today, by_lag=by_lag), by_lag=by_lag)
    return Advice(now=now, settable=today, custom=beyond, takes_custom=bool(custom), by_lag=by_lag)


def _better(outcomes: Sequence[Outcome], *rivals: Outcome | None, by_lag: bool) -> list[Outcome]:
    """Return the outcomes that are better than every rival there is."""
    return [
        outcome
        for outcome in outcomes
        if all(_is_better(outcome, rival, by_lag=by_lag) for rival in rivals if rival is not None)
    ]


def _is_better(outcome: Outcome, other: Outcome, *, by_lag: bool) -> bool:
    """Compare loads; unowned partitions lower a load only because nobody reads them."""
    if other.figures.unowned > outcome.figures.unowned:
        return True
    least = busiest_load(other, by_lag=by_lag) * (1 - REAL_GAIN)
    return busiest_load(outcome, by_lag=by_lag) < least


def _rank(outcome: Outcome, *, by_lag: bool) -> tuple[int, int, int, int]:
    strategy: Strategy = ALL_STRATEGIES[outcome.name]
    disruption = _LEAST_DISRUPTIVE.index(strategy.protocol)
    return (
        busiest_load(outcome, by_lag=by_lag),
        outcome.figures.max_count,
        _moved(outcome),
        disruption,
    )


def _moved(outcome: Outcome) -> int:
    return outcome.figures.moved or 0
