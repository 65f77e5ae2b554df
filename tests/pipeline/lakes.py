"""Lakes that fail on purpose; Spark's workers import this module."""

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import pyarrow as pa
from deltalake.transaction import AddAction, RemoveAction
from pyarrow.fs import FileSystem
from pyspark import TaskContext
from pyspark.sql import SparkSession

from pipeline.batches import MicroBatch
from pipeline.day import DayRun
from pipeline.ingest.files import input_files
from pipeline.ingest.rows import rows_of
from pipeline.jobs.maintain import maintain
from pipeline.jobs.replay import replayed
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.replay.writing import write
from pipeline.runs import Run
from pipeline.session import open_session
from processes.sessions import kill_session
from tests.patience import await_
from tests.pipeline.telemetry import STRATEGIES, Tables, tables_in


class FailingLake(Lake):
    """A lake that fails when a table is about to be committed."""

    def commit(
        self, table: str, files: Sequence[AddAction | RemoveAction], *, after: int | None = None
    ) -> int:
        if table == "member_load":
            message = "the disk is full"
            raise OSError(message)
        return super().commit(table, files, after=after)


class SharedLake(Lake):
    """A lake in which another writer commits to a table first."""

    def commit(
        self, table: str, files: Sequence[AddAction | RemoveAction], *, after: int | None = None
    ) -> int:
        if table == "group_summary":
            Lake(self.output).commit(table, [])
        return super().commit(table, files, after=after)


@dataclass(frozen=True)
class WatchedLake(Lake):
    """A lake in which a reader reads all published tables after every commit of a run."""

    seen: list[Tables] = field(default_factory=list)

    def commit(
        self, table: str, files: Sequence[AddAction | RemoveAction], *, after: int | None = None
    ) -> int:
        version = super().commit(table, files, after=after)
        self.seen.append(tables_in(self.output))
        return version


@dataclass(frozen=True)
class SteppedLake(Lake):
    """A lake whose writers come to ``moment``, one of their steps."""

    moment: str = ""

    def comes(self) -> None:
        """Do what happens at the moment."""

    def written_by_spark(self, table: str, folder: str) -> list[tuple[str, int]]:
        self._step(f"before {table} is listed")
        return super().written_by_spark(table, folder)

    def files(self) -> FileSystem:
        if TaskContext.get() is not None:
            self._step("in a task")
        return super().files()

    def commit(
        self, table: str, files: Sequence[AddAction | RemoveAction], *, after: int | None = None
    ) -> int:
        self._step(f"before {table} is committed")
        version = super().commit(table, files, after=after)
        self._step(f"after {table} is committed")
        return version

    def replace(
        self, table: str, paths: Sequence[str], files: Sequence[AddAction], *, after: int
    ) -> int:
        self._step(f"before {table} is replaced")
        version = super().replace(table, paths, files, after=after)
        self._step(f"after {table} is replaced")
        return version

    def compact(self, table: str, oldest: datetime | None, *, after: int) -> int:
        version = super().compact(table, oldest, after=after)
        self._step(f"after {table} is compacted")
        return version

    def vacuum(self, table: str, keep: timedelta, versions: Sequence[int]) -> None:
        self._step(f"before {table} is swept")
        super().vacuum(table, keep, versions)

    def publish(
        self,
        run: Mapping[str, Any],
        base: Mapping[str, Any] | None,
        stream: tuple[str, int] | None = None,
    ) -> None:
        self._step("before publication")
        super().publish(run, base, stream)
        self._step("after publication")

    def _step(self, moment: str) -> None:
        if moment == self.moment:
            self.comes()


@dataclass(frozen=True)
class StoppedLake(SteppedLake):
    """A lake that blocks its writer, or a task, forever at the moment, and marks it by a file."""

    arrival: str = ""

    def comes(self) -> None:
        Path(self.arrival).touch()
        Event().wait()


@dataclass(frozen=True)
class BesideLake(SteppedLake):
    """A lake in which a micro-batch is published at the moment, once."""

    arriving: list[str] = field(default_factory=list)

    def comes(self) -> None:
        if self.arriving:
            micro_batch(SparkSession.active(), Lake(self.output), 1, self.arriving.pop())


@dataclass(frozen=True)
class SweptLake(SteppedLake):
    """A lake whose older versions are all removed at the moment, once."""

    due: list[timedelta] = field(default_factory=lambda: [timedelta(0)])

    def comes(self) -> None:
        if self.due:
            maintain(Lake(self.output), None, self.due.pop())


def added(lake: Lake, table: str, rows: pa.Table, *, after: int | None = None) -> int:
    """Write rows and add them to a table, or replace all of it; return the new version."""
    return lake.commit(table, list(write(lake.files(), table, rows)), after=after)


def main(source: str, *stops: str) -> None:
    """Let each writer come to its step, then kill all, with Java and workers, together.

    Each of ``stops`` is a JSON value: one of ``WRITERS``, a step and an output.
    """
    spark = open_session("local[16]", settings={"spark.sql.shuffle.partitions": "2"})
    for kind, moment, output in map(json.loads, stops):
        lake = StoppedLake(output, moment=moment, arrival=f"{output}.arrived")
        thread = Thread(target=WRITERS[kind], args=(spark, lake, source), daemon=True)
        thread.start()
        await_(lambda: Path(lake.arrival).exists() or not thread.is_alive())  # noqa: B023 -- now
        assert thread.is_alive(), f"a {kind} never came to the moment {moment}"
    kill_session(os.getsid(0))


def _run(spark: SparkSession, lake: Lake, source: str) -> None:
    Run(spark, lake, STRATEGIES, Progress()).batch([source])


def _second_batch(spark: SparkSession, lake: Lake, source: str) -> None:
    micro_batch(spark, lake, 1, f"{source}/2.parquet")


def _replay(spark: SparkSession, lake: Lake, _source: str) -> None:
    replayed(spark, lake, [*STRATEGIES, "fair"], Progress())


def _first_day(spark: SparkSession, lake: Lake, source: str) -> None:
    day, base = date(2026, 3, 1), latest_of(lake)
    run = DayRun(spark, lake, STRATEGIES, Progress(), day=day, base=base)
    run.publish([f"{source}/1.parquet"])


def _maintain(_spark: SparkSession, lake: Lake, _source: str) -> None:
    maintain(lake, None, timedelta(days=7))


WRITERS: Final[Mapping[str, Callable[[SparkSession, Lake, str], None]]] = {
    "run": _run,
    "stream": _second_batch,
    "merge": _second_batch,  # into many small files of states
    "replay": _replay,
    "day": _first_day,
    "maintain": _maintain,
}
"""All that write to a lake with day 1, from a folder with days 1 and 2."""


def micro_batch(
    spark: SparkSession, lake: Lake, number: int, source: str, progress: Progress | None = None
) -> None:
    """Publish a micro-batch of a file or a folder without waiting for a watermark."""
    told = progress or Progress()
    batch = MicroBatch(
        spark, lake, STRATEGIES, told, lateness=timedelta(0), query="q", number=number
    )
    batch.publish(rows_of(spark, input_files(spark, [source])), 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
