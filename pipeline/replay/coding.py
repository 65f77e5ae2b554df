"""Telemetry with names as numbers into dictionaries, each name once."""

from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from schemas.arrow import arrow_schema
from schemas.tables import TELEMETRY, columns

PLAIN: Final = pa.schema([field for field in arrow_schema(TELEMETRY) if field.name != "day"])
NAMES: Final = tuple(name for name, kind in columns(TELEMETRY).items() if kind == "STRING")
LISTS: Final = "subscribed_topics"
NAME: Final = pa.dictionary(pa.int32(), pa.string())
CODED: Final = pa.schema(
    [pa.field(f.name, NAME) if f.name in {*NAMES, LISTS} else f for f in PLAIN]
)
"""A list of topics is one name here, each topic in it followed by ``_END``."""
_END: Final = "\0"
_Column: TypeAlias = Any
"""A pyarrow.Array or ChunkedArray; pyarrow ships no type hints."""


def coded(rows: pa.Table) -> pa.Table:
    """Return telemetry as ``CODED``, each column one array; null where there is no such column.

    Names may come as strings or as numbers already, lists as lists or joined; no list may
    hold a null.
    """
    columns = {name: rows[name] for name in rows.column_names}
    table = pa.table(
        [
            _coded(columns[field.name], field.type)
            if field.name in columns
            else pa.nulls(rows.num_rows, field.type)
            for field in CODED
        ],
        schema=CODED,
    )
    return table.unify_dictionaries().combine_chunks()


def decoded(rows: pa.Table) -> pa.Table:
    """Return coded telemetry as ``PLAIN``; the inverse of ``coded``."""
    return pa.table(
        [
            listed(rows[field.name]) if field.name == LISTS else rows[field.name].cast(field.type)
            for field in PLAIN
        ],
        schema=PLAIN,
    )


def plain(table: pa.Table) -> pa.Table:
    """Return any table with its names as strings."""
    types = [f.with_type(pa.string()) if f.type == NAME else f for f in table.schema]
    return table.cast(pa.schema(types))


def joined(lists: _Column) -> _Column:
    """Return lists of names as one string each; null for a list that holds a null."""
    ends = pc.if_else(pc.greater(pc.list_value_length(lists), 0), _END, "")
    names = lists.cast(pa.list_(pa.string()))
    return pc.binary_join_element_wise(pc.binary_join(names, _END), ends, "")


def listed(codes: _Column) -> pa.ChunkedArray:
    """Return the lists that coded strings stand for."""
    array = one_array(codes)
    lists = pa.array(split(array.dictionary), pa.list_(pa.string()))
    return pa.chunked_array([lists.take(array.indices)])


def split(strings: pa.StringArray) -> list[list[str]]:
    """Return the names that were joined."""
    return [string.split(_END)[:-1] for string in strings.to_pylist()]


def one_array(column: _Column) -> pa.Array:
    """Return a column as one array; of names, with one dictionary."""
    if isinstance(column, pa.Array):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _coded(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    if column.type == kind and (kind != NAME or all(map(_is_sound, column.chunks))):
        return column
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        column = joined(column)
    if kind != NAME:
        return column.cast(kind)
    return column.cast(pa.string()).dictionary_encode()


def _is_sound(chunk: pa.DictionaryArray) -> bool:
    """Tell whether every name is there once, which a file's own dictionary need not promise."""
    names = chunk.dictionary
    return not names.null_count and pc.count_distinct(names).as_py() == len(names)
