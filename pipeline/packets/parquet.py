"""A piece of a Parquet file to packets, by Arrow alone."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from assignors.model import BoolArray
from pipeline.limits import NEEDED
from pipeline.packets.coding import NAMES, PLAIN
from pipeline.packets.packet import Packet
from pipeline.packets.piece import DEALT_ROWS, Packer, Piece

_BATCH: Final = 131_072
_COLUMNS: Final = PLAIN.names[:-1]


def packed_row_groups(piece: Piece, packer: Packer) -> Iterator[Packet]:
    """Yield the packets of the row groups that begin in a piece.

    Raises what Arrow raises where the file is damaged, or no Parquet.
    """
    with _opened(piece) as source:
        footer = pq.read_metadata(source)
    schema, seen = footer.schema.to_arrow_schema(), packer.seen
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
        while some := list(islice(batches, DEALT_ROWS // _BATCH)):
            rows = pa.Table.from_batches(some)
            there, odd = packer.screened(rows, partial(_chosen, rows))
            yield from odd
            yield from packer.add(there)
    yield from packer.rest()


def _opened(piece: Piece) -> pa.NativeFile:
    if isinstance(piece.source, str):
        return pa.OSFile(piece.source)
    return pa.BufferReader(piece.source)


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


def _chosen(rows: pa.Table, is_chosen: BoolArray) -> pa.StringArray:
    """Return rows as JSON, which is one of the forms in which telemetry comes."""
    rows = rows.filter(pa.array(is_chosen))
    moments = rows["snapshot_at"].cast(pa.timestamp("us")).to_numpy()
    texts = np.datetime_as_string(moments, timezone="UTC").tolist()
    at = pa.array(texts, pa.string(), mask=np.isnat(moments))
    place = rows.column_names.index("snapshot_at")
    found = rows.set_column(place, "snapshot_at", at).to_pylist()
    return pa.array([msgspec.json.encode(row, enc_hook=str).decode() for row in found])
