"""Which strategy would have served each group best over the window, ranked by what it gains.

A snapshot is judged where the largest lag is known under every strategy, and where the group
had an owner for every partition that a strategy can place: a partition that nobody reads
weighs on no consumer, so that its group would look better than it is. A group without any
such snapshot is judged on the others, but what it would gain stays unknown.

K strategies, the owners found first, U snapshots, G groups.
"""

from collections.abc import Mapping, Sequence
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
from schemas.arrow import arrow_schema
from schemas.tables import AS_IT_WAS, REAL_GAIN, RECOMMENDATION

_SCHEMA: Final = arrow_schema(RECOMMENDATION)
_PRESENT: Final = 0
_NONE: Final = -1
_LAST: Final = np.iinfo(np.int64).max
_Exact: TypeAlias = LongArray | npt.NDArray[np.object_]


def recommended(summary: pa.Table, order: Sequence[str]) -> pa.Table:
    """Return one RECOMMENDATION row a group of ``group_summary``, the rank still null.

    Ties go to the strategy that moves less, then to the first in ``order``. All rows of a
    group must be there; of strategies not in ``order`` none may be.
    """
    if not summary.num_rows:
        return _SCHEMA.empty_table()
    grid = _grid(summary, [AS_IT_WAS, *order])
    judged = _Judged(grid)
    best = _best(judged)
    return _table(grid, judged, best, [AS_IT_WAS, *order])


def ranked(found: pa.Table) -> pa.Table:
    """Order the rows of all groups by what they gain, unknown gains last, and number them."""
    found = found.cast(_SCHEMA)
    gain, before = (_floats(found[name]) for name in ("gain_lag", "max_lag_as_it_was"))
    (_, (group,)), (_, (cluster,)) = (
        numbered([found[name].cast(NAME)]) for name in ("group_id", "cluster")
    )
    order = np.lexsort((group, cluster, *_descending(before), *_descending(gain)))
    rank = pa.array(np.arange(1, order.size + 1), pa.int32())
    return found.take(pa.array(order)).set_column(0, _SCHEMA.field("rank"), rank)


def _descending(values: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return sort keys, the least important first, for the largest first and NaN last."""
    return np.where(np.isnan(values), 0.0, -values), np.isnan(values)


@dataclass(frozen=True, eq=False)
class _Grid:
    """The rows of a summary by strategy and snapshot; snapshots by group, then time."""

    summary: pa.Table
    row: LongArray
    """(K, U) the row of each, or ``_NONE``."""
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
        return np.append(_floats(self.summary[column]), np.nan)[self.row]


def _grid(summary: pa.Table, strategies: Sequence[str]) -> _Grid:
    place = {name: number for number, name in enumerate(strategies)}
    coded = {name: summary[name].cast(NAME) for name in ("cluster", "group_id", "strategy")}
    (_, (cluster,)), (_, (group,)) = (numbered([coded[name]]) for name in ("cluster", "group_id"))
    names, (named,) = numbered([coded["strategy"]])
    strategy = np.array([place[name] for name in names.to_pylist()], np.int64)[named]
    at = summary["snapshot_at"].cast(pa.int64()).to_numpy()
    order = np.lexsort([at, group, cluster])
    is_group = _changes(cluster[order]) | _changes(group[order])
    is_unit = is_group | _changes(at[order])
    unit = np.cumsum(is_unit) - 1
    row = np.full((len(strategies), int(unit[-1]) + 1), _NONE, np.int64)
    row[strategy[order], unit] = order
    of_unit = (np.cumsum(is_group) - 1)[is_unit]
    return _Grid(summary, row, of_unit, at[order][is_unit], np.flatnonzero(_changes(of_unit)))


class _Judged:
    """What every strategy comes to in each group, over the snapshots that are judged."""

    def __init__(self, grid: _Grid) -> None:
        self.grid = grid
        self.max_lag = grid.longs("max_lag")
        is_there = grid.row != _NONE
        is_known = ((self.max_lag != UNKNOWN) | ~is_there).all(axis=0)
        unowned = np.where(is_there, grid.longs("unowned"), _LAST)
        is_owned = is_known & (unowned[_PRESENT] <= unowned.min(axis=0))
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


def _best(judged: _Judged) -> LongArray:
    """(G,) each group's best strategy: least lag, then fewest moves, then the first; or _NONE."""
    lag = judged.summed_lag[1:]
    if not len(lag):
        return np.full(judged.count.size, _NONE, np.int64)
    moves = judged.mean_everywhere("moved_from_previous")[1:]
    first_moves = judged.grid.floats("moved_from_present")[1:, judged.grid.first]
    told = np.where(np.isnan(moves), first_moves, moves)
    keys = (
        lag == UNKNOWN,
        lag,
        np.where(np.isnan(told), 0.0, told),
        np.where(np.isnan(first_moves), -1.0, first_moves),
    )
    best = np.zeros(lag.shape[1], np.int64)
    everyone = np.arange(best.size)
    for number in range(1, len(lag)):
        present = [key[best, everyone] for key in keys]
        best[_is_less([key[number] for key in keys], present)] = number
    return np.where((lag != UNKNOWN).any(axis=0), best + 1, _NONE)


def _is_less(some: Sequence[npt.NDArray[Any]], others: Sequence[npt.NDArray[Any]]) -> BoolArray:
    """Tell where some come before others, the first key that differs deciding."""
    found = np.zeros(some[0].size, np.bool_)
    is_open = ~found
    for one, other in zip(some, others, strict=True):
        found |= is_open & (one < other)
        is_open &= one == other
    return found


def _table(grid: _Grid, judged: _Judged, best: LongArray, strategies: Sequence[str]) -> pa.Table:
    """Return the recommendations: the best strategy if it gains, else what there is."""
    groups = np.arange(grid.first.size)
    last = np.append(grid.first[1:], grid.at.size) - 1
    max_lag, total_lag = judged.mean_lag("max_lag"), judged.mean_lag("total_lag")[_PRESENT]
    best_max_lag = judged.mean_lag("best_max_lag")[_PRESENT]
    before, after = max_lag[_PRESENT], max_lag[best, groups]
    is_real = (before - after >= 1) & (before - after >= REAL_GAIN * before)
    chosen = np.where((best != _NONE) & (is_real | ~judged.is_comparable), best, _PRESENT)
    gain = np.where(judged.is_comparable, before - max_lag[chosen, groups], np.nan)
    members = grid.longs("members")[_PRESENT]
    figures = {
        "max_lag": max_lag,
        "moves": judged.mean_everywhere("moved_from_previous"),
        "max_over_mean": judged.mean("max_over_mean_lag"),
    }
    present = pa.array(grid.row[_PRESENT, last])
    start, end = _window(grid, judged)
    columns: Mapping[str, Any] = {
        **{name: grid.summary[name].take(present) for name in ("cluster", "group_id")},
        "window_start": start,
        "window_end": end,
        "snapshots": judged.count,
        "partitions": grid.longs("partitions")[_PRESENT, last],
        "members": members[last],
        "strategy": pa.array(strategies).take(pa.array(chosen)),
        **{f"{name}_as_it_was": each[_PRESENT] for name, each in figures.items()},
        **{name: each[chosen, groups] for name, each in figures.items()},
        "best_max_lag": best_max_lag,
        "gain_lag": gain,
        "gain_share": _share(gain, before),
        "idle_members": judged.mean_everywhere("idle_members")[_PRESENT],
        "largest_partition_share": _share(best_max_lag, total_lag),
        "reason": _reasons(
            {
                "no-members": np.maximum.reduceat(members, grid.first) == 0,
                "unknown-lag": np.isnan(before),
                "unowned": ~judged.is_comparable,
                "gains": chosen != _PRESENT,
                "no-lag": before == 0,
                "at-best": before == best_max_lag,
            }
        ),
    }
    return _typed(columns, groups.size)


def _window(grid: _Grid, judged: _Judged) -> tuple[LongArray, LongArray]:
    """(G,) and (G,): the first and the last snapshot judged, or of all where none is."""
    is_counted = judged.count[grid.group] == 0
    is_counted[judged.units] = True
    starts = np.flatnonzero(_changes(grid.group[is_counted]))
    at = grid.at[is_counted]
    return at[starts], at[np.append(starts[1:], at.size) - 1]


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    share = np.full(part.size, np.nan)
    np.divide(part, whole, out=share, where=whole != 0)
    return share


def _reasons(cases: Mapping[str, BoolArray]) -> pa.Array:
    """Return one word a group: why this strategy, or why none; the first that holds."""
    return pa.array(np.select(list(cases.values()), list(cases), "none-better").tolist())


def _typed(columns: Mapping[str, Any], size: int) -> pa.Table:
    arrays = []
    for field in _SCHEMA:
        values = columns.get(field.name)
        if values is None:
            arrays.append(pa.nulls(size, field.type))
        elif isinstance(values, np.ndarray) and values.dtype.kind == "f":
            arrays.append(pa.array(values, field.type, mask=np.isnan(values)))
        else:
            array = pa.array(values) if isinstance(values, np.ndarray) else values
            arrays.append(array.cast(field.type))
    return pa.table(arrays, schema=_SCHEMA)


def _floats(column: pa.ChunkedArray) -> FloatArray:
    found: FloatArray = column.cast(pa.float64()).fill_null(np.nan).to_numpy()
    return found


def _changes(values: IntArray | LongArray) -> BoolArray:
    found = np.ones(values.size, np.bool_)
    found[1:] = values[1:] != values[:-1]
    return found
