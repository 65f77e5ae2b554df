"""Files of the pipeline's collector: each group's newest snapshot, with its history."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from assignors.kinds import GroupKind
from evaluation.reading import Reading
from schemas.arrow import arrow_schema
from schemas.telemetry import NOT_TOLD, TELEMETRY
from sources.budget import LIMITS, Limits
from sources.columns import Field
from sources.errors import SourceError, guarded
from sources.pastes.grouping import readings
from sources.pastes.page import Page
from sources.pastes.parsed import OWNER, GroupKey, MemberRow, Parsed, StateRow, owner_of, row_of

FORMAT: Final = "the collector's snapshots"
_FIELDS: Final = {
    Field.BEGIN: "log_start_offset",
    Field.END: "log_end_offset",
    Field.COMMITTED: "committed_offset",
    Field.MEMBER: "member_id",
    Field.CLIENT: "client_id",
    Field.HOST: "host",
    Field.INSTANCE: "group_instance_id",
}
_COLUMNS: Final = (
    *("cluster", "group_id", "snapshot_at", "topic", "partition"),
    *_FIELDS.values(),
)
_REQUIRED: Final = _COLUMNS[:3]
_KIND, _OWNERSHIP = _LATER = ("kind", "ownership")
"""Columns that files of earlier releases lack."""
_SCHEMA: Final = pa.schema([arrow_schema(TELEMETRY).field(name) for name in _COLUMNS])
_KINDS: Final = {kind.value: kind for kind in GroupKind}
_ROWS: Final = 100_000
"""Up to this many rows may be of any size; beyond, each takes at least a byte."""
_YEARS: Final = 1970, 9999


def read_collected(files: Mapping[str, bytes], limits: Limits = LIMITS) -> tuple[Reading, ...]:
    """Read every group in the files, in the order of their names.

    Raises SourceError for any other file, and beyond the limits.
    """
    with guarded("these files"):
        records = [record for name in files for record in _records(name, files[name], limits)]
        limits.check("rows", len(records))
        parsed = Parsed(FORMAT)
        for line, record in _numbered(records):
            _add(parsed, line, record)
        parsed.states += _counted(records)
        opened = readings(Page("", limits), parsed)
    if not opened:
        message = "there is no consumer group in these files"
        raise SourceError(message)
    return opened


def _records(name: str, data: bytes, limits: Limits) -> list[dict[str, Any]]:
    try:
        schema = (file := pq.ParquetFile(BytesIO(data))).schema_arrow
        if missing := [column for column in _COLUMNS if column not in schema.names]:
            message = (
                f"{name} has no column {missing[0]}; expected a file that `python -m pipeline "
                "collect` wrote"
            )
            raise SourceError(message)
        limits.check("rows", file.metadata.num_rows, name)
        if file.metadata.num_rows > _ROWS + len(data):
            message = (
                f"{name} claims {file.metadata.num_rows:,} rows in {len(data):,} bytes, more than "
                "partitions with offsets of their own take; expected a file that `python -m "
                "pipeline collect` wrote"
            )
            raise SourceError(message)
        groups = (file.metadata.row_group(k) for k in range(file.metadata.num_row_groups))
        limits.check("bytes", sum(group.total_byte_size for group in groups), name)
        texts = [column for column in _COLUMNS if pa.types.is_string(schema.field(column).type)]
        file = pq.ParquetFile(BytesIO(data), metadata=file.metadata, read_dictionary=texts)
        later = [column for column in _LATER if column in schema.names]
        table = file.read(columns=[*_COLUMNS, *later], use_threads=False)
        limits.check("bytes", sum(map(_bytes_of, table.columns)), name)
        told = table.select(later).to_pylist()
        table = table.select(_COLUMNS).cast(_SCHEMA)
        _refuse_wrong_values(name, table)
        records: list[dict[str, Any]] = [
            {**record, **more} for record, more in zip(table.to_pylist(), told, strict=True)
        ]
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, SourceError):
            raise
        message = f"{name} cannot be read as a Parquet file: {str(error).splitlines()[0]}"
        raise SourceError(message) from error
    return records


def _bytes_of(column: pa.ChunkedArray) -> int:
    """Return the size of a column without dictionary encoding, where one long name may repeat."""
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = [pc.binary_length(chunk.dictionary).take(chunk.indices) for chunk in column.chunks]
    return sum(pc.sum(each).as_py() or 0 for each in lengths)


def _refuse_wrong_values(name: str, table: pa.Table) -> None:
    for column in _COLUMNS:
        values, kind = table[column], _SCHEMA.field(column).type
        if column in _REQUIRED and (row := pc.index(pc.is_null(values), True).as_py()) >= 0:
            message = f"{name}, row {row + 1}: {column} is missing"
            raise SourceError(message)
        if pa.types.is_integer(kind):
            is_wrong = pc.less(values, 0)
        elif pa.types.is_timestamp(kind):
            first, last = (pa.scalar(datetime(year, 1, 1, tzinfo=UTC), kind) for year in _YEARS)
            is_wrong = pc.or_(pc.less(values, first), pc.greater_equal(values, last))
        else:
            continue
        if (row := pc.index(is_wrong, True).as_py()) >= 0:
            message = f"{name}, row {row + 1}: {column} is out of range"
            raise SourceError(message)


def _numbered(records: Iterable[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the records by time, with line numbers that skip one between snapshots."""
    line, before = 0, None
    for record in sorted(records, key=lambda record: record["snapshot_at"]):
        line += 1 + (record["snapshot_at"] != before)
        before = record["snapshot_at"]
        yield line, record


def _add(parsed: Parsed, line: int, record: Mapping[str, Any]) -> None:
    group = GroupKey(record["group_id"], record["cluster"])
    if record.get(_KIND) in _KINDS:
        parsed.kinds[group] = _KINDS[record[_KIND]]
    is_told = record.get(_OWNERSHIP) != NOT_TOLD
    fields = {
        field: record[name] for field, name in _FIELDS.items() if is_told or field not in OWNER
    }
    topic, partition = record["topic"], record["partition"]
    if topic is None or partition is None:
        if not is_told:
            return  # counted, and numbered by the collector; ``_counted``
        parsed.members.append(MemberRow(line, group, *owner_of(fields)))
        return
    at_s = record["snapshot_at"].replace(tzinfo=UTC).timestamp()
    row = row_of(line, group, (str(topic), int(partition)), fields, lambda value: value)
    parsed.rows.append(row._replace(at_s=at_s))


def _counted(records: Iterable[Mapping[str, Any]]) -> Iterator[StateRow]:
    """Yield how many consumers each group has at its newest snapshot, where none owns anything."""
    ids: dict[GroupKey, tuple[datetime, set[str]]] = {}
    for record in records:
        if record.get(_OWNERSHIP) != NOT_TOLD:
            continue
        key, at = GroupKey(record["group_id"], record["cluster"]), record["snapshot_at"]
        newest, own = ids.setdefault(key, (at, set()))
        if at > newest:
            ids[key] = (at, own := set())
        if at >= newest and record["member_id"] is not None:
            own.add(record["member_id"])
    for key, (_, own) in ids.items():
        if own:
            yield StateRow(0, key, members=len(own))
