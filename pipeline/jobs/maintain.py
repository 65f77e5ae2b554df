"""Keep the tables small: drop old days, merge small files, remove what no version needs."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime, timedelta

from live.arguments import duration
from pipeline.jobs.options import add_output
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake, started_over


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    add_output(parser)
    what = "drop snapshots older than this, such as 90d"
    parser.add_argument("--retain", type=duration, metavar="TIME", help=what)
    what, week = "how long readers may keep using an older version (default: 7d)", duration("7d")
    parser.add_argument("--keep-versions", type=duration, default=week, metavar="TIME", help=what)


def main(options: Namespace) -> None:
    """Maintain the tables without Spark; publish the new versions as those of the last run."""
    oldest = datetime.now(UTC) - options.retain if options.retain else None
    maintain(Lake(options.output), oldest, options.keep_versions)


def maintain(lake: Lake, oldest: datetime | None, keep: timedelta) -> None:
    """Compact the tables, drop what is older, and remove what only older versions use."""
    versions = started_over(lambda: compacted(lake, oldest))
    for name, version in versions.items():
        lake.vacuum(name, keep, [version])
    lake.vacuum("runs", keep, [])


def compacted(lake: Lake, oldest: datetime | None) -> dict[str, int]:
    """Compact and publish the tables of the newest run; return their versions.

    Raises ConflictError if another run was published meanwhile.
    """
    row = latest_of(lake)
    known = lake.roll_back(row["versions"])
    versions = {name: lake.compact(name, oldest, after=known[name]) for name in row["versions"]}
    lake.publish({**row, "finished_at": datetime.now(UTC), "versions": versions}, row)
    return versions
