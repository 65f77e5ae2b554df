"""Why a group is behind, as engineers on call reason: cheapest cause first, from snapshots.

Pure figures. Several causes can mix: each finding names the partitions that it explains, and later
ones look only at what is left.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group
from evaluation.diagnosis.absence import absent, no_log_end
from evaluation.diagnosis.concentration import concentrated, idle, off_by_one
from evaluation.diagnosis.departures import fewer_consumers
from evaluation.diagnosis.displaced import ahead, reset, skipped, truncated
from evaluation.diagnosis.findings import (
    CrashLoop,
    Finding,
    KeepsRebalancing,
    RecordsLost,
    StuckRecord,
    TopicLeft,
)
from evaluation.diagnosis.overload import overloaded
from evaluation.diagnosis.renewals import Renewals
from evaluation.diagnosis.standing import never_committed, standing
from evaluation.diagnosis.sums import lag_of, numbers, owners_of
from evaluation.diagnosis.takeover import taken_over
from evaluation.diagnosis.turnover import Turnover
from evaluation.measuring.facts import Facts
from evaluation.measuring.movement import moved
from evaluation.measuring.offset_history import OFF_BY_ONE, OffsetHistory
from evaluation.measuring.partition_times import Basis, PartitionTimes
from evaluation.rebalancing import Rebalancing

_MARKERS: Final = 2
_FEW: Final = 5
_RECENT_S: Final = 600.0
_AGAIN: Final = 3
"""From three events on they happen again and again; somebody who comes and leaves makes two."""


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
    is_behind &= ~times.keeps_up & ~_negligible(group, history, times)
    found = absent(group, history, times, is_backlog, rebalancing)
    is_behind &= ~_explained(group, found)
    renewals = Renewals.of(group, history) if history.has_several else None
    if renewals is not None:
        stands = standing(group, history, times, facts, is_behind, renewals=renewals)
        rebalances = [] if any(map(_renews, stands)) else _rebalancing(history, is_behind)
        found += [*rebalances, *stands]
    found += no_log_end(group)
    found += never_committed(group, history, times, facts)
    is_behind &= ~_explained(group, found)
    displaced: list[Finding] = [
        *reset(group, history, times, is_backlog),
        *skipped(group, history, times),
    ]
    is_rated = ~np.isnan(times.consumed)  # since the offsets fell or jumped
    left = is_behind & (is_rated | ~_explained(group, displaced))
    departed = fewer_consumers(group, history, times, np.flatnonzero(left))
    found += departed
    left &= ~_explained(group, departed)
    new = [] if renewals is None else taken_over(group, history, times, renewals, left)
    found += new
    left &= ~_explained(group, new)
    is_open = left if history.is_undated or not history.has_several else left & facts.is_unsure
    found += overloaded(group, history, times, facts, np.flatnonzero(left & ~is_open))
    found += [*_lost(group, times, facts), *displaced]
    found += [*truncated(group, history, times), *ahead(group, history, times)]
    found += concentrated(group, facts, is_open)
    is_all_left = all(isinstance(each, TopicLeft) for each in found)
    return (*found, *(off_by_one(group) if is_all_left else ()), *idle(group))


def _negligible(group: Group, history: OffsetHistory, times: PartitionTimes) -> BoolArray:
    """Return in which partitions (P,) hardly anything waits, as far as snapshots tell for how long.

    Two entries that stand where nothing arrives may be transactions' markers; a few that came in
    the last minutes are what a topic of little traffic gets between two commits.
    """
    flow = moved(group, history)
    if flow is None:
        return np.zeros(group.partition_count, np.bool_)
    is_marker = (times.lag <= _MARKERS) & (flow.arrived == 0)
    is_recent = (times.lag <= _FEW) & (times.age_s <= _RECENT_S)
    return np.asarray(is_marker | (is_recent & (times.basis != Basis.AT_LEAST)))


def _renews(finding: Finding) -> bool:
    """Return whether consumers come and go because of this, so that owners change, too."""
    return isinstance(finding, CrashLoop) or (
        isinstance(finding, StuckRecord) and finding.killed is not None
    )


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


def _rebalancing(history: OffsetHistory, is_behind: BoolArray) -> list[Finding]:
    """Return whether the group rebalances again and again, and still does.

    One deploy, one restart, or one autoscaler's step after another in one direction is one event.
    """
    turnover = Turnover.of(history)
    if turnover.events < _AGAIN or not turnover.goes_on:
        return []
    return [
        KeepsRebalancing(
            changes=turnover.changes, since_s=turnover.since_s, keeps_up=not is_behind.any()
        )
    ]
