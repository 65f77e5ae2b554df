"""What a micro-batch costs as history grows: ``python -m benchmarks.fleet_stream [BATCHES]``.

Each batch is a snapshot of 50 groups with 200 partitions, 10,000 rows, a minute after the one
before; one session, no trigger between them. Printed are medians over ten batches, of the clock and
of all processors, which a busy machine disturbs less.
"""

import os
import statistics
import sys
import time
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.fleet_polars import STRATEGIES
from benchmarks.processes import spent_by
from benchmarks.table import markdown
from pipeline.generating.fleet import Request, generate
from pipeline.ingest.files import input_files
from pipeline.ingest.rows import rows_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.runs import MicroBatch, StreamOptions
from pipeline.session import open_session

_SNAPSHOT: Final = Request(shape="uniform", groups=50, rows=10_000, snapshots=1)
_MINUTE: Final = timedelta(minutes=1)
_AROUND: Final = 10


def main(batches: int) -> None:
    """Measure, and print the table."""
    spark = open_session("local[2]")
    options = StreamOptions(2 * _MINUTE, timedelta(days=7), "benchmark")
    taken_s, cpu_s = [], []
    with TemporaryDirectory() as scratch:
        lake, folder = Lake(f"{scratch}/out"), Path(scratch, "in")
        lake.prepare()
        generate(_SNAPSHOT, folder)
        rows = pq.read_table(folder)
        for number in range(batches):
            file = _later(rows, number, Path(scratch, f"{number}.parquet"))
            started, spent_s = time.perf_counter(), spent_by(os.getpid())
            batch = MicroBatch(
                spark, lake, STRATEGIES, Progress(), options=options, query="q", number=number
            )
            batch.publish(rows_of(spark, input_files(spark, [str(file)])), _SNAPSHOT.rows or 0)
            taken_s.append(time.perf_counter() - started)
            cpu_s.append(spent_by(os.getpid()) - spent_s)
            file.unlink()
            if number % _AROUND == 0:
                sys.stderr.write(f"{number}: {taken_s[-1]:.2f} s\n")
    spark.stop()
    ends = [end for end in (2 * _AROUND, 100, 200, 500, 1000) if end <= batches]
    lines = [
        [
            f"{end:,}",
            *(f"{statistics.median(each[end - _AROUND : end]):.2f}" for each in (taken_s, cpu_s)),
        ]
        for end in ends
    ]
    print(markdown(["batches", "seconds a batch", "CPU-seconds"], lines))


def _later(rows: pa.Table, minutes: int, file: Path) -> Path:
    """Write the rows as a later snapshot has them."""
    at = rows["snapshot_at"]
    moment = at[0].as_py() + minutes * _MINUTE
    moved = pa.array([moment] * rows.num_rows, at.type)
    place = rows.column_names.index("snapshot_at")
    pq.write_table(rows.set_column(place, "snapshot_at", moved), file)
    return file


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
