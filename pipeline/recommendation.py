"""Which strategy would have served each group best over the window, ranked by what it gains.

A snapshot is judged where the largest lag is known under every strategy, and where the group
had an owner for every partition that a strategy can place: a partition that nobody reads
weighs on no consumer, so that its group would look better than it is. A group without any
such snapshot is judged on the others, but what it would gain stays unknown.

K strategies, the owners found first, U snapshots, G groups.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assignors.model import UNKNOWN, BoolArray, FloatArray, LongArray
from pipeline.packets.coding import NAME
from pipeline.replay.names import numbered
from pipeline.verdicts import NONE, PRESENT, Grid, Judged, changes, floats_in, grid_of
from schemas.arrow import arrow_schema
from schemas.tables import AS_IT_WAS, REAL_GAIN, RECOMMENDATION

_SCHEMA: Final = arrow_schema(RECOMMENDATION)


def recommended(summary: pa.Table, order: Sequence[str]) -> pa.Table:
    """Return one RECOMMENDATION row a group of ``group_summary``, the rank still null.

    Ties go to the strategy that moves less, then to the first in ``order``. All rows of a
    group must be there; of strategies not in ``order`` none may be.
    """
    if not summary.num_rows:
        return _SCHEMA.empty_table()
    grid = grid_of(summary, [AS_IT_WAS, *order])
    judged = Judged(grid)
    best = _best(judged)
    return _table(grid, judged, best, [AS_IT_WAS, *order])


def ranked(found: pa.Table) -> pa.Table:
    """Order the rows of all groups by what they gain, unknown gains last, and number them."""
    found = found.cast(_SCHEMA)
    gain, before = (floats_in(found[name]) for name in ("gain_lag", "max_lag_as_it_was"))
    (_, (group,)), (_, (cluster,)) = (
        numbered([found[name].cast(NAME)]) for name in ("group_id", "cluster")
    )
    order = np.lexsort((group, cluster, *_descending(before), *_descending(gain)))
    rank = pa.array(np.arange(1, order.size + 1), pa.int32())
    return found.take(pa.array(order)).set_column(0, _SCHEMA.field("rank"), rank)


def _descending(values: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return sort keys, the least important first, for the largest first and NaN last."""
    return np.where(np.isnan(values), 0.0, -values), np.isnan(values)


def _best(judged: Judged) -> LongArray:
    """(G,) each group's best strategy: least lag, then fewest moves, then the first; or NONE."""
    lag = judged.summed_lag[1:]
    if not len(lag):
        return np.full(judged.count.size, NONE, np.int64)
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
    return np.where((lag != UNKNOWN).any(axis=0), best + 1, NONE)


def _is_less(some: Sequence[npt.NDArray[Any]], others: Sequence[npt.NDArray[Any]]) -> BoolArray:
    """Tell where some come before others, the first key that differs deciding."""
    found = np.zeros(some[0].size, np.bool_)
    is_open = ~found
    for one, other in zip(some, others, strict=True):
        found |= is_open & (one < other)
        is_open &= one == other
    return found


def _table(grid: Grid, judged: Judged, best: LongArray, strategies: Sequence[str]) -> pa.Table:
    """Return the recommendations: the best strategy if it gains, else what there is."""
    groups = np.arange(grid.first.size)
    last = np.append(grid.first[1:], grid.at.size) - 1
    max_lag, total_lag = judged.mean_lag("max_lag"), judged.mean_lag("total_lag")[PRESENT]
    best_max_lag = judged.mean_lag("best_max_lag")[PRESENT]
    before, after = max_lag[PRESENT], max_lag[best, groups]
    is_real = (before - after >= 1) & (before - after >= REAL_GAIN * before)
    chosen = np.where((best != NONE) & (is_real | ~judged.is_comparable), best, PRESENT)
    gain = np.where(judged.is_comparable, before - max_lag[chosen, groups], np.nan)
    members = grid.longs("members")[PRESENT]
    figures = {
        "max_lag": max_lag,
        "moves": judged.mean_everywhere("moved_from_previous"),
        "max_over_mean": judged.mean("max_over_mean_lag"),
    }
    present = pa.array(grid.row[PRESENT, last])
    start, end = _window(grid, judged)
    columns: Mapping[str, Any] = {
        **{name: grid.summary[name].take(present) for name in ("cluster", "group_id")},
        "window_start": start,
        "window_end": end,
        "snapshots": judged.count,
        "partitions": grid.longs("partitions")[PRESENT, last],
        "members": members[last],
        "strategy": pa.array(strategies).take(pa.array(chosen)),
        **{f"{name}_as_it_was": each[PRESENT] for name, each in figures.items()},
        **{name: each[chosen, groups] for name, each in figures.items()},
        "best_max_lag": best_max_lag,
        "gain_lag": gain,
        "gain_share": _share(gain, before),
        "idle_members": judged.mean_everywhere("idle_members")[PRESENT],
        "largest_partition_share": _share(best_max_lag, total_lag),
        "reason": _reasons(
            {
                "no-members": np.maximum.reduceat(members, grid.first) == 0,
                "unknown-lag": np.isnan(before),
                "unowned": ~judged.is_comparable,
                "gains": chosen != PRESENT,
                "no-lag": before == 0,
                "at-best": before == best_max_lag,
            }
        ),
    }
    return _typed(columns, groups.size)


def _window(grid: Grid, judged: Judged) -> tuple[LongArray, LongArray]:
    """(G,) and (G,): the first and the last snapshot judged, or of all where none is."""
    is_counted = judged.count[grid.group] == 0
    is_counted[judged.units] = True
    starts = np.flatnonzero(changes(grid.group[is_counted]))
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
