"""Find the verdict: the first of its kinds that holds, from findings, figures and options.

P partitions, M members.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from assignors.kinds import GroupKind
from assignors.model import UNOWNED, Group, Owners
from assignors.share.group import ShareGroup
from assignors.sums import exact_total
from evaluation.answering.ending import seconds_to_end
from evaluation.answering.given import Given, Knowledge
from evaluation.answering.options import Option
from evaluation.answering.verdict_figures import VerdictFigures, known_or_none
from evaluation.answering.verdicts import WAITING_IS_ENOUGH_S, Verdict
from evaluation.answering.why_not import WhyNot
from evaluation.bounds.lag import consumer_count
from evaluation.capacity.planning import rests_on
from evaluation.comparing.load import Load
from evaluation.comparing.worth import WORTH
from evaluation.diagnosis import findings as causes
from evaluation.diagnosis.concentration import UNEVEN
from evaluation.diagnosis.figures import figures_of, rests_on_speed
from evaluation.diagnosis.findings import Finding, Look
from evaluation.diagnosis.findings.cause import Arriving
from evaluation.measuring.facts import ONE_POLL, Source
from evaluation.measuring.movement import lag_growth, moved
from evaluation.measuring.offset_history import OFF_BY_ONE
from evaluation.metrics import count_per_member, nothing_committed
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
_READS_TOO_LITTLE: Final = {
    VerdictKind.FEWER_CONSUMERS,
    VerdictKind.SLOWER,
    VerdictKind.SLOW_CONSUMER,
    VerdictKind.SLOW_TOPIC,
    VerdictKind.MORE_ARRIVES,
    VerdictKind.FULL,
}
"""Kinds that say why a consumer never catches up."""
_SLOWLY_S: Final = 86_400.0
"""A backlog that would take longer to clear is there whenever somebody looks: a little more that
arrives, and it grows."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Seen:
    """What a verdict is found from; nothing is kept or proposed where no strategy assigns."""

    given: Given
    known: Knowledge
    load: Load
    findings: tuple[Finding, ...]
    keep: Option | None = None
    proposal: Option | None = None
    rivals: Sequence[Option] = ()
    """What changes owners."""


def verdict_of(seen: Seen) -> Verdict:
    """Return what is the matter with a group."""
    if has_strategies(seen.given.kind):
        found = [*_of_findings(seen), *_of_the_group(seen), *_of_load(seen)]
    else:
        found = [*_urgent(seen), _of_another_kind(seen)]
    order = list(VerdictKind)
    first = min(found, key=lambda verdict: order.index(verdict.kind))
    return _with_loads(first, seen)


def causes_of(seen: Seen) -> tuple[Verdict, ...]:
    """Return what each finding says for itself, the most urgent kind first; all that is amiss."""
    order = list(VerdictKind)
    those = _of_findings if has_strategies(seen.given.kind) else _urgent
    found = (_with_loads(each, seen) for each in those(seen))
    amiss = [each for each in found if each.severity is not Severity.FINE]
    return tuple(sorted(amiss, key=lambda verdict: order.index(verdict.kind)))


def has_strategies(kind: GroupKind) -> bool:
    """Return whether a group of this kind is told by strategies, or could be with members."""
    return kind.runs_consumer_strategies or kind is GroupKind.OFFSETS


def _of_another_kind(seen: Seen) -> Verdict:
    """Return what a group is, or that all of its work is done where the source tells who has it."""
    figures, as_kind = _lag_alone(seen), seen.given.as_kind
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
    for each in _of_findings(seen):
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


def _of_the_group(seen: Seen) -> Iterator[Verdict]:
    """Yield what follows from a group's members and what the text says of them."""
    given, group = seen.given, seen.given.group
    lag = _lag_alone(seen)
    if given.lacking:
        yield Verdict(kind=VerdictKind.PARTITIONS_UNKNOWN, figures=lag)
    elif group.member_count and not _is_told(seen):
        yield Verdict(kind=VerdictKind.OWNERS_UNKNOWN, figures=lag)
    is_read_outside = any(isinstance(each, causes.ReadOutside) for each in seen.findings)
    if not group.member_count and is_read_outside:
        return
    if not group.member_count:
        is_open = given.assumed.owners_unknown or given.assumed.members_unknown
        kind = VerdictKind.OWNERS_UNKNOWN if is_open else VerdictKind.NO_CONSUMERS
        if not is_open and _is_nothing_known(seen):
            kind = VerdictKind.LAG_UNKNOWN
        if is_open or not _is_all_read(seen):
            yield Verdict(kind=kind, figures=lag)
    elif not group.has_claims and bool(group.is_owner_unknown.any()):
        yield Verdict(kind=VerdictKind.OWNERS_UNKNOWN, figures=lag)
    elif not group.has_claims:
        yield Verdict(kind=VerdictKind.NOT_STARTED, figures=lag)


def _is_all_read(seen: Seen) -> bool:
    """Return whether nothing waits on any partition, as far as every one is known."""
    group, arriving = seen.given.group, seen.known.facts.arriving
    is_read = bool(group.partition_count) and bool(group.is_lag_known.all()) and not _lag(seen)
    return is_read and not np.nansum(arriving)


def _is_nothing_known(seen: Seen) -> bool:
    """Return whether no lag is known, nor that records are there, nor that any arrive."""
    group, facts = seen.given.group, seen.known.facts
    is_filled = bool(nothing_committed(group).any()) or bool(np.nansum(facts.arriving))
    return not (is_filled or group.is_lag_known.any())


def _is_told(seen: Seen) -> bool:
    """Return whether enough of the consumers is known, or nothing waits for them anyway."""
    is_off_by_one = any(isinstance(each, causes.OffByOne) for each in seen.findings)
    waits = not (is_off_by_one and _is_lag_known(seen))
    return seen.given.assumed.is_predictable(seen.given.group) or not waits


def _is_lag_known(seen: Seen) -> bool:
    """Return whether the lag of every partition that counts is known."""
    return bool(seen.known.group.is_lag_known[seen.known.facts.is_counted].all())


def _of_findings(seen: Seen) -> Iterator[Verdict]:
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
        case causes.CatchingUp() if _SLOWLY_S < finding.over_s < np.inf:
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
    lag = _lag(seen) if finding.is_of_group else finding.lag
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


def _may_hide_lag(seen: Seen) -> bool:
    """Return whether partitions without a commit hold more records than are known to wait."""
    group = seen.known.group
    bare = nothing_committed(group)
    if group.member_count:
        bare = np.where(group.is_wanted, bare, 0)
    return float(bare.sum()) > max(_lag(seen), ONE_POLL)


def _of_load(seen: Seen) -> Iterator[Verdict]:
    """Yield what the loads of the consumers say."""
    keep, group, lag = seen.keep, seen.known.group, _lag_alone(seen)
    if keep is not None and keep.outcome is not None:
        if keep.ends_s is not None and np.isinf(keep.ends_s):
            members = _overloaded(seen, keep.outcome.owners)
            if not (members and _is_explained(members, seen)):
                yield Verdict(
                    kind=VerdictKind.NEVER_CATCHES_UP,
                    members=members,
                    figures=_flow_of(members, seen),
                    rests_on=rests_on(seen.known.facts),
                )
        if _is_uneven(seen, keep.outcome.owners):
            loads = seen.load.per_member(group, keep.outcome.owners)
            busiest = int(np.argmax(loads))
            yield Verdict(kind=VerdictKind.UNEVEN, members=(busiest,), figures=lag)
    is_known = bool(group.is_lag_known[seen.known.facts.is_counted].any())
    is_off_by_one = any(isinstance(each, causes.OffByOne) for each in seen.findings)
    waits = bool(_lag(seen)) and not is_off_by_one
    is_healthy = is_known and (waits or _is_lag_known(seen)) and not _may_hide_lag(seen)
    kind = VerdictKind.HEALTHY if is_healthy else VerdictKind.LAG_UNKNOWN
    yield Verdict(kind=kind, figures=lag)


def _is_explained(members: Sequence[int], seen: Seen) -> bool:
    """Return whether findings say why each of these members reads less than it gets.

    Of who has just taken over it is too early to tell.
    """
    those = [
        each.members
        for each in seen.findings
        if each.kind in _READS_TOO_LITTLE or isinstance(each, causes.TakenOver)
    ]
    return set(members) <= {member for each in those for member in each}


def _is_uneven(seen: Seen, owners: Owners) -> bool:
    """Return whether something may be done about the busiest consumer's load, or should be known.

    What only lacks rates counts where much waits and the busiest has clearly more than its share;
    numbers of partitions do not change by themselves.
    """
    rivals = [o for o in seen.rivals if (o.gain or 0.0) >= WORTH]
    if any(o.passes or o.why_not is WhyNot.ONLY_BY_JAR for o in rivals):
        return True
    loads = seen.load.per_member(seen.known.group, owners)
    active = np.unique(owners[owners != UNOWNED]).size
    total = exact_total(loads)
    is_clear = total > ONE_POLL * active and int(loads.max(initial=0)) * active >= UNEVEN * total
    is_told = is_clear or not seen.load.by_weight
    return is_told and any(o.why_not is WhyNot.ONE_SNAPSHOT for o in rivals)


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


def _overloaded(seen: Seen, owners: Owners) -> tuple[int, ...]:
    """Return the members that get more than they read under the present owners."""
    facts = seen.known.facts
    group = seen.known.group.with_rates(facts.arriving)
    seconds = seconds_to_end(group, owners, facts)
    return tuple(np.flatnonzero(np.isinf(seconds)).tolist())


def _lag_alone(seen: Seen) -> VerdictFigures:
    """Return what a verdict tells that no finding leads to."""
    return VerdictFigures(lag_records=known_or_none(_lag(seen)))


def _flow_of(members: Sequence[int], seen: Seen) -> VerdictFigures:
    """Return the arrival rate and the read rate of these members, where that is seen."""
    facts, owners = seen.known.facts, seen.given.group.present_owners
    reading, lag = float(facts.reading[list(members)].sum()), _lag_alone(seen)
    if not members or np.isnan(reading):
        return lag
    arriving = float(np.nansum(facts.arriving[np.isin(owners, members)]))
    return replace(lag, arriving_per_s=arriving, reading_per_s=reading)


def _lag(seen: Seen) -> float:
    """Return the known lag of what counts in the group; NaN if none is known."""
    group, is_counted = seen.given.group, seen.known.facts.is_counted
    is_known = bool(group.is_lag_known[is_counted].any())
    return float(exact_total(group.counted_lags[is_counted])) if is_known else float("nan")


def _rests_on(finding: Finding, seen: Seen) -> Source:
    """Return the weakest source of a finding's figures."""
    facts = seen.known.facts
    if rests_on_speed(finding):
        return rests_on(facts)
    is_rated = isinstance(finding, Arriving) and not np.isnan(finding.arriving)
    return facts.arriving_source if is_rated and facts.arriving_source else Source.MEASURED
