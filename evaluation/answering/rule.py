"""The one rule of advice, for every door: what is proposed, and why everything else is not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from assignors.certainty import Known as HowKnown
from evaluation.answering.options import Action, Option, Takes, WhyNot
from evaluation.comparing.choosing import NOBODY, Candidates, choose
from evaluation.comparing.worth import RELIABLE, WORTH
from evaluation.measuring.facts import ONE_POLL

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


def decided(options: Sequence[Option], beside: Circumstances) -> tuple[Option, ...]:
    """Return the options, each change of owners with why it is not proposed; one at most has none.

    That one is what ``proposed`` returns, of these options too.
    """
    keep = beside.keep
    judged = tuple(
        replace(each, why_not=why_not(each, beside)) if each.action in _BY_STRATEGY else each
        for each in options
    )
    first, near = _chosen(judged, keep)
    return tuple(
        replace(each, why_not=_second_to(first, each, is_near=each in near))
        if each.action in _BY_STRATEGY and each.why_not is None and each is not first
        else each
        for each in judged
    )


def after_switches(remedies: Sequence[Option], proposal: Option | None) -> tuple[Option, ...]:
    """Return what changes no owners, each with why it is not proposed beside this proposal."""
    if proposal is None:
        return tuple(remedies)
    return tuple(replace(each, why_not=each.why_not or WhyNot.SWITCH_FIRST) for each in remedies)


def _second_to(first: Option | None, option: Option, *, is_near: bool) -> WhyNot:
    """Return why an option against which nothing else stands is not the proposal."""
    if first is None or option.action is Action.MOVE:
        return WhyNot.ONLY_BY_JAR if first is None else WhyNot.SWITCH_FIRST
    if option.takes is Takes.JAR and first.takes is not Takes.JAR:
        return WhyNot.SETTING_FIRST
    if not is_near:
        return WhyNot.MORE_LOAD
    (moves, stops, load), (first_moves, first_stops, first_load) = _cost(option), _cost(first)
    if moves > first_moves:
        return WhyNot.MORE_MOVES
    if stops > first_stops:
        return WhyNot.MORE_STOPS
    return WhyNot.MORE_LOAD if load > first_load else WhyNot.EQUAL


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

    ``choose`` has the order in which they come.
    """
    return _chosen(options, keep)[0]


def _chosen(options: Sequence[Option], keep: Option | None) -> tuple[Option | None, list[Option]]:
    """Return the chosen one of the switches against which nothing stands, and its near equals."""
    switches = [each for each in options if each.action is Action.SWITCH]
    today = None if keep is None else keep.busiest
    found = choose(
        Candidates(
            passes=_column([each.passes for each in switches], np.bool_),
            takes_jar=_column([each.takes is Takes.JAR for each in switches], np.bool_),
            load=_column([each.busiest or 0 for each in switches]),
            today=np.array([np.nan if today is None else today], np.float64),
            moves=(_column([each.moves or 0 for each in switches]),),
            stops_all=_column([each.stops_all for each in switches], np.bool_),
        )
    )
    near = [each for each, is_near in zip(switches, found.near[:, 0], strict=True) if is_near]
    number = int(found.first[0])
    return None if number == NOBODY else switches[number], near


def _column(values: Sequence[int], dtype: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
    """(K, 1) the values of one group's candidates."""
    return np.array(values, dtype).reshape(-1, 1)


def _cost(option: Option) -> tuple[int, bool, int]:
    return option.moves or 0, option.stops_all, option.busiest or 0


def _unowned(option: Option) -> int:
    return 0 if option.outcome is None else option.outcome.figures.unowned
