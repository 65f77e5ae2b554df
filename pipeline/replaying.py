"""The replay as a step of Spark: rows of telemetry to all tables in one pass.

The pass leaves one frame for all tables, whose rows carry many rows of a table each, as
Arrow's own compressed bytes. It is computed once, and every table is unpacked from it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from assignors.registry import STRATEGIES
from pipeline.replay.replay import REPLAYED, replay

_PACKED: Final = "name STRING, rows BIGINT, payload BINARY"
_ROWS_A_TASK: Final = 150_000
_LEAST_ROWS_A_TASK: Final = 10_000
_FEW_TASKS: Final = 4
_ROWS_A_PAYLOAD: Final = 65_536
_COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="lz4")

_Batches: TypeAlias = Iterator[Any]
"""pyarrow.RecordBatches; pyarrow ships no type hints."""


def replayed(rows: DataFrame, strategies: Sequence[str], rows_in: int) -> DataFrame:
    """Return all tables of ``REPLAYED`` in one frame, still to be computed.

    ``rows_in``, about how many rows there are, decides how many tasks share them.
    """
    tasks = max(
        math.ceil(rows_in / _ROWS_A_TASK),
        min(_FEW_TASKS, math.ceil(rows_in / _LEAST_ROWS_A_TASK)),
        1,
    )
    return (
        rows.repartition(tasks, "cluster", "group_id")
        .mapInArrow(_replaying(tuple(strategies)), _PACKED)
        .persist(StorageLevel.DISK_ONLY)
    )


def row_counts(packed: DataFrame) -> dict[str, int]:
    """Compute the frame; return how many rows each table has."""
    found = packed.groupBy("name").agg(F.sum("rows").alias("rows")).collect()
    counts = {row["name"]: row["rows"] for row in found}
    return {name: counts.get(name, 0) for name in REPLAYED}


def table_of(packed: DataFrame, name: str) -> DataFrame:
    """Return one table, with the columns of its DDL."""
    payloads = packed.where(F.col("name") == name).select("payload")
    return payloads.mapInArrow(_unpacked, REPLAYED[name])


def _replaying(names: tuple[str, ...]) -> Callable[[_Batches], _Batches]:
    """Return what a task does: replay its groups, all of them at once."""

    def task(batches: _Batches) -> _Batches:
        taken = list(batches)
        if not taken:
            return
        rows = pa.Table.from_batches(taken)
        del taken
        for name, table in replay(rows, [STRATEGIES[name] for name in names]).tables.items():
            for start in range(0, table.num_rows, _ROWS_A_PAYLOAD):
                part = table.slice(start, _ROWS_A_PAYLOAD)
                yield _packed(name, part.num_rows, _as_bytes(part))

    return task


def _packed(name: str, rows: int, payload: object) -> Any:  # noqa: ANN401 - see _Batches
    columns = [pa.array([name]), pa.array([rows], pa.int64()), pa.array([payload], pa.binary())]
    return pa.RecordBatch.from_arrays(columns, names=["name", "rows", "payload"])


def _as_bytes(table: Any) -> object:  # noqa: ANN401 - see _Batches
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=_COMPRESSED) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def _unpacked(batches: _Batches) -> _Batches:
    for batch in batches:
        for payload in batch.column(0):
            with pa.ipc.open_stream(payload.as_buffer()) as reader:
                yield from reader
