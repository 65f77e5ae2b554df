"""The cost of a micro-batch as history grows: ``python -m benchmarks.fleet_stream [BATCHES]``.

Each batch is a snapshot of 50 groups with 200 partitions (10,000 rows), one minute after the
previous one; all run in one session without a trigger. The table shows medians over ten batches of
elapsed time and of CPU time, which other work on the machine affects less.
"""

import sys
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

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
    """Measure the batches and print the table."""
    spark = open_session("local[2]")
    costs = []
    with TemporaryDirectory() as scratch:
        lake = Lake(f"{scratch}/out")
        lake.prepare()
        for number in range(batches):
            batch = MicroBatch(
                spark, lake, STRATEGIES, Progress(), lateness=2 * _MINUTE, query="q", number=number
            )
            with TemporaryDirectory(dir=scratch) as folder:
                start = _SNAPSHOT.start + number * _MINUTE
                rows = generate(replace(_SNAPSHOT, start=start), Path(folder))
                costs.append(timed(partial(_publish, batch, folder, rows), family_cpu_s)[0])
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


def _publish(batch: MicroBatch, folder: str, rows: int) -> None:
    batch.publish(rows_of(batch.spark, input_files(batch.spark, [folder])), rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
