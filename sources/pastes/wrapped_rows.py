"""Join rows that a terminal or a mail program has wrapped over several lines."""

from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from sources.pastes.page import Page

_MOST_LINES = 4
_Record = TypeVar("_Record")


class LinePart(NamedTuple, Generic[_Record]):
    """What a table reads in a line."""

    record: _Record
    is_cut: bool
    """Whether the last columns are absent, which may be in the next line."""


class Table(Protocol[_Record]):
    """Reads the rows of one table."""

    def read(self, line: int, text: str, *, is_whole: bool = False) -> LinePart[_Record] | None:
        """Return what is in a line, if anything; of joined lines only what fills every column."""


_Read: TypeAlias = tuple[tuple[int, ...], _Record]
"""A record with its lines."""


def records(page: Page, body: range, table: Table[_Record]) -> Iterator[_Read[_Record]]:
    """Yield the records of a table in order.

    A line that is not a record is joined with up to three such lines before it; a record that
    lacks its last columns is joined with the next line.
    Longer than 25 lines to keep this state machine in one place.
    """
    waiting: list[int] = []
    cut: _Read[_Record] | None = None
    for number in body:
        line = page.lines[number]
        if not line or line.isspace():
            continue
        part = table.read(number, line)
        if part is None:
            joined = _join(page, [*waiting, number], table)
            if joined is None:
                waiting = [*waiting, number][-_MOST_LINES + 1 :]
                continue
            cut, waiting = None, []
            yield joined
            continue
        if cut is not None:
            yield cut
        cut, waiting = None, []
        read = ((number,), part.record)
        if part.is_cut:
            cut, waiting = read, [number]
        else:
            yield read
    if cut is not None:
        yield cut


def _join(page: Page, numbers: Iterable[int], table: Table[_Record]) -> _Read[_Record] | None:
    lines = list(numbers)
    for first in range(len(lines) - 2, -1, -1):
        part = lines[first:]
        if part[-1] - part[0] >= 2 * _MOST_LINES:
            return None
        texts = [page.lines[number].strip() for number in part]
        between_cells = "\t" if any("\t" in text for text in texts) else " "
        for signs in product((between_cells, ""), repeat=len(part) - 1):
            joined = "".join(chain(*zip(texts, (*signs, ""), strict=True)))
            whole = table.read(part[0], joined, is_whole=True)
            if whole is not None:
                return tuple(part), whole.record
    return None
