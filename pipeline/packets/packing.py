"""A piece of a file to packets, by whatever reads such files without Spark."""

import csv
import zlib
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

import pyarrow as pa

from pipeline.packets.csv_lines import packed_csv
from pipeline.packets.json_lines import packed_lines
from pipeline.packets.messages import message
from pipeline.packets.packet import SEEN, Packet
from pipeline.packets.parquet import packed_row_groups
from pipeline.packets.piece import SEEN_TYPES, Packer, Piece, Seen, Wanted
from pipeline.packets.shelves import Keep, Kept

_READERS: Final[Mapping[str, Callable[[Piece, Packer], Iterator[Packet]]]] = MappingProxyType(
    {
        "parquet": packed_row_groups,
        "json": packed_lines,
        "json.gz": packed_lines,
        "csv": packed_csv,
        "csv.gz": packed_csv,
    }
)
KINDS: Final = frozenset(_READERS)
"""The kinds of files that are read here, with how they are compressed as a whole."""
_BROKEN: Final = (
    pa.ArrowException, OSError, ValueError, OverflowError, EOFError, zlib.error, csv.Error,
)  # fmt: skip
"""What reading a file that is damaged, or not ours, may end with."""


def packed(piece: Piece, wanted: Wanted, keep: Keep) -> Iterator[Packet]:
    """Yield the packets of a piece, at last what was seen of it."""
    seen = Seen(piece.file)
    try:
        yield from _READERS[piece.kind](piece, Packer(wanted, seen, keep))
    except _BROKEN as error:
        seen.problem = str(error).strip() or type(error).__name__
    content = pa.RecordBatch.from_pylist([vars(seen)], SEEN_TYPES)
    yield Packet(SEEN, piece.file, None, Kept(message(content)))
