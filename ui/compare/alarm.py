"""The picture of an alarm: arrival rate against read rate, and the partitions behind most."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, FloatArray, Group
from assignors.sums import float_sums
from evaluation.answering.verdicts import Verdict
from evaluation.measuring.partition_times import PartitionTimes
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import amount, plural, rate_amount
from ui.compare.flows import FlowsShown
from ui.compare.too_hot import why_too_hot
from ui.compare.worst import MOST_PARTITIONS, Causes, ShownNames, worst_partitions
from ui.picture.model import BarChart, BarRow, IncidentPicture

_MOST_ROWS: Final = 12
_UNOWNED: Final[Mapping[VerdictKind, str]] = {
    VerdictKind.REBALANCE_UNDER_WAY: "being assigned",
    VerdictKind.READ_OUTSIDE: "no member",
    VerdictKind.OUTSIDE_BEHIND: "no member",
}
"""What stands in the place of a missing owner, where that is not nobody."""


def incident_picture(
    group: Group,
    times: PartitionTimes,
    flows: FlowsShown | None,
    hosts: Mapping[str, str],
    verdict: Verdict,
) -> IncidentPicture:
    """Return the picture of an alarm, or of what waits.

    Rows are partitions where those are the cause, since their consumers read others, or where
    there is no consumer, else consumers. What is not broken is coloured as what has most. Of a
    partition that is too hot, the rates of its consumer are next to it. While a rebalance is under
    way, no owner is missing, and nobody is the cause.
    """
    is_moving = verdict.kind is VerdictKind.REBALANCE_UNDER_WAY
    causes = Causes(verdict.members, verdict.partitions, verdict.is_broken)
    members, partitions, is_alarm = causes = Causes() if is_moving else causes
    whose = ShownNames(group, hosts, _UNOWNED.get(verdict.kind, "nobody"))
    if verdict.kind is VerdictKind.AHEAD_OF_LOG:
        return _beyond_the_end(group, partitions, whose)
    worst = worst_partitions(group, times, flows, whose, causes)
    if flows is None:
        return IncidentPicture(chart=_waiting(group, whose, causes), beside=worst)
    is_of_partitions = not _is_owned(group) or (
        bool(partitions) and _are_few(group, partitions, flows)
    )
    chart = _by_partition if is_of_partitions else _by_consumer
    named = partitions if is_of_partitions else members
    drawn = replace(chart(group, flows, whose, named), is_alarm=is_alarm)
    why = why_too_hot(group, times, verdict)
    if why is None:
        return IncidentPicture(chart=drawn, beside=worst)
    return IncidentPicture(chart=drawn, beside=why, below=worst)


def _are_few(group: Group, partitions: Collection[int], flows: FlowsShown) -> bool:
    """Return whether partitions are the cause, rather than consumers that read none of theirs."""
    named = np.array(sorted(partitions), dtype=np.int64)
    owners = group.present_owners
    of_owners = np.isin(owners, owners[named]) & (owners != UNOWNED)
    others = of_owners.copy()
    others[named] = False
    return bool(others.any()) and bool(np.nansum(flows.reading[others]) > 0)


def _by_consumer(
    group: Group, flows: FlowsShown, whose: ShownNames, causes: Collection[int]
) -> BarChart:
    arrives, reads, lags = (
        _per_member(group, values) for values in (flows.arriving, flows.reading, _lags(group))
    )
    owners, is_open = group.present_owners, np.isnan(flows.reading) & (flows.arriving > 0)
    reads[owners[is_open & (owners != UNOWNED)]] = np.nan
    order = whose.order(causes)
    shown = order[: max(_MOST_ROWS, min(len(causes), 2 * _MOST_ROWS))]
    rows = tuple(
        BarRow(
            label=whose.short[m],
            full_id=whose.ids[m],
            upper=float(arrives[m]),
            lower=float(reads[m]),
            lower_said=_read_said(flows, float(reads[m]), is_cause=m in causes),
            behind=_lag_said(float(lags[m])),
            host=whose.hosts[m],
            is_cause=m in causes,
        )
        for m in shown
    )
    return BarChart(
        subject="Consumer",
        upper=flows.arrives,
        lower=flows.reads,
        rows=rows,
        below=_rest(len(order) - len(shown), "consumer"),
    )


def _read_said(flows: FlowsShown, reads: float, *, is_cause: bool) -> str:
    if np.isnan(reads):
        return "unknown"
    if not is_cause:
        return ""
    if flows.is_per_second:
        return f"reads {rate_amount(reads)}/s"
    return f"read {amount(reads)}"


def _by_partition(
    group: Group, flows: FlowsShown, whose: ShownNames, causes: Collection[int]
) -> BarChart:
    order = np.argsort(-flows.arriving, kind="stable").tolist()  # unknown ones last
    shown = sorted(order, key=lambda p: p not in causes)[:MOST_PARTITIONS]
    rows = tuple(
        BarRow(
            label=group.partition_name(p),
            full_id=_owner(group, whose, p),
            upper=float(flows.arriving[p]),
            lower=float(flows.reading[p]),
            upper_said=_rate_said(flows.arriving[p]),
            lower_said=_read_of_cause(flows, p) if p in causes else "",
            is_cause=p in causes,
        )
        for p in shown
    )
    return BarChart(
        title="Records/s by partition" if flows.is_per_second else "Between the snapshots",
        note=f"{len(shown)} of {plural(group.partition_count, 'partition')}",
        subject="Partition",
        upper=flows.arrives,
        lower=flows.reads,
        rows=rows,
    )


def _read_of_cause(flows: FlowsShown, partition: int) -> str:
    """Return a cause's read rate; "" where arrivals, shown above, are unknown, too."""
    are_unknown = np.isnan(flows.reading[partition]) and np.isnan(flows.arriving[partition])
    return "" if are_unknown else f"{_rate_said(flows.reading[partition])} read"


def _beyond_the_end(
    group: Group, partitions: Collection[int], whose: ShownNames
) -> IncidentPicture:
    """Return the committed offset against the end of the log, the furthest beyond it first."""
    offsets = group.offsets
    if offsets.committed is None or offsets.end is None:  # a negative lag alone tells it
        return IncidentPicture(chart=_waiting(group, whose, Causes((), partitions, is_alarm=True)))
    committed, end = offsets.committed, offsets.end
    known = [p for p in partitions if UNKNOWN not in {int(committed[p]), int(end[p])}]
    if not known:
        return IncidentPicture(chart=_waiting(group, whose, Causes((), partitions, is_alarm=True)))
    order = sorted(known, key=lambda p: (int(end[p] - committed[p]), p))
    shown, owners = order[:MOST_PARTITIONS], group.present_owners
    rows = tuple(
        BarRow(
            label=group.partition_name(p),
            full_id=_owner(group, whose, p),
            upper=float(committed[p]),
            lower=float(end[p]),
            upper_said=f"{amount(int(committed[p] - end[p]))} beyond",
            lower_said=amount(int(end[p])),
            host=whose.hosts[owners[p]] if owners[p] != UNOWNED else "",
            is_cause=True,
        )
        for p in shown
    )
    chart = BarChart(
        title="Committed offset against the end of the log",
        note=f"{len(shown)} of {plural(group.partition_count, 'partition')}",
        subject="Partition",
        upper="committed",
        lower="end of the log",
        rows=rows,
    )
    return IncidentPicture(chart=chart)


def _rate_said(rate: float) -> str:
    return "unknown" if np.isnan(rate) else rate_amount(float(rate))


def _waiting(
    group: Group,
    whose: ShownNames,
    causes: Causes,
) -> BarChart:
    """Return the lag of each consumer, where a single snapshot tells no more.

    Of each partition, where nobody is known to own any: that of no consumer is 0 then.
    """
    lags = _lags(group)
    if not _is_owned(group):
        worst = np.argsort(-lags, kind="stable")[:_MOST_ROWS].tolist()
        rows = tuple(
            _lag_row(group.partition_name(p), "", float(lags[p]), is_cause=p in causes.partitions)
            for p in worst
        )
        left = group.partition_count - len(worst)
        return _lag_chart("Partition", rows, _rest(left, "partition"), causes.is_alarm)
    of_member = _per_member(group, lags)
    order = whose.order(causes.members)
    shown = order[: max(_MOST_ROWS, min(len(causes.members), 2 * _MOST_ROWS))]
    rows = tuple(
        _lag_row(whose.short[m], whose.hosts[m], float(of_member[m]), is_cause=m in causes.members)
        for m in shown
    )
    below = _rest(len(order) - len(shown), "consumer")
    return _lag_chart("Consumer", rows, below, causes.is_alarm)


def _is_owned(group: Group) -> bool:
    """Return whether anybody is known to own anything."""
    return bool((group.present_owners != UNOWNED).any())


def _lags(group: Group) -> FloatArray:
    """Return the lag of each partition (P,); NaN if unknown."""
    return np.where(group.is_lag_known, group.counted_lags.astype(np.float64), np.nan)


def _lag_said(lag: float) -> str:
    return "unknown" if np.isnan(lag) else amount(lag)


def _lag_row(label: str, host: str, lag: float, *, is_cause: bool) -> BarRow:
    return BarRow(
        label=label,
        full_id=label,
        lower=lag,
        lower_said=_lag_said(lag),
        host=host,
        is_cause=is_cause,
    )


def _lag_chart(subject: str, rows: tuple[BarRow, ...], below: str, is_alarm: bool) -> BarChart:
    return BarChart(
        subject=subject,
        upper="",
        lower="records behind",
        rows=rows,
        below=below,
        is_alarm=is_alarm,
    )


def _owner(group: Group, whose: ShownNames, partition: int) -> str:
    owner = int(group.present_owners[partition])
    return whose.owner_word(partition) if owner == UNOWNED else f"read by {whose.ids[owner]}"


def _per_member(group: Group, values: FloatArray) -> FloatArray:
    """Return the sum of what is known of each member's partitions; NaN if it is of none of them."""
    owners, members = group.present_owners, group.member_count
    is_held = owners != UNOWNED
    is_known = is_held & ~np.isnan(values)
    sums = float_sums(owners[is_known], values[is_known], members)
    held, known = (np.bincount(owners[some], minlength=members) for some in (is_held, is_known))
    sums[(held > 0) & (known == 0)] = np.nan
    return sums


def _rest(count: int, noun: str) -> str:
    return f"{plural(count, f'more {noun}')}" if count > 0 else ""
