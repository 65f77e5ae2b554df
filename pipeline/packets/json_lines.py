"""A piece of a file of JSON Lines to packets, without Spark."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any, Final, TypeAlias

import msgspec
import numpy as np
import pyarrow as pa
from msgspec.structs import astuple

from assignors.model import BoolArray
from pipeline.packets.coding import NAMES, PLAIN
from pipeline.packets.lines import lines_of, moments
from pipeline.packets.packet import Packet
from pipeline.packets.piece import Packer, Piece
from schemas.tables import columns
from schemas.telemetry import TELEMETRY

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


def packed_lines(piece: Piece, packer: Packer) -> Iterator[Packet]:
    """Yield the packets of the lines that begin in a piece; raises what ``lines_of`` raises."""
    for lines in lines_of(piece):
        packer.seen.rows += len(lines)
        found, sound, odd = _decoded(lines)
        if odd:
            yield packer.lines(pa.array(odd, pa.string()))
        if found:
            table, others = packer.screened(_table(found), partial(_chosen, sound))
            yield from others
            yield from packer.add(table)
    yield from packer.rest()


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
    if name == "snapshot_at":
        return moments(values)
    array = pa.array(values, PLAIN.field(name).type)
    return array.dictionary_encode() if name in NAMES else array
