"""The rows of ``group_summary`` by strategy and snapshot, and which snapshots are judged.

K strategies, the owners found first, U snapshots, G groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assignors.model import UNKNOWN, BoolArray, FloatArray, IntArray, LongArray
from pipeline.packets.coding import NAME
from pipeline.replay.names import numbered
from pipeline.replay.sums import counts, float_sums, sums

PRESENT: Final = 0
"""The place of the owners found among the strategies."""
NONE: Final = -1
_LAST: Final = np.iinfo(np.int64).max
_Exact: TypeAlias = LongArray | npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Grid:
    """The rows of a summary by strategy and snapshot; snapshots by group, then time."""

    summary: pa.Table
    row: LongArray
    """(K, U) the row of each, or ``NONE``."""
    group: LongArray
    """(U,)"""
    at: LongArray
    """(U,) microseconds since 1970."""
    first: LongArray
    """(G,) each group's first snapshot."""

    def longs(self, column: str) -> LongArray:
        """(K, U) the values of a column, ``UNKNOWN`` where null or without a row."""
        values = self.summary[column].cast(pa.int64()).fill_null(UNKNOWN).to_numpy()
        return np.append(values, UNKNOWN)[self.row]

    def floats(self, column: str) -> FloatArray:
        """(K, U) the values of a column, NaN where null or without a row."""
        return np.append(floats_in(self.summary[column]), np.nan)[self.row]


def grid_of(summary: pa.Table, strategies: Sequence[str]) -> Grid:
    """Return the grid of a summary in which no strategy but these has rows."""
    place = {name: number for number, name in enumerate(strategies)}
    coded = {name: summary[name].cast(NAME) for name in ("cluster", "group_id", "strategy")}
    (_, (cluster,)), (_, (group,)) = (numbered([coded[name]]) for name in ("cluster", "group_id"))
    names, (named,) = numbered([coded["strategy"]])
    strategy = np.array([place[name] for name in names.to_pylist()], np.int64)[named]
    at = summary["snapshot_at"].cast(pa.int64()).to_numpy()
    order = np.lexsort([at, group, cluster])
    is_group = changes(cluster[order]) | changes(group[order])
    is_unit = is_group | changes(at[order])
    unit = np.cumsum(is_unit) - 1
    row = np.full((len(strategies), int(unit[-1]) + 1), NONE, np.int64)
    row[strategy[order], unit] = order
    of_unit = (np.cumsum(is_group) - 1)[is_unit]
    return Grid(summary, row, of_unit, at[order][is_unit], np.flatnonzero(changes(of_unit)))


class Judged:
    """What every strategy comes to in each group, over the snapshots that are judged."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.max_lag = grid.longs("max_lag")
        is_there = grid.row != NONE
        is_known = ((self.max_lag != UNKNOWN) | ~is_there).all(axis=0)
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
    def summed_lag(self) -> _Exact:
        """(K, G) the sum of the largest lags; ``UNKNOWN`` without an answer at any of them."""
        summed = self._summed(self.max_lag)
        there = self._counted(self.max_lag != UNKNOWN)
        found: _Exact = np.where((there == self.count) & (self.count > 0), summed, UNKNOWN)
        return found

    def mean_lag(self, column: str) -> FloatArray:
        """(K, G) the mean over the judged snapshots; NaN as soon as one is unknown."""
        values = self.grid.longs(column)
        is_whole = (self._counted(values != UNKNOWN) == self.count) & (self.count > 0)
        mean = self._summed(values) / np.maximum(self.count, 1)
        return np.where(is_whole, mean.astype(np.float64), np.nan)

    def mean(self, column: str) -> FloatArray:
        """(K, G) the mean of what is known over the judged snapshots."""
        return _means(self.grid.floats(column)[:, self.units], self._group, self.count.size)

    def mean_everywhere(self, column: str) -> FloatArray:
        """(K, G) the mean of what is known over all snapshots."""
        return _means(self.grid.floats(column), self.grid.group, self.count.size)

    @property
    def _group(self) -> LongArray:
        return self.grid.group[self.units]

    def _summed(self, values: LongArray) -> _Exact:
        known = np.maximum(values[:, self.units], 0)
        found = [_exact_sums(self._group, each, self.count.size) for each in known]
        stacked: npt.NDArray[Any] = np.stack(found)
        return stacked

    def _counted(self, is_so: BoolArray) -> LongArray:
        size = self.count.size
        return np.stack([counts(self._group[each], size) for each in is_so[:, self.units]])


def _exact_sums(keys: LongArray, values: LongArray, size: int) -> _Exact:
    """Add up the values of each key, as Python's own numbers where they need more than 64 bits."""
    if float_sums(keys, values.astype(np.float64), size).max(initial=0.0) < _LAST // 2:
        return sums(keys, values, size)
    found = np.zeros(size, np.object_)
    np.add.at(found, keys, values.astype(np.object_))
    return found


def _means(values: FloatArray, group: LongArray, size: int) -> FloatArray:
    """Return means of what is known, added in ascending order: in any, to the last digit the same.

    (K, entries) -> (K, G), NaN where nothing is known.
    """
    found = np.full((len(values), size), np.nan)
    for mean, each in zip(found, values, strict=True):
        order = np.lexsort([each, group])
        order = order[~np.isnan(each[order])]
        count = counts(group[order], size)
        total = float_sums(group[order], each[order], size)
        np.divide(total, count, out=mean, where=count > 0)
    return found


def floats_in(column: pa.ChunkedArray) -> FloatArray:
    """Return a column as numbers, NaN for null."""
    found: FloatArray = column.cast(pa.float64()).fill_null(np.nan).to_numpy()
    return found


def changes(values: IntArray | LongArray) -> BoolArray:
    """Return where a value differs from the one before it; the first one does."""
    found = np.ones(values.size, np.bool_)
    found[1:] = values[1:] != values[:-1]
    return found
