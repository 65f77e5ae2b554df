"""What follows from a group's members, and from what its text leaves open."""

from collections.abc import Iterator

import numpy as np

from evaluation.answering.seen import Seen, is_lag_known, lag_alone, lag_of_all
from evaluation.answering.verdicts import Verdict
from evaluation.diagnosis import findings as causes
from evaluation.metrics import nothing_committed
from evaluation.verdict_kinds import VerdictKind


def of_the_group(seen: Seen) -> Iterator[Verdict]:
    """Yield what follows from a group's members and what the text says of them."""
    given, group = seen.given, seen.given.group
    lag = lag_alone(seen)
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
    is_known = bool(group.partition_count) and bool(group.is_lag_known.all())
    return is_known and not lag_of_all(seen) and not np.nansum(arriving)


def _is_nothing_known(seen: Seen) -> bool:
    """Return whether no lag is known, nor that records are there, nor that any arrive."""
    group, facts = seen.given.group, seen.known.facts
    is_filled = bool(nothing_committed(group).any()) or bool(np.nansum(facts.arriving))
    return not (is_filled or group.is_lag_known.any())


def _is_told(seen: Seen) -> bool:
    """Return whether enough of the consumers is known, or nothing waits for them anyway."""
    is_off_by_one = any(isinstance(each, causes.OffByOne) for each in seen.findings)
    waits = not (is_off_by_one and is_lag_known(seen))
    return seen.given.assumed.is_predictable(seen.given.group) or not waits
