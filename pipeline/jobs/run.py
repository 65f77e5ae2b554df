"""Telemetry in, the tables of the fleet out: all rebuilt, and published together."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from pipeline.jobs.options import add_run, check_apart, in_order, tables_on_spark
from pipeline.progress import Progress
from pipeline.runs import Run
from pipeline.weights import write_weights


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    what = "files, folders or globs of JSON Lines, CSV or Parquet; s3a:// and hdfs:// too"
    parser.add_argument("--input", nargs="+", required=True, metavar="PATH", help=what)
    add_run(parser)
    parser.add_argument(
        "--weights",
        type=Path,
        metavar="FOLDER",
        help="afterwards write CLUSTER.rates for each cluster: lines of topic, partition and "
        "records/s, medians of the newest week, for assignors that weigh partitions",
    )


def main(options: Namespace) -> None:
    """Run on Spark; publish all tables, or none."""
    check_apart(options.input, options.output)
    progress = Progress(5, as_json=options.progress == "json")
    with tables_on_spark(options, progress, *options.input) as (spark, lake):
        row = Run(spark, lake, in_order(options.strategies), progress).batch(options.input)
        progress.report(f"{row['rows_used']:,} of {row['rows_in']:,} rows used")
        if options.weights is not None:
            for file in write_weights(lake, row["versions"]["partition_lag"], options.weights):
                progress.report(f"rates written to {file}")
