"""What one task of Spark does: read its groups' telemetry, replay them, write the tables' files.

Tasks read and write the tables' own Parquet files; rows that pass through Java on their way to
Python take longer than all else together. Files count once a commit names them.
"""

import json
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow.fs import FileSystem

from assignors.registry import STRATEGIES
from pipeline.lake import DAY, Lake, opened, partitioned_by
from pipeline.recommendation import recommended
from pipeline.replay.encoding import NAME, NAMES, STORED
from pipeline.replay.replay import Replayed, replay
from schemas.arrow import arrow_schema
from schemas.tables import CHECKPOINT

_STATISTICS: Final = ("cluster", "group_id", "snapshot_at", "bucket", "strategy")
_MOST_FAILURES: Final = 20
_MOMENT: Final = pa.timestamp("us", "UTC")


@dataclass(frozen=True)
class Job:
    """What all tasks of a replay have in common."""

    lake: Lake
    strategies: tuple[str, ...]
    since: int | None = None
    """Microseconds since 1970: snapshots at or before it have been replayed; None: none has."""
    until: int | None = None
    """Snapshots after it wait; None: none does."""


@dataclass(frozen=True)
class Share:
    """The groups of one task, and the files in which they are."""

    first_bucket: int
    beyond: int
    telemetry: tuple[str, ...]
    """Paths below the table."""
    checkpoint: tuple[str, ...]


def work(job: Job, share: Share) -> dict[str, pa.Table]:
    """Replay a share; return the ``files`` written, ``recommendation`` and ``outcome``."""
    files = job.lake.files()
    rows = _telemetry(files, job, share)
    checkpoint = _checkpoint(files, share)
    if not rows.num_rows and not checkpoint.num_rows:
        return {}
    strategies = [STRATEGIES[name] for name in job.strategies]
    found = replay(rows, strategies, checkpoint)
    tables = {**found.tables, "checkpoint": found.checkpoint}
    written = [row for name, table in tables.items() for row in _written(files, name, table)]
    return {
        "files": pa.Table.from_pylist(written, _FILES),
        "recommendation": recommended(found.tables["group_summary"], job.strategies),
        "outcome": pa.table({"outcome": [json.dumps(_outcome(found))]}),
    }


_FILES: Final = pa.schema(
    [
        *((name, pa.string()) for name in ("table", "path", "day", "stats")),
        *((name, pa.int64()) for name in ("size", "written")),
    ]
)


def _outcome(found: Replayed) -> dict[str, Any]:
    at = found.snapshots
    return {
        "rows_used": found.rows_used,
        "rows_rejected": found.tables["rejected"].num_rows,
        "offsets_backwards": found.offsets_backwards,
        "answers_missing": len(found.failures),
        "failures": found.failures[:_MOST_FAILURES],
        "snapshots": int(at.size),
        "groups": found.groups,
        "first": int(at.min()) if at.size else None,
        "last": int(at.max()) if at.size else None,
    }


def _telemetry(files: FileSystem, job: Job, share: Share) -> pa.Table:
    """Read the rows of a share, names as numbers."""
    wanted = _ours(share)
    at = pc.field("snapshot_at")
    if job.since is not None:
        wanted &= at > pa.scalar(job.since, _MOMENT)
    if job.until is not None:
        wanted &= at <= pa.scalar(job.until, _MOMENT)
    parts = [STORED.empty_table()]
    for path in share.telemetry:
        file = opened(files, f"telemetry/{path}")
        names = list(NAMES)
        part = pq.read_table(file, columns=STORED.names, filters=wanted, read_dictionary=names)
        parts.append(part)
    return _together(parts)


def _ours(share: Share) -> pc.Expression:
    bucket = pc.field("bucket")
    return (bucket >= share.first_bucket) & (bucket < share.beyond)


def _together(parts: Sequence[pa.Table]) -> pa.Table:
    kinds = [f.with_type(NAME) if f.name in NAMES else f for f in STORED]
    return pa.concat_tables([part.cast(pa.schema(kinds)) for part in parts])


def _checkpoint(files: FileSystem, share: Share) -> pa.Table:
    schema = arrow_schema(CHECKPOINT)
    parts = [
        pq.read_table(opened(files, f"checkpoint/{path}"), filters=_ours(share)).cast(schema)
        for path in share.checkpoint
    ]
    return pa.concat_tables([schema.empty_table(), *parts])


def _written(files: FileSystem, table: str, rows: pa.Table) -> Iterator[Mapping[str, Any]]:
    """Write rows as files of a table, one a day where it has days."""
    if not rows.num_rows:
        return
    if not partitioned_by(table):
        yield _file(files, table, rows, None)
        return
    days = rows[DAY].combine_chunks()
    distinct = pc.unique(days).sort()
    for day in distinct:
        of_day = rows if len(distinct) == 1 else rows.filter(pc.equal(days, day))
        yield _file(files, table, of_day.drop_columns([DAY]), str(day.as_py()))


def _file(files: FileSystem, table: str, rows: pa.Table, day: str | None) -> Mapping[str, Any]:
    name = f"part-{uuid.uuid4()}.parquet"
    path = f"{DAY}={day}/{name}" if day else name
    with files.open_output_stream(f"{table}/{path}") as sink:
        pq.write_table(rows, sink, compression="zstd", store_schema=False)
        size = sink.tell()
    return {
        "table": table,
        "path": path,
        "day": day,
        "stats": json.dumps(_statistics(rows)),
        "size": size,
        "written": time.time_ns() // 1_000_000,
    }


def _statistics(rows: pa.Table) -> dict[str, Any]:
    """Return what readers skip files by, as Delta's protocol has it."""
    named = [name for name in _STATISTICS if name in rows.column_names]
    ends = {name: pc.min_max(_comparable(rows[name])) for name in named}
    return {
        "numRecords": rows.num_rows,
        "minValues": {name: _shown(each["min"]) for name, each in ends.items()},
        "maxValues": {name: _shown(each["max"]) for name, each in ends.items()},
        "nullCount": dict.fromkeys(named, 0),
    }


def _comparable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.unique(column).cast(pa.string()) if column.type == NAME else column


def _shown(value: pa.Scalar) -> str | int:
    found = value.as_py()
    return found if isinstance(found, (str, int)) else f"{found:%Y-%m-%dT%H:%M:%S.%f}Z"
