"""Every group's figures under every strategy, mean over the snapshots that can be judged."""

from collections.abc import Mapping
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
_FIGURES: Final = (_UNOWNED, "moved_from_present", *_JUDGED, *_ALWAYS)
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

    figures: Mapping[str, FloatArray]
    """Column to its values, NaN where unknown."""
    moments: _Numbers
    """Microseconds, UTC."""
    group: _Numbers
    snapshot: _Numbers
    strategy: _Numbers
    groups: pd.DataFrame
    """Cluster and name of each group number."""
    strategies: list[str]


def averages(fleet: Fleet, scope: Scope) -> Averages:
    """Return the means over the scope's snapshots, for the strategies it names."""
    rows = _numbered(_read(fleet, scope))
    is_judged, is_comparable = _judged(rows)
    cell = rows.group * len(rows.strategies) + rows.strategy
    size = len(rows.groups) * len(rows.strategies)
    found: dict[str, object] = {}
    for column, name in _JUDGED.items():
        total, count = _sums(cell, rows.figures[column], is_judged, size)
        found[name] = _over(total, count)
        if column == "max_lag":
            found["summed_lag"] = np.where(count > 0, total, np.nan)
    for column, name in _ALWAYS.items():
        found[name] = _over(*_sums(cell, rows.figures[column], None, size))
    found |= _when(rows, cell, is_judged, size)
    there = np.bincount(cell, minlength=size) > 0
    table = pd.DataFrame(found)
    group, number = np.divmod(np.arange(size), max(len(rows.strategies), 1))
    table["group"] = group
    table["strategy"] = np.array(rows.strategies, dtype=object)[number]
    for name in KEYS:
        table[name] = rows.groups[name].to_numpy()[group]
    return Averages(table[there].reset_index(drop=True), pd.Series(is_comparable))


def _read(fleet: Fleet, scope: Scope) -> pa.Table:
    wanted = None
    if scope.strategies:
        wanted = ds.field("strategy").isin([AS_IT_WAS, *scope.strategies])
    read = [*KEYS, "strategy", "snapshot_at", *_FIGURES]
    return fleet.read("group_summary", read, both(wanted, in_scope(scope)))


def _numbered(table: pa.Table) -> _Rows:
    """Give groups, their snapshots and strategies numbers."""
    cluster, group_id, strategy = (_coded(table[name]) for name in (*KEYS, "strategy"))
    pairs = cluster[0].astype(np.int64) * max(len(group_id[1]), 1) + group_id[0]
    group, pair = pd.factorize(pairs)
    first, second = np.divmod(pair, max(len(group_id[1]), 1))
    groups = pd.DataFrame({"cluster": cluster[1][first], "group_id": group_id[1][second]})
    moments = table["snapshot_at"].to_numpy().astype("datetime64[us]").astype(np.int64)
    moment, different = pd.factorize(moments)
    snapshot, _ = pd.factorize(group * np.int64(max(len(different), 1)) + moment)
    figures = {name: table[name].to_numpy().astype(np.float64, copy=False) for name in _FIGURES}
    numbers = strategy[0].astype(np.int64)
    return _Rows(figures, moments, group, snapshot, numbers, groups, [*strategy[1]])


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
    is_known[rows.snapshot[np.isnan(rows.figures["max_lag"])]] = False
    unowned = rows.figures[_UNOWNED]
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
    moments = rows.moments
    count = np.bincount(cell[is_judged], minlength=size)
    is_counted = is_judged | (count[cell] == 0)
    first, last = np.full(size, np.iinfo(np.int64).max), np.full(size, np.iinfo(np.int64).min)
    np.minimum.at(first, cell[is_counted], moments[is_counted])
    np.maximum.at(last, cell[is_counted], moments[is_counted])
    earliest = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(earliest, cell, moments)
    first_moves = np.full(size, np.nan)
    is_first = moments == earliest[cell]
    first_moves[cell[is_first]] = rows.figures["moved_from_present"][is_first]
    return {
        "snapshots": count,
        "window_start": pd.to_datetime(first.astype("datetime64[us]"), utc=True),
        "window_end": pd.to_datetime(last.astype("datetime64[us]"), utc=True),
        "first_moves": first_moves,
    }


def _sums(
    cell: _Numbers, values: FloatArray, counted: BoolArray | None, size: int
) -> tuple[FloatArray, FloatArray]:
    """Return the sum of what is known in each cell, and how many it is; None counts all rows."""
    known = ~np.isnan(values)
    if counted is not None:
        known &= counted
    # Adding zeros is quicker than picking a million rows out once more for every column.
    total = np.bincount(cell, np.where(known, values, 0.0), size)
    count = np.bincount(cell, known, size)
    return np.asarray(total, np.float64), np.asarray(count, np.float64)


def _over(total: FloatArray, count: FloatArray) -> FloatArray:
    """Return the mean, NaN where nothing is known."""
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
