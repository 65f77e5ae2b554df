"""Write the table ``recommendation`` in tasks, so that the driver holds no row of a group.

Tasks write the rows of their groups without a rank, to files that nobody commits; then one task
ranks them all.
"""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake.transaction import AddAction
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 -- as Spark's own documentation writes it

from pipeline.lake import Lake, opened
from pipeline.recommendation import NEEDED, WITH_EARLIER, ranked, recommended
from pipeline.replay.writing import write
from pipeline.tasks import in_tasks
from schemas.arrow import arrow_schema
from schemas.tables import RECOMMENDATION

_TABLE: Final = "recommendation"
_ROWS: Final = 500_000
"""About this many rows of ``group_summary`` are in a task's memory."""


def ranking(spark: SparkSession, lake: Lake, unranked: Sequence[AddAction]) -> list[AddAction]:
    """Rank the rows in these files over all groups; return the file to commit, if there are any."""
    paths = [[file.path for file in unranked]]
    (files,) = in_tasks(spark, lambda own: _ranked(lake, own), paths)
    return files


def _ranked(lake: Lake, paths: Sequence[str]) -> list[AddAction]:
    files, schema = lake.files(), arrow_schema(RECOMMENDATION)
    parts = [pq.read_table(opened(files, f"{_TABLE}/{path}")).cast(schema) for path in paths]
    return list(write(files, _TABLE, ranked(pa.concat_tables([schema.empty_table(), *parts]))))


def unranked_since(
    spark: SparkSession, lake: Lake, version: int, order: Sequence[str], since_us: int
) -> list[AddAction]:
    """Judge every group over the snapshots of ``group_summary`` after a moment; for ``ranking``."""

    def judged(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        received = list(batches)
        if received:
            rows = recommended(pa.Table.from_batches(received), order)
            yield pa.record_batch({"file": [*map(pickle.dumps, write(lake.files(), _TABLE, rows))]})

    recent = lake.of_days(
        "group_summary", version, datetime.fromtimestamp(since_us / 1e6, UTC).date()
    )
    if not recent.num_rows:
        return []
    paths = [f"{lake.address('group_summary')}/{path}" for path in recent["path"].to_pylist()]
    summary = spark.read.schema(WITH_EARLIER).parquet(*paths)
    wanted = summary.where(F.col("snapshot_at") > F.timestamp_micros(F.lit(since_us)))
    tasks = -(-sum(recent["num_records"].to_pylist()) // _ROWS)
    by_group = wanted.select(*NEEDED).repartition(tasks, "cluster", "group_id")
    written = by_group.mapInArrow(judged, "file BINARY").toArrow()["file"].to_pylist()
    return [pickle.loads(file) for file in written]  # noqa: S301 -- ours
