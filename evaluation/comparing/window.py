"""Figures of strategies over a window of snapshots, and which snapshots are judged.

A snapshot is judged if the largest load is known under every strategy with a result, and if the
group had an owner for every partition that a strategy can place: a partition that nobody reads
weighs on no consumer, so its group would look better than it is. A group without such a
snapshot is judged on the others.

N entries, K strategies, the owners of telemetry first, U snapshots, G groups.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from assignors.model import UNKNOWN, BoolArray, FloatArray, LongArray
from assignors.ragged import changes
from assignors.sums import ExactArray, counts, exact_sums, float_sums
from evaluation.comparing.worth import WORTH

PRESENT: Final = 0
"""The number of telemetry's owners among the strategies."""
NOTHING: Final = -1
"""The place of no entry."""
_LAST: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False, kw_only=True)
class SnapshotFigures:
    """Figures of strategies at snapshots, in any order; the columns of ``group_summary``.

    All are (N,), with at most one entry per group, snapshot and strategy, and one of ``PRESENT``
    per snapshot.
    """

    group: LongArray
    """Numbers that break ties between groups of equal gain."""
    at: LongArray
    """The time of the snapshot."""
    strategy: LongArray
    """``PRESENT`` or a strategy's number; ties go to the smaller one."""
    max_load: LongArray
    """``UNKNOWN`` if unknown, like all integers."""
    max_lag: LongArray
    total_load: LongArray
    lower_bound: LongArray
    unowned: LongArray
    partitions: LongArray
    members: LongArray
    idle_members: FloatArray
    """NaN if unknown, like all floats."""
    max_over_mean_load: FloatArray
    moved_from_present: FloatArray
    moved_from_previous: FloatArray


COUNTS: Final = (
    *("max_load", "max_lag", "total_load", "lower_bound", "unowned"),
    *("partitions", "members"),
)
"""The whole numbers among the columns that ``SnapshotFigures`` takes from ``group_summary``."""
MEANS: Final = ("idle_members", "max_over_mean_load", "moved_from_present", "moved_from_previous")
"""The other figures among them."""


class SnapshotGrid:
    """The entries by strategy and snapshot; snapshots by group, then time."""

    def __init__(self, figures: SnapshotFigures, strategies: int) -> None:
        order = np.lexsort([figures.at, figures.group])
        is_group = changes(figures.group[order])
        is_unit = changes(figures.group[order], figures.at[order])
        unit = np.cumsum(is_unit) - 1
        self._figures = figures
        self.entry = np.full((strategies, int(unit[-1]) + 1 if unit.size else 0), NOTHING, np.int64)
        """(K, U) where to find each, or ``NOTHING``."""
        self.entry[figures.strategy[order], unit] = order
        self.group = (np.cumsum(is_group) - 1)[is_unit]
        """(U,)"""
        self.at = figures.at[order][is_unit]
        """(U,)"""
        self.first = np.flatnonzero(changes(self.group))
        """(G,) each group's first snapshot."""
        self.groups = figures.group[order][is_group]
        """(G,) the groups' own numbers."""

    @cached_property
    def everywhere(self) -> BoolArray:
        """(U,) all snapshots."""
        return np.ones(self.at.size, np.bool_)

    @cached_property
    def has_halves(self) -> BoolArray:
        """(G,) whether there is more than one snapshot."""
        return counts(self.group, self.first.size) > 1

    @cached_property
    def is_early(self) -> BoolArray:
        """(U,) whether a snapshot is in the earlier half of its group's; a middle one is."""
        sizes = counts(self.group, self.first.size)
        number = np.arange(self.at.size) - self.first[self.group]
        is_early: BoolArray = 2 * number < sizes[self.group]
        return is_early

    def longs(self, name: str) -> LongArray:
        """(K, U) the values of a column, ``UNKNOWN`` without an entry."""
        return np.append(getattr(self._figures, name), UNKNOWN)[self.entry]

    def floats(self, name: str) -> FloatArray:
        """(K, U) the values of a column, NaN without an entry."""
        return np.append(getattr(self._figures, name), np.nan)[self.entry]


class JudgedSnapshots:
    """Figures of every strategy in each group over the judged ones of some snapshots, (U,)."""

    def __init__(self, grid: SnapshotGrid, among: BoolArray) -> None:
        self.grid = grid
        self._among = among
        self.max_load = grid.longs("max_load")
        is_there = grid.entry != NOTHING
        is_known = among & ((self.max_load != UNKNOWN) | ~is_there).all(axis=0)
        unowned = np.where(is_there, grid.longs("unowned"), _LAST)
        is_owned = is_known & (unowned[PRESENT] <= unowned.min(axis=0))
        self.is_comparable = np.zeros(grid.first.size, np.bool_)
        """(G,)"""
        self.is_comparable[grid.group[is_owned]] = True
        is_judged = is_known & (is_owned | ~self.is_comparable[grid.group])
        self.units = np.flatnonzero(is_judged)
        self.count = counts(grid.group[self.units], grid.first.size)
        """(G,) how many snapshots are judged."""

    @cached_property
    def summed_load(self) -> ExactArray:
        """(K, G) the sum of the largest loads; ``UNKNOWN`` if a result is missing."""
        there = self._counted(self.max_load != UNKNOWN)
        is_whole = (there == self.count) & (self.count > 0)
        sums: ExactArray = np.where(is_whole, self._summed(self.max_load), UNKNOWN)
        return sums

    @cached_property
    def is_worth_it(self) -> BoolArray:
        """(K, G) whether a strategy takes so much off today's largest loads that it is proposed."""
        load = self.summed_load.astype(np.float64)
        gain = load[PRESENT] - load
        is_known = self.summed_load != UNKNOWN
        is_it: BoolArray = is_known & (gain >= self.count) & (gain >= WORTH * load[PRESENT])
        return is_it

    def mean_whole(self, name: str) -> FloatArray:
        """(K, G) the mean over the judged snapshots; NaN if any is unknown.

        Sums are divided as integers: rounded to floats first, equal loads had a mean beyond them.
        """
        values, count = self.grid.longs(name), np.maximum(self.count, 1)
        is_whole = (self._counted(values != UNKNOWN) == self.count) & (self.count > 0)
        sums = self._summed(values)
        mean = (sums // count).astype(np.float64) + (sums % count / count).astype(np.float64)
        return np.where(is_whole, mean, np.nan)

    def mean(self, name: str) -> FloatArray:
        """(K, G) the mean of known values over the judged snapshots."""
        return _means(self.grid.floats(name)[:, self.units], self._group, self.count.size)

    def mean_everywhere(self, name: str) -> FloatArray:
        """(K, G) the mean of known values over all of the snapshots, judged or not."""
        values = self.grid.floats(name)[:, self._among]
        return _means(values, self.grid.group[self._among], self.count.size)

    @property
    def _group(self) -> LongArray:
        return self.grid.group[self.units]

    def _summed(self, values: LongArray) -> ExactArray:
        known = np.maximum(values[:, self.units], 0)
        sums = [exact_sums(self._group, each, self.count.size) for each in known]
        stacked: npt.NDArray[Any] = np.stack(sums)
        return stacked

    def _counted(self, is_so: BoolArray) -> LongArray:
        size = self.count.size
        return np.stack([counts(self._group[each], size) for each in is_so[:, self.units]])


def _means(values: FloatArray, group: LongArray, size: int) -> FloatArray:
    """Return means of known values, added in order of time; (K, entries) -> (K, G).

    NaN if none is known.
    """
    means = np.full((len(values), size), np.nan)
    for mean, each in zip(means, values, strict=True):
        is_known = ~np.isnan(each)
        count = counts(group[is_known], size)
        total = float_sums(group[is_known], each[is_known], size)
        np.divide(total, count, out=mean, where=count > 0)
    return means
