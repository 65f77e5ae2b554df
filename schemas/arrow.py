"""The tables' columns as Arrow types, for readers and writers of Parquet without Spark."""

from typing import Final

import pyarrow as pa

from schemas.tables import columns

_TYPES: Final = {
    "STRING": pa.string(),
    "BINARY": pa.binary(),
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "TIMESTAMP": pa.timestamp("us", "UTC"),
    "DATE": pa.date32(),
    "ARRAY<STRING>": pa.list_(pa.string()),
    "MAP<STRING,BIGINT>": pa.map_(pa.string(), pa.int64()),
}


def arrow_schema(ddl: str) -> pa.Schema:
    """Return the Arrow schema of a table's DDL; every column may be null.

    >>> arrow_schema("day DATE, names ARRAY<STRING>").names
    ['day', 'names']
    """
    return pa.schema([(name, _TYPES[kind]) for name, kind in columns(ddl).items()])
