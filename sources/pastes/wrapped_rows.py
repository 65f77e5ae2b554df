"""The rows of a table, whole again where a terminal or a mail program has wrapped them."""

from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import NamedTuple

from sources.pastes.layout import Cells, Columns
from sources.pastes.page import Page

_MOST_LINES = 4


class TableRow(NamedTuple):
    """One row: its lines, from 0, and its cells."""

    lines: tuple[int, ...]
    cells: Cells


def rows_in(page: Page, body: range, columns: Columns) -> Iterator[TableRow]:
    """Yield the rows of a table in order.

    A line that is not a row is joined with up to three such lines before it; a row that lacks its
    last columns is joined with the next line.
    """
    waiting: list[int] = []
    cut: TableRow | None = None
    for number in body:
        line = page.lines[number]
        if not line or line.isspace():
            continue
        part = columns.in_line(line)
        row = None if part is None else TableRow((number,), part.cells)
        if row is None:
            row = _joined(page, [*waiting, number], columns)
            if row is None:
                waiting = [*waiting, number][-_MOST_LINES + 1 :]
                continue
        elif cut is not None:
            yield cut
        cut, waiting = None, []
        if part is not None and part.is_cut:
            cut, waiting = row, [number]
        else:
            yield row
    if cut is not None:
        yield cut


def _joined(page: Page, numbers: Sequence[int], columns: Columns) -> TableRow | None:
    for first in range(len(numbers) - 2, -1, -1):
        part = numbers[first:]
        if part[-1] - part[0] >= 2 * _MOST_LINES:
            return None
        texts = [page.lines[number].strip() for number in part]
        between_cells = "\t" if any("\t" in text for text in texts) else " "
        words = sum(len(text.split()) for text in texts)
        for signs in product((between_cells, ""), repeat=len(part) - 1):
            if not columns.may_fill(words - signs.count("")):
                continue
            joined = "".join(chain(*zip(texts, (*signs, ""), strict=True)))
            whole = columns.in_joined(joined)
            if whole is not None:
                return TableRow(tuple(part), whole.cells)
    return None
