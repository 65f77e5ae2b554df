"""The tables' columns as Arrow types, for readers and writers of Parquet without Spark."""

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final

import pyarrow as pa

from schemas.tables import columns

_TYPES: Final = MappingProxyType(
    {
        "STRING": pa.string(),
        "BINARY": pa.binary(),
        "INT": pa.int32(),
        "BIGINT": pa.int64(),
        "DOUBLE": pa.float64(),
        "TIMESTAMP": pa.timestamp("us", "UTC"),
        "DATE": pa.date32(),
        "ARRAY<STRING>": pa.list_(pa.string()),
    }
)


def arrow_schema(ddl: str) -> pa.Schema:
    """Return the Arrow schema of a table's DDL; every column may be null.

    >>> arrow_schema("day DATE, names ARRAY<STRING>").names
    ['day', 'names']
    """
    return pa.schema([(name, _TYPES[kind]) for name, kind in columns(ddl).items()])


def arrow_table(ddl: str, rows: Iterable[Sequence[object]]) -> pa.Table:
    """Return rows as a table of a DDL, each with a value for every column.

    >>> arrow_table("name STRING, size INT", [("a", 1)]).to_pylist()
    [{'name': 'a', 'size': 1}]
    """
    schema = arrow_schema(ddl)
    named = [dict(zip(schema.names, row, strict=True)) for row in rows]
    return pa.Table.from_pylist(named, schema)
