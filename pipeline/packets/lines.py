"""The lines of text files, as Spark sees them, and the moments in them."""

import gzip
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final, cast

import pyarrow as pa

from pipeline.packets.coding import PLAIN
from pipeline.packets.piece import Piece
from pipeline.packets.screening import BEYOND_US, FIRST_US

_CHUNK_BYTES: Final = 8 << 20
_LONGEST: Final = 64 << 20
"""A line beyond this many bytes is not looked at here."""
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
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


def moments(values: Sequence[str | int | None]) -> pa.Array:
    """Return moments as telemetry has them; null for one that is not written plainly."""
    found = {value: _micros(value) for value in set(values)}
    micros = pa.array([found[value] for value in values], pa.int64())
    return micros.cast(PLAIN.field("snapshot_at").type)


def lines_of(piece: Piece) -> Iterator[list[bytes]]:
    """Yield the lines that begin in a piece and are not blank, many at once.

    Raises OSError, EOFError or zlib.error where the file cannot be read to its end, and
    ValueError where Spark might see other lines in it: it is not UTF-8, a line ends at a
    carriage return alone, or is very long.
    """
    with opened(piece) as file:
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


def opened(piece: Piece) -> BinaryIO:
    """Return the file of a piece, its bytes as they were before it was compressed."""
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
