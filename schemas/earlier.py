"""Columns of load in tables of earlier releases, whose columns of lag held what was judged by."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from schemas.arrow import arrow_schema
from schemas.tables import TABLES

FORMER: Final[Mapping[str, Mapping[str, str]]] = {
    "member_load": {"load": "lag", "unknown_loads": "unknown_lags"},
    "group_summary": {
        "total_load": "total_lag",
        "unknown_loads": "unknown_lags",
        "max_load": "max_lag",
        "mean_load": "mean_lag",
        "max_over_mean_load": "max_over_mean_lag",
        "lower_bound": "best_max_lag",
        "above_bound": "above_best_lag",
    },
    "recommendation": {
        "max_load_as_it_was": "max_lag_as_it_was",
        "max_load": "max_lag",
        "lower_bound": "best_max_lag",
        "gain_load": "gain_lag",
    },
}
"""By table: the columns that earlier releases lack, and those in which they had the same."""
GONE: Final = "best_max_lag BIGINT, above_best_lag BIGINT"
"""The columns of an earlier ``group_summary`` that no release writes any more, as DDL."""
_NEVER_NULL: Final = "unknown_loads"
"""Null in a row of an earlier release alone, in the tables that have it."""
_WRITTEN_WHOLE: Final = "gain_load"
"""The same in ``recommendation``, whose rows are always of one release."""


def needed(table: str, columns: Sequence[str], there: Sequence[str]) -> list[str]:
    """Return which of the columns that are there ``with_loads`` takes to tell these."""
    former = FORMER.get(table, {})
    loads = [name for name in columns if name in former]
    beside = [former[name] for name in loads]
    marks = [_NEVER_NULL, _WRITTEN_WHOLE, former.get(_WRITTEN_WHOLE, "")] if former else []
    return [name for name in dict.fromkeys((*columns, *beside, *marks)) if name in there]


def with_loads(
    rows: pa.Table, table: str, columns: Sequence[str], *, is_by_lag: bool = False
) -> pa.Table:
    """Return these columns, with loads of rows of earlier releases from where those had them.

    Their lags are unknown, unless the tables are judged by lag.
    """
    former = FORMER.get(table, {})
    if not former:
        return rows.select(list(columns))
    is_earlier, is_complete = _is_earlier(rows, former), {*columns} <= {*rows.column_names}
    if is_complete and not pc.any(is_earlier, min_count=0).as_py():
        return rows.select(list(columns))
    schema, kept = arrow_schema(TABLES[table]), set() if is_by_lag else set(former.values())
    told = []
    for name in columns:
        new = _column(rows, name, schema)
        if name in former:
            new = pc.if_else(is_earlier, _column(rows, former[name], schema, name), new)
        elif name in kept:
            new = pc.if_else(is_earlier, pa.scalar(None, new.type), new)
        told.append(new)
    return pa.table(told, names=list(columns))


def _is_earlier(rows: pa.Table, former: Mapping[str, str]) -> Any:  # noqa: ANN401 -- pyarrow is untyped
    mark = _NEVER_NULL if _NEVER_NULL in former else _WRITTEN_WHOLE
    nothing = pa.nulls(rows.num_rows)
    is_null = pc.is_null(rows[mark] if mark in rows.column_names else nothing)
    if mark == _NEVER_NULL or mark not in rows.column_names:
        return is_null
    before = former[mark]
    return pc.and_(is_null, pc.is_valid(rows[before] if before in rows.column_names else nothing))


def _column(rows: pa.Table, name: str, schema: pa.Schema, like: str = "") -> Any:  # noqa: ANN401
    if name in rows.column_names:
        column = rows[name]
        return column.cast(schema.field(like).type) if like else column
    return pa.nulls(rows.num_rows, schema.field(like or name).type)
