"""The table ``recommendation``: ``evaluation.comparing.ranking`` over rows of ``group_summary``."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from assignors.model import UNKNOWN, FloatArray, IntArray, LongArray
from evaluation.answering.pool import pool_of
from evaluation.comparing.ranking import Scores, rank_order, scores
from evaluation.comparing.window import COUNTS, MEANS, PRESENT, SnapshotFigures
from pipeline.encoding import NAME, numbered
from schemas.arrow import arrow_schema
from schemas.earlier import GONE, needed, with_loads
from schemas.tables import AS_IT_WAS, GROUP_SUMMARY, RECOMMENDATION, columns

_SCHEMA: Final = arrow_schema(RECOMMENDATION)
_RANKED: Final = tuple(
    name
    for name in columns(GROUP_SUMMARY)
    if name in {"cluster", "group_id", "snapshot_at", "strategy", *COUNTS, *MEANS}
)
"""The columns of ``group_summary`` that the ranking takes."""
WITH_EARLIER: Final = f"{GROUP_SUMMARY.rstrip()}, {GONE}"
"""The columns of ``group_summary`` with those that only rows of earlier releases have."""
NEEDED, OF_THIS_RELEASE = (
    tuple(needed("group_summary", _RANKED, tuple(columns(ddl))))
    for ddl in (WITH_EARLIER, GROUP_SUMMARY)
)
"""What ``recommended`` needs of rows of any release, and of those of this one."""


def recommended(summary: pa.Table, order: Sequence[str]) -> pa.Table:
    """Return one RECOMMENDATION row per group of ``group_summary``, with a null rank.

    Ties go to the first in ``order``. Requires all rows of a group, and none of strategies outside
    ``order``.
    """
    if not summary.num_rows:
        return _SCHEMA.empty_table()
    summary = with_loads(summary, "group_summary", _RANKED)
    strategies = [AS_IT_WAS, *order]
    figures, first_of_group = _figures(summary, strategies)
    return _table(summary, scores(figures, pool_of(strategies)), first_of_group, strategies)


def ranked(table: pa.Table) -> pa.Table:
    """Order the rows of all groups by gain, unknown ones last, and number them.

    Of equal or unknown gains, the most load comes first: as it was or, where no owner is told, at
    least.
    """
    gain, before, bound = (
        _floats(table[name]) for name in ("gain_load", "max_load_as_it_was", "lower_bound")
    )
    before = np.where(np.isnan(before), bound, before)
    names = (_numbers(table[name])[1] for name in ("cluster", "group_id"))
    order = rank_order((gain, before), [*names])
    rank = pa.array(np.arange(1, order.size + 1), pa.int32())
    return table.take(pa.array(order)).set_column(0, _SCHEMA.field("rank"), rank)


def _figures(summary: pa.Table, strategies: Sequence[str]) -> tuple[SnapshotFigures, LongArray]:
    """Return the figures, and one row of each group."""
    cluster, group = (_numbers(summary[name])[1] for name in ("cluster", "group_id"))
    key = cluster.astype(np.int64) * (int(group.max()) + 1) + group
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    names, strategy = _numbers(summary["strategy"])
    place = np.array([strategies.index(name) for name in names], np.int64)
    figures: dict[str, Any] = {name: _longs(summary[name]) for name in COUNTS}
    figures |= {name: _floats(summary[name]) for name in MEANS}
    at = summary["snapshot_at"].cast(pa.int64()).to_numpy()
    return SnapshotFigures(group=number, at=at, strategy=place[strategy], **figures), first


def _table(
    summary: pa.Table, best: Scores, first_of_group: LongArray, strategies: Sequence[str]
) -> pa.Table:
    rows, names = pa.array(first_of_group[best.group]), pa.array(strategies)
    tested = pa.array(best.tested_strategy, mask=best.tested_strategy < PRESENT)
    columns = {
        **vars(best),
        **{name: summary[name].take(rows) for name in ("cluster", "group_id")},
        "strategy": names.take(pa.array(best.strategy)),
        "tested_strategy": names.take(tested),
        "reason": pa.array(best.reason.tolist()),
        "members": pa.array(best.members, mask=best.members == UNKNOWN),
        "rank": pa.nulls(len(rows)),
    }
    return pa.table(
        [  # NaN becomes null
            pa.array(values, from_pandas=True).cast(field.type)
            if isinstance(values := columns[field.name], np.ndarray)
            else values.cast(field.type)
            for field in _SCHEMA
        ],
        schema=_SCHEMA,
    )


def _numbers(column: pa.ChunkedArray) -> tuple[list[str], IntArray]:
    """Return the distinct names in Java's order, and each row's index into them."""
    names, (number,) = numbered([column.cast(NAME)])
    return names.to_pylist(), number


def _longs(column: pa.ChunkedArray) -> LongArray:
    values: LongArray = column.cast(pa.int64()).fill_null(UNKNOWN).to_numpy()
    return values


def _floats(column: pa.ChunkedArray) -> FloatArray:
    values: FloatArray = column.cast(pa.float64()).fill_null(np.nan).to_numpy()
    return values
