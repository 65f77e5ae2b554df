"""Every group's figures under every strategy, mean over the snapshots that can be judged."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from assignors.model import BoolArray, FloatArray, IntArray
from schemas.tables import AS_IT_WAS
from sources.fleet import Fleet
from sources.fleet_scope import Scope, both, in_scope
from sources.fleet_totals import KEYS

_JUDGED: Final = {
    "max_lag": "max_lag",
    "best_max_lag": "best_max_lag",
    "total_lag": "total_lag",
    "max_over_mean_lag": "max_over_mean",
}
"""Means over the snapshots judged, and what they are called."""
_ALWAYS: Final = {"moved_from_previous": "moves", "idle_members": "idle_members"}
"""Means over all snapshots."""
_UNOWNED: Final = "unowned"
_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Averages:
    """One row for each group and strategy, groups by number."""

    table: pd.DataFrame
    is_comparable: "pd.Series[bool]"
    """By group number: whether in some snapshot somebody owned all that can be owned."""


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of ``group_summary`` with their groups, snapshots and strategies as numbers."""

    table: pa.Table
    group: _Numbers
    snapshot: _Numbers
    strategy: _Numbers
    groups: pd.DataFrame
    """Cluster and name of each group number."""
    strategies: list[str]

    def values(self, column: str) -> FloatArray:
        """Return a column, NaN where unknown."""
        found: FloatArray = self.table[column].to_numpy().astype(np.float64)
        return found


def averages(fleet: Fleet, scope: Scope) -> Averages:
    """Return the means over the scope's snapshots, for the strategies it names."""
    rows = _numbered(_read(fleet, scope))
    is_judged, is_comparable = _judged(rows)
    cell = rows.group * len(rows.strategies) + rows.strategy
    size = len(rows.groups) * len(rows.strategies)
    found: dict[str, object] = {}
    for column, name in _JUDGED.items():
        found[name] = _means(cell, rows.values(column), is_judged, size)
    everywhere = np.ones(cell.size, np.bool_)
    for column, name in _ALWAYS.items():
        found[name] = _means(cell, rows.values(column), everywhere, size)
    found["summed_lag"] = _sums(cell, rows.values("max_lag"), is_judged, size)
    found |= _when(rows, cell, is_judged, size)
    there = np.bincount(cell, minlength=size) > 0
    table = pd.DataFrame(found)
    table["group"], number = np.divmod(np.arange(size), len(rows.strategies))
    table["strategy"] = np.array(rows.strategies, dtype=object)[number]
    table = table[there].join(rows.groups, on="group")
    return Averages(table.reset_index(drop=True), pd.Series(is_comparable))


def _read(fleet: Fleet, scope: Scope) -> pa.Table:
    wanted = None
    if scope.strategies:
        wanted = ds.field("strategy") == AS_IT_WAS
        for name in scope.strategies:
            wanted = wanted | (ds.field("strategy") == name)
    read = [*KEYS, "strategy", "snapshot_at", _UNOWNED, "moved_from_present", *_JUDGED, *_ALWAYS]
    return fleet.read("group_summary", read, both(wanted, in_scope(scope)))


def _numbered(table: pa.Table) -> _Rows:
    """Give groups, their snapshots and strategies numbers."""
    cluster, group_id, strategy = (_coded(table[name]) for name in (*KEYS, "strategy"))
    pairs = cluster[0].astype(np.int64) * max(len(group_id[1]), 1) + group_id[0]
    group, pair = pd.factorize(pairs)
    first, second = np.divmod(pair, max(len(group_id[1]), 1))
    groups = pd.DataFrame({"cluster": cluster[1][first], "group_id": group_id[1][second]})
    moment, moments = pd.factorize(table["snapshot_at"].to_numpy())
    snapshot, _ = pd.factorize(group * np.int64(max(len(moments), 1)) + moment)
    return _Rows(table, group, snapshot, strategy[0].astype(np.int64), groups, [*strategy[1]])


def _coded(names: pa.ChunkedArray) -> tuple[IntArray, npt.NDArray[np.object_]]:
    """Return the numbers and names of a column of dictionaries."""
    whole = names.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], names.type)
    return whole.indices.to_numpy(), np.array(whole.dictionary.to_pylist(), dtype=object)


def _judged(rows: _Rows) -> tuple[BoolArray, BoolArray]:
    """Return which rows are judged, and of which groups the gain can be known."""
    size = int(rows.snapshot.max(initial=-1)) + 1
    is_known = np.ones(size, np.bool_)
    is_known[rows.snapshot[np.isnan(rows.values("max_lag"))]] = False
    unowned = rows.values(_UNOWNED)
    least, now = np.full(size, np.inf), np.full(size, np.nan)
    np.minimum.at(least, rows.snapshot, unowned)
    of_present = np.array([name == AS_IT_WAS for name in rows.strategies], np.bool_)
    is_present = of_present[rows.strategy]
    now[rows.snapshot[is_present]] = unowned[is_present]
    is_owned = (is_known & (now <= least))[rows.snapshot]
    is_comparable = np.zeros(len(rows.groups), np.bool_)
    is_comparable[rows.group[is_owned]] = True
    return is_known[rows.snapshot] & (is_owned | ~is_comparable[rows.group]), is_comparable


def _when(rows: _Rows, cell: _Numbers, is_judged: BoolArray, size: int) -> dict[str, object]:
    """Return how many snapshots are judged, the first and the last, and the moves at the first."""
    moments = rows.table["snapshot_at"].to_numpy()
    moments = moments.astype("datetime64[us]").astype(np.int64)
    count = np.bincount(cell[is_judged], minlength=size)
    is_counted = is_judged | (count[cell] == 0)
    first, last = np.full(size, np.iinfo(np.int64).max), np.full(size, np.iinfo(np.int64).min)
    np.minimum.at(first, cell[is_counted], moments[is_counted])
    np.maximum.at(last, cell[is_counted], moments[is_counted])
    earliest = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(earliest, cell, moments)
    first_moves = np.full(size, np.nan)
    is_first = moments == earliest[cell]
    first_moves[cell[is_first]] = rows.values("moved_from_present")[is_first]
    return {
        "snapshots": count,
        "window_start": pd.to_datetime(first.astype("datetime64[us]"), utc=True),
        "window_end": pd.to_datetime(last.astype("datetime64[us]"), utc=True),
        "first_moves": first_moves,
    }


def _means(cell: _Numbers, values: FloatArray, counted: BoolArray, size: int) -> FloatArray:
    """Return the mean of what is known in each cell, NaN where nothing is."""
    known = counted & ~np.isnan(values)
    count = np.bincount(cell[known], minlength=size)
    return _sums(cell, values, counted, size) / np.maximum(count, 1)


def _sums(cell: _Numbers, values: FloatArray, counted: BoolArray, size: int) -> FloatArray:
    """Return the sum of what is known in each cell, NaN where nothing is."""
    known = counted & ~np.isnan(values)
    total = np.bincount(cell[known], values[known], minlength=size)
    is_any = np.bincount(cell[known], minlength=size) > 0
    return np.where(is_any, total, np.nan)
