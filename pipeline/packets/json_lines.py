"""A piece of a file of JSON Lines to packets, without Spark."""

import gzip
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, TypeAlias, cast

import msgspec
import numpy as np
import pyarrow as pa
from msgspec.structs import astuple

from assignors.model import BoolArray
from pipeline.packets.coding import NAMES, PLAIN, coded
from pipeline.packets.packet import Packet
from pipeline.packets.piece import DEALT_ROWS, Packer, Piece
from pipeline.packets.screening import BEYOND_US, FIRST_US
from schemas.tables import columns
from schemas.telemetry import TELEMETRY

_CHUNK_BYTES: Final = 8 << 20
_LONGEST: Final = 64 << 20
"""A line beyond this many bytes is not looked at here."""
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_Int: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
_Long: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


_TYPES: Final[dict[str, Any]] = {
    "STRING": str | None,
    "INT": _Int | None,
    "BIGINT": _Long | None,
    "TIMESTAMP": str | int | None,
    "ARRAY<STRING>": list[str] | None,
}
_FIELDS: Final = [(name, _TYPES[kind], None) for name, kind in columns(TELEMETRY).items()]
_LINE: Final = msgspec.defstruct("_Line", _FIELDS, gc=False)
"""A line whose values are of telemetry's own types; any other is judged by Spark."""
_MOMENT: Final = re.compile(
    r"\d{4}-\d\d-\d\d[T ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?"
    r"(Z|[+-](0\d|1[0-7]):[0-5]\d)?",
    re.ASCII,
)
"""The plainest way to write a moment; without a zone it is in UTC."""
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_PER_SECOND: Final = (1, 10**3, 10**6, 10**9)
_US: Final = 1_000_000


def packed_lines(piece: Piece, packer: Packer) -> Iterator[Packet]:
    """Yield the packets of the lines that begin in a piece.

    Raises OSError, EOFError or zlib.error where the file cannot be read to its end, and
    ValueError where Spark might see other lines in it: it is not UTF-8, a line ends at a
    carriage return alone, or is very long.
    """
    waiting: list[pa.Table] = []
    for lines in _lines(piece):
        packer.seen.rows += len(lines)
        found, sound, odd = _decoded(lines)
        if odd:
            yield packer.lines(pa.array(odd, pa.string()))
        if found:
            table, others = packer.screened(_table(found), partial(_chosen, sound))
            yield from others
            waiting.append(table)
        if sum(table.num_rows for table in waiting) >= DEALT_ROWS:
            yield from packer.dealt(coded(pa.concat_tables(waiting)))
            waiting = []
    if waiting:
        yield from packer.dealt(coded(pa.concat_tables(waiting)))


def _lines(piece: Piece) -> Iterator[list[bytes]]:
    """Yield the lines that are not blank, many at once."""
    with _opened(piece) as file:
        if piece.start:
            file.seek(piece.start - 1)
            file.readline(_LONGEST)  # it belongs to the piece before
        elif file.read(len(_BYTE_ORDER_MARK)) != _BYTE_ORDER_MARK:
            file.seek(0)
        while file.tell() < piece.stop and (chunk := _whole_lines(file, piece)):
            chunk.decode()
            chunk = chunk.replace(b"\r\n", b"\n")
            if b"\r" in chunk:
                message = "a line ends at a carriage return"
                raise ValueError(message)
            yield [line for line in chunk.split(b"\n") if line.strip(b" ")]


def _opened(piece: Piece) -> BinaryIO:
    source = piece.source if isinstance(piece.source, str) else BytesIO(piece.source)
    if piece.kind.endswith(".gz"):
        return cast("BinaryIO", gzip.open(source))
    return Path(source).open("rb") if isinstance(source, str) else source


def _whole_lines(file: BinaryIO, piece: Piece) -> bytes:
    chunk = file.read(min(_CHUNK_BYTES, piece.stop - file.tell()))
    if chunk and not chunk.endswith(b"\n"):
        end = file.readline(_LONGEST)
        if len(end) == _LONGEST:
            message = "a line is very long"
            raise ValueError(message)
        chunk += end
    return chunk


def _decoded(lines: Sequence[bytes]) -> tuple[list[Any], list[bytes], list[bytes]]:
    """Return lines as structs, those lines, and the lines that are none."""
    found, sound, odd = [], [], []
    decode = msgspec.json.Decoder(_LINE).decode
    for line in lines:
        try:
            found.append(decode(line))
        except (msgspec.DecodeError, RecursionError):
            odd.append(line)
        else:
            sound.append(line)
    return found, sound, odd


def _chosen(lines: Sequence[bytes], is_chosen: BoolArray) -> pa.StringArray:
    return pa.array([lines[place] for place in np.flatnonzero(is_chosen).tolist()], pa.string())


def _table(found: Sequence[Any]) -> pa.Table:
    values = zip(*map(astuple, found), strict=True)
    return pa.table(
        {name: _array(name, some) for (name, *_), some in zip(_FIELDS, values, strict=True)}
    )


def _array(name: str, values: Sequence[Any]) -> pa.Array:
    kind = PLAIN.field(name).type
    if name == "snapshot_at":
        moments = {value: _micros(value) for value in set(values)}
        return pa.array([moments[value] for value in values], pa.int64()).cast(kind)
    array = pa.array(values, kind)
    return array.dictionary_encode() if name in NAMES else array


def _micros(moment: str | int | None) -> int | None:
    """Return a moment in microseconds since 1970; None if it is not written plainly.

    A number counts the units that lead into the years of ``limits``, which are never two.
    """
    if isinstance(moment, int):
        counts = ((moment * _US // unit) for unit in _PER_SECOND)
        return next((us for us in counts if FIRST_US <= us < BEYOND_US), None)
    if moment is None or not _MOMENT.fullmatch(moment):
        return None
    with suppress(ValueError):
        at = datetime.fromisoformat(moment)
        return (at.replace(tzinfo=at.tzinfo or UTC) - _EPOCH) // _MICROSECOND
    return None
