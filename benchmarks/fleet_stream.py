"""What a micro-batch costs as history grows: ``python -m benchmarks.fleet_stream [BATCHES]``.

Each batch is a snapshot of 50 groups with 200 partitions, 10,000 rows, a minute after the one
before; one session, no trigger between them. Printed are medians over ten batches, of the clock and
of all processors, which a busy machine disturbs less.
"""

import sys
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.fleet_polars import STRATEGIES
from benchmarks.measuring import family_cpu_s, markdown, medians, timed
from pipeline.batches import MicroBatch
from pipeline.generating.fleet import Request, generate
from pipeline.ingest.files import input_files
from pipeline.ingest.rows import rows_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.session import open_session

_SNAPSHOT: Final = Request(shape="uniform", groups=50, rows=10_000, snapshots=1)
_MINUTE: Final = timedelta(minutes=1)
_AROUND: Final = 10


def main(batches: int) -> None:
    """Measure, and print the table."""
    spark = open_session("local[2]")
    costs = []
    with TemporaryDirectory() as scratch:
        lake, folder = Lake(f"{scratch}/out"), Path(scratch, "in")
        lake.prepare()
        generate(_SNAPSHOT, folder)
        rows = pq.read_table(folder)
        for number in range(batches):
            file = _later(rows, number, Path(scratch, f"{number}.parquet"))
            batch = MicroBatch(
                spark, lake, STRATEGIES, Progress(), lateness=2 * _MINUTE, query="q", number=number
            )
            costs.append(timed(partial(_publish, batch, file), family_cpu_s)[0])
            file.unlink()
            if number % _AROUND == 0:
                print(f"{number}: {costs[-1].wall_s:.2f} s", file=sys.stderr)
    spark.stop()
    lines = []
    for end in (2 * _AROUND, 100, 200, 500, 1000):
        if end <= batches:
            cost = medians(costs[end - _AROUND : end])
            line = {"seconds a batch": f"{cost.wall_s:.2f}", "CPU-seconds": f"{cost.cpu_s:.2f}"}
            lines.append({"batches": f"{end:,}"} | line)
    print(markdown(lines))


def _publish(batch: MicroBatch, file: Path) -> None:
    rows = rows_of(batch.spark, input_files(batch.spark, [str(file)]))
    batch.publish(rows, _SNAPSHOT.rows or 0)


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
