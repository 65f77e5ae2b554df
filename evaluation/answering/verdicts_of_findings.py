"""What each finding says for itself: its kind of verdict, with figures. P partitions."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from assignors.model import UNOWNED, Group
from evaluation.answering.seen import Seen, lag_of_all
from evaluation.answering.verdict_figures import VerdictFigures, known_or_none
from evaluation.answering.verdicts import WAITING_IS_ENOUGH_S, Verdict
from evaluation.capacity.planning import rests_on
from evaluation.diagnosis import findings as causes
from evaluation.diagnosis.figures import figures_of, rests_on_speed
from evaluation.diagnosis.findings import Finding, Look
from evaluation.diagnosis.findings.cause import Arriving
from evaluation.measuring.facts import Source
from evaluation.measuring.movement import moved
from evaluation.verdict_kinds import VerdictKind

_SLOWLY_S: Final = 86_400.0
"""A backlog that would take longer to clear is there whenever somebody looks: a little more that
arrives, and it grows."""


def of_findings(seen: Seen) -> Iterator[Verdict]:
    """Yield what each finding says for itself, where it is a verdict at all."""
    history = seen.known.history
    for finding in seen.findings:
        kind = _kind_of(finding, seen)
        if kind is not None:
            yield Verdict(
                kind=kind,
                members=finding.members,
                partitions=finding.partitions,
                work=finding.work if isinstance(finding, causes.PlacedWork) else (),
                told=finding.told if isinstance(finding, causes.PlacedWork) else "",
                figures=_figures_of(finding, seen),
                since_s=None if np.isnan(finding.since_s) else finding.since_s,
                is_older=finding.is_older,
                look_at=_look_at(finding, seen.given.group),
                rests_on=_rests_on(finding, seen),
                is_dated=not (history.is_undated or history.is_approximate),
            )


def _look_at(finding: Finding, group: Group) -> tuple[Look, ...]:
    """Return what to look at; consumers that all stopped may have something in common.

    Of a topic that one of several consumers reads, the consumer may be what is slow.
    """
    if isinstance(finding, causes.Stopped) and finding.restarts:
        return (Look.LOG, Look.NEXT_RECORDS, Look.DEPENDENCIES)
    if isinstance(finding, causes.Stopped):
        owners = group.present_owners
        active = np.unique(owners[owners != UNOWNED]).size
        if 1 < active == len(finding.members):
            return (Look.DEPENDENCIES, Look.DEPLOYED, Look.LOG)
    if isinstance(finding, causes.SlowTopic) and len(finding.members) == 1 < group.member_count:
        return (finding.look_at[0], Look.HOST, *finding.look_at[1:])
    return finding.look_at


def _kind_of(finding: Finding, seen: Seen) -> VerdictKind | None:
    """Return the kind of verdict that a finding is, if it is one by itself.

    Most say it themselves; here is what takes more than the finding knows.
    """
    match finding:
        case causes.Hot() | causes.Uneven() if _is_endless(finding, seen):
            return VerdictKind.NEVER_CATCHES_UP
        case causes.CatchingUp() | causes.TakenOver() if _SLOWLY_S < finding.over_s < np.inf:
            return VerdictKind.CLEARS_SLOWLY
        case causes.CatchingUp() if seen.proposal is not None:
            is_soon = finding.over_s <= WAITING_IS_ENOUGH_S  # unknown is not soon
            return finding.kind if is_soon else None
        case _:
            return finding.kind


def _is_endless(finding: causes.Hot | causes.Uneven, seen: Seen) -> bool:
    """Return whether consumers never catch up: as computed, else as seen of busy ones."""
    ends = None if seen.keep is None else seen.keep.ends_s
    if ends is not None:
        return bool(np.isinf(ends))
    is_seen = seen.known.facts.is_busy[list(finding.members)].all()
    return bool(is_seen and seen.keep is not None and finding.reading < finding.arriving)


def _figures_of(finding: Finding, seen: Seen) -> VerdictFigures:
    """Return what a finding tells in numbers, and what else is known of its partitions."""
    history, times, places = seen.known.history, seen.known.times, list(finding.partitions)
    found = VerdictFigures(**figures_of(finding))
    lag = lag_of_all(seen) if finding.is_of_group else finding.lag
    found = replace(found, lag_records=known_or_none(lag))
    if history.is_undated and places:
        found = _between(found, finding, seen)
    elif finding.is_open and history.has_several:
        found = replace(found, observed_s=history.span_s)
    if isinstance(finding, causes.CatchingUp):
        found = replace(found, ends_s=_ends_s(found, seen))
    if not places or not finding.has_backlog:
        return found
    oldest = known_or_none(np.fmax.reduce(times.age_s[places], initial=np.nan))
    first_s = float(np.fmin.reduce(times.loss_s[places], initial=np.nan))
    is_open = found.deleted_in_s is None and not isinstance(finding, causes.RecordsLost)
    if is_open and np.isfinite(first_s):
        found = replace(found, deleted_in_s=first_s)
    return replace(found, oldest_s=oldest)


def _ends_s(found: VerdictFigures, seen: Seen) -> float | None:
    """Return when a backlog that shrinks has ended, as options have it; None rather than never."""
    ends_s = None if seen.keep is None else seen.keep.ends_s
    if ends_s is not None:
        return ends_s
    return None if found.ends_s is None or np.isinf(found.ends_s) else found.ends_s


def _between(found: VerdictFigures, finding: Finding, seen: Seen) -> VerdictFigures:
    """Return with how many records arrived and were read between snapshots without times."""
    counted = moved(seen.given.group, seen.known.history)
    if counted is None:
        return found
    places = list(finding.partitions)
    arrived, read = counted.arrived[places], counted.read[places]
    is_open = bool((np.isnan(read) & ~(arrived == 0)).any())  # as after a reset
    return replace(
        found,
        arrived_records=float(np.nansum(arrived)),
        read_between_records=None if is_open else float(np.nansum(read)),
    )


def _rests_on(finding: Finding, seen: Seen) -> Source:
    """Return the weakest source of a finding's figures."""
    facts = seen.known.facts
    if rests_on_speed(finding):
        return rests_on(facts)
    is_rated = isinstance(finding, Arriving) and not np.isnan(finding.arriving)
    return facts.arriving_source if is_rated and facts.arriving_source else Source.MEASURED
