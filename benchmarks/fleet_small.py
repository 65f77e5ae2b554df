"""What each second of a small batch is: ``python -m benchmarks.fleet_small [GROUPS]``.

Two tables, by stage: seconds, CPU-seconds of all processes, Spark jobs, and commits. The first is
of a cold ``run`` over 1,000 rows, as a user starts it; the second of a stream's micro-batches, one
a minute, in a session that is warm, each of GROUPS groups of 40 partitions (default: 46, that is
1,840 rows); medians of the last ten of twenty.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import psutil
from pyspark.sql import SparkSession

from benchmarks.fleet_polars import STRATEGIES
from benchmarks.measuring import family, family_cpu_s, markdown
from pipeline.batches import MicroBatch
from pipeline.generating.fleet import Request, generate
from pipeline.ingest.files import InputFile
from pipeline.ingest.rows import rows_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.session import open_session

_MINUTE: Final = timedelta(minutes=1)
_BATCHES: Final = 20
_LAST: Final = 10
_REST: Final = "the schema of Parquet, roll-back"


class _Spent(NamedTuple):
    """What was spent until a moment, or between two."""

    wall_s: float
    cpu_s: float
    jobs: int
    commits: int

    def since(self, before: "_Spent") -> "_Spent":
        wall_s, cpu_s, jobs, commits = before
        return _Spent(
            self.wall_s - wall_s, self.cpu_s - cpu_s, self.jobs - jobs, self.commits - commits
        )


class _Noting(Progress):
    """Notes what each stage of a batch spends."""

    def __init__(self, spark: SparkSession, lake: Lake) -> None:
        super().__init__()
        self.spent: dict[str, _Spent] = {}
        self._spark, self._lake = spark, lake

    def now(self) -> _Spent:
        jobs = self._spark.sparkContext.statusTracker().getJobIdsForGroup("small")
        return _Spent(time.perf_counter(), family_cpu_s(), len(jobs), _commits(self._lake))

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        before = self.now()
        with super().stage(name):
            yield
        self.spent[name] = self.now().since(before)


def _commits(lake: Lake) -> int:
    return sum(1 for _ in Path(lake.root).glob("*/_delta_log/*.json"))


def _micro_batches(scratch: Path, groups: int) -> list[dict[str, str]]:
    """Return a line for each stage of a micro-batch."""
    spark, lake = open_session("local[2]"), Lake(f"{scratch}/stream")
    lake.prepare()
    spark.sparkContext.setJobGroup("small", "")
    request = Request(shape="uniform", groups=groups, rows=40 * groups, snapshots=1)
    batches: list[dict[str, _Spent]] = []
    for number in range(_BATCHES):
        folder = scratch / f"{number}"
        rows = generate(replace(request, start=request.start + number * _MINUTE), folder)
        files = [InputFile(f"file://{file}", file.stat().st_size) for file in folder.iterdir()]
        noting = _Noting(spark, lake)
        before = noting.now()
        MicroBatch(
            spark, lake, STRATEGIES, noting, lateness=2 * _MINUTE, query="q", number=number
        ).publish(rows_of(spark, files), rows, files=len(files))
        whole = noting.now().since(before)
        apart = [sum(values) for values in zip(*noting.spent.values(), strict=True)]
        rest = {_REST: whole.since(_Spent(*apart))}
        batches.append({**noting.spent, **rest, f"whole, {rows:,} rows": whole})
    spark.stop()
    names = [*batches[-1]]
    return [
        _line(name, [batch[name] for batch in batches[-_LAST:] if name in batch]) for name in names
    ]


def _line(name: str, spent: list[_Spent]) -> dict[str, str]:
    wall, cpu, jobs, commits = (sorted(each)[len(each) // 2] for each in zip(*spent, strict=True))
    shown = {"seconds": f"{wall:.2f}", "CPU-seconds": f"{cpu:.2f}"}
    return {"stage": name} | shown | {"Spark jobs": f"{jobs}", "commits": f"{commits}"}


def _cold(scratch: Path) -> list[dict[str, str]]:
    """Return a line for each stage of a cold run."""
    generate(Request(shape="uniform", groups=25, rows=1_000, snapshots=1), scratch / "cold")
    output, events = scratch / "tables", scratch / "events"
    words = [sys.executable, "-m", "pipeline", "run", "--input", f"{scratch}/cold"]
    words += ["--output", f"{output}", "--progress", "json", "--master", "local[2]"]
    words += ["--strategies", *STRATEGIES, "--event-log", f"{events}"]
    words += ["--conf", "spark.eventLog.compress=false"]
    marks = [("Python starts", time.time(), 0.0)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        marks += [
            (json.loads(line)["stage"], time.time(), _cpu_s(process.pid))
            for line in process.stdout or ()
        ]
        process.wait()
        end = (time.time(), marks[-1][2])
    jobs = _job_times(events)
    lines = []
    for (name, at, cpu), (_, until, cpu_then) in zip(marks, [*marks[1:], ("", *end)], strict=True):
        of_stage = sum(at <= job < until for job in jobs)
        spent = _Spent(until - at, cpu_then - cpu, of_stage, 0)
        lines.append(_line("Spark ends" if name.endswith(" used") else name, [spent]))
    whole = _Spent(end[0] - marks[0][1], end[1], len(jobs), _commits(Lake(f"{output}")))
    return [*lines, _line("whole, 1,000 rows", [whole])]


def _cpu_s(process: int) -> float:
    return sum(each.cpu_s + each.ended_cpu_s for each in family(process))


def _job_times(events: Path) -> list[float]:
    """Return when Spark's jobs were submitted, in seconds since 1970."""
    lines = (line for log in events.glob("*/events_*") for line in log.read_text().splitlines())
    started = (json.loads(line) for line in lines if "SparkListenerJobStart" in line)
    return [event["Submission Time"] / 1000 for event in started]


def main(groups: int) -> None:
    """Measure and print both tables."""
    with TemporaryDirectory() as folder:
        print(markdown(_cold(Path(folder))))
        print()
        print(markdown(_micro_batches(Path(folder), groups)))
    print(f"\nload {psutil.getloadavg()[0]:.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 46)
