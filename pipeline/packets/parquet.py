"""A piece of a Parquet file to packets, by Arrow alone."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.limits import NEEDED
from pipeline.packets.coding import FILE, LISTS, NAMES, PLAIN, coded
from pipeline.packets.dealing import packets
from pipeline.packets.messages import message
from pipeline.packets.packet import LINES, ROWS, SEEN, Packet
from pipeline.packets.screening import is_plain, without_signs
from pipeline.packets.shelves import Keep, Kept

_BATCH: Final = 131_072
_BATCHES: Final = 8
"""So many are dealt together: fewer packets, and none of more rows than a task replays."""
_COLUMNS: Final = PLAIN.names[:-1]
_LINES: Final = pa.schema([FILE, ("line", pa.string())])
_BROKEN: Final = (pa.ArrowException, OSError, ValueError, OverflowError)
"""What reading a file that is damaged, or not ours, may end with."""


class Piece(NamedTuple):
    """The row groups of a file that begin in a range of its bytes."""

    file: int
    source: str | pa.Buffer
    """Where the file is, or all of its content."""
    start: int
    stop: int


@dataclass
class Seen:
    """What there was in a piece."""

    file: int
    rows: int = 0
    """As the footer says."""
    early: int = 0
    """Usable, but before the first day wanted."""
    lines: int = 0
    """Left to be judged."""
    problem: str = ""
    """Why the file must be read in another way; nothing of it counts here then."""
    extra: list[str] = field(default_factory=list)
    """Columns that are not telemetry's."""


SEEN_TYPES: Final = pa.schema(
    [
        FILE,
        ("rows", pa.int64()),
        ("early", pa.int64()),
        ("lines", pa.int64()),
        ("problem", pa.string()),
        ("extra", pa.list_(pa.string())),
    ]
)


@dataclass(frozen=True)
class Wanted:
    """What a run wants of telemetry."""

    since_us: int | None
    """The first moment to use, microseconds since 1970."""
    buckets: int
    """Into how many its groups are dealt."""
    shelves: Path | None
    """The folder for what its rows become, if workers reach one without Spark."""


def packed(piece: Piece, wanted: Wanted, keep: Keep) -> Iterator[Packet]:
    """Yield the packets of a piece, at last what was seen of it."""
    seen = Seen(piece.file)
    try:
        yield from _packed(piece, wanted, seen, keep)
    except _BROKEN as error:
        seen.problem = str(error).strip() or type(error).__name__
    content = pa.RecordBatch.from_pylist([vars(seen)], SEEN_TYPES)
    yield Packet(SEEN, piece.file, None, Kept(message(content)))


def _packed(piece: Piece, wanted: Wanted, seen: Seen, keep: Keep) -> Iterator[Packet]:
    with _opened(piece) as source:
        footer = pq.read_metadata(source)
    schema = footer.schema.to_arrow_schema()
    seen.extra = [name for name in schema.names if name not in _COLUMNS]
    seen.problem = _unfit(schema)
    groups = list(_row_groups(footer, piece))
    if seen.problem or not groups:
        return
    seen.rows = sum(footer.row_group(group).num_rows for group in groups)
    coded_names = [name for name in NAMES if name in schema.names]
    with (
        _opened(piece) as source,
        pq.ParquetFile(
            source,
            metadata=footer,
            read_dictionary=coded_names,
            coerce_int96_timestamp_unit="us",
            pre_buffer=False,
        ) as file,
    ):
        batches = file.iter_batches(_BATCH, groups, use_threads=False)
        while some := list(islice(batches, _BATCHES)):
            yield from _dealt(pa.Table.from_batches(some), wanted, seen, keep)


def _opened(piece: Piece) -> pa.NativeFile:
    if isinstance(piece.source, str):
        return pa.OSFile(piece.source)
    return pa.BufferReader(piece.source)


def _dealt(rows: pa.Table, wanted: Wanted, seen: Seen, keep: Keep) -> Iterator[Packet]:
    """Yield the rows of a batch: those that can be used dealt by group, the others as JSON."""
    there = coded(rows.append_column(FILE, pa.array(np.full(rows.num_rows, seen.file, np.int32))))
    there = without_signs(there)
    is_usable = is_plain(there)
    if LISTS in rows.column_names:
        has_null_in_list = rows[LISTS].is_valid().to_numpy() & there[LISTS].is_null().to_numpy()
        is_usable &= ~has_null_in_list
    if not is_usable.all():
        lines = _lines(rows.filter(pa.array(~is_usable)))
        seen.lines += len(lines)
        content = pa.record_batch([pa.array([seen.file] * len(lines), pa.int32()), lines], _LINES)
        yield Packet(LINES, seen.file, None, Kept(message(content)))
    if wanted.since_us is not None:
        is_early = is_usable & (there["snapshot_at"].cast(pa.int64()).to_numpy() < wanted.since_us)
        seen.early += int(np.count_nonzero(is_early))
        is_usable &= ~is_early
    if not is_usable.all():
        there = there.filter(pa.array(is_usable))
    for bucket, content in packets(there, wanted.buckets):
        yield Packet(ROWS, seen.file, bucket, keep(content))


def _row_groups(metadata: pq.FileMetaData, piece: Piece) -> Iterator[int]:
    for number in range(metadata.num_row_groups):
        first = metadata.row_group(number).column(0)
        begins = first.dictionary_page_offset or first.data_page_offset
        if piece.start <= begins < piece.stop:
            yield number


def _unfit(schema: pa.Schema) -> str:
    """Return why the columns are not those of telemetry as they stand, if they are not."""
    if len(set(schema.names)) < len(schema.names):
        return "two columns have one name"
    missing = [name for name in NEEDED if name not in schema.names]
    unfit = [
        field.name
        for field in schema
        if field.name in _COLUMNS and not _fits(field.type, PLAIN.field(field.name).type)
    ]
    return f"columns {', '.join(missing + unfit)}" if missing or unfit else ""


def _fits(kind: pa.DataType, wanted: pa.DataType) -> bool:
    """Tell whether every value of a type is one of the type wanted."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_string(wanted):
        return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
    if pa.types.is_list(wanted):
        is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
        return bool(is_list and _fits(kind.value_type, pa.string()))
    if pa.types.is_timestamp(wanted):
        return bool(pa.types.is_timestamp(kind) and kind.unit in {"us", "ms"})
    return bool(pa.types.is_signed_integer(kind) and kind.bit_width <= wanted.bit_width)


def _lines(rows: pa.Table) -> pa.StringArray:
    """Return rows as JSON, which is one of the forms in which telemetry comes."""
    moments = rows["snapshot_at"].cast(pa.timestamp("us")).to_numpy()
    texts = np.datetime_as_string(moments, timezone="UTC").tolist()
    at = pa.array(texts, pa.string(), mask=np.isnat(moments))
    place = rows.column_names.index("snapshot_at")
    found = rows.set_column(place, "snapshot_at", at).to_pylist()
    return pa.array([msgspec.json.encode(row, enc_hook=str).decode() for row in found])
