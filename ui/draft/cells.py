"""The cells of the tables as they are typed: valid ones take effect, others wait as they stand.

A cell that cannot be read keeps its text in ``Draft.unread`` and its last valid value in force.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import pandas as pd

from sources.budget import LIMITS
from ui.draft import edits
from ui.draft.tables import (
    CONSUMER_COLUMNS,
    CONSUMERS,
    PARTITIONS,
    TOPIC_COLUMNS,
    TOPICS,
    Draft,
    TableCell,
    frame,
    separated,
)

Typed = Mapping[tuple[str, str], str]
"""Texts by row and column."""
_MOST_RECORDS: Final = 2**62
"""The largest offset or lag, well within 64 bits."""
_MOST_GENERATIONS: Final = 2**31 - 1
_SHOWN_CHARACTERS: Final = 60
"""The most characters of a text quoted in a sentence."""
_SPACES: Final = re.compile(r"[\s_'\u2019\u00a0\u202f]")
_GROUPED: Final = re.compile(r"[-+]?[0-9]{1,3}(?:,[0-9]{3})+|[-+]?[0-9]{1,3}(?:\.[0-9]{3}){2,}")
_WHOLE: Final = re.compile(r"[-+]?[0-9]{1,19}(?:\.0+)?")
_NAMES: Final = {TOPICS: "topic", CONSUMERS: "consumer"}
"""The column that names the rows of a table."""


class UnreadableError(ValueError):
    """A text that its cell cannot take; the message says what would do."""


def whole_number(text: str) -> int:
    """Return a whole number, which may have separators between thousands.

    >>> whole_number("1,234,567"), whole_number("1 234"), whole_number("-5")
    (1234567, 1234, -5)
    """
    bare = _SPACES.sub("", text)
    if _GROUPED.fullmatch(bare):
        bare = bare.replace(",", "").replace(".", "")
    if not _WHOLE.fullmatch(bare):
        raise ValueError(text)
    return int(bare.partition(".")[0])


def with_cells(draft: Draft, table: str, typed: Typed) -> Draft:
    """Apply what was typed into a table, and retry what could not be read before."""
    texts = {(p.row, p.column): text for p, text in draft.unread.items() if p.table == table}
    draft = _with_table(draft, table, texts | dict(typed))
    if table != PARTITIONS and any(cell.table == PARTITIONS for cell in draft.unread):
        draft = with_cells(draft, PARTITIONS, {})  # an owner may exist by now
    return draft


def with_row(draft: Draft, table: str, typed: Mapping[str, str]) -> Draft:
    """Add a topic or a consumer with these texts by column; blank ones get the usual values."""
    rows = _frame(draft, table).reset_index(drop=True)
    name = typed.get(_NAMES[table], "").strip()
    taken = set(rows[_NAMES[table]])
    numbered = (f"{name or table.lower()[:-1]}-{k}" for k in range(2, len(taken) + 3))
    free = name if _is_name(table, name) and name not in taken else _first_free(numbered, taken)
    columns = TOPIC_COLUMNS if table == TOPICS else CONSUMER_COLUMNS
    start = {"partitions": [1]} if table == TOPICS else {}
    added = frame(columns, {_NAMES[table]: [free], **start})
    row = _next_row(draft, table)
    added.index = pd.Index([row])
    after = pd.concat([_frame(draft, table), added])
    draft = (
        edits.with_topics(draft, after) if table == TOPICS else edits.with_consumers(draft, after)
    )
    texts = {(str(row), column): text for column, text in typed.items() if text.strip()}
    return with_cells(draft, table, texts)


def without_rows(draft: Draft, table: str, rows: Iterable[str]) -> Draft:
    """Remove topics or consumers."""
    gone = set(rows)
    before = _frame(draft, table)
    kept = before[[str(row) not in gone for row in before.index]]
    draft = edits.with_topics(draft, kept) if table == TOPICS else edits.with_consumers(draft, kept)
    return with_cells(draft, table, {})


def why_unread(draft: Draft, cell: TableCell) -> str:
    """Return what is wrong with the text of a cell, and what would do."""
    text = draft.unread[cell].strip()
    try:
        _value(draft, cell.table, cell.column, text)
    except UnreadableError as error:
        return str(error)
    return f"{short(text)} is already in the table; enter another one"


def in_force(draft: Draft, cell: TableCell) -> str:
    """Return the valid value that counts meanwhile, as text."""
    if cell.table == PARTITIONS:
        position = edits.position_of(draft, cell.row)
        value = None if position is None else draft.partitions[cell.column].iloc[position]
    else:
        value = _frame(draft, cell.table)[cell.column].loc[int(cell.row)]
    return "" if value is None or pd.isna(value) else str(value)


def short(text: str) -> str:
    """Return a text of at most 60 characters."""
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 1]}…"


def _with_table(draft: Draft, table: str, texts: Typed) -> Draft:
    if table == PARTITIONS:
        return _with_partitions(draft, texts)
    before = _frame(draft, table)
    rows = {str(row): row for row in before.index}
    texts = {
        (row, column): text
        for (row, column), text in texts.items()
        if row in rows and column in before
    }
    values: dict[str, dict[Any, Any]] = {}
    unread = {}
    for (row, column), text in texts.items():
        try:
            values.setdefault(column, {})[rows[row]] = _value(draft, table, column, text.strip())
        except UnreadableError:
            unread[TableCell(table, row, column)] = text
    for column in (_NAMES[table], "static_id"):
        if column in values:
            waiting = {rows[p.row] for p in unread if p.column == column}
            apart = _distinct(dict(before[column]), values[column], waiting)
            for row in values[column].keys() - apart.keys():
                unread[TableCell(table, str(row), column)] = texts[str(row), column]
            values[column] = apart
    after = before.assign(
        **{column: _placed(before[column], new) for column, new in values.items()}
    )
    draft = _with_unread(draft, table, unread)
    return (
        edits.with_topics(draft, after) if table == TOPICS else edits.with_consumers(draft, after)
    )


def _with_partitions(draft: Draft, texts: Typed) -> Draft:
    values: dict[str, dict[int, Any]] = {}
    unread = {}
    for (row, column), text in texts.items():
        position = edits.position_of(draft, row)
        if position is None or column not in draft.partitions:
            continue
        try:
            value = _value(draft, PARTITIONS, column, text.strip())
        except UnreadableError:
            unread[TableCell(PARTITIONS, row, column)] = text
        else:
            values.setdefault(column, {})[position] = value
    partitions = draft.partitions.assign(
        **{
            column: _placed(draft.partitions[column], new, is_by_position=True)
            for column, new in values.items()
        }
    )
    return replace(_with_unread(draft, PARTITIONS, unread), partitions=partitions)


def _with_unread(draft: Draft, table: str, unread: Mapping[TableCell, str]) -> Draft:
    others = {cell: text for cell, text in draft.unread.items() if cell.table != table}
    return replace(draft, unread=others | dict(unread))


def _placed(
    column: "pd.Series[Any]", values: Mapping[Any, Any], *, is_by_position: bool = False
) -> "pd.Series[Any]":
    after = column.copy()
    new = pd.Series(list(values.values()), dtype=column.dtype).array
    if is_by_position:
        after.iloc[list(values)] = new
    else:
        after.loc[list(values)] = new
    return after


def _distinct(
    before: Mapping[Any, str], typed: Mapping[Any, str], waiting: set[Any]
) -> dict[Any, str]:
    """Return the typed names that can take effect together: no two rows with one name.

    A row whose name cannot keeps its name from before, which is then taken. Blanks never clash.
    """
    counts = Counter({**before, **typed}.values())
    taken = {row: name for row, name in typed.items() if not name or counts[name] == 1}
    while True:
        kept = {
            name
            for row, name in before.items()
            if name and (row in waiting or row in typed) and row not in taken
        }
        clashing = [row for row, name in taken.items() if name in kept]
        if not clashing:
            return taken
        for row in clashing:
            del taken[row]


def _frame(draft: Draft, table: str) -> pd.DataFrame:
    return draft.topics if table == TOPICS else draft.consumers


def _next_row(draft: Draft, table: str) -> int:
    return int(_frame(draft, table).index.max()) + 1 if len(_frame(draft, table)) else 0


def _first_free(names: Iterable[str], taken: set[str]) -> str:
    return next(name for name in names if name not in taken)


def _is_name(table: str, name: str) -> bool:
    return bool(name) and (table != CONSUMERS or "," not in name)


def _value(draft: Draft, table: str, column: str, text: str) -> Any:  # noqa: ANN401 -- by column
    """Return what a text means in a column; raise ``UnreadableError`` if nothing."""
    if column == _NAMES.get(table):
        return _name(table, text)
    if column == "owner":
        return _owner(draft, text)
    reader = _NUMBERS.get(column)
    return text if reader is None else reader(text)


def _name(table: str, text: str) -> str:
    if not text:
        message = "the name is blank; enter one, or delete the row"
        raise UnreadableError(message)
    if not _is_name(table, text):
        message = f"{short(text)} contains a comma; remove it"
        raise UnreadableError(message)
    return text


def _owner(draft: Draft, text: str) -> str:
    """Return the ids of the claimants named by id or by the short name that the page shows."""
    known = set(draft.consumers["consumer"])
    by_short = {shown: name for name, shown in draft.short_names.items()}
    named = [name if name in known else by_short.get(name, name) for name in separated(text)]
    stranger = next((name for name in named if name not in known), None)
    if stranger is not None:
        message = (
            f"{short(stranger)} is not in the Consumers table; choose a consumer from there, or "
            "leave the cell blank"
        )
        raise UnreadableError(message)
    return ", ".join(named)


def _number(
    least: int, most: int, expected: str, *, blank: str = ""
) -> Callable[[str], "int | Any"]:
    """Return a reader of whole numbers; ``blank`` says what an empty cell means, if it may be."""

    def read(text: str) -> "int | Any":  # noqa: ANN401 -- pd.NA has no type
        if not text and blank:
            return pd.NA
        try:
            number = whole_number(text)
        except ValueError:
            number = None
        if number is None or not least <= number <= most:
            found = f"found {short(text)}" if text else "found no number"
            message = f"{found}; enter {expected}{blank}"
            raise UnreadableError(message)
        return number

    return read


_OFFSET: Final = _number(
    0, _MOST_RECORDS, "a whole number, 0 or more", blank=", or leave the cell blank if unknown"
)
_NUMBERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "partitions": _number(
        0, LIMITS.partitions, f"a whole number, 0 or more, at most {LIMITS.partitions:,}"
    ),
    "generation": _number(
        -1, _MOST_GENERATIONS, "a whole number", blank=", or leave the cell blank"
    ),
    "lag": _number(
        -_MOST_RECORDS, _MOST_RECORDS, "a whole number",
        blank=", or leave the cell blank if unknown",
    ),
    "begin": _OFFSET,
    "end": _OFFSET,
    "committed": _OFFSET,
}  # fmt: skip
