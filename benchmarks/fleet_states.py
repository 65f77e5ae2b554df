"""The cost of a micro-batch beside many groups' state: ``python -m benchmarks.fleet_states``.

Groups of one partition are replayed once, so the checkpoint has their states; then micro-batches
of 10,000 rows of 50 groups come. Medians over the last batches.
"""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from benchmarks.measuring import Cost, family_cpu_s, markdown, medians, timed
from pipeline.batches import MicroBatch
from pipeline.ingest.files import input_files
from pipeline.ingest.rows import rows_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.session import open_session

_STRATEGIES: Final = ("range", "roundrobin")
_SIZES: Final = (10_000, 100_000, 1_000_000)
_BATCHES: Final = 14
_COUNTED: Final = 8
_GROUPS, _PARTITIONS = 50, 200
_START: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)


def main(sizes: list[int]) -> None:
    """Measure the sizes in turn, batch by batch, for Java gets faster; print a table."""
    spark, lines = open_session("local[2]"), list[dict[str, str]]()
    with TemporaryDirectory() as scratch:
        measured = [_measured(spark, Path(scratch, str(groups)), groups) for groups in sizes]
        costs = list(zip(*measured, strict=True))[-_COUNTED:]
    for groups, own in zip(sizes, zip(*costs, strict=True), strict=True):
        cost = medians(own)
        line = {"groups": f"{groups:,}", "seconds a batch": f"{cost.wall_s:.2f}"}
        lines.append(line | {"CPU-seconds": f"{cost.cpu_s:.2f}"})
    spark.stop()
    print(markdown(lines))


def _measured(spark: SparkSession, folder: Path, groups: int) -> Iterator[Cost]:
    """Yield the cost of each micro-batch: first of the groups' own, then of those that follow."""
    lake = Lake(str(folder / "out"))
    lake.prepare()
    for number in range(_BATCHES + 1):
        own, partitions = (_GROUPS, _PARTITIONS) if number else (groups, 1)
        at = _START + timedelta(minutes=number)
        file = folder / f"{number}.parquet"
        pq.write_table(_telemetry(own, partitions, at), file)
        batch = MicroBatch(
            spark, lake, _STRATEGIES, Progress(), lateness=timedelta(0), query="q", number=number
        )
        publish = partial(_publish, batch, file, own * partitions)
        cost, _ = timed(publish, family_cpu_s)
        print(f"{groups:,} groups, batch {number}: {cost}", file=sys.stderr)
        yield cost


def _publish(batch: MicroBatch, file: Path, rows: int) -> None:
    batch.publish(rows_of(batch.spark, input_files(batch.spark, [str(file)])), rows)


def _telemetry(groups: int, partitions: int, at: datetime) -> pa.Table:
    count, numbers = groups * partitions, pa.array(range(partitions), pa.int32())
    names = [f"group-{group:07}" for group in range(groups) for _ in range(partitions)]
    consumers = [f"consumer-{p % 10}" for _ in range(groups) for p in range(partitions)]
    return pa.table(
        {
            "cluster": pa.array(["prod"] * count),
            "group_id": pa.array(names),
            "snapshot_at": pa.array([at] * count, pa.timestamp("us", "UTC")),
            "topic": pa.array(["orders"] * count),
            "partition": pa.concat_arrays([numbers] * groups),
            "log_start_offset": pa.array([0] * count),
            "log_end_offset": pa.array([1_000 + at.minute] * count),
            "committed_offset": pa.array([900] * count),
            "member_id": pa.array(consumers),
        }
    )


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or list(_SIZES))
