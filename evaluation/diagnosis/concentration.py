"""Where the lag is, which a single snapshot tells, and snapshots without times, too."""

from typing import Final

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, Group
from assignors.sums import float_sums
from evaluation.diagnosis.findings import (
    Finding,
    IdleConsumers,
    LagConcentrated,
    LagSpread,
    OffByOne,
)
from evaluation.diagnosis.sums import numbers, owners_of
from evaluation.measuring.facts import OFF_BY_ONE
from evaluation.metrics import is_counted

UNEVEN: Final = 1.5
"""The busiest consumer has clearly more than an even share from this multiple of it on."""
_HALF: Final = 0.5
_NEARLY: Final = 0.95
"""The share of the lag that the consumers named for it must have."""
_ROUNDING: Final = 1e-9


def concentrated(group: Group, is_open: BoolArray) -> list[Finding]:
    """Return in whose hands the lag is that no cause explains yet (P,); [] if that is little."""
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
        return [
            LagConcentrated(
                members=(int(owners[heaviest]),),
                partitions=(heaviest,),
                lag=float(here[heaviest]),
                share=float(here[heaviest]) / total,
            )
        ]
    order = np.argsort(-of_member, kind="stable")
    so_far = np.cumsum(of_member[order])
    few = int(np.searchsorted(so_far, _NEARLY * so_far[-1] * (1 - _ROUNDING))) + 1
    members, lag = tuple(order[:few].tolist()), float(so_far[few - 1])
    partitions = numbers(np.flatnonzero((here > 0) & np.isin(owners, members)))
    if 2 * few <= active:
        return [LagConcentrated(members=members, partitions=partitions, lag=lag, share=lag / total)]
    return [LagSpread(members=members, partitions=partitions, lag=lag, active=active)]


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
