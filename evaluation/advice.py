"""The recommendation: a strategy to set today, and what a custom assignor would add.

A switch takes a restart, after which owners depend on chance (see ``outlook``). So a strategy is
recommended only if it is better than today's owners in at least 9 of 10 simulated restarts; their
median is what it promises.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np

from assignors.certainty import Known
from assignors.model import Group
from assignors.strategy import Protocol, Sees, Strategy
from evaluation.compare import Outcome
from evaluation.judging import LAG, JudgeBy, Measure
from evaluation.load import Load, load_in
from evaluation.metrics import REAL_GAIN

_NEARLY: Final = 1.1
"""An outcome within a tenth of the best is good enough if far fewer partitions move."""
_FAR_FEWER: Final = 0.5
RELIABLE: Final = 0.9
"""The share of the futures in which a recommendation must be better than today."""
_UNFOUNDED: Final = {Known.FAILS, Known.BREAKS_THE_RULES, Known.NOT_PREDICTABLE}
"""Where the client would not do what is shown, so that nothing can be promised of it."""
_LEAST_DISRUPTIVE: Final = (Protocol.COOPERATIVE, Protocol.EAGER, Protocol.BROKER)
"""Order of preference between equal outcomes: no pause first, a change of protocol last."""


@dataclass(frozen=True, kw_only=True)
class Advice:
    """The present state and the best of two kinds of strategies; each may be missing."""

    now: Outcome | None
    """The present owners; None if nobody owns anything."""
    settable: Outcome | None
    """The best that a setting selects; None if none beats the present owners."""
    custom: Outcome | None
    """The best custom assignor; None if none beats both."""
    takes_custom: bool = True
    """Whether the client supports custom assignors."""
    unreliable: Outcome | None = None
    """If no setting is better reliably: what is in most futures; None if nothing ever is.

    A setting, or a custom assignor if none of those is better reliably either.
    """
    left_out: tuple[Outcome, ...] = ()
    """What would be better than the present owners if its client did what is shown."""
    withheld: tuple[Outcome, ...] = ()
    """What would be better, but is eager where today's rebalances are cooperative. Lag alone is no
    reason for that."""
    settings: tuple[Strategy, ...] = ()
    """What settings select, of which ``settable`` is the best."""
    load: Load
    """What decides: the busiest consumer's load."""

    @property
    def recommended(self) -> tuple[Outcome, ...]:
        """The setting, then the custom assignor, as far as there are any."""
        return tuple(o for o in (self.settable, self.custom) if o is not None)


def best_of(outcomes: Sequence[Outcome], load: Load) -> Outcome | None:
    """Return the outcome with the least load on its busiest consumer; None if there is none.

    Less than 1 % is no gain, so among outcomes that near the fewest moves win, then the least
    disruptive protocol, then what keeps the owners in later rebalances. An outcome within a tenth
    is preferred if it moves less than half as many partitions. Ties go to the registry's order.
    """
    least = min((load.of(o) for o in outcomes), default=0)
    best = min(
        (o for o in outcomes if load.of(o) * (1 - REAL_GAIN) <= least),
        key=lambda o: (_disruption(o), _rank(o, load)),
        default=None,
    )
    if best is None:
        return None
    near = [
        o
        for o in outcomes
        if load.of(o) <= _NEARLY * least and _moved(o) < _FAR_FEWER * _moved(best)
    ]
    return min(near, key=lambda o: (_moved(o), _rank(o, load)), default=best)


def advise(  # noqa: PLR0913 -- what there is, what it runs, and what decides
    group: Group,
    now: Outcome | None,
    settable: Sequence[Outcome],
    custom: Sequence[Outcome],
    measure: Measure = LAG,
    *,
    is_incremental: bool = False,
) -> Advice:
    """Return what to set today and what a custom assignor would add.

    Neither if there is nothing to assign or nobody to assign it to. ``measure`` says what the
    group's weights are; ``is_incremental``, whether the group's rebalances are cooperative. Lag
    alone, without arrivals, is no reason to give that up.
    """
    load = load_in(group, measure)
    if not group.member_count or not group.is_wanted.any():
        return Advice(now=now, settable=None, custom=None, load=load)
    # Fewer moves are preferred only among outcomes that are better: an outcome that moves
    # nothing and gains nothing must not hide one that gains.
    odds = {o.name: better_share(o, now, load) for o in (*settable, *custom)}
    unfounded = [o for o in (*settable, *custom) if o.certainty.known in _UNFOUNDED]
    keeps = is_incremental and load.measure.by is JudgeBy.LAG
    dearer = [o for o in (*settable, *custom) if keeps and _is_eager(o) and o not in unfounded]
    settable, custom = (
        [o for o in outcomes if o not in unfounded and o not in dearer]
        for outcomes in (settable, custom)
    )
    today, beyond = (
        [o for o in outcomes if odds[o.name] >= RELIABLE] for outcomes in (settable, custom)
    )
    best = best_of(_better(today, load, now), load)
    beside = best_of(_better(beyond, load, now, best), load)
    rivals = settable if beside is not None else (*settable, *custom)
    likeliest = max(rivals, key=lambda o: odds[o.name], default=None)
    is_possible = best is None and likeliest is not None and odds[likeliest.name] > 0
    return Advice(
        now=now,
        settable=best,
        custom=beside,
        takes_custom=bool(custom),
        unreliable=likeliest if is_possible else None,
        left_out=tuple(o for o in unfounded if odds[o.name] > 0),
        withheld=tuple(o for o in dearer if odds[o.name] >= RELIABLE),
        settings=tuple(o.strategy for o in settable if o.strategy is not None),
        load=load,
    )


def better_share(outcome: Outcome, now: Outcome | None, load: Load) -> float:
    """Return the share of an outcome's futures that are better than the present owners."""
    if now is None:
        return 1.0
    is_better = _is_better(outcome, now, load)
    if outcome.outlook is None or outcome.figures.unowned < now.figures.unowned:
        return float(is_better)
    return float(np.mean(load.drawn(outcome.outlook) < _least_gain(now, load)))


def _better(outcomes: Sequence[Outcome], load: Load, *rivals: Outcome | None) -> list[Outcome]:
    """Return the outcomes that are better than every rival there is."""
    return [
        outcome
        for outcome in outcomes
        if all(_is_better(outcome, rival, load) for rival in rivals if rival is not None)
    ]


def _is_better(outcome: Outcome, other: Outcome, load: Load) -> bool:
    """Compare loads; unowned partitions lower a load only because nobody reads them."""
    if other.figures.unowned > outcome.figures.unowned:
        return True
    return load.of(outcome) < _least_gain(other, load)


def _least_gain(outcome: Outcome, load: Load) -> float:
    """Return the load below which the busiest consumer really gains."""
    return load.of(outcome) * (1 - REAL_GAIN)


def _rank(outcome: Outcome, load: Load) -> tuple[int, int, tuple[float, int, bool]]:
    return load.of(outcome), outcome.figures.max_count, _disruption(outcome)


def _disruption(outcome: Outcome) -> tuple[float, int, bool]:
    """Return what the way to an outcome and its later rebalances cost, to compare."""
    strategy = outcome.strategy
    return (
        _moved(outcome) if outcome.outlook is None else inf,  # every switch moves nearly all
        _LEAST_DISRUPTIVE.index(strategy.protocol) if strategy else -1,
        strategy is not None
        and Sees.OWNERS not in strategy.sees,  # later rebalances would move more
    )


def _is_eager(outcome: Outcome) -> bool:
    return outcome.strategy is not None and outcome.strategy.protocol is Protocol.EAGER


def _moved(outcome: Outcome) -> int:
    return outcome.figures.moved or 0
