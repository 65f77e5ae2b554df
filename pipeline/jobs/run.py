"""``python -m pipeline run``: telemetry in, the tables of the fleet out."""

import signal
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from difflib import get_close_matches
from pathlib import Path
from types import FrameType
from typing import Any, Final

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from assignors.registry import STRATEGIES
from pipeline.errors import PipelineError
from pipeline.progress import Progress
from pipeline.publishing import Staging, staged
from pipeline.reading import Telemetry, read_telemetry
from pipeline.recommendation import recommended
from pipeline.replayed import replayed, table_of
from pipeline.report import check_account, rejected_by_reason, versions, window
from pipeline.session import open_session
from schemas.tables import TABLES, columns

_REPLAYED: Final = ("partition_lag", "group_member", "member_load", "group_summary")
_STAGES: Final = 5 + len(TABLES)


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
    parser.add_argument(
        "--strategies",
        nargs="+",
        type=_strategies,
        metavar="NAME",
        help=f"default: all; any of {', '.join(STRATEGIES)}",
    )
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
    with staged(arguments.output) as staging:
        with progress.stage("starting Spark"):
            spark = open_session(arguments.master, arguments.remote)
        try:
            Run(spark, staging, progress, arguments).run()
        finally:
            with suppress(Exception):  # a Spark that is gone is stopped
                spark.stop()


def check_apart(sources: Sequence[str], output: str) -> None:
    """Raise PipelineError if the next run would take these tables for telemetry."""
    folder = Path(output).resolve()
    for source in sources:
        if folder.is_relative_to(Path(source).resolve()):
            message = f"--output {output} lies in --input {source}; give a folder outside of it"
            raise PipelineError(message)


def _cancel(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@dataclass
class Run:
    """One run, stage by stage."""

    spark: SparkSession
    staging: Staging
    progress: Progress
    options: Namespace

    def run(self) -> None:
        """Read, replay, write every table, publish."""
        started = datetime.now(UTC)
        with self.progress.stage("reading"):
            telemetry = read_telemetry(self.spark, self.options.input, self.options.since)
        strategies = _in_order(self.options.strategies)
        with self.progress.stage("replaying"):
            packed = replayed(telemetry.rows, strategies, telemetry.rows_in)
            packed.persist(StorageLevel.DISK_ONLY).count()
        self._write_tables(telemetry, packed, strategies)
        with self.progress.stage("checking"):
            report = self._report(telemetry, packed, strategies)
            check_account(report)
        report |= {
            "started_at": started.isoformat(),
            "finished_at": datetime.now(UTC).isoformat(),
            "seconds": self.progress.seconds,
        }
        with self.progress.stage("publishing"):
            self.staging.publish(self.spark, report)
        self.progress.end(f"{report['rows_used']:,} of {report['rows_in']:,} rows used")

    def _write_tables(
        self,
        telemetry: Telemetry,
        packed: DataFrame,
        strategies: list[str],
    ) -> None:
        for table in _REPLAYED:
            self._write(table, table_of(packed, table))
        self._write("recommendation", recommended(self._written("group_summary"), strategies))
        unused = table_of(packed, "unused").withColumn("file", telemetry.name_of(F.col("file")))
        self._write("rejected", telemetry.rejected.unionByName(unused))

    def _write(self, table: str, rows: DataFrame) -> None:
        with self.progress.stage(f"writing {table}"):
            writer = rows.write.option("compression", "zstd")
            if "day" in columns(TABLES[table]):
                writer = writer.partitionBy("day")
            writer.parquet(self.staging.place(table))

    def _written(self, table: str) -> DataFrame:
        return self.spark.read.schema(TABLES[table]).parquet(self.staging.place(table))

    def _report(
        self,
        telemetry: Telemetry,
        packed: DataFrame,
        strategies: list[str],
    ) -> dict[str, Any]:
        rejected = self._written("rejected")
        counted = table_of(packed, "counted").groupBy("name").agg(F.sum("amount").alias("amount"))
        amounts = {row["name"]: row["amount"] for row in counted.collect()}
        return {
            "rows_in": telemetry.rows_in,
            "rows_used": amounts.get("rows_used", 0),
            "rows_rejected": _total(rejected),
            "rows_early": telemetry.tally()["before_since"] if self.options.since else 0,
            "rejected": rejected_by_reason(rejected),
            "files": len(telemetry.files),
            "files_unreadable": [lost.file.name for lost in telemetry.lost],
            "notes": list(telemetry.notes),
            "offsets_backwards": amounts.get("offsets_backwards", 0),
            "answers_missing": table_of(packed, "failure").count(),
            "window": window(self._written("group_summary")),
            "strategies": strategies,
            "options": _shown(self.options),
            "rows": {table: self._written(table).count() for table in TABLES},
            "versions": versions(self.spark),
        }


def _total(rejected: DataFrame) -> int:
    total = rejected.agg(F.sum("rows").alias("rows")).collect()[0]["rows"]
    return int(total or 0)


def _in_order(asked: list[list[str]] | None) -> list[str]:
    """Return the strategies asked for, in the registry's order; all if none was."""
    wanted = {name for listed in asked or [] for name in listed}
    return [name for name in STRATEGIES if name in wanted or not asked]


def _shown(options: Namespace) -> dict[str, object]:
    return {
        "input": options.input,
        "output": options.output,
        "since": options.since and options.since.isoformat(),
        "master": options.master,
        "remote": options.remote,
    }


def _strategies(text: str) -> list[str]:
    """Return the names in ``range,sticky``."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in STRATEGIES:
            close = get_close_matches(name.lower(), STRATEGIES, n=1)
            way_out = (
                f"did you mean {close[0]!r}?" if close else f"choose from {', '.join(STRATEGIES)}"
            )
            message = f"there is no strategy {name!r}; {way_out}"
            raise ArgumentTypeError(message)
    return names


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        message = f"expected a day like 2026-03-01, found {text!r}"
        raise ArgumentTypeError(message) from error
