"""``python -m pipeline run``: telemetry in, the tables of the fleet out."""

import signal
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from difflib import get_close_matches
from types import FrameType
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from assignors.registry import STRATEGIES
from pipeline.progress import Progress
from pipeline.publishing import Staging, staged
from pipeline.reading import Telemetry, read_telemetry
from pipeline.recommendation import recommended
from pipeline.replaying import replayed, row_counts, table_of
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
    progress = Progress(_STAGES, as_json=arguments.progress == "json")
    with staged(arguments.output) as staging:
        with progress.stage("starting Spark"):
            spark = open_session(arguments.master, arguments.remote)
        try:
            _Run(spark, staging, progress, arguments).run()
        finally:
            with suppress(Exception):  # a Spark that is gone is stopped
                spark.stop()


def _cancel(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@dataclass
class _Run:
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
            counts = row_counts(packed)
        self._write_tables(telemetry, packed, strategies, counts)
        with self.progress.stage("checking"):
            report = self._report(telemetry, packed, strategies, counts)
            check_account(report)
        report |= {
            "started_at": started.isoformat(),
            "finished_at": datetime.now(UTC).isoformat(),
            "seconds": self.progress.seconds,
        }
        with self.progress.stage("publishing"):
            self.staging.publish(self.spark, report)
        self.progress.end(f"{report['rows_used']:,} of {report['rows_in']:,} rows used")
