"""Where the lag is, which a single snapshot tells, and snapshots without times, too."""

from typing import Final

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group, LongArray, Owners
from assignors.sums import float_sums
from evaluation.diagnosis.findings import (
    Finding,
    IdleConsumers,
    LagConcentrated,
    LagSpread,
    OffByOne,
)
from evaluation.diagnosis.sums import numbers, owners_of
from evaluation.measuring.facts import ONE_POLL, Facts, Source
from evaluation.measuring.offset_history import OFF_BY_ONE
from evaluation.metrics import is_counted

UNEVEN: Final = 1.5
"""The busiest consumer has clearly more than an even share from this multiple of it on."""
_HALF: Final = 0.5
_NEARLY: Final = 0.95
"""The share of the lag that the consumers named for it must have."""
_FAR: Final = 3.0
"""From this multiple of the median of others on, the lag of a partition stands out."""
_HARDLY: Final = 0.01
"""Up to this share of what waits in one of them on average, a partition waits for nothing."""
_ROUNDING: Final = 1e-9


def concentrated(group: Group, facts: Facts, is_open: BoolArray) -> list[Finding]:
    """Return in whose hands the lag is that no cause explains yet (P,).

    [] if that is little, or where these hands are known to get so much more than the others.
    """
    owners, lags = group.present_owners, group.counted_lags.astype(np.float64)
    total = float(lags.sum())
    here = np.where(is_open & (owners != UNOWNED), lags, 0.0)
    if not here.sum() >= _HALF * total > 0:
        return []
    is_owned = owners != UNOWNED
    active = int(np.unique(owners[is_owned]).size)
    of_member = float_sums(owners[is_owned], here[is_owned], group.member_count)
    heaviest = int(np.argmax(here))
    is_uneven = active == 1 or of_member[owners[heaviest]] > UNEVEN * total / active
    if here[heaviest] > _HALF * total and np.count_nonzero(is_owned) > 1 and is_uneven:
        if active == 1 < group.member_count:
            return []  # the others own nothing, so that it is no matter of whose hands
        members, is_few = owners[[heaviest]].astype(np.int64), True
        partitions = np.array([heaviest])
    else:
        members = _in_hands(group, here, of_member, active)
        least = _HARDLY * float(here.sum()) / (np.count_nonzero(here) or 1)
        partitions = np.flatnonzero((here > least) & np.isin(owners, members))
        is_few = 2 * members.size <= active
    lag = float(here[partitions].sum())
    who, what = numbers(members), numbers(partitions)
    if is_few and _is_explained(facts, owners, partitions, members.size / active):
        return []
    if is_few and lag > ONE_POLL:
        return [LagConcentrated(members=who, partitions=what, lag=lag, share=lag / total)]
    return [LagSpread(members=who, partitions=what, lag=lag, active=active)]


def _is_explained(
    facts: Facts, owners: Owners, partitions: LongArray, share_of_members: float
) -> bool:
    """Return whether most records are stated to arrive in these partitions, beyond a fair share.

    Where arrivals are measured, reads are as well, and tell more.
    """
    arriving = facts.arriving[owners != UNOWNED]
    is_stated = facts.arriving_source is Source.STATED
    if not is_stated or np.isnan(arriving).any() or not arriving.any():
        return False
    share = float(facts.arriving[partitions].sum() / arriving.sum())
    return share >= _HALF and share > UNEVEN * share_of_members


def _in_hands(group: Group, here: FloatArray, of_member: FloatArray, active: int) -> LongArray:
    """Return the members that have nearly all of the lag, the most first, or those standing out."""
    order = np.argsort(-of_member, kind="stable")
    so_far = np.cumsum(of_member[order])
    few = int(np.searchsorted(so_far, _NEARLY * so_far[-1] * (1 - _ROUNDING))) + 1
    if 2 * few <= active:
        return order[:few]
    standing_out = _standing_out(group, here, of_member)
    return standing_out if standing_out.size else order[:few]


def _standing_out(group: Group, here: FloatArray, of_member: FloatArray) -> LongArray:
    """Return the members whose every partition lags far more than any of others, most first.

    Lag in each of its several partitions comes from the member, not from any of them.
    """
    owners, topic = group.present_owners, group.topic_of_partition
    held = np.bincount(owners[owners != UNOWNED], minlength=group.member_count)
    is_heavy = (of_member > UNEVEN * of_member.sum() / np.count_nonzero(held)) & (held > 1)
    is_theirs = np.append(is_heavy, False)[owners]  # UNOWNED is the last
    least = np.full(len(group.topics), np.inf)
    for each in np.unique(topic[is_theirs]):
        beside = here[(topic == each) & ~is_theirs & (owners != UNOWNED)]
        if beside.size:
            least[each] = max(_FAR * float(np.median(beside)), UNEVEN * float(beside.max()))
    is_far = (here >= least[topic]) & (here > 0)
    far = np.bincount(owners[is_theirs & is_far], minlength=group.member_count)
    found = np.flatnonzero(is_heavy & (far == held))
    return found[np.argsort(-of_member[found], kind="stable")]


def off_by_one(group: Group) -> list[Finding]:
    """Return whether exactly one record seems to wait in each partition that has any and counts."""
    lags, end = group.counted_lags, group.offsets.end
    is_filled = (
        is_counted(group)
        & group.is_lag_known
        & (True if end is None else (end != 0) & (end != UNKNOWN))
    )
    if not is_filled.any() or not (lags[is_filled] == OFF_BY_ONE).all():
        return []
    filled = np.flatnonzero(is_filled)
    return [
        OffByOne(
            members=owners_of(group, filled),
            partitions=numbers(filled),
            lag=float(lags[filled].sum()),
        )
    ]


def idle(group: Group) -> list[Finding]:
    """Return the consumers without a partition if there are more than partitions to own."""
    owners = group.present_owners
    wanted = int(np.count_nonzero(group.is_wanted))
    surplus = group.member_count - wanted
    if surplus <= 0 or not wanted or not group.has_claims:
        return []
    workless = np.setdiff1d(np.arange(group.member_count), owners[owners != UNOWNED])
    return [IdleConsumers(members=numbers(workless), surplus=surplus)]
