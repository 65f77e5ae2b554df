"""What could be done that changes no strategy: restart, fix, split, add, wait, look."""

from typing import Final

import numpy as np

from evaluation.answering.ending import ends_s as ends_under
from evaluation.answering.ending import seconds_to_end
from evaluation.answering.given import Given, Knowledge
from evaluation.answering.options import Action, Option, Takes, WhyNot
from evaluation.answering.verdict_of import has_strategies
from evaluation.answering.verdict_rows import ROWS
from evaluation.answering.verdicts import WAITING_IS_ENOUGH_S, Verdict
from evaluation.diagnosis.overload import (
    have_hot_keys,
    needed_consumers,
    too_heavy,
    wanted_arrivals,
)
from evaluation.diagnosis.sums import numbers
from evaluation.measuring.lag_in_time import seconds_to_catch_up
from evaluation.verdict_kinds import VerdictKind

_TOUCHES_NOTHING: Final = {Action.WAIT, Action.LOOK, Action.ADD_SNAPSHOT}
"""What restarts nothing, so that nothing moves or pauses."""
_READ_AGAIN: Final = {Action.RESTART, Action.FIX_RECORD}
"""After which consumers that stand read what they own."""
_LESS: Final = 0.95
"""More consumers help if they leave no more than this share of the time."""


def remedies(verdict: Verdict, given: Given, known: Knowledge) -> tuple[Option, ...]:
    """Return the remedy of a verdict, and what else is comparable with it."""
    action = ROWS[verdict.kind].remedy
    is_told = verdict.kind is VerdictKind.UNEVEN and not known.is_one_snapshot
    if action is None or is_told:
        return ()
    if action is Action.ADD_CONSUMERS and not has_strategies(given.kind):
        return ()  # its kind says how more of it read
    group, consumers, partitions = given.group, None, verdict.partitions
    least = None
    if action is Action.ADD_CONSUMERS:
        heavy = too_heavy(group, known.facts)
        if heavy.size and have_hot_keys(group, known.facts, heavy):
            action, partitions = Action.SPLIT_KEYS, numbers(heavy)
        elif not heavy.size:
            least = _more_than_now(verdict, known)
            consumers = least if least is None else _clearing(least, known)
    elif action is Action.REMOVE_CONSUMERS:
        surplus = verdict.figure("surplus_consumers")
        idle = len(verdict.members) if surplus is None else int(surplus)
        consumers = group.member_count - idle
    cost = 0 if action in _TOUCHES_NOTHING else None
    remedy = Option(
        action=action,
        takes=Takes.NOTHING if action is Action.WAIT else Takes.HANDS,
        moves=cost,
        restarts=cost,
        pauses=cost,
        consumers=consumers,
        least=least,
        members=verdict.members,
        partitions=partitions,
        ends_s=_ends_s(action, verdict, known, consumers),
        caught_up_s=_caught_up_s(action, verdict, known),
    )
    more = _twice_as_many(verdict, known) if action is Action.WAIT else None
    return (remedy,) if more is None else (remedy, more)


def _more_than_now(verdict: Verdict, known: Knowledge) -> int | None:
    """Return how many consumers stop the growth; None if unknown, or no more than there are."""
    figure = verdict.figure("needed_consumers")
    needed = needed_consumers(known.group, known.facts) if figure is None else int(figure)
    return needed if needed is not None and needed > known.group.member_count else None


def _clearing(least: int, known: Knowledge) -> int:
    """Return the fewest consumers from these on that also clear the backlog; these if none do."""
    facts, most = known.facts, int(np.count_nonzero(known.group.is_wanted))
    total = float(wanted_arrivals(known.group, facts).sum())
    count = max(least, int(total / facts.speed.records_s) + 1)  # more than keep pace
    return count if count <= most and np.isfinite(_at_best_s(count, known)) else least


def _ends_s(
    action: Action, verdict: Verdict, known: Knowledge, consumers: int | None
) -> float | None:
    """Return when the group's backlog has ended after it, where the figures tell."""
    facts, group = known.facts, known.group
    if facts.arriving_source is None:
        return None
    if action in _READ_AGAIN:
        return ends_under(group.present_owners, known)
    if action is Action.ADD_CONSUMERS:
        ends_s = np.inf if consumers is None else _at_best_s(consumers, known)
        return float(ends_s) if np.isfinite(ends_s) else None
    waits = facts.is_counted & (group.counted_lags > 0)
    waits[list(verdict.partitions)] = False
    is_whole = not verdict.partitions or not waits.any()
    own = _caught_up_s(action, verdict, known) if verdict.partitions else verdict.figure("ends_s")
    return own if is_whole else None


def _caught_up_s(action: Action, verdict: Verdict, known: Knowledge) -> float | None:
    """Return when those that a verdict names have caught up after it, where the figures tell."""
    if known.facts.arriving_source is None or not (verdict.members or verdict.partitions):
        return None
    if action in _READ_AGAIN:
        return _read_again_s(verdict, known)
    if action is Action.SPLIT_KEYS:
        return _after_split_s(verdict, known)
    return None if action is Action.ADD_CONSUMERS else verdict.figure("ends_s")


def _read_again_s(verdict: Verdict, known: Knowledge) -> float | None:
    """Return when the last of its consumers has caught up if they read as others do."""
    facts, group = known.facts, known.group
    if not facts.speed.is_known:
        return None
    seconds = seconds_to_end(group.with_rates(facts.arriving), group.present_owners, facts)
    longest = float(seconds[list(verdict.members)].max(initial=0.0))
    return longest if np.isfinite(longest) else None


def _after_split_s(verdict: Verdict, known: Knowledge) -> float | None:
    """Return when the last of its partitions has caught up if only the usual rate stays in it.

    Each is read as fast as it is today.
    """
    usual, hot = verdict.figure("usual_per_s"), list(verdict.partitions)
    if usual is None or verdict.kind is not VerdictKind.TOO_HOT:
        return None
    spare = known.times.consumed[hot] - usual
    seconds = known.group.counted_lags[hot] / np.where(spare > 0, spare, np.nan)
    return float(seconds.max()) if np.isfinite(seconds).all() else None


def _twice_as_many(verdict: Verdict, known: Knowledge) -> Option | None:
    """Return twice as many consumers, where waiting takes long and they would help.

    They do not where one partition alone takes as long.
    """
    facts, group, waiting_s = known.facts, known.group, verdict.figure("ends_s")
    count = min(2 * group.member_count, int(np.count_nonzero(group.is_wanted)))
    if waiting_s is None or waiting_s <= WAITING_IS_ENOUGH_S or not facts.speed.is_known:
        return None
    if count <= group.member_count:
        return None
    ends_s = _at_best_s(count, known)
    if not ends_s <= _LESS * waiting_s:
        return None
    return Option(
        action=Action.ADD_CONSUMERS,
        consumers=count,
        ends_s=ends_s,
        why_not=WhyNot.ENDS_WITHOUT,
    )


def _at_best_s(count: int, known: Knowledge) -> float:
    """Return when this many consumers end the backlog at best; infinite if never.

    They divide it evenly, but no faster than each partition can be read.
    """
    facts, group = known.facts, known.group
    wanted = wanted_arrivals(group, facts)
    lags = np.where(group.is_wanted, group.counted_lags, 0).astype(np.float64)
    spare = count * facts.speed.records_s - float(wanted.sum())
    alone = seconds_to_catch_up(lags, np.zeros(lags.size), facts.partition_speed - wanted)
    together_s = float(lags.sum()) / spare if spare > 0 else np.inf
    return max(together_s, float(alone.max(initial=0.0)))
