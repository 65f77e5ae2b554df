"""Names as numbers: Arrow dictionaries at the boundaries, ranks in Kafka's order in between."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assignors.java import strings
from assignors.model import IntArray, LongArray
from schemas.arrow import arrow_schema
from schemas.tables import TELEMETRY, columns

STORED: Final = pa.schema([field for field in arrow_schema(TELEMETRY) if field.name != "day"])
NAMES: Final = tuple(name for name, kind in columns(TELEMETRY).items() if kind == "STRING")
LISTS: Final = "subscribed_topics"
NAME: Final = pa.dictionary(pa.int32(), pa.string())
ENCODED: Final = pa.schema(
    [pa.field(f.name, NAME) if f.name in {*NAMES, LISTS} else f for f in STORED]
)
"""A list of topics is one name here, each topic followed by ``_END``."""
_END: Final = "\0"
NOBODY: Final = -1
"""The number of a name that is null."""
_BEYOND_BMP: Final = 0xF0
"""The least first byte, in UTF-8, of a character that takes two UTF-16 code units."""
_Column: TypeAlias = Any
"""A pyarrow.Array or ChunkedArray; pyarrow ships no type hints."""


def encoded(rows: pa.Table) -> pa.Table:
    """Return telemetry as ``ENCODED``; missing columns are null.

    Names may already be dictionaries; nulls in lists are dropped.
    """
    given = [field for field in ENCODED if field.name in rows.column_names]
    columns = [_encoded(rows[field.name], field) for field in given]
    return completed(pa.table(columns, schema=pa.schema(given)), ENCODED)


def _encoded(column: pa.ChunkedArray, field: pa.Field) -> pa.ChunkedArray:
    if field.name == LISTS:
        names = column.cast(pa.list_(pa.string()))
        if pc.list_flatten(names).null_count:  # Spark keeps nulls: removing them is slow
            lists = (each and [t for t in each if t is not None] for each in names.to_pylist())
            names = pa.chunked_array([pa.array(lists, names.type)])
        ends = pc.if_else(pc.greater(pc.list_value_length(names), 0), _END, "")
        column = pc.binary_join_element_wise(pc.binary_join(names, _END), ends, "")
    if field.type != NAME or column.type == NAME:
        return column.cast(field.type)
    return column.cast(pa.string()).dictionary_encode()


def completed(rows: pa.Table | pa.RecordBatch, schema: pa.Schema) -> pa.Table:
    """Return the columns of a schema, in its types; those that are missing are null."""
    known = set(rows.schema.names)
    columns = [
        rows[field.name].cast(field.type)
        if field.name in known
        else pa.nulls(rows.num_rows, field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def group_names(rows: pa.Table) -> pa.ChunkedArray:
    """Return cluster and group of each row as one string; no name contains NUL."""
    cluster, group = (rows[name].cast(pa.string()) for name in ("cluster", "group_id"))
    return pc.binary_join_element_wise(cluster, group, _END)


def decoded(rows: pa.Table) -> pa.Table:
    """Return a table with names as strings and lists of topics as lists."""
    for place, field in enumerate(rows.schema):
        if field.name == LISTS and field.type == NAME:
            rows = rows.set_column(place, LISTS, decoded_lists(rows[LISTS]))
        elif field.type == NAME:
            rows = rows.set_column(place, field.name, rows[field.name].cast(pa.string()))
    return rows


def decoded_lists(column: _Column) -> pa.Array:
    """Return the lists of topics that names encode."""
    names = one_array(column)
    lists = pa.array(split(names.dictionary), pa.list_(pa.string()))
    return lists.take(names.indices)


def split(names: pa.StringArray) -> list[list[str]]:
    """Return the topics in each encoded list."""
    return [name.split(_END)[:-1] for name in names.to_pylist()]


def one_array(column: _Column) -> pa.Array:
    """Return a column of names as one array with one dictionary."""
    if isinstance(column, pa.Array):
        return column
    return column.unify_dictionaries().combine_chunks()


def numbered(columns: Sequence[pa.ChunkedArray]) -> tuple[pa.StringArray, list[IntArray]]:
    """Return the names of encoded columns in Java's string order, and every column as numbers.

    Null is ``NOBODY``.
    """
    chunks = [chunk for column in columns for chunk in column.chunks]
    names = one_array(pa.chunked_array(chunks, NAME))
    order = _java_order(names.dictionary)
    rank = np.full(order.size + 1, NOBODY, np.int32)  # the last one: null
    rank[order] = np.arange(order.size, dtype=np.int32)
    numbers = rank[names.indices.fill_null(NOBODY).to_numpy(zero_copy_only=False)]
    cuts = np.cumsum([len(column) for column in columns])[:-1]
    return names.dictionary.take(pa.array(order)), np.split(numbers, cuts)


def named(names: pa.StringArray, numbers: IntArray | LongArray) -> pa.DictionaryArray:
    """Return names by number, null for ``NOBODY``."""
    codes = pa.array(numbers, pa.int32(), mask=numbers == NOBODY)
    return pa.DictionaryArray.from_arrays(codes, names)


def _java_order(names: pa.StringArray) -> LongArray:
    """Return the order of the names by ``String.compareTo``, which is by UTF-16 code units.

    Arrow sorts by the bytes of UTF-8, which is the same as long as no character takes two units.
    """
    data = names.buffers()[2]
    if data is not None and (np.frombuffer(data, np.uint8) >= _BEYOND_BMP).any():
        return np.array(strings.string_order(names.to_pylist()), np.int64)
    order: LongArray = pc.sort_indices(names).to_numpy().astype(np.int64)
    return order
