"""Read telemetry, replay every strategy over it, and rebuild all tables of the fleet together."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from pathlib import Path

from pipeline.jobs.options import add_run


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    what = "files, folders or globs of JSON Lines, CSV or Parquet; s3a:// and hdfs:// too"
    parser.add_argument("--input", nargs="+", required=True, metavar="PATH", help=what)
    what = "replace only this day, such as 2026-03-02, and the figures that depend on it"
    parser.add_argument("--day", type=_day, metavar="DATE", help=what)
    what = "publish even if no row is usable, which leaves the tables (or the day) without rows"
    parser.add_argument("--allow-empty", action="store_true", help=what)
    add_run(parser)
    parser.add_argument(
        "--weights",
        type=Path,
        metavar="FOLDER",
        help="afterwards, write CLUSTER.rates for each cluster, for assignors that weigh "
        "partitions: a line each, of topic, partition and median records/s in the newest week",
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        message = f"expected a day such as 2026-03-02, found {text!r}"
        raise ArgumentTypeError(message) from None
