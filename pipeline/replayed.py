"""The replay of a fleet on Spark: shuffled by group once, replayed once, read table by table.

One pass makes the rows of several tables. They leave it as Arrow messages inside rows of
two columns, so that Spark keeps bytes, and makes rows of them only where a table is read.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 -- Spark's own name for it

from assignors.registry import STRATEGIES
from pipeline.replay.replay import REPLAYED, replay

_MESSAGES: Final = "table STRING, message BINARY"
_MESSAGE_ROWS: Final = 25_000
_ROWS_PER_TASK: Final = 150_000
"""Enough that what a task costs does not count, few enough that several fit in memory."""
_FEWEST_TASKS: Final = 8
"""So many also where there are fewer rows: strategies take longer than rows on small groups."""
_FEW_ROWS: Final = 5_000
"""But not for as few as these."""
_Batches = Iterable[pa.RecordBatch]


def replayed(rows: DataFrame, strategies: Sequence[str], row_count: int) -> DataFrame:
    """Replay the fleet under these strategies, by name; ``table_of`` reads the answer.

    ``rows`` are usable telemetry with the number of their ``file``, about ``row_count`` of
    them. Persist the answer before more than one table of it is read: each reading would
    replay anew. All rows of a group are in memory at once.
    """
    tasks = max(-(-row_count // _ROWS_PER_TASK), min(_FEWEST_TASKS, row_count // _FEW_ROWS), 1)
    by_group = rows.repartition(tasks, "cluster", "group_id")
    return by_group.mapInArrow(_replaying(tuple(strategies)), _MESSAGES)


def table_of(replayed: DataFrame, name: str) -> DataFrame:
    """Return one of the tables named in ``REPLAYED``; by group and snapshot within a task."""
    messages = replayed.where(F.col("table") == name).select("message")
    return messages.mapInArrow(_opened, REPLAYED[name])


def _replaying(names: Sequence[str]) -> Callable[[_Batches], Iterator[pa.RecordBatch]]:
    def messages(batches: _Batches) -> Iterator[pa.RecordBatch]:
        received = list(batches)
        if received:
            rows = pa.Table.from_batches(received)
            tables = replay(rows, [STRATEGIES[name] for name in names]).tables
            for table, content in tables.items():
                yield from _written(table, content)

    return messages


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
