"""Rows that a terminal or a mail program wrapped over several lines, joined again."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, product
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from sources.pastes.page import Page

_MOST_LINES = 4
_Record = TypeVar("_Record")


_Read: TypeAlias = tuple[tuple[int, ...], _Record]
"""The lines that a record was read from, and the record."""


class RowReader(NamedTuple, Generic[_Record]):
    """How to read the rows of one table."""

    read: Callable[[int, str], _Record | None]
    """A record from one line, if it is one."""
    read_strictly: Callable[[int, str], _Record | None]
    """A record from lines joined, where every column must be filled."""
    is_cut: Callable[[_Record], bool]
    """Whether a record lacks its last columns, so that the next line may hold them."""


def records(page: Page, body: range, reader: RowReader[_Record]) -> Iterator[_Read[_Record]]:
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
        record = reader.read(number, line)
        if record is None:
            joined = _join(page, [*waiting, number], reader)
            if joined is None:
                waiting = [*waiting, number][-_MOST_LINES + 1 :]
                continue
            cut, waiting = None, []
            yield joined
            continue
        if cut is not None:
            yield cut
        cut, waiting = None, []
        read = ((number,), record)
        if reader.is_cut(record):
            cut, waiting = read, [number]
        else:
            yield read
    if cut is not None:
        yield cut


def _join(page: Page, numbers: Iterable[int], reader: RowReader[_Record]) -> _Read[_Record] | None:
    lines = list(numbers)
    for first in range(len(lines) - 2, -1, -1):
        part = lines[first:]
        if part[-1] - part[0] >= 2 * _MOST_LINES:
            return None
        texts = [page.lines[number].strip() for number in part]
        between_cells = "\t" if any("\t" in text for text in texts) else " "
        for signs in product((between_cells, ""), repeat=len(part) - 1):
            joined = "".join(chain(*zip(texts, (*signs, ""), strict=True)))
            record = reader.read_strictly(part[0], joined)
            if record is not None:
                return tuple(part), record
    return None
