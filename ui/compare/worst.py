"""The partitions that an alarm lists: its causes, then those furthest behind."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, BoolArray, FloatArray, Group
from charts.labels import short_names
from evaluation.consumer_labels import bare_labels
from evaluation.measuring.partition_times import PartitionTimes
from evaluation.wording import natural, rate_amount
from ui.compare.flows import FlowsShown
from ui.picture.model import FactTable, TableHead

MOST_PARTITIONS: Final = 10


class ShownNames:
    """What consumers are called on screen, and where they run."""

    def __init__(self, group: Group, hosts: Mapping[str, str], missing: str) -> None:
        self._group, self._missing = group, missing
        self.ids = group.members
        self.short = short_names(bare_labels(group)) if group.member_count else []
        self.hosts = [hosts.get(name, "").strip("/") for name in group.members]

    def owner_word(self, partition: int) -> str:
        """Return what stands in the place of an owner where none is known."""
        return "unknown" if self._group.is_owner_unknown[partition] else self._missing

    def order(self, first: Collection[int]) -> list[int]:
        """Return the members, those given first, each as people count."""
        return sorted(range(len(self.ids)), key=lambda m: (m not in first, natural(self.short[m])))


class Causes(NamedTuple):
    """Whom a verdict names, by number, and whether red marks them."""

    members: Collection[int] = ()
    partitions: Collection[int] = ()
    is_alarm: bool = False


def worst_partitions(
    group: Group,
    times: PartitionTimes,
    flows: FlowsShown | None,
    whose: ShownNames,
    causes: Causes,
) -> FactTable | None:
    """Return the table of the causes and of what is furthest behind; None if nothing is."""
    causing = are_causes(group, causes)
    order = _causes_first(group, causing, is_named=bool(causes.partitions))
    if not order:
        return None
    columns = [
        (head, cells)
        for head, cells in _columns_of_worst(group, times, flows, whose, order)
        if any(cells)
    ]
    return FactTable(
        title=_worst_title(group, order),
        note=f"{len(order)} of {group.partition_count:,}",
        heads=tuple(head for head, _ in columns),
        rows=tuple(zip(*(cells for _, cells in columns), strict=True)),
        causes=tuple(causing[order].tolist()),
        is_alarm=causes.is_alarm,
    )


def are_causes(group: Group, causes: Causes) -> BoolArray:
    """Return which partitions (P,) the verdict names, else those of the members that it names."""
    members, partitions = (np.array(sorted(named), dtype=np.int64) for named in causes[:2])
    if not partitions.size:
        return np.isin(group.present_owners, members)
    are_named = np.zeros(group.partition_count, dtype=np.bool_)
    are_named[partitions] = True
    return are_named


def _causes_first(group: Group, causing: BoolArray, *, is_named: bool) -> list[int]:
    """Return the partitions to list: the causes, then others, each by lag, unknown ones first.

    What the verdict names is listed without lag, too: a log that lost its end has none.
    """
    lags, is_known = group.counted_lags, group.is_lag_known
    is_listed = (lags > 0) | (causing & (is_named | ~is_known))
    order = np.lexsort((-lags, is_known, ~causing))
    listed: list[int] = order[is_listed[order]][:MOST_PARTITIONS].tolist()
    return listed


def _worst_title(group: Group, order: Sequence[int]) -> str:
    """Say what the order is: by lag, unless a cause has less than what is below it."""
    lags = group.counted_lags[order][group.is_lag_known[order]]
    is_by_lag = bool((np.diff(lags) <= 0).all())
    return "Partitions furthest behind" if is_by_lag else "Partitions, causes first"


def _columns_of_worst(
    group: Group,
    times: PartitionTimes,
    flows: FlowsShown | None,
    whose: ShownNames,
    order: Sequence[int],
) -> Iterator[tuple[TableHead, list[str]]]:
    """Yield each column of the partitions in this order, with its head."""
    owners, lags, is_known = group.present_owners, group.counted_lags, group.is_lag_known
    yield TableHead(label="Partition", is_cause=True), [group.partition_name(p) for p in order]
    yield (
        TableHead(label="Consumer", is_cause=True),
        [whose.owner_word(p) if owners[p] == UNOWNED else whose.short[owners[p]] for p in order],
    )
    yield (
        TableHead(label="Host", is_on_phone=False),
        [whose.hosts[owners[p]] if owners[p] != UNOWNED else "" for p in order],
    )
    yield (
        TableHead(label="Records behind", is_number=True),
        [f"{lags[p]:,}" if is_known[p] else "unknown" for p in order],
    )
    if flows is not None:
        for label, values, is_cause in (
            (flows.arrives.capitalize(), flows.arriving, False),
            (flows.reads.capitalize(), flows.reading, True),
        ):
            yield (
                TableHead(label=label, is_number=True, is_on_phone=False, is_cause=is_cause),
                _rates_said(values[list(order)]),
            )
    yield TableHead(label="Oldest", is_number=True), [times.age_in_cell(int(p)) for p in order]


def _rates_said(rates: FloatArray) -> list[str]:
    """Return a cell for each; those of a column of which nothing is known are blank."""
    missing = "" if np.isnan(rates).all() else "unknown"
    return [missing if np.isnan(rate) else rate_amount(rate) for rate in rates.tolist()]
