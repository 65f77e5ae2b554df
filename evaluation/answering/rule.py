"""The one rule of advice, for every door: what is proposed, and why everything else is not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from assignors.certainty import Known as HowKnown
from evaluation.answering.actions import Action
from evaluation.answering.options import Option
from evaluation.answering.why_not import WhyNot
from evaluation.comparing.choosing import NOBODY, Candidates, Decider, choose, deciders
from evaluation.comparing.worth import RELIABLE, WORTH
from evaluation.takes import Takes

_UNFOUNDED: Final = {HowKnown.FAILS, HowKnown.BREAKS_THE_RULES, HowKnown.NOT_PREDICTABLE}
_SECOND: Final[Mapping[Decider, WhyNot]] = {
    Decider.JAR: WhyNot.SETTING_FIRST,
    Decider.FAR: WhyNot.MORE_LOAD,
    Decider.CHANGE: WhyNot.REBALANCE_FIRST,
    Decider.MOVES: WhyNot.MORE_MOVES,
    Decider.STOPS: WhyNot.MORE_STOPS,
    Decider.LOAD: WhyNot.MORE_LOAD,
    Decider.NUMBER: WhyNot.EQUAL,
}
"""Why an option against which nothing else stands is not the proposal, by what decided."""


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
    is_one_snapshot: bool = False
    """Whether what waits was seen at one moment alone, and nothing is known of arrivals."""
    weighs_arrivals: bool = False
    """Whether load counts arrivals, which last, rather than lag alone."""
    is_cause_open: bool = False
    """Whether one snapshot leaves open why the lag is in few hands."""
    has_just_changed: bool = False
    """Whether owners have just changed, which the lag may come from."""
    only_rebalances: bool = False
    """Whether that cause is that the group rebalances again and again, and nothing else."""
    all_keep_up: bool = False
    """Whether no consumer is behind, or nearly full."""
    hangs_on_assumption: bool = False
    """Whether another reading of the text would give the strategies other owners."""


def decided(options: Sequence[Option], beside: Circumstances) -> tuple[Option, ...]:
    """Return the options, each change of owners with why it is not proposed; one at most has none.

    That one is what ``proposed`` returns, of these options too.
    """
    keep = beside.keep
    judged = tuple(
        replace(each, why_not=why_not(each, beside)) if each.changes_owners else each
        for each in options
    )
    first, second = _chosen(judged, keep)
    return tuple(
        replace(each, why_not=second[number])
        if each.changes_owners and each.why_not is None and each is not first
        else each
        for number, each in enumerate(judged)
    )


def after_switches(remedies: Sequence[Option], proposal: Option | None) -> tuple[Option, ...]:
    """Return what changes no owners, each with why it is not proposed beside this proposal."""
    if proposal is None:
        return tuple(remedies)
    return tuple(replace(each, why_not=each.why_not or WhyNot.SWITCH_FIRST) for each in remedies)


def why_not(option: Option, beside: Circumstances) -> WhyNot | None:
    """Return why a change of owners is not proposed; None if it may be.

    It must take 5 % off the busiest consumer in 9 of 10 simulated restarts, or end a backlog
    that does not end otherwise, or give unread partitions an owner. Nothing is proposed under which
    the backlog does not end, nor while a cause stands that no assignment helps, or is open, nor
    where owners have just changed, nor where all consumers keep up. Lag at one moment may be gone
    at the next: one snapshot is no reason to put code on every consumer, or to stop all of them at
    every rebalance from now on. Uneven numbers of partitions do last, as where consumers are idle:
    they are one for a setting.
    """
    keep = beside.keep
    if beside.is_hindered or beside.is_cause_open or beside.has_just_changed:
        return _cause(option, beside)
    if unfounded := _unfounded(option):
        return unfounded
    if keep is None:
        return WhyNot.RESTS_ON_ASSUMPTION if beside.hangs_on_assumption else None
    if option.ends_s is not None and np.isinf(option.ends_s):
        return WhyNot.NEVER_ENDS
    gives_owners = bool(beside.unread) and _unowned(option) < _unowned(keep)
    ends_it = option.ends_s is not None and keep.ends_s is not None and np.isinf(keep.ends_s)
    too_little = None if gives_owners or ends_it else _too_little(option, beside)
    if too_little in {None, WhyNot.ONE_SNAPSHOT} and beside.hangs_on_assumption:
        return WhyNot.RESTS_ON_ASSUMPTION
    return too_little


def _unfounded(option: Option) -> WhyNot | None:
    """Return why the client would not do what an option shows; None if it would."""
    if option.takes is Takes.EARLIER_RELEASE:
        return WhyNot.NOT_SHIPPED
    outcome = option.outcome
    is_else = outcome is not None and outcome.certainty.known in _UNFOUNDED
    return WhyNot.UNFOUNDED if is_else else None


def _cause(option: Option, beside: Circumstances) -> WhyNot:
    """Return which cause comes before any change of owners."""
    if not beside.is_hindered:
        return WhyNot.CAUSE_OPEN if beside.is_cause_open else WhyNot.JUST_REBALANCED
    is_calmer = not (option.stops_all or beside.stops_only_moves) and option.strategy is not None
    return WhyNot.CAUSE_FIRST if beside.only_rebalances and is_calmer else WhyNot.CAUSE_STANDS


def _too_little(option: Option, beside: Circumstances) -> WhyNot | None:
    """Return why a gain is not worth a switch; None if it is."""
    if (option.reliability or 0.0) < RELIABLE or (option.gain or 0.0) < WORTH:
        return WhyNot.TOO_LITTLE
    if beside.all_keep_up:
        return WhyNot.NEGLIGIBLE
    if option.takes is Takes.NOTHING:
        return None
    if option.stops_all and beside.stops_only_moves and not beside.weighs_arrivals:
        return WhyNot.STOPS_ALL
    is_jar = option.takes is Takes.JAR
    is_costly = is_jar or (option.stops_all and not _evens_counts(option, beside.keep))
    return WhyNot.ONE_SNAPSHOT if is_costly and beside.is_one_snapshot else None


def _evens_counts(option: Option, keep: Option | None) -> bool:
    """Return whether the consumer with the most partitions has clearly fewer than today."""
    if option.outcome is None or keep is None or keep.outcome is None:
        return False
    today = keep.outcome.figures.max_count
    return option.outcome.figures.max_count <= (1 - WORTH) * today


def proposed(options: Sequence[Option], keep: Option | None) -> Option | None:
    """Return what to do among judged options; None if nothing that changes owners may be proposed.

    ``choose`` has the order in which they come.
    """
    return _chosen(options, keep)[0]


def _chosen(options: Sequence[Option], keep: Option | None) -> tuple[Option | None, list[WhyNot]]:
    """Return the chosen one of the switches against which nothing stands, and why not the others.

    That is said of each option as if it were such a switch, or moves of one's own.
    """
    switches = [each for each in options if each.action is Action.SWITCH]
    today = None if keep is None else keep.busiest
    among = Candidates(
        passes=_column([each.passes for each in switches], np.bool_),
        takes_jar=_column([each.takes is Takes.JAR for each in switches], np.bool_),
        load=_column([each.busiest or 0 for each in switches]),
        today=np.array([np.nan if today is None else today], np.float64),
        moves=(_column([each.moves or 0 for each in switches]),),
        stops_all=_column([each.stops_all for each in switches], np.bool_),
        runs=_column([each.takes is Takes.NOTHING for each in switches], np.bool_),
    )
    found = choose(among)
    number = int(found.first[0])
    if number == NOBODY:
        return None, [WhyNot.ONLY_BY_JAR] * len(options)
    lost = iter(deciders(among, found)[:, 0].tolist())
    second = [
        _SECOND[Decider(next(lost))] if each.action is Action.SWITCH else WhyNot.SWITCH_FIRST
        for each in options
    ]
    return switches[number], second


def _column(values: Sequence[int], dtype: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
    """(K, 1) the values of one group's candidates."""
    return np.array(values, dtype).reshape(-1, 1)


def _unowned(option: Option) -> int:
    return 0 if option.outcome is None else option.outcome.figures.unowned
