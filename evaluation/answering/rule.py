"""The one rule of advice, for every door: what is proposed, and why everything else is not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from assignors.certainty import Known as HowKnown
from evaluation.answering.options import ONE_POLL, Action, Option, Takes, WhyNot
from evaluation.comparing.worth import RELIABLE, WORTH

_UNFOUNDED: Final = {HowKnown.FAILS, HowKnown.BREAKS_THE_RULES, HowKnown.NOT_PREDICTABLE}
_BY_STRATEGY: Final = {Action.SWITCH, Action.MOVE}


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """What decides beside the figures of an option."""

    keep: Option | None
    """The present owners; None if nobody owns anything yet."""
    is_hindered: bool = False
    """Whether there is a cause that no assignment helps."""
    unread: int = 0
    """Partitions that nobody would own after the next rebalance of the strategy that runs."""
    stops_only_moves: bool = False
    """Whether today's rebalances are cooperative."""
    rates_known: bool = False
    is_cause_open: bool = False
    """Whether one snapshot leaves open why the lag is in few hands."""
    by_lag: bool = False
    """Whether load is lag alone."""
    hangs_on_assumption: bool = False
    """Whether another reading of the text would give the strategies other owners."""


def judged(options: Sequence[Option], beside: Circumstances) -> tuple[Option, ...]:
    """Return the options, each with why it is not proposed, if so."""
    return tuple(
        replace(option, why_not=why_not(option, beside))
        if option.action in _BY_STRATEGY
        else option
        for option in options
    )


def why_not(option: Option, beside: Circumstances) -> WhyNot | None:
    """Return why a change of owners is not proposed; None if it may be.

    It must take 5 % off the busiest consumer in 9 of 10 simulated restarts, or end a backlog
    that does not end otherwise, or give unread partitions an owner. Nothing is proposed under which
    the backlog does not end, nor while a cause stands that no assignment helps, or is open. Lag
    alone, without arrivals, is no reason to stop all consumers at every rebalance from now on, nor
    is less of it than one poll returns a backlog.
    """
    keep, outcome = beside.keep, option.outcome
    if beside.is_hindered or beside.is_cause_open:
        return WhyNot.CAUSE_STANDS if beside.is_hindered else WhyNot.CAUSE_OPEN
    if outcome is not None and outcome.certainty.known in _UNFOUNDED:
        return WhyNot.UNFOUNDED
    if keep is None:
        return WhyNot.RESTS_ON_ASSUMPTION if beside.hangs_on_assumption else None
    if option.ends_s is not None and np.isinf(option.ends_s):
        return WhyNot.NEVER_ENDS
    gives_owners = bool(beside.unread) and _unowned(option) < _unowned(keep)
    ends_it = option.ends_s is not None and keep.ends_s is not None and np.isinf(keep.ends_s)
    too_little = None if gives_owners or ends_it else _too_little(option, keep, beside)
    if too_little is None and beside.hangs_on_assumption:
        return WhyNot.RESTS_ON_ASSUMPTION
    return too_little


def _too_little(option: Option, keep: Option, beside: Circumstances) -> WhyNot | None:
    """Return why a gain is not worth a switch; None if it is."""
    if (option.reliability or 0.0) < RELIABLE or (option.gain or 0.0) < WORTH:
        return WhyNot.TOO_LITTLE
    if beside.by_lag and (keep.busiest or 0) <= ONE_POLL:
        return WhyNot.NEGLIGIBLE
    if option.stops_all and beside.stops_only_moves and not beside.rates_known:
        return WhyNot.STOPS_ALL
    return None


def proposed(options: Sequence[Option], keep: Option | None) -> Option | None:
    """Return what to do among judged options; None if nothing that changes owners may be proposed.

    Settings and brokers' strategies before a jar, which is code on every consumer, unless the jar
    alone ends the backlog. Among near equals, within 5 % of today's busiest, the fewest moves,
    then the cooperative ones, then the least load.
    """
    passing = [o for o in options if o.action is Action.SWITCH and o.why_not is None]
    settings = [o for o in passing if o.takes is not Takes.JAR]
    among = settings or passing
    least = min((o.busiest or 0 for o in among), default=0)
    today = least if keep is None or keep.busiest is None else keep.busiest
    near = [o for o in among if (o.busiest or 0) <= least + WORTH * today]
    return min(near, key=_cost, default=None)


def _cost(option: Option) -> tuple[int, bool, int]:
    return option.moves or 0, option.stops_all, option.busiest or 0


def _unowned(option: Option) -> int:
    return 0 if option.outcome is None else option.outcome.figures.unowned
