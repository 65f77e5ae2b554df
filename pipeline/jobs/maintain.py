"""Keep the tables small: drop old days, merge small files, remove what no version needs."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from deltalake.exceptions import DeltaError

from live.arguments import duration
from pipeline.actions import TICK
from pipeline.conflicts import started_over
from pipeline.errors import PipelineError, steps_in
from pipeline.jobs.options import add_output
from pipeline.jobs.status import latest_of
from pipeline.lake import AHEAD, Lake
from pipeline.replay.writing import write
from pipeline.retained import retained
from schemas.arrow import arrow_schema
from schemas.tables import RUNS

_FILES_OF_RUNS: Final = 2
_READ_WITHIN: Final = timedelta(hours=1)
"""Writers read ``runs`` at any time, beside the shortest ``--keep-versions``."""


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
    text = str(error)
    cause = steps_in(text) or (text if isinstance(error, OSError) else text.rpartition(": ")[2])
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
    started_over(lambda: thinned(lake, datetime.now(UTC), keep))
    lake.vacuum("runs", max(keep, _READ_WITHIN), [])


def compacted(lake: Lake, oldest: datetime | None) -> dict[str, int]:
    """Compact and publish the tables of the newest run; return their versions.

    Raises ConflictError if another run was published meanwhile.
    """
    row = latest_of(lake)
    known = lake.roll_back(row["versions"])
    versions = {name: lake.compact(name, oldest, after=known[name]) for name in row["versions"]}
    changed: dict[str, Any] = {"finished_at": datetime.now(UTC), "versions": versions}
    if oldest is not None:
        changed |= retained(lake, row, versions, oldest)
    lake.publish({**row, **changed}, row)
    found: dict[str, int] = changed["versions"]
    return found


def thinned(lake: Lake, now: datetime, keep: timedelta) -> None:
    """Keep the runs finished since ``keep`` ago, and of each day before the last one.

    Times that are ahead of this clock become the present, in their order: a clock that was wrong
    would date every later run. The newest run is a file of its own, as writers read it often.
    Raises ConflictError if a run was published meanwhile.
    """
    version = lake.table("runs").version()
    rows = sorted(lake.rows("runs", version).to_pylist(), key=itemgetter("finished_at"))
    last_of_day = {row["finished_at"].date(): row["finished_at"] for row in rows}
    times = {at for at in (row["finished_at"] for row in rows) if at >= now - keep}
    kept = [row for row in rows if row["finished_at"] in times | {*last_of_day.values()}]
    latest = now
    for row in kept:
        if row["finished_at"] > now + AHEAD:
            latest = row["finished_at"] = latest + TICK
    old = lake.actions("runs", version)["path"].to_pylist()
    if latest == now and len(old) <= _FILES_OF_RUNS:
        return
    schema = arrow_schema(RUNS)
    parts = (pa.Table.from_pylist(part, schema) for part in (kept[:-1], kept[-1:]))
    files = [file for part in parts for file in write(lake.files(), "runs", part)]
    lake.replace("runs", old, files, after=version)
