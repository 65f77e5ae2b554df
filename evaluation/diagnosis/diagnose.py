"""Why a group is behind, as engineers on call reason: cheapest cause first, from snapshots.

Pure figures. Several causes can mix: each finding names the partitions that it explains, and later
ones look only at what is left.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group
from evaluation.diagnosis.absence import absent
from evaluation.diagnosis.concentration import concentrated, idle, off_by_one
from evaluation.diagnosis.displaced import ahead, reset
from evaluation.diagnosis.findings import (
    CrashLoop,
    Finding,
    KeepsRebalancing,
    RecordsLost,
    TopicLeft,
)
from evaluation.diagnosis.overload import overloaded
from evaluation.diagnosis.standing import never_committed, standing
from evaluation.diagnosis.sums import lag_of, numbers, owners_of
from evaluation.measuring.facts import Facts
from evaluation.measuring.offset_history import OFF_BY_ONE, OffsetHistory
from evaluation.measuring.partition_times import PartitionTimes
from evaluation.rebalancing import Rebalancing


def diagnose(
    group: Group,
    history: OffsetHistory,
    times: PartitionTimes,
    facts: Facts,
    rebalancing: Rebalancing | None = None,
) -> tuple[Finding, ...]:
    """Return why records wait, cheapest cause first; () if nothing waits.

    One snapshot tells what nobody owns and where the lag is. Several without times tell by offsets
    alone what stands; several with times tell rates, and with them the rest. ``rebalancing`` is
    the rebalance that was under way: who owns what then says nothing about what is being moved.
    """
    is_backlog = np.nan_to_num(times.lag) > OFF_BY_ONE
    is_behind = is_backlog & group.is_wanted & (group.present_owners != UNOWNED)
    is_behind &= ~times.keeps_up
    found = absent(group, history, times, is_backlog, rebalancing)
    is_behind &= ~_explained(group, found)
    if history.has_several and is_behind.any():
        stands = standing(group, history, times, facts, is_behind)
        restarts = any(isinstance(each, CrashLoop) for each in stands)  # then owners change, too
        found += [*([] if restarts else _rebalancing(history)), *stands]
    found += never_committed(group, history, times, facts)
    is_behind &= ~_explained(group, found)
    set_back = reset(group, history, times, is_backlog)
    is_rated = ~np.isnan(times.consumed)  # since the offsets fell
    left = is_behind & (is_rated | ~_explained(group, set_back))
    is_open = left if history.is_undated or not history.has_several else left & facts.is_unsure
    found += overloaded(group, history, times, facts, np.flatnonzero(left & ~is_open))
    found += [*_lost(group, times, facts), *set_back, *ahead(group, history, times)]
    found += concentrated(group, facts, is_open)
    is_all_left = all(isinstance(each, TopicLeft) for each in found)
    return (*found, *(off_by_one(group) if is_all_left else ()), *idle(group))


def _lost(group: Group, times: PartitionTimes, facts: Facts) -> list[Finding]:
    lost = np.flatnonzero(facts.lost > 0)
    if not lost.size:
        return []
    return [
        RecordsLost(
            members=owners_of(group, lost),
            partitions=numbers(lost),
            lag=lag_of(times, lost),
            lost=float(facts.lost[lost].sum()),
        )
    ]


def _explained(group: Group, found: Sequence[Finding]) -> BoolArray:
    """Return the partitions (P,) that these findings explain."""
    is_explained = np.zeros(group.partition_count, np.bool_)
    for finding in found:
        is_explained[list(finding.partitions)] = True
    return is_explained


def _rebalancing(history: OffsetHistory) -> list[Finding]:
    """Return whether owners changed in at least two intervals, and in half of them."""
    owned = [moment.ownership for moment in history.moments]
    changes = sum(one != other and None not in (one, other) for one, other in pairwise(owned))
    if changes < 2 or 2 * changes < len(owned) - 1:  # noqa: PLR2004 -- once is an ordinary join
        return []
    return [KeepsRebalancing(changes=changes, since_s=history.span_s)]
