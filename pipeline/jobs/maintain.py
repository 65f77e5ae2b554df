"""Keep the tables small: drop old days, merge small files, remove what no version needs."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from deltalake.exceptions import DeltaError

from live.arguments import duration
from pipeline.errors import PipelineError
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
    try:
        with _without_panics():
            maintain(Lake(options.output), oldest, options.keep_versions)
    except (DeltaError, OSError) as error:
        raise PipelineError(_failed(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of Rust; no module exports it
            raise
        raise PipelineError(_failed(error)) from error


def _failed(error: BaseException) -> str:
    """Return a sentence with the last cause, which errors of delta-rs end with."""
    cause = str(error) if isinstance(error, OSError) else str(error).rpartition(": ")[2]
    return f"maintain failed, and what is published stays: {cause}"


@contextmanager
def _without_panics() -> Iterator[None]:
    """Drop what delta-rs writes to stderr by itself: a thread of it panics when a disk is full."""
    sys.stderr.flush()
    kept = os.dup(2)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


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
