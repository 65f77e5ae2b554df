"""What an action brings that changes no owners, as far as figures tell: the effects of remedies."""

from typing import Final, NamedTuple

import numpy as np

from evaluation.answering.ending import ends_s as ends_under
from evaluation.answering.ending import seconds_to_end
from evaluation.answering.given import Knowledge
from evaluation.answering.verdicts import WAITING_IS_ENOUGH_S, Verdict
from evaluation.capacity.limits import consumer_limits
from evaluation.capacity.planning import capacity_of
from evaluation.diagnosis.overload import needed_consumers, too_heavy, wanted_arrivals
from evaluation.diagnosis.sums import numbers
from evaluation.measuring.lag_in_time import seconds_to_catch_up
from evaluation.verdict_kinds import VerdictKind

_LESS: Final = 0.95
"""More consumers help if they leave no more than this share of the time."""


class RemedyEffect(NamedTuple):
    """What an option of the same action has; None where the figures do not tell."""

    partitions: tuple[int, ...]
    """Which ones it concerns."""
    ends_s: float | None = None
    caught_up_s: float | None = None
    consumers: int | None = None
    least: int | None = None


def leaves_as_it_is(verdict: Verdict, known: Knowledge) -> RemedyEffect:
    """Return what follows where everything goes on as the verdict says."""
    caught_up_s = verdict.figures.ends_s
    return _told(verdict, known, verdict.partitions, caught_up_s)


def reads_again(verdict: Verdict, known: Knowledge) -> RemedyEffect:
    """Return what follows once consumers that stand read what they own."""
    if known.facts.arriving_source is None:
        return RemedyEffect(verdict.partitions)
    ends_s = ends_under(known.group.present_owners, known)
    is_told = bool(verdict.members or verdict.partitions)
    caught_up_s = _read_again_s(verdict, known) if is_told else None
    return RemedyEffect(verdict.partitions, ends_s, caught_up_s)


def splits_keys(verdict: Verdict, known: Knowledge) -> RemedyEffect:
    """Return what follows if only the usual rate stays in the partitions that get too much."""
    is_named = verdict.kind is VerdictKind.TOO_HOT
    partitions = verdict.partitions if is_named else numbers(too_heavy(known.group, known.facts))
    return _told(verdict, known, partitions, _after_split_s(verdict, known))


def adds_consumers(verdict: Verdict, known: Knowledge) -> RemedyEffect:
    """Return how many stop the growth and clear the backlog; none if partitions forbid it."""
    facts = known.facts
    if too_heavy(known.group, facts).size:
        return RemedyEffect(verdict.partitions)
    least, now = _least(verdict, known), known.group.member_count
    if least is None:
        return RemedyEffect(verdict.partitions)
    consumers = _clearing(max(least, now + 1), known) if facts.speed.is_known else least
    if consumers > np.count_nonzero(known.group.is_wanted):  # further ones own nothing
        return RemedyEffect(verdict.partitions)
    ends_s = np.inf
    if facts.arriving_source is not None and facts.speed.is_known:
        ends_s = _at_best_s(consumers, known)
    if least <= now and not np.isfinite(ends_s):
        return RemedyEffect(verdict.partitions)
    return RemedyEffect(
        verdict.partitions,
        ends_s=float(ends_s) if np.isfinite(ends_s) else None,
        consumers=consumers,
        least=least if least > now else None,
    )


def removes_consumers(verdict: Verdict, known: Knowledge) -> RemedyEffect:
    """Return how many remain without those that can never have work."""
    surplus = verdict.figures.surplus_consumers
    idle = len(verdict.members) if surplus is None else int(surplus)
    told = leaves_as_it_is(verdict, known)
    return told._replace(consumers=known.group.member_count - idle)


def twice_as_many(verdict: Verdict, known: Knowledge) -> tuple[int, float] | None:
    """Return twice as many consumers and when the backlog has ended, where waiting takes long.

    None where they would not help, as where one partition alone takes as long.
    """
    facts, group, waiting_s = known.facts, known.group, verdict.figures.ends_s
    count = min(2 * group.member_count, int(np.count_nonzero(group.is_wanted)))
    if waiting_s is None or waiting_s <= WAITING_IS_ENOUGH_S or not facts.speed.is_known:
        return None
    if count <= group.member_count:
        return None
    ends_s = _at_best_s(count, known)
    return (count, ends_s) if ends_s <= _LESS * waiting_s else None


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


def _told(
    verdict: Verdict, known: Knowledge, partitions: tuple[int, ...], caught_up_s: float | None
) -> RemedyEffect:
    """Return when those that a verdict names have caught up; and the group, if no other waits."""
    facts, group = known.facts, known.group
    if facts.arriving_source is None:
        return RemedyEffect(partitions)
    waits = facts.is_counted & (group.counted_lags > 0)
    waits[list(verdict.partitions)] = False
    is_whole = not verdict.partitions or not waits.any()
    own_s = caught_up_s if verdict.partitions else verdict.figures.ends_s
    is_named = bool(verdict.members or verdict.partitions)
    return RemedyEffect(partitions, own_s if is_whole else None, caught_up_s if is_named else None)


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
    usual, hot = verdict.figures.usual_per_s, list(verdict.partitions)
    if usual is None or verdict.kind is not VerdictKind.TOO_HOT:
        return None
    spare = known.times.consumed[hot] - usual
    seconds = known.group.counted_lags[hot] / np.where(spare > 0, spare, np.nan)
    return float(seconds.max()) if np.isfinite(seconds).all() else None


def _least(verdict: Verdict, known: Knowledge) -> int | None:
    """Return how many consumers stop the growth, if each is as busy; None if unknown."""
    figure, there = verdict.figures.needed_consumers, verdict.figures.needed_there_consumers
    if there is not None:
        return known.group.member_count - len(verdict.members) + int(there)
    return needed_consumers(known.group, known.facts) if figure is None else int(figure)


def _clearing(least: int, known: Knowledge) -> int:
    """Return the fewest consumers from these on that may clear the backlog in the time allowed.

    As ``consumers_needed`` says. Where none do, those that clear it at all; else these.
    """
    facts, most = known.facts, int(np.count_nonzero(known.group.is_wanted))
    fewest = consumer_limits(known.group.with_rates(facts.arriving), capacity_of(facts)).fewest
    if fewest is not None:
        return max(least, fewest)
    total = float(wanted_arrivals(known.group, facts).sum())
    count = max(least, int(total / facts.speed.records_s) + 1)  # more than keep pace
    return count if count <= most and np.isfinite(_at_best_s(count, known)) else least
