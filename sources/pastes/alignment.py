"""Align the words of a line with the columns of its table: the cheapest way counts.

A word costs nothing in a column that it fits. Blank columns, further words in one column, words
that belong to none, and words away from their column's name cost something each; what a column
cannot hold is excluded.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from sources import cells
from sources.columns import Field
from sources.pastes.headers import NUMERIC, Header, TableKind

NEVER: Final = -1
_LINE_END: Final = 1_000_000
_OF_ROW: Final = NUMERIC | {Field.GROUP, Field.TOPIC, Field.COUNT}
_REQUIRED: Final = {
    TableKind.MEMBERS: frozenset({Field.GROUP, Field.MEMBER, Field.HOST, Field.COUNT}),
    TableKind.STATE: frozenset({Field.COORDINATOR, Field.STATE}),
}
"""Columns that are never blank, by kind of table; PARTITION in all others."""
CHECKED: Final = NUMERIC | {
    *(Field.COUNT, Field.MEMBER, Field.INSTANCE, Field.STATE, Field.COORDINATOR)
}
"""Columns that cannot hold every word."""
_NAMES: Final = frozenset({Field.GROUP, Field.TOPIC, Field.MEMBER, Field.INSTANCE, Field.CLIENT})
_EXTRA: Final = {
    Field.GROUP: 12,
    Field.MEMBER: 10,
    Field.INSTANCE: 10,
    Field.CLIENT: 3,
    Field.ASSIGNMENT: 1,
}
"""The cost of each further word, in columns whose text may have blanks."""
_BLANK: Final = dict.fromkeys(Field, 10) | {Field.MEMBER: 11, Field.INSTANCE: 9, Field.OTHER: 3}
_BLANK_INSIDE: Final = 1_000
"""The cost of a blank column before a number's, which every word must be in place for."""
_MISPLACED: Final = 2
_BEFORE: Final = 14
"""The cost of a word before the first column."""
_REMARK: Final = 2
_AFTER: Final = 12
"""The cost of words after the last column: behind a sign such as an arrow, and without one."""
_LOST_HOST: Final = 30
"""The cost of a host among those words."""
_NEAR: Final = 3
"""The largest distance of a cell from its column's name."""
_FEWEST_NUMBERS: Final = 2
"""In a row of a partition: its own number and a figure, or dashes."""
_STAMP: Final = re.compile(r"\W?(?:\d{4}-\d\d-\d\d[T ]?)?\d{1,2}:\d\d(?::\d\d[\dZ.,:+-]{0,20})?\W?")
"""A clock, alone or behind its date, as logs begin lines with."""
_PADDED: Final = re.compile(r"0\d+")
"""No number, but the end of one whose thousands are set apart."""
WHERE: Final = re.compile(r"/|[^/]*[.:]\w")
"""The beginning of a host or an address."""
_COORDINATOR: Final = re.compile(r"\S+:\d+(?:\s*\((?:-?\w+|-)\))?|-\s*\((?:-?\w+|-)\)")
_STATES: Final = frozenset(
    {"STABLE", "EMPTY", "DEAD", "PREPARINGREBALANCE", "COMPLETINGREBALANCE", "AWAITINGSYNC"}
    | {"PREPARING_REBALANCE", "COMPLETING_REBALANCE", "ASSIGNING", "RECONCILING", "UNKNOWN"}
    | {"NOTREADY", "NOT_READY"}
)


class WordInLine(NamedTuple):
    """A word and where it stands in the line."""

    text: str
    start: int
    end: int


class ColumnCost(NamedTuple):
    """A column, with what the search must know of it."""

    field: Field
    starts: range
    """Where its words begin."""
    name: range
    """Where its name stands."""
    blank: int
    """The cost without a word, or NEVER."""
    is_inside: bool
    """Whether a column of numbers comes after it."""


_Cell: TypeAlias = tuple[Field, int, int]
"""A column, its first word, and the one after its last."""
_Path: TypeAlias = tuple[int, int, tuple[_Cell, ...]]
"""The cost of a way to align the first words, how many are out of place, and their cells."""


def costs_of(header: Header) -> tuple[ColumnCost, ...]:
    """Return the columns of a table."""
    last = last_number(header)
    required = _REQUIRED.get(header.kind, frozenset({Field.PARTITION}))
    is_by_place = header.kind not in _REQUIRED
    starts = [*(column.start for column in header.columns[1:]), _LINE_END]
    costs = []
    for n, (field, start, end, _) in enumerate(header.columns):
        is_inside = n <= last
        blank = _BLANK_INSIDE if is_inside and is_by_place else _BLANK[field]
        costs.append(
            ColumnCost(
                field,
                range(start - _NEAR, starts[n] - _NEAR) if end else range(0),
                range(start, end),
                NEVER if field in required else blank,
                is_inside,
            )
        )
    return tuple(costs)


def last_number(header: Header) -> int:
    """Return the position of the last column that a row needs, -1 without one."""
    return max((n for n, field in enumerate(header.fields) if field in _OF_ROW), default=-1)


def cheapest(
    columns: Sequence[ColumnCost], words: Sequence[WordInLine], prefix: int
) -> dict[Field, str] | None:
    """Return the cells of the cheapest alignment, None if there is none.

    The first ``prefix`` words may stand before the first column at no cost.
    """
    is_of_partition = any(column.field == Field.PARTITION for column in columns)
    if is_of_partition and sum(cells.is_number(w.text) for w in words) < _FEWEST_NUMBERS:
        return None
    is_usual = columns[0].field in {Field.GROUP, Field.TOPIC}
    is_stamped = False
    paths: list[_Path | None] = [(0, 0, ())]
    for n, (text, _, _) in enumerate(words, 1):
        is_stamped = is_stamped or _STAMP.fullmatch(text) is not None
        is_log = is_stamped and (text[-1] in ":]" or _STAMP.fullmatch(text) is not None)
        cost = 0 if n == prefix else 1 if is_log else _BEFORE * n
        paths.append((cost, 0 if n == prefix else n, ()) if n == prefix or is_usual else None)
    for column in columns:
        paths = _with(column, words, paths)
        if not any(paths):
            return None
    ends = [end for n, path in enumerate(paths) if path and (end := _ended(words, n, path))]
    if not ends:
        return None
    _, _, taken = min(ends)
    return {field: " ".join(word.text for word in words[first:end]) for field, first, end in taken}


def _with(
    column: ColumnCost, words: Sequence[WordInLine], paths: Sequence[_Path | None]
) -> list[_Path | None]:
    """Return the cheapest way to each word with one more column.

    It is blank, or holds the next word or more of them.
    """
    best: list[_Path | None] = [None] * len(paths)
    extra = _EXTRA.get(column.field)
    for first, path in enumerate(paths):
        if path is None:
            continue
        cost, misplaced, taken = path
        if column.blank != NEVER and not (misplaced and column.blank >= _BLANK_INSIDE):
            _keep(best, first, (cost + column.blank, misplaced, taken))
        if first == len(words) or not _begins(column.field, words[first].text):
            continue
        for end in range(first + 1, len(words) + 1):
            word = words[end - 1]
            if end > first + 1 and not _goes_on(column, word.text):
                break
            if not _is_below(column, word):
                cost, misplaced = cost + _MISPLACED, misplaced + 1
                if cost >= _BLANK_INSIDE:
                    break
            _keep(best, end, (cost, misplaced, (*taken, (column.field, first, end))))
            if extra is None:
                break
            cost += extra
    return best


def _keep(best: list[_Path | None], end: int, path: _Path) -> None:
    rival = best[end]
    if rival is None or path < rival:
        best[end] = path


def _begins(field: Field, text: str) -> bool:
    """Return whether a column can begin with a word in a line that does not fill each with one."""
    if not fits(field, text):
        return False
    if field == Field.HOST:
        return cells.is_nothing(text) or WHERE.match(text) is not None
    is_name = any(map(str.isalnum, text)) and not (cells.is_number(text) or cells.is_host(text))
    return field not in _NAMES or is_name or cells.is_nothing(text)


def _goes_on(column: ColumnCost, text: str) -> bool:
    return not cells.is_host(text) and not (column.is_inside and cells.is_number(text))


def _is_below(column: ColumnCost, word: WordInLine) -> bool:
    """Return whether a word is below the name of a column, aligned left or right."""
    overlaps = word.start < column.name.stop and column.name.start < word.end
    return word.start in column.starts or overlaps


def _ended(words: Sequence[WordInLine], end: int, path: _Path) -> _Path | None:
    """Return a whole path, with the cost of the words after it; None if they may be cells.

    A number is one with blanks in it, or in a column that the header lacks.
    """
    cost, misplaced, taken = path
    is_by_place = cost >= _BLANK_INSIDE
    if end == len(words):
        return path
    is_remark = begins_remark(words[end].text)
    if words[end].text.isdecimal() or (is_by_place and not is_remark):
        return None
    cost += _REMARK if is_remark else _AFTER + len(words) - end
    cost += _LOST_HOST * sum(cells.is_host(word.text) for word in words[end:])
    return cost, misplaced, taken


def begins_remark(text: str) -> bool:
    """Return whether a word is a sign that leads to a remark, such as an arrow."""
    return not (text[:1].isalnum() or cells.is_host(text) or cells.is_nothing(text))


def fits(field: Field, text: str) -> bool:
    """Return whether a column can hold a word."""
    if field in (Field.PARTITION, Field.COUNT):
        return cells.is_partition(text) or cells.is_nothing(text)
    if field in NUMERIC:
        return cells.is_number(text) and not _PADDED.fullmatch(text)
    if field in (Field.MEMBER, Field.INSTANCE):
        return not cells.is_host(text)
    if field == Field.STATE:
        return text.upper() in _STATES
    return field != Field.COORDINATOR or _COORDINATOR.fullmatch(text) is not None
