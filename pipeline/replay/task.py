"""One Spark task: read the telemetry of its groups, replay it, write the tables' files.

Tasks read and write the tables' Parquet files directly, because passing rows through Java to Python
takes longer than everything else together. Files become visible with a commit.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake.transaction import AddAction
from pyarrow.fs import FileSystem

from assignors.catalogue import strategy_called
from pipeline.lake import DAY, ROW_GROUP_SIZE, Lake, add_action, opened, partitioned_by
from pipeline.recommendation import recommended
from pipeline.replay.encoding import NAME, NAMES, STORED, decoded
from pipeline.replay.replay import replay
from schemas.arrow import arrow_schema
from schemas.tables import CHECKPOINT, RECOMMENDATION

MOST_FAILURES: Final = 20
_MOMENT: Final = pa.timestamp("us", "UTC")


@dataclass(frozen=True)
class Job:
    """The parameters shared by all tasks of a replay."""

    lake: Lake
    strategies: tuple[str, ...]
    since_us: int | None = None
    """Microseconds since 1970: snapshots up to it have been replayed; None if none has."""
    until_us: int | None = None
    """Snapshots after it are not replayed yet; None to replay all."""


@dataclass(frozen=True)
class Share:
    """The groups of one task, and their files."""

    buckets: range
    telemetry: tuple[str, ...]
    """Paths below the table."""
    checkpoint: tuple[str, ...]


@dataclass(frozen=True)
class TaskResult:
    """The result of a task, or of all tasks of a replay."""

    files: dict[str, list[AddAction]] = field(default_factory=dict)
    """Uncommitted files by table."""
    recommendation: pa.Table = field(default_factory=arrow_schema(RECOMMENDATION).empty_table)
    """The ranking over the snapshots of this replay alone."""
    rows_used: int = 0
    rows_rejected: int = 0
    offsets_backwards: int = 0
    answers_missing: int = 0
    snapshots: int = 0
    groups: int = 0
    """Number of groups, including those in the given checkpoint."""
    first_us: int | None = None
    last_us: int | None = None
    failures: list[dict[str, str]] = field(default_factory=list)
    """The first few failures of strategies."""


def work(job: Job, share: Share) -> TaskResult:
    """Replay a share and write the files of its tables."""
    files = job.lake.files()
    rows = _telemetry(files, job, share)
    checkpoint = _checkpoint(files, share)
    if not rows.num_rows and not checkpoint.num_rows:
        return TaskResult()
    replayed = replay(rows, [strategy_called(name) for name in job.strategies], checkpoint)
    tables = {**replayed.tables, "checkpoint": replayed.checkpoint}
    at_us = replayed.snapshots
    return TaskResult(
        files={name: list(_write(files, name, table)) for name, table in tables.items()},
        recommendation=recommended(replayed.tables["group_summary"], job.strategies),
        rows_used=replayed.rows_used,
        rows_rejected=replayed.tables["rejected"].num_rows,
        offsets_backwards=replayed.offsets_backwards,
        answers_missing=len(replayed.failures),
        snapshots=int(at_us.size),
        groups=replayed.groups,
        first_us=int(at_us.min()) if at_us.size else None,
        last_us=int(at_us.max()) if at_us.size else None,
        failures=replayed.failures[:MOST_FAILURES],
    )


def _telemetry(files: FileSystem, job: Job, share: Share) -> pa.Table:
    """Read the rows of a share, with names as numbers."""
    wanted, at = _in_buckets(share), pc.field("snapshot_at")
    if job.since_us is not None:
        wanted &= at > pa.scalar(job.since_us, _MOMENT)
    if job.until_us is not None:
        wanted &= at <= pa.scalar(job.until_us, _MOMENT)
    schema = pa.schema([f.with_type(NAME) if f.name in NAMES else f for f in STORED])
    paths = [f"telemetry/{path}" for path in share.telemetry]
    return _read(files, paths, schema, wanted, read_dictionary=list(NAMES))


def _checkpoint(files: FileSystem, share: Share) -> pa.Table:
    paths = [f"checkpoint/{path}" for path in share.checkpoint]
    return _read(files, paths, arrow_schema(CHECKPOINT), _in_buckets(share))


def _read(
    files: FileSystem, paths: Sequence[str], schema: pa.Schema, wanted: pc.Expression, **how: object
) -> pa.Table:
    """Read matching rows of several files; columns missing from a file are null."""
    only = {"schema": schema, "filters": wanted, **how}
    parts = [pq.read_table(opened(files, path), **only) for path in paths]
    return pa.concat_tables([schema.empty_table(), *parts])


def _in_buckets(share: Share) -> pc.Expression:
    bucket = pc.field("bucket")
    return (bucket >= share.buckets.start) & (bucket < share.buckets.stop)


def _write(files: FileSystem, table: str, rows: pa.Table) -> Iterator[AddAction]:
    """Write rows as files of a table, one per day if it has days."""
    if not rows.num_rows:
        return
    if not partitioned_by(table):
        yield _write_file(files, table, rows, "")
        return
    days: Sequence[pa.Scalar] = pc.unique(rows[DAY]).sort()
    for day in days:
        of_day = rows if len(days) == 1 else rows.filter(pc.equal(rows[DAY], day))
        yield _write_file(files, table, of_day.drop_columns([DAY]), f"{DAY}={day.as_py()}/")


def _write_file(files: FileSystem, table: str, rows: pa.Table, folder: str) -> AddAction:
    path = f"{folder}part-{uuid.uuid4()}.parquet"
    footer: list[pq.FileMetaData] = []
    options = {"compression": "zstd", "store_schema": False, "metadata_collector": footer}
    with files.open_output_stream(f"{table}/{path}") as sink:
        with pq.ParquetWriter(sink, decoded(rows.slice(0, 0)).schema, **options) as writer:
            for first in range(0, rows.num_rows, ROW_GROUP_SIZE):
                # From a dictionary, Parquet would write every name into each row group.
                writer.write_table(decoded(rows.slice(first, ROW_GROUP_SIZE)))
        size = sink.tell()
    return add_action(path, size, footer[0])
