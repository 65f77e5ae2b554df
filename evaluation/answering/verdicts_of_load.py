"""What the loads of the consumers say: who never catches up, who has too much, or that all is well.

M members.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from assignors.model import UNOWNED, Owners
from assignors.sums import exact_total
from evaluation.answering.ending import seconds_to_end
from evaluation.answering.seen import Seen, is_lag_known, lag_alone, lag_of_all
from evaluation.answering.verdict_figures import VerdictFigures
from evaluation.answering.verdicts import Verdict
from evaluation.answering.why_not import WhyNot
from evaluation.capacity.planning import rests_on
from evaluation.comparing.worth import WORTH
from evaluation.diagnosis import findings as causes
from evaluation.diagnosis.concentration import UNEVEN
from evaluation.measuring.facts import ONE_POLL
from evaluation.metrics import nothing_committed
from evaluation.verdict_kinds import VerdictKind

_READS_TOO_LITTLE: Final = {
    VerdictKind.FEWER_CONSUMERS,
    VerdictKind.SLOWER,
    VerdictKind.SLOW_CONSUMER,
    VerdictKind.SLOW_TOPIC,
    VerdictKind.MORE_ARRIVES,
    VerdictKind.BURST,
    VerdictKind.FULL,
}
"""Kinds that say why a consumer never catches up."""


def _may_hide_lag(seen: Seen) -> bool:
    """Return whether partitions without a commit hold more records than are known to wait."""
    group = seen.known.group
    bare = nothing_committed(group)
    if group.member_count:
        bare = np.where(group.is_wanted, bare, 0)
    return float(bare.sum()) > max(lag_of_all(seen), ONE_POLL)


def of_load(seen: Seen) -> Iterator[Verdict]:
    """Yield what the loads of the consumers say."""
    keep, group, lag = seen.keep, seen.known.group, lag_alone(seen)
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
    waits = bool(lag_of_all(seen)) and not is_off_by_one
    is_healthy = is_known and (waits or is_lag_known(seen)) and not _may_hide_lag(seen)
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


def _overloaded(seen: Seen, owners: Owners) -> tuple[int, ...]:
    """Return the members that get more than they read under the present owners."""
    facts = seen.known.facts
    group = seen.known.group.with_rates(facts.arriving)
    seconds = seconds_to_end(group, owners, facts)
    return tuple(np.flatnonzero(np.isinf(seconds)).tolist())


def _flow_of(members: Sequence[int], seen: Seen) -> VerdictFigures:
    """Return the arrival rate and the read rate of these members, where that is seen."""
    facts, owners = seen.known.facts, seen.given.group.present_owners
    reading, lag = float(facts.reading[list(members)].sum()), lag_alone(seen)
    if not members or np.isnan(reading):
        return lag
    arriving = float(np.nansum(facts.arriving[np.isin(owners, members)]))
    return replace(lag, arriving_per_s=arriving, reading_per_s=reading)
