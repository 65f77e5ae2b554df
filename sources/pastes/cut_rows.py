"""The last row of a text that was cut off within it: what it still tells, and what not."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from sources import cells
from sources.columns import Field
from sources.pastes.alignment import last_number
from sources.pastes.headers import NUMERIC, Header
from sources.pastes.layout import Cells
from sources.pastes.page import Page
from sources.pastes.parsed import OWNER, Row
from sources.pastes.wrapped_rows import TableRow

_RANDOM: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_HALF_RANDOM: Final = re.compile(
    r"-[0-9a-f]{8}(?:-[0-9a-f]{1,3}|-[0-9a-f]{4}-?|(?:-[0-9a-f]{4}){2,3}-?"
    r"|(?:-[0-9a-f]{4}){1,2}-[0-9a-f]{1,3}|(?:-[0-9a-f]{4}){3}-[0-9a-f]{1,11})$"
)
"""A random id that ends too early."""
_SURE_REST: Final = len("-1111-4a4a-8b8b-0123456789ab")
"""Behind the first block of a random id the rest of it is sure, before it is not."""
_OWNED_BY: Final = frozenset({Field.MEMBER, Field.INSTANCE})


class WholeRows(NamedTuple):
    """The rows of a table, the last of which may be what is left of one."""

    rows: Sequence[TableRow]
    cut: int | None = None
    """The line, from 0, in which the text ends; None if its last row is whole."""


def whole_rows(page: Page, body: range, rows: Sequence[TableRow], header: Header) -> WholeRows:
    """Return the rows, the last without the cell in which the text ends.

    It ends within a row if the last line lacks columns that all others have, or, unread, begins
    as they do. Behind a lag a line break tells that the row is whole: only Kafka's own tool, whose
    rows begin with the group, writes a dash where there is no owner. An id that was cut is that
    of the only other row whose id begins so.
    """
    end = next((n for n in range(len(page.lines) - 1, -1, -1) if page.lines[n].strip()), -1)
    has_all_cells = header.delimiter and (
        page.lines[end].count(header.delimiter) >= len(header.columns) - 1
    )
    if not rows or end not in body or has_all_cells:
        return WholeRows(rows)
    *others, last = rows
    if last.lines[-1] != end:
        begun, *more = page.lines[end].split()
        is_row = any(page.lines[row.lines[0]].split()[0].startswith(begun) for row in rows)
        if not is_row or len(more) >= last_number(header):
            return WholeRows(rows)
        begun_cells = _whole_cells([begun, *more[:-1]], header) if more else {}
        begin = [TableRow((end,), begun_cells)] if Field.PARTITION in begun_cells else []
        return WholeRows([*rows, *begin], end)
    owners = {row.cells[Field.MEMBER] for row in others if Field.MEMBER in row.cells}
    present = [n for n, field in enumerate(header.fields) if last.cells.get(field)] or [0]
    rest = header.fields[present[-1] :]
    has_end = end < len(page.lines) - 1 and rest[0] is Field.LAG and not _is_beginning(last.cells)
    is_whole = has_end and Field.GROUP not in header.fields
    if is_whole or not _is_cut(last.cells, rest, others, owners):
        return WholeRows(rows)
    mended = _mended(last.cells, header.fields[present[-1]], owners)
    if Field.PARTITION in last.cells and Field.PARTITION not in mended:
        return WholeRows(others, end)  # which partition it is of is unknown
    return WholeRows([*others, last._replace(cells=mended)], end)


def _whole_cells(words: Sequence[str], header: Header) -> Cells:
    """Return the cells of a line that is too short to be read as a row; {} if unlike one."""
    found = dict(zip(header.fields, words, strict=False))
    numbers = [text for field, text in found.items() if field in NUMERIC]
    is_like = (
        not (header.delimiter or header.prefix)
        and not cells.is_nothing(found.get(Field.TOPIC, ""))
        and cells.is_partition(found.get(Field.PARTITION, ""))
        and all(map(cells.is_number, numbers))
    )
    return found if is_like else {}


def _is_cut(
    row: Cells, rest: Sequence[Field], others: Sequence[TableRow], owners: set[str]
) -> bool:
    """Return whether a row ends too early; ``rest`` are its last column and those that it lacks."""
    last, *lacking = rest
    if owner := row.get(Field.MEMBER):
        like = [each.cells for each in others if Field.MEMBER in each.cells]
        return (bool(lacking) and all(each.get(f) for each in like for f in lacking)) or (
            last is Field.MEMBER and _is_id_cut(owner, owners)
        )
    if last is Field.LAG and _is_beginning(row):
        return True
    if figures := NUMERIC.intersection(lacking):
        return all(each.cells.get(field) for each in others for field in figures)
    return bool(lacking and owners)


def _is_id_cut(owner: str, owners: set[str]) -> bool:
    is_beginning = any(each != owner and each.startswith(owner) for each in owners)
    is_other = bool(owners) and all(map(_RANDOM.search, owners)) and not _RANDOM.search(owner)
    return is_beginning or is_other or _HALF_RANDOM.search(owner) is not None


def _mended(row: Cells, last: Field, owners: set[str]) -> Cells:
    """Return a row without its last cell, unless others tell what that is."""
    rest = {field: text for field, text in row.items() if field is not last}
    if last in NUMERIC:
        return row if last is Field.LAG and _is_difference(row) else rest
    if last not in _OWNED_BY:
        return row
    begun = [
        owner
        for owner in owners
        if owner.startswith(row[last]) and len(owner) - len(row[last]) <= _SURE_REST
    ]
    return rest | {Field.MEMBER: begun[0]} if len(begun) == 1 else rest


def _is_beginning(row: Cells) -> bool:
    """Return whether a lag is only the first digits of what the offsets leave."""
    committed, end = (cells.number(row.get(each, "-")) for each in (Field.COMMITTED, Field.END))
    behind, lag = str((end or 0) - (committed or 0)), row.get(Field.LAG, "")
    return None not in (committed, end) and behind.startswith(lag) and len(lag) < len(behind)


def _is_difference(row: Cells) -> bool:
    figures = (row.get(field, "-") for field in (Field.COMMITTED, Field.END, Field.LAG))
    committed, end, lag = map(cells.number, figures)
    return None not in (committed, end, lag) and lag == (end or 0) - (committed or 0)


def with_unknown_owner(row: Row, own: Cells) -> Row:
    """Return a cut row that names no owner as one whose owner is unknown."""
    return row if any(own.get(field) for field in OWNER) else row._replace(says_nobody=None)
