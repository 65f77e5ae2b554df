"""Files of the pipeline's collector: each group's newest snapshot, the earlier ones its history."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from sources.budget import LIMITS, Limits
from sources.errors import SourceError, guarded
from sources.pastes.grouping import readings
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, MemberRow, Parsed, Row
from sources.reading import Reading

FORMAT: Final = "the collector's snapshots"
ENDING: Final = ".parquet"
_COLUMNS: Final = (
    *("cluster", "group_id", "snapshot_at", "topic", "partition"),
    *("log_start_offset", "log_end_offset", "committed_offset"),
    *("member_id", "client_id", "host", "group_instance_id"),
)


def read_collected(files: Mapping[str, bytes], limits: Limits = LIMITS) -> tuple[Reading, ...]:
    """Read every group in the files, in the order of their names.

    Raises SourceError in a sentence for what is no such file, or exceeds the limits.
    """
    with guarded("these files"):
        records = [record for name in files for record in _records(name, files[name], limits)]
        limits.check("rows", len(records))
        parsed = Parsed(FORMAT)
        for line, record in _numbered(records):
            _add(parsed, line, record)
        opened = readings(Page("", limits), parsed)
    if not opened:
        message = "there is no consumer group in these files"
        raise SourceError(message)
    return opened


def _records(name: str, data: bytes, limits: Limits) -> list[dict[str, Any]]:
    try:
        file = pq.ParquetFile(BytesIO(data))
        limits.check("rows", file.metadata.num_rows, name)
        groups = (file.metadata.row_group(k) for k in range(file.metadata.num_row_groups))
        limits.check("bytes", sum(group.total_byte_size for group in groups), name)
        records: list[dict[str, Any]] = file.read(columns=list(_COLUMNS)).to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, SourceError):
            raise
        message = f"{name} is no Parquet file: {str(error).splitlines()[0]}"
        raise SourceError(message) from error
    if records and (missing := [column for column in _COLUMNS if column not in records[0]]):
        message = (
            f"{name} has no column {missing[0]}; expected a file that `python -m pipeline collect` "
            "wrote"
        )
        raise SourceError(message)
    return records


def _numbered(records: Iterable[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the records by time, with line numbers that leave one out between snapshots."""
    known = [record for record in records if isinstance(record["snapshot_at"], datetime)]
    line, before = 0, None
    for record in sorted(known, key=lambda record: record["snapshot_at"]):
        line += 1 + (record["snapshot_at"] != before)
        before = record["snapshot_at"]
        yield line, record


def _add(parsed: Parsed, line: int, record: Mapping[str, Any]) -> None:
    group = GroupKey(str(record["group_id"]), str(record["cluster"]))
    member, instance, host, client = (
        str(record[name] or "") for name in ("member_id", "group_instance_id", "host", "client_id")
    )
    owner = member, instance, host, client
    topic, partition = record["topic"], record["partition"]
    if topic is None or partition is None:
        parsed.members.append(MemberRow(line, group, *owner))
        return
    begin, end, committed = (
        record[name] for name in ("log_start_offset", "log_end_offset", "committed_offset")
    )
    lag = None if end is None or committed is None else max(end - committed, 0)
    at_s = record["snapshot_at"].replace(tzinfo=UTC).timestamp()
    row = Row(line, group, str(topic), int(partition), begin, committed, end, lag, *owner)
    parsed.rows.append(row._replace(at_s=at_s))
