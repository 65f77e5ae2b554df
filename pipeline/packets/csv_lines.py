"""A piece of a CSV file to packets, without Spark."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from assignors.model import BoolArray
from pipeline.limits import NEEDED
from pipeline.packets.coding import LISTS, PLAIN
from pipeline.packets.lines import lines_of, moments, opened
from pipeline.packets.packet import Packet
from pipeline.packets.piece import Packer, Piece
from pipeline.reading.headers import fields
from schemas.tables import columns
from schemas.telemetry import TELEMETRY

_COLUMNS: Final = frozenset(columns(TELEMETRY))
_SHORT: Final = 1 << 16
"""A header is not longer, in bytes."""
_QUOTED: Final = re.compile(r'(?:"(?:[^"]|"")*"|[^",]*)(?:,(?:"(?:[^"]|"")*"|[^",]*))*')
_NUMBER: Final = re.compile(r"(-?(?:0|[1-9][0-9]{0,14}))(?:\.0)?|-?[1-9][0-9]{15,17}")
"""The plainest ways to write a whole number; pandas writes 12.0."""
_DIGITS: Final = "^-?(0|[1-9][0-9]{0,17})$"
_EPOCH: Final = re.compile(r"[1-9][0-9]{8,18}")
_TOPICS: Final = re.compile(r"[A-Za-z0-9._-]+(?:[;|][A-Za-z0-9._-]+)*")
_ODD: Final = re.compile(r'[\x00-\x1f]|(?:^|[,"])\s|\s(?:[,"]|$)')
"""Signs and blanks that readers of CSV leave out, or do not."""


def packed_csv(piece: Piece, packer: Packer) -> Iterator[Packet]:
    """Yield the packets of the lines that begin in a piece.

    Raises what ``lines_of`` raises, and ValueError where the file has no header, or a line
    that is not of the plainest: what is wrong with it is for Spark to say, of all the file.
    """
    header, names = _header(piece)
    packer.seen.extra = [name for name in names if name not in _COLUMNS]
    for lines in lines_of(piece):
        texts = [line.decode() for line in lines if line != header]
        packer.seen.rows += len(texts)
        if texts:
            _check(texts)
            rows = [_values(text, len(names)) for text in texts]
            found = dict(zip(names, zip(*rows, strict=True), strict=True))
            table, _ = packer.screened(_table(found), _not_plain)
            yield from packer.add(table)
    yield from packer.rest()


def _header(piece: Piece) -> tuple[bytes, tuple[str, ...]]:
    """Return the first line of a file, and the names in it."""
    with opened(piece) as file:
        line = file.readline(_SHORT).removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n")
    names = fields(line.decode()) if line else ()
    if missing := [name for name in NEEDED if name not in names]:
        message = f"the header does not name {', '.join(missing)}"
        raise ValueError(message)
    return line, names


def _check(lines: Sequence[str]) -> None:
    """Raise ValueError if there are signs or blanks that not all readers of CSV leave in."""
    signs = set().union(*lines)
    if any(sign.isspace() or sign < " " for sign in signs):  # few files have any
        odd = next(filter(_ODD.search, lines), None)
        if odd is not None:
            message = f"not plain: {odd[:80]}"
            raise ValueError(message)


def _values(line: str, count: int) -> Sequence[str]:
    values = line.split(",")
    if '"' in line and _QUOTED.fullmatch(line):
        [values] = csv.reader([line], strict=True)
    elif '"' in line:
        values = []
    if len(values) != count:
        message = f"not {count} plain values: {line[:80]}"
        raise ValueError(message)
    return values


def _not_plain(_is_odd: BoolArray) -> pa.StringArray:
    message = "a row cannot be used as it is"
    raise ValueError(message)


def _table(found: Mapping[str, Sequence[str]]) -> pa.Table:
    return pa.table({name: _array(name, found[name]) for name in found if name in _COLUMNS})


def _array(name: str, values: Sequence[str]) -> pa.Array:
    kind = PLAIN.field(name).type
    if name == "snapshot_at":
        plain = {each: int(each) if _EPOCH.fullmatch(each) else each for each in set(values)}
        return moments([plain[each] for each in values])
    if name == LISTS:
        topics = {each: _topics(each) for each in set(values)}
        return pa.array([topics[each] for each in values], kind)
    if pa.types.is_integer(kind):
        return _numbers(values).cast(kind)
    return pa.array([each or None for each in values], kind).dictionary_encode()


def _numbers(values: Sequence[str]) -> pa.Array:
    texts = pa.array([each or None for each in values], pa.string())
    if pc.all(pc.match_substring_regex(texts, _DIGITS)).as_py():
        return texts.cast(pa.int64())
    return pa.array([_number(each) for each in values], pa.int64())


def _number(text: str) -> int | None:
    """Return a whole number, or None for no text."""
    if not text:
        return None
    found = _NUMBER.fullmatch(text)
    if not found:
        message = f"not plainly a whole number: {text[:80]}"
        raise ValueError(message)
    return int(found[1] or text)


def _topics(text: str) -> list[str] | None:
    """Return names, from a JSON array or one after the other; None for no text."""
    if not text:
        return None
    if _TOPICS.fullmatch(text):
        return re.split("[;|]", text)
    try:
        return msgspec.json.decode(text, type=list[str])
    except msgspec.DecodeError as error:
        message = f"not plainly a list of topics: {text[:80]}"
        raise ValueError(message) from error
