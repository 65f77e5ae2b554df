"""``python -m pipeline run``: telemetry in, the tables of the fleet out."""

import signal
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import date
from types import FrameType
from typing import TYPE_CHECKING, Final

from pipeline.jobs.options import add_strategies, check_apart
from pipeline.progress import Progress
from pipeline.publishing import Staging, staged
from pipeline.session import open_session, start_workers, starts_here

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from pipeline.early import Early
    from pipeline.running import Run

_STAGES: Final = 6
_PATIENCE_S: Final = 5


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
    is_here = starts_here(arguments.master, arguments.remote)
    with staged(arguments.output) as staging, ExitStack() as stack:
        with progress.stage("starting Spark"):
            beside = stack.enter_context(ThreadPoolExecutor(1))
            begun = beside.submit(_begun, arguments, staging, stack, is_here=is_here)
            spark = open_session(arguments.master, arguments.remote)
            workers = start_workers(spark)
        try:
            run, early = begun.result()
            run(spark, staging, progress, arguments, early).run()
        except BaseException:
            _stop(spark)
            workers.join(_PATIENCE_S)
            raise
        if not is_here:  # Spark here ends with this process, and stop() may wait for a second
            _stop(spark)


def _begun(
    arguments: Namespace, staging: Staging, stack: ExitStack, *, is_here: bool
) -> "tuple[type[Run], Early | None]":
    """Import what a run needs, and begin to pack telemetry: Java need not wait for either."""
    from pipeline.early import begun  # noqa: PLC0415 -- as said above
    from pipeline.running import Run, asked_of  # noqa: PLC0415 -- as said above

    if not (is_here and staging.shelves):
        return Run, None
    return Run, stack.enter_context(begun(asked_of(arguments, staging)))


def _stop(spark: "SparkSession") -> None:
    with suppress(Exception):  # a Spark that is gone is stopped
        spark.stop()


def _cancel(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        message = f"expected a day like 2026-03-01, found {text!r}"
        raise ArgumentTypeError(message) from error
