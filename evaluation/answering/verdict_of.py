"""Find the verdict: the first of its kinds that holds, of findings, the group and its loads."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from assignors.kinds import GroupKind
from assignors.share.group import ShareGroup
from assignors.sums import exact_total
from evaluation.answering.seen import Seen, lag_alone
from evaluation.answering.verdict_figures import known_or_none
from evaluation.answering.verdicts import Verdict
from evaluation.answering.verdicts_of_findings import of_findings
from evaluation.answering.verdicts_of_group import of_the_group
from evaluation.answering.verdicts_of_load import of_load
from evaluation.bounds.lag import consumer_count
from evaluation.diagnosis import findings as causes
from evaluation.measuring.movement import lag_growth
from evaluation.measuring.offset_history import OFF_BY_ONE
from evaluation.metrics import count_per_member
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

_BY_OWNER: Final = {
    VerdictKind.NOBODY_READS,
    VerdictKind.STUCK_RECORD,
    VerdictKind.NOT_READ,
    VerdictKind.TOO_HOT,
    VerdictKind.SLOW_CONSUMER,
    VerdictKind.NEVER_CATCHES_UP,
}
"""Kinds that hold where one consumer alone reads each partition, which no share group has."""


def verdict_of(seen: Seen) -> Verdict:
    """Return what is the matter with a group."""
    if has_strategies(seen.given.kind):
        found = [*of_findings(seen), *of_the_group(seen), *of_load(seen)]
    else:
        found = [*_urgent(seen), _of_another_kind(seen)]
    order = list(VerdictKind)
    first = min(found, key=lambda verdict: order.index(verdict.kind))
    return _with_loads(first, seen)


def causes_of(seen: Seen) -> tuple[Verdict, ...]:
    """Return what each finding says for itself, the most urgent kind first; all that is amiss."""
    order = list(VerdictKind)
    those = of_findings if has_strategies(seen.given.kind) else _urgent
    found = (_with_loads(each, seen) for each in those(seen))
    amiss = [each for each in found if each.severity is not Severity.FINE]
    return tuple(sorted(amiss, key=lambda verdict: order.index(verdict.kind)))


def has_strategies(kind: GroupKind) -> bool:
    """Return whether a group of this kind is told by strategies, or could be with members."""
    return kind.runs_consumer_strategies or kind is GroupKind.OFFSETS


def _of_another_kind(seen: Seen) -> Verdict:
    """Return what a group is, or that all of its work is done where the source tells who has it."""
    figures, as_kind = lag_alone(seen), seen.given.as_kind
    if as_kind is None:
        kind = VerdictKind.NOT_A_CONSUMER_GROUP
    elif isinstance(as_kind, ShareGroup):
        kind = VerdictKind.SHARE_WAITS if figures.lag_records else VerdictKind.SHARED_OUT
    else:
        kind = VerdictKind.TASKS_RUN
    return Verdict(kind=kind, figures=figures)


def _urgent(seen: Seen) -> Iterator[Verdict]:
    """Yield what is the matter with placed work, and what no assignor makes less urgent.

    Spark commits nothing under its ids, so that lag there is none. What no thread runs, no thread
    reads: that is said once.
    """
    if seen.given.kind is GroupKind.SPARK:
        return
    is_shared = seen.given.kind is GroupKind.SHARE
    placed = {each.kind for each in seen.findings if isinstance(each, causes.PlacedWork)}
    passed_over = _BY_OWNER if is_shared else set[VerdictKind]()
    if VerdictKind.TASKS_RUN_NOWHERE in placed:
        passed_over = {*passed_over, VerdictKind.NOBODY_READS}
    for each in of_findings(seen):
        if each.kind in placed or (each.is_alarm and each.kind not in passed_over):
            yield each


def _with_loads(verdict: Verdict, seen: Seen) -> Verdict:
    figures, (busiest, even) = verdict.figures, _loads(seen)
    grew = lag_growth(seen.given.group, seen.known.history)
    oldest_s = None if verdict.partitions else _oldest_s(seen)
    figures = replace(
        figures,
        busiest_load=busiest,
        even_load=even,
        oldest_s=oldest_s if figures.oldest_s is None else figures.oldest_s,
        growth_per_s=float(grew[grew > 0].sum()) if (grew > 0).any() else None,
    )
    return replace(verdict, figures=figures, owns_nothing=_idle(seen))


def _oldest_s(seen: Seen) -> float | None:
    """Return how long the oldest record waits in what counts of the group; None if unknown."""
    waits = seen.known.facts.is_counted & (seen.given.group.counted_lags > OFF_BY_ONE)
    return known_or_none(np.fmax.reduce(seen.known.times.age_s[waits], initial=np.nan))


def _loads(seen: Seen) -> tuple[float | None, float | None]:
    """Return the busiest consumer's load and an even share, if known."""
    keep, group = seen.keep, seen.known.group
    consumers = consumer_count(group)
    if keep is None or keep.outcome is None or not consumers:
        return None, None
    loads = seen.load.per_member(group, keep.outcome.owners)
    return float(loads.max(initial=0)), exact_total(loads) / consumers


def _idle(seen: Seen) -> tuple[int, ...]:
    """Return the members that own nothing, where anybody owns anything."""
    if seen.keep is None or seen.keep.outcome is None:
        return ()
    counts = count_per_member(seen.known.group, seen.keep.outcome.owners)
    return tuple(np.flatnonzero(counts == 0).tolist())
