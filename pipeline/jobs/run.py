"""``python -m pipeline run``: telemetry in, the tables of the fleet out."""

import signal
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from types import FrameType
from typing import Any, Final

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from pipeline.early import Asked, Early, begun
from pipeline.jobs.options import add_strategies, check_apart, in_order
from pipeline.packed import Packed, packed_telemetry
from pipeline.packets.parts import keep_only
from pipeline.progress import Progress
from pipeline.publishing import Staging, staged
from pipeline.replay.replay import WRITTEN
from pipeline.replayed import Task, Told, replayed, start_workers, table_of, told
from pipeline.report import Reasons, check_account, moment, reasons_in, versions
from pipeline.session import open_session, starts_here
from schemas.tables import TABLES, columns

_STAGES: Final = 6


def add_arguments(parser: ArgumentParser) -> None:
    """Add what can be asked for."""
    parser.add_argument(
        "--input",
        nargs="+",
        required=True,
        metavar="PATH",
        help="files, folders or globs of JSON Lines, CSV or Parquet; s3a:// and hdfs:// too",
    )
    parser.add_argument("--output", required=True, metavar="DIR", help="where the tables are")
    add_strategies(parser)
    parser.add_argument(
        "--since", type=_day, metavar="DAY", help="the first day to use, UTC, like 2026-03-01"
    )
    parser.add_argument(
        "--progress", choices=("text", "json"), default="text", help="json: one object a line"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--master", help="of a Spark cluster; default: this machine, local[*]")
    where.add_argument("--remote", metavar="sc://HOST:PORT", help="a Spark Connect server")


def main(arguments: Namespace) -> None:
    """Run on Spark; publish all tables, or none."""
    signal.signal(signal.SIGTERM, _cancel)
    check_apart(arguments.input, arguments.output)
    progress = Progress(_STAGES, as_json=arguments.progress == "json")
    with staged(arguments.output) as staging, ExitStack() as stack:
        early = None
        if staging.shelves and starts_here(arguments.master, arguments.remote):
            early = stack.enter_context(begun(_asked(arguments, staging)))
        with progress.stage("starting Spark"):
            spark = open_session(arguments.master, arguments.remote)
            start_workers(spark)
        try:
            Run(spark, staging, progress, arguments, early).run()
        finally:
            with suppress(Exception):  # a Spark that is gone is stopped
                spark.stop()


def _cancel(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@dataclass
class Run:
    """One run, stage by stage."""

    spark: SparkSession
    staging: Staging
    progress: Progress
    options: Namespace
    early: Early | None = None

    def run(self) -> None:
        """Read, replay, write every table, publish."""
        started = datetime.now(UTC)
        with self.progress.stage("reading"):
            packed = packed_telemetry(self.spark, _asked(self.options, self.staging), self.early)
        strategies = in_order(self.options.strategies)
        with self.progress.stage("replaying"):
            task = Task(tuple(strategies), folder=self.staging.disk)
            answers = replayed(packed.packets, packed.buckets, packed.rows_in, task)
            answers.persist(StorageLevel.DISK_ONLY)
            found = told(answers)
        self._write_replayed(answers, found)
        self.staging.write(self.spark, "recommendation", found.recommendation)
        self._write_rejected(packed, answers, found)
        with self.progress.stage("checking"):
            report = self._report(packed, found, strategies)
            check_account(report)
        report |= {
            "started_at": started.isoformat(),
            "finished_at": datetime.now(UTC).isoformat(),
            "seconds": self.progress.seconds,
        }
        with self.progress.stage("publishing"):
            self.staging.publish(self.spark, report)
        self.progress.end(f"{report['rows_used']:,} of {report['rows_in']:,} rows used")

    def _write_replayed(self, answers: DataFrame, found: Told) -> None:
        """Write what the workers could not, and keep what they wrote."""
        if self.staging.disk:
            keep_only(found.parts, self.staging.disk, WRITTEN)
            return
        self.progress.total += len(WRITTEN)
        for table in WRITTEN:
            self._write(table, table_of(answers, table))

    def _write_rejected(self, packed: Packed, answers: DataFrame, found: Told) -> None:
        """Write what reading rejected, and what the replay could not use beside other rows."""
        rejected = packed.judged.rejected
        if found.counted.get("rows_rejected"):
            unused = table_of(answers, "unused")
            name = packed.judged.name_of(F.col("file"))
            rejected = rejected.unionByName(unused.withColumn("file", name))
        elif packed.judged.is_empty:
            with self.progress.stage("writing rejected"):
                self.staging.write(self.spark, "rejected", packed.judged.lost_files)
            return
        self._write("rejected", rejected)

    def _write(self, table: str, rows: DataFrame) -> None:
        with self.progress.stage(f"writing {table}"):
            writer = rows.write.option("compression", "zstd")
            if "day" in columns(TABLES[table]):
                writer = writer.partitionBy("day")
            writer.parquet(self.staging.place(table))

    def _written(self, table: str) -> DataFrame:
        return self.spark.read.schema(TABLES[table]).parquet(self.staging.place(table))

    def _report(self, packed: Packed, found: Told, strategies: Sequence[str]) -> dict[str, Any]:
        rows = self.staging.rows(self.spark)
        reasons = reasons_in(self._written("rejected")) if rows["rejected"] else Reasons()
        return {
            "rows_in": packed.rows_in,
            "rows_used": found.counted.get("rows_used", 0),
            "rows_rejected": reasons.rows,
            "rows_early": packed.rows_early,
            "rejected": reasons.listed,
            "files": len(packed.judged.files),
            "files_unreadable": [lost.file.name for lost in packed.judged.lost],
            "notes": list(packed.notes),
            "offsets_backwards": found.counted.get("offsets_backwards", 0),
            "answers_missing": found.counted.get("answers_missing", 0),
            "window": {"start": moment(found.first), "end": moment(found.last)},
            "strategies": list(strategies),
            "options": _shown(self.options),
            "rows": rows,
            "versions": versions(self.spark),
        }


def _asked(options: Namespace, staging: Staging) -> Asked:
    return Asked(options.input, options.since, staging.shelves)


def _shown(options: Namespace) -> dict[str, object]:
    return {
        "input": options.input,
        "output": options.output,
        "since": options.since and options.since.isoformat(),
        "master": options.master,
        "remote": options.remote,
    }


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        message = f"expected a day like 2026-03-01, found {text!r}"
        raise ArgumentTypeError(message) from error
