"""Groups over a window of time, of the series that tell of them."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from live.model import NamedPartition
from live.prometheus.exporters import CLUSTER_LABELS, Exporter, Meaning
from live.prometheus.series import FloatArray, MetricSeries, TimeGrid

IntArray = npt.NDArray[np.int64]
NOBODY: Final = -1
UNKNOWN: Final = -1
"""An offset that is not known; offsets are 0 or more."""
_EXACT: Final = 2.0**53
_BEYOND: Final = 2.0**63
_NO_ONE: Final = frozenset({"", "unknown", "-", "none", "null"})
"""What exporters write where a partition has no owner."""
_LARGEST_PARTITION: Final = 10_000_000
_ABOUT_SCRAPES: Final = ("job", "instance", "namespace", "service", "pod")


class Owner(NamedTuple):
    """The consumer that a series names."""

    id: str
    client_id: str
    host: str


class Place(NamedTuple):
    """A partition of a cluster; the cluster is "" where no label tells it."""

    cluster: str
    topic: str
    partition: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Span:
    """One group over a window: P partitions at S times."""

    cluster: str
    group_id: str
    window: TimeGrid
    partitions: tuple[NamedPartition, ...]
    is_told: npt.NDArray[np.bool_]
    """(P, S) whether there is a sample; where there is none, nothing is known, not zero."""
    committed: IntArray
    """(P, S) ``UNKNOWN`` where the group has committed nothing."""
    begin: IntArray
    """(P, S)"""
    end: IntArray
    """(P, S)"""
    members: IntArray
    """(S,) how many consumers there are, ``UNKNOWN`` if no metric counts them."""
    owners: tuple[Owner, ...]
    owner: IntArray
    """(P, S) numbers of owners, or ``NOBODY``."""
    has_owners: bool
    """Whether the exporter names the owner of anything; if not, who owns what is unknown. Empty
    labels are no labels in Prometheus, so a group without owners alone does not tell."""


@dataclass(kw_only=True)
class Remarks:
    """What a reader should know of the samples, each said once."""

    said: dict[str, None] = field(default_factory=dict)

    def add(self, sentence: str) -> None:
        """Add a sentence."""
        self.said[sentence] = None


class Reads(NamedTuple):
    """The series of a window, by what they mean, of one exporter."""

    exporter: Exporter
    series: dict[Meaning, list[MetricSeries]]


@dataclass(eq=False)
class _Cells:
    """What the series tell of one partition of a group."""

    values: FloatArray
    owner: IntArray


def spans_of(
    reads: Iterable[Reads],
    window: TimeGrid,
    remarks: Remarks,
    *,
    cluster_label: str | None = None,
    is_wanted: Callable[[str], bool] = lambda _: True,
) -> list[Span]:
    """Return the groups by cluster and name; of several exporters that tell of one, the first."""
    spans: dict[tuple[str, str], Span] = {}
    for each in reads:
        labels = (cluster_label,) if cluster_label else CLUSTER_LABELS
        told = _Told(each.exporter, labels, window, remarks, is_wanted)
        told.add(each.series)
        for span in told.spans():
            spans.setdefault((span.cluster, span.group_id), span)
    return [spans[key] for key in sorted(spans)]


@dataclass(eq=False)
class _Told:
    """What one exporter's series tell, by partition and by group."""

    exporter: Exporter
    cluster_labels: Sequence[str]
    window: TimeGrid
    remarks: Remarks
    is_wanted: Callable[[str], bool]
    ends: dict[Place, FloatArray] = field(default_factory=dict)
    begins: dict[Place, FloatArray] = field(default_factory=dict)
    committed: dict[tuple[str, Place], _Cells] = field(default_factory=dict)
    lags: dict[tuple[str, Place], _Cells] = field(default_factory=dict)
    members: dict[tuple[str, str], FloatArray] = field(default_factory=dict)
    owners: dict[Owner, int] = field(default_factory=dict)

    def add(self, series: dict[Meaning, list[MetricSeries]]) -> None:
        """Take in the series of each meaning."""
        self.ends = self._offsets(series.get(Meaning.END, ()))
        self.begins = self._offsets(series.get(Meaning.BEGIN, ()))
        self.committed = self._of_groups(series.get(Meaning.COMMITTED, ()))
        self.lags = self._of_groups(series.get(Meaning.LAG, ()))
        self.members = self._counted(series.get(Meaning.MEMBERS, ()))

    def spans(self) -> Iterator[Span]:
        """Yield the groups of which partitions are told."""
        groups: dict[tuple[str, str], list[Place]] = {}
        for group, place in dict.fromkeys([*self.committed, *self.lags]):
            groups.setdefault((place.cluster, group), []).append(place)
        for (cluster, group), places in groups.items():
            yield self._span(cluster, group, sorted(places))

    def _span(self, cluster: str, group: str, places: list[Place]) -> Span:
        nothing = np.full(self.window.points, math.nan)
        end = np.array([self.ends.get(place, nothing) for place in places])
        begin = np.array([self.begins.get(place, nothing) for place in places])
        found = [self._read(group, place, own) for place, own in zip(places, end, strict=True)]
        reads = np.array([each.values for each in found])
        return Span(
            cluster=cluster,
            group_id=group,
            window=self.window,
            partitions=tuple((place.topic, place.partition) for place in places),
            is_told=~np.isnan(reads),
            committed=self._whole(reads),
            begin=self._whole(begin),
            end=self._whole(end),
            members=self._whole(self.members.get((cluster, group), nothing)),
            owners=tuple(self.owners),
            owner=np.array([each.owner for each in found]),
            has_owners=bool(self.owners),
        )

    def _read(self, group: str, place: Place, end: FloatArray) -> _Cells:
        """Return the committed offsets, or end offsets less lags where no metric has them."""
        cells, lag = self.committed.get((group, place)), self.lags.get((group, place))
        if lag is None:
            return cells or _Cells(end, np.full(end.size, NOBODY))
        with np.errstate(invalid="ignore"):  # infinity less infinity tells nothing
            derived = np.where(lag.values < 0, UNKNOWN, np.maximum(end - lag.values, 0))
        if cells is None:
            return _Cells(derived, lag.owner)
        is_gap = np.isnan(cells.values)
        return _Cells(
            np.where(is_gap, derived, cells.values), np.where(is_gap, lag.owner, cells.owner)
        )

    def _offsets(self, series: Iterable[MetricSeries]) -> dict[Place, FloatArray]:
        """Return the offsets of each partition; of several series, the last to begin."""
        merged: dict[Place, FloatArray] = {}
        for each in _by_begin(series):
            place = self._place(each)
            if place is None:
                continue
            before = merged.get(place)
            merged[place] = each.values if before is None else _over(before, each.values)
        return merged

    def _of_groups(self, series: Iterable[MetricSeries]) -> dict[tuple[str, Place], _Cells]:
        merged: dict[tuple[str, Place], _Cells] = {}
        by: dict[tuple[str, Place], dict[str, str]] = {}
        for each in _by_begin(series):
            place, group = self._place(each), each.labels.get(self.exporter.labels.group, "")
            if place is None or not group or not self.is_wanted(group):
                continue
            cells = self._cells(each)
            before = merged.setdefault((group, place), cells)
            if before is not cells:
                self._check_same(by[group, place], each.labels, before.values, each.values)
                is_known = ~np.isnan(each.values)
                before.owner = np.where(is_known, cells.owner, before.owner)
                before.values = _over(before.values, each.values)
            by[group, place] = each.labels
        return merged

    def _cells(self, series: MetricSeries) -> _Cells:
        owner = self._owner(series.labels) if self.exporter.has_owners else None
        number = NOBODY if owner is None else self.owners.setdefault(owner, len(self.owners))
        return _Cells(series.values, np.full(self.window.points, number))

    def _owner(self, labels: dict[str, str]) -> Owner | None:
        names = (
            self.exporter.labels.member,
            self.exporter.labels.client,
            self.exporter.labels.host,
        )
        member, client, host = (
            "" if labels.get(name, "").strip().lower() in _NO_ONE else labels[name].strip()
            for name in names
        )
        return Owner(member or client, client, host) if member or client else None

    def _check_same(
        self, was: dict[str, str], now: dict[str, str], before: FloatArray, after: FloatArray
    ) -> None:
        """Remark on two scrapes at once that tell different offsets of what has one name."""
        name = next((n for n in _ABOUT_SCRAPES if was.get(n) != now.get(n)), None)
        if name is not None and (np.abs(before - after) > 0).any():
            self.remarks.add(
                f"Several exporters tell of the same groups (label {name}); if they are of "
                f"different clusters, name the label that tells them apart: --cluster-label {name}."
            )

    def _counted(self, series: Iterable[MetricSeries]) -> dict[tuple[str, str], FloatArray]:
        counted: dict[tuple[str, str], FloatArray] = {}
        for each in _by_begin(series):
            group = each.labels.get(self.exporter.labels.group, "")
            if group and self.is_wanted(group):
                key = self._cluster(each.labels), group
                before = counted.get(key)
                counted[key] = each.values if before is None else _over(before, each.values)
        return counted

    def _place(self, series: MetricSeries) -> Place | None:
        digits = series.labels.get(self.exporter.labels.partition, "")
        topic = series.labels.get(self.exporter.labels.topic, "")
        if (
            not topic
            or not (digits.isascii() and digits.isdecimal())
            or len(digits) > len("10000000")
        ):
            return None
        number = int(digits)
        if number >= _LARGEST_PARTITION:
            return None
        return Place(self._cluster(series.labels), topic, number)

    def _cluster(self, labels: dict[str, str]) -> str:
        return next((labels[name] for name in self.cluster_labels if labels.get(name)), "")

    def _whole(self, values: FloatArray) -> IntArray:
        """Return offsets as whole numbers, ``UNKNOWN`` where they are none."""
        if (values >= _EXACT).any():
            self.remarks.add(
                "Offsets of 9,007,199,254,740,992 and above are inexact: Prometheus keeps floats."
            )
        is_known = (values >= 0) & (values < _BEYOND)
        return np.where(is_known, values, UNKNOWN).astype(np.int64)


def _by_begin(series: Iterable[MetricSeries]) -> list[MetricSeries]:
    """Return the series by their first sample, then by their labels: same input, same answer."""

    def begin(each: MetricSeries) -> tuple[int, Sequence[tuple[str, str]]]:
        known = np.flatnonzero(~np.isnan(each.values))
        return (int(known[0]) if known.size else each.values.size, sorted(each.labels.items()))

    return sorted(series, key=begin)


def _over(before: FloatArray, after: FloatArray) -> FloatArray:
    """Return the later series where it has samples, else the earlier one."""
    return np.where(np.isnan(after), before, after)
