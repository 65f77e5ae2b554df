"""One Spark task: read the telemetry of its groups, replay it, write the tables' files.

Tasks read and write the tables' Parquet files directly, because passing rows through Java to Python
takes longer than everything else together. Files become visible with a commit.
"""

import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake.transaction import AddAction
from pyarrow.fs import FileSystem

from assignors.catalogue import strategy_called
from assignors.model import LongArray
from pipeline.lake import DAY, ROW_GROUP_SIZE, Lake, add_action, opened, partitioned_by
from pipeline.recommendation import recommended
from pipeline.replay.encoding import NAME, NAMES, STORED, decoded, one_array
from pipeline.replay.offsets import durations_us
from pipeline.replay.replay import replay
from schemas.arrow import arrow_schema
from schemas.tables import CHECKPOINT, RECOMMENDATION

MOST_FAILURES: Final = 20
_MOMENT: Final = pa.timestamp("us", "UTC")
_RESET: Final = "auto_offset_reset"
_OF_DUE: Final = ["bucket", "snapshot_at"]
"""The columns by which rows are due."""


@dataclass(frozen=True)
class Job:
    """The parameters shared by all tasks of a replay."""

    lake: Lake
    telemetry: int
    """The version of the table."""
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
    reasons: Counter[str] = field(default_factory=Counter)
    """Number of rejected rows by the name of the reason."""
    dropped: dict[str, list[LongArray]] = field(default_factory=dict)
    """Path below ``telemetry`` -> where in the file the rejected rows are."""
    offsets_backwards: int = 0
    answers_missing: int = 0
    snapshots: int = 0
    groups: int = 0
    """Number of groups, including those in the given checkpoint."""
    first_us: int | None = None
    last_us: int | None = None
    failures: list[dict[str, str]] = field(default_factory=list)
    """The first few failures of strategies."""

    @property
    def rows_rejected(self) -> int:
        """Number of rejected rows."""
        return self.reasons.total()


def work(job: Job, share: Share) -> TaskResult:
    """Replay a share and write the files of its tables."""
    files = job.lake.files()
    rows = _telemetry(files, job, share)
    checkpoint = pa.concat_tables(
        [_checkpoint(files, share), _ends_before(files, job, share, rows)]
    )
    if not rows.num_rows and not checkpoint.num_rows:
        return TaskResult()
    replayed = replay(rows, [strategy_called(name) for name in job.strategies], checkpoint)
    tables = {**replayed.tables, "checkpoint": replayed.checkpoint}
    at_us = replayed.snapshots
    return TaskResult(
        files={name: list(_write(files, name, table)) for name, table in tables.items()},
        recommendation=recommended(replayed.tables["group_summary"], job.strategies),
        rows_used=replayed.rows_used,
        reasons=replayed.reasons,
        dropped=_places(files, job, share, replayed.rejected),
        offsets_backwards=replayed.offsets_backwards,
        answers_missing=len(replayed.failures),
        snapshots=int(at_us.size),
        groups=replayed.groups,
        first_us=int(at_us.min()) if at_us.size else None,
        last_us=int(at_us.max()) if at_us.size else None,
        failures=replayed.failures[:MOST_FAILURES],
    )


def without(lake: Lake, path: str, places: LongArray) -> AddAction | None:
    """Write a file of ``telemetry`` again without some of its rows; return None if none is left."""
    files = lake.files()
    rows = pq.read_table(opened(files, f"telemetry/{path}"), partitioning=None)
    is_kept = np.ones(rows.num_rows, np.bool_)
    is_kept[places] = False
    kept = rows.filter(pa.array(is_kept))
    folder = f"{path.rpartition('/')[0]}/".lstrip("/")
    return _write_file(files, "telemetry", kept, folder) if kept.num_rows else None


def _telemetry(files: FileSystem, job: Job, share: Share) -> pa.Table:
    """Read the rows of a share, with names as numbers."""
    schema = pa.schema([f.with_type(NAME) if f.name in NAMES else f for f in STORED])
    paths = [f"telemetry/{path}" for path in share.telemetry]
    return _read(files, paths, schema, _due(job, share), read_dictionary=list(NAMES))


def _due(job: Job, share: Share) -> pc.Expression:
    """Return the condition for a row of telemetry to be one of a share that is to be replayed."""
    due, at = _in_buckets(share), pc.field("snapshot_at")
    if job.since_us is not None:
        due &= at > pa.scalar(job.since_us, _MOMENT)
    if job.until_us is not None:
        due &= at <= pa.scalar(job.until_us, _MOMENT)
    return due


def _places(
    files: FileSystem, job: Job, share: Share, rows: LongArray
) -> dict[str, list[LongArray]]:
    """Return where in its files some rows of a share are, by path."""
    places: dict[str, list[LongArray]] = {}
    first, rows = 0, np.sort(rows)
    for path in share.telemetry if rows.size else ():
        known = pq.read_table(opened(files, f"telemetry/{path}"), columns=_OF_DUE)
        numbered = known.append_column("place", pa.array(np.arange(known.num_rows)))
        due = numbered.filter(_due(job, share))["place"].to_numpy()
        own = rows[np.searchsorted(rows, first) : np.searchsorted(rows, first + due.size)] - first
        if own.size:
            places[path] = [due[own]]
        first += due.size
    return places


def _checkpoint(files: FileSystem, share: Share) -> pa.Table:
    paths = [f"checkpoint/{path}" for path in share.checkpoint]
    return _read(files, paths, arrow_schema(CHECKPOINT), _in_buckets(share))


def _ends_before(files: FileSystem, job: Job, share: Share, rows: pa.Table) -> pa.Table:
    """Return, as rows of a checkpoint, the ends of logs that tell lags by duration of some rows.

    Those are in snapshots that have been replayed, as long before the rows as their policy says.
    """
    schema = arrow_schema(CHECKPOINT)
    if job.since_us is None or not rows.num_rows:
        return schema.empty_table()
    resets = one_array(rows[_RESET])
    durations = np.append(durations_us(resets.dictionary.to_pylist()), -1)  # the last one: null
    duration = durations[resets.indices.fill_null(-1).to_numpy()]
    is_due = (duration > 0) & pc.is_null(rows["committed_offset"]).to_numpy()
    due = rows.filter(pa.array(is_due))
    times_us = np.unique(due["snapshot_at"].cast(pa.int64()).to_numpy() - duration[is_due])
    times = pa.array(times_us[times_us <= job.since_us]).cast(_MOMENT)
    if not len(times):
        return schema.empty_table()
    known = job.lake.actions("telemetry", job.telemetry)
    first, last = known["min.snapshot_at"], known["max.snapshot_at"]
    tick = pa.scalar(timedelta(milliseconds=1))  # to which the log rounds
    is_in = pc.and_(
        pc.less_equal(pc.subtract(first, tick), pc.max(times)),
        pc.greater_equal(pc.add(last, tick), pc.min(times)),
    )
    paths = [f"telemetry/{path}" for path in known.filter(is_in)["path"].to_pylist()]
    wanted = _in_buckets(share) & pc.field("snapshot_at").isin(times)
    wanted &= pc.field("group_id").isin(pc.unique(due["group_id"].cast(pa.string())))
    keys = ["cluster", "group_id", "snapshot_at", "topic", "partition"]
    stored = pa.schema([schema.field(name) for name in (*keys, "log_end_offset", "bucket")])
    ends = _read(files, paths, stored, wanted & pc.field("topic").is_valid())
    lists = pa.array([[None] * len(job.strategies)] * ends.num_rows, schema.field("owners").type)
    given = {name: ends[name] for name in stored.names} | {"owners": lists}
    return pa.table(
        [given.get(f.name, pa.nulls(ends.num_rows, f.type)) for f in schema], schema=schema
    )


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
