"""Telemetry in, the tables of the fleet out: all of them made anew, and published together."""

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack

from pipeline.jobs.options import (
    add_output,
    add_progress,
    add_spark,
    add_strategies,
    check_apart,
    in_order,
    lake_at,
    on_spark,
)
from pipeline.progress import Progress
from pipeline.runs import Run

_STAGES = 5


def add_arguments(parser: ArgumentParser) -> None:
    """Add what can be asked for."""
    parser.add_argument(
        "--input",
        nargs="+",
        required=True,
        metavar="PATH",
        help="files, folders or globs of JSON Lines, CSV or Parquet; s3a:// and hdfs:// too",
    )
    add_output(parser)
    add_strategies(parser)
    add_progress(parser)
    add_spark(parser)


def main(options: Namespace) -> None:
    """Run on Spark; publish all tables, or none."""
    check_apart(options.input, options.output)
    progress = Progress(_STAGES, as_json=options.progress == "json")
    with ExitStack() as stack:
        with progress.stage("starting Spark"):
            spark = stack.enter_context(on_spark(options, places=[*options.input, options.output]))
            lake = lake_at(spark, options.output)
        row = Run(spark, lake, in_order(options.strategies), progress).batch(options.input)
        progress.end(f"{row['rows_used']:,} of {row['rows_in']:,} rows used")
