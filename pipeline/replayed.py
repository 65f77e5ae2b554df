"""The replay of a fleet on Spark: shuffled by group once, replayed once, read table by table.

One pass makes the rows of several tables. They leave it as Arrow messages inside rows of
two columns, so that Spark keeps bytes, and makes rows of them only where a table is read.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 -- Spark's own name for it

from assignors.registry import STRATEGIES
from pipeline.replay.replay import REPLAYED, replay
from schemas.arrow import arrow_schema
from schemas.replay import CHAIN

CHAIN_TABLE: Final = "chain"
_IS_CHAIN: Final = "_is_chain"
_MESSAGES: Final = "table STRING, message BINARY"
_MESSAGE_ROWS: Final = 25_000
_ROWS_PER_TASK: Final = 150_000
"""Enough that what a task costs does not count, few enough that several fit in memory."""
_FEWEST_TASKS: Final = 8
"""So many also where there are fewer rows: strategies take longer than rows on small groups."""
_FEW_ROWS: Final = 5_000
"""But not for as few as these."""
_Batches = Iterable[pa.RecordBatch]


def replayed(
    rows: DataFrame,
    strategies: Sequence[str],
    row_count: int,
    chain: DataFrame | None = None,
    *,
    leaves_chain: bool = False,
) -> DataFrame:
    """Replay the fleet under these strategies, by name; ``table_of`` reads the answer.

    ``rows`` are usable telemetry with the number of their ``file``, about ``row_count`` of
    them. Persist the answer before more than one table of it is read: each reading would
    replay anew. All rows of a group are in memory at once.

    If asked to, it leaves a table ``chain`` that tells where it stopped; given to another
    replay of the same strategies, that one goes on from there, and its own chain has every
    group of both.
    """
    if chain is not None:
        linked = chain.withColumn(_IS_CHAIN, F.lit(True))  # noqa: FBT003 -- a value, not a flag
        rows = rows.unionByName(linked, allowMissingColumns=True)
    tasks = max(-(-row_count // _ROWS_PER_TASK), min(_FEWEST_TASKS, row_count // _FEW_ROWS), 1)
    by_group = rows.repartition(tasks, "cluster", "group_id")
    task = _replaying(tuple(strategies), leaves_chain=leaves_chain)
    return by_group.mapInArrow(task, _MESSAGES)


def table_of(replayed: DataFrame, name: str) -> DataFrame:
    """Return the chain, or a table named in ``REPLAYED``; by group and snapshot within a task."""
    messages = replayed.where(F.col("table") == name).select("message")
    return messages.mapInArrow(_opened, CHAIN if name == CHAIN_TABLE else REPLAYED[name])


def _replaying(
    names: Sequence[str], *, leaves_chain: bool
) -> Callable[[_Batches], Iterator[pa.RecordBatch]]:
    def messages(batches: _Batches) -> Iterator[pa.RecordBatch]:
        received = list(batches)
        if received:
            rows, chain = _apart(pa.Table.from_batches(received))
            found = replay(rows, [STRATEGIES[name] for name in names], chain)
            for table, content in found.tables.items():
                yield from _written(table, content)
            if leaves_chain:
                yield from _written(CHAIN_TABLE, found.chain)

    return messages


def _apart(received: pa.Table) -> tuple[pa.Table, pa.Table | None]:
    """Return the rows of telemetry, and those of the chain if any came along."""
    if _IS_CHAIN not in received.column_names:
        return received, None
    is_chain = pc.fill_null(received[_IS_CHAIN], fill_value=False)
    schema = arrow_schema(CHAIN)
    chain = received.filter(is_chain).select(schema.names).cast(schema)
    return received.filter(pc.invert(is_chain)), chain


def _written(name: str, content: pa.Table) -> Iterator[pa.RecordBatch]:
    for batch in content.to_batches(max_chunksize=_MESSAGE_ROWS):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, content.schema) as stream:
            stream.write_batch(batch)
        yield pa.record_batch({"table": [name], "message": [sink.getvalue().to_pybytes()]})


def _opened(batches: _Batches) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for message in batch.column("message"):
            yield from pa.ipc.open_stream(message.as_buffer())
