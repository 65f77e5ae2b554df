"""The replay as a step of Spark: rows of telemetry to all tables in one pass.

The pass leaves one frame for all tables, whose rows carry many rows of a table each, as
Arrow's own compressed bytes. It is computed once, and every table is unpacked from it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from assignors.registry import STRATEGIES
from pipeline.replay.replay import REPLAYED, replay
from schemas.arrow import arrow_schema
from schemas.replay import CHAIN

CHAIN_TABLE: Final = "chain"
"""The name under which the replay leaves where it stopped, for the next one."""
_IS_CHAIN: Final = "_is_chain"
_PACKED: Final = "name STRING, rows BIGINT, payload BINARY"
_ROWS_A_TASK: Final = 150_000
_LEAST_ROWS_A_TASK: Final = 10_000
_FEW_TASKS: Final = 4
_ROWS_A_PAYLOAD: Final = 65_536
_COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="lz4")

_Batches: TypeAlias = Iterator[Any]
"""pyarrow.RecordBatches; pyarrow ships no type hints."""


def replayed(
    rows: DataFrame, strategies: Sequence[str], rows_in: int, chain: DataFrame | None = None
) -> DataFrame:
    """Return all tables of ``REPLAYED``, and the chain, in one frame, still to be computed.

    ``rows_in``, about how many rows there are, decides how many tasks share them. With the
    ``chain`` that an earlier replay left for the same strategies, this one goes on from it.
    """
    if chain is not None:
        linked = chain.withColumn(_IS_CHAIN, F.lit(True))  # noqa: FBT003 - a value, not a flag
        rows = rows.unionByName(linked, allowMissingColumns=True)
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
    return payloads.mapInArrow(_unpacked, CHAIN if name == CHAIN_TABLE else REPLAYED[name])


def _replaying(names: tuple[str, ...]) -> Callable[[_Batches], _Batches]:
    """Return what a task does: replay its groups, all of them at once."""

    def task(batches: _Batches) -> _Batches:
        taken = list(batches)
        if not taken:
            return
        rows, chain = _apart(pa.Table.from_batches(taken))
        del taken
        found = replay(rows, [STRATEGIES[name] for name in names], chain)
        for name, table in (*found.tables.items(), (CHAIN_TABLE, found.chain)):
            for start in range(0, table.num_rows, _ROWS_A_PAYLOAD):
                part = table.slice(start, _ROWS_A_PAYLOAD)
                yield _packed(name, part.num_rows, _as_bytes(part))

    return task


def _apart(received: pa.Table) -> tuple[pa.Table, pa.Table | None]:
    """Return the rows of telemetry, and those of the chain if any came along."""
    if _IS_CHAIN not in received.column_names:
        return received, None
    is_chain = pc.fill_null(received[_IS_CHAIN], fill_value=False)
    schema = arrow_schema(CHAIN)
    chain = received.filter(is_chain).select(schema.names).cast(schema)
    return received.filter(pc.invert(is_chain)), chain


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
