"""The tables of ``schemas`` in Arrow's types, and whether a file holds what they say."""

from typing import Final

import pyarrow as pa

from schemas.arrow import arrow_schema
from schemas.tables import TABLES, columns
from sources.errors import SourceError

DAY: Final = "day"
"""The partition column: it stands in the names of folders, not in the files."""

REPEATED: Final = ("cluster", "group_id", "strategy", "topic", "member_id")
"""Columns whose few values repeat from row to row."""
_WORDS: Final = pa.dictionary(pa.int32(), pa.string())


def table_schema(table: str) -> pa.Schema:
    """Return a table's columns and types, the day among its columns.

    >>> table_schema("rejected").names
    ['file', 'reason', 'raw', 'rows']
    """
    return arrow_schema(TABLES[table])


def reading_schema(table: str) -> pa.Schema:
    """Return the same with the names that repeat from row to row as dictionaries.

    A million rows are then read three times as fast.
    """
    return pa.schema(
        [
            pa.field(field.name, _WORDS) if field.name in REPEATED else field
            for field in table_schema(table)
        ]
    )


def has_days(table: str) -> bool:
    """Whether the table is partitioned by day."""
    return DAY in columns(TABLES[table])


def check_file(place: str, table: str, found: pa.Schema, *, is_of_day: bool) -> None:
    """Hold a file's columns to the table's; columns beyond it do no harm.

    The folder of a day tells the day; a file elsewhere must hold it, as an empty one does.
    Raises SourceError naming the place and the first column that is missing or of another
    type.
    """
    for name, kind in columns(TABLES[table]).items():
        if name == DAY and is_of_day:
            continue
        if name not in found.names:
            message = f"{place} has no column {name!r}; {_WAY_OUT}"
            raise SourceError(message)
        if not _fits(found.field(name).type, kind):
            message = (
                f"{place}: column {name!r} is {found.field(name).type} where {kind} is "
                f"expected; {_WAY_OUT}"
            )
            raise SourceError(message)


_WAY_OUT: Final = "let this version of the pipeline write the tables anew"


def _fits(found: pa.DataType, kind: str) -> bool:
    """Whether values of the type can be read as the expected one without loss."""
    if pa.types.is_dictionary(found):
        found = found.value_type
    if kind == "TIMESTAMP":
        return bool(pa.types.is_timestamp(found)) and found.tz in (None, "UTC")
    if kind == "STRING":
        return bool(pa.types.is_string(found) or pa.types.is_large_string(found))
    if kind == "ARRAY<STRING>":
        return bool(pa.types.is_list(found)) and _fits(found.value_type, "STRING")
    return bool(found == arrow_schema(f"value {kind}").field(0).type)
