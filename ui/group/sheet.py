"""The editable grid: one component for every table, whose cells are input fields of the browser.

The browser keeps what is typed until the server has confirmed it, so no run of the page loses a
key. Each edit is an operation with a number; operations repeat until they are confirmed.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd
import streamlit as st

from ui import scenario
from ui.draft import cells, edits
from ui.draft.tables import SUBSCRIPTIONS, Draft, TableCell
from ui.picture.places import at_least
from ui.scenario import Scenario

KEY: Final = "sheet"
MOST_ROWS: Final = 2_000
"""The most rows to show at a time: every edit sends them."""
_TAKEN: Final = "sheet_taken"
_OPENED: Final = "sheet_opened"
_HERE: Final = Path(__file__).parent
_LINE_PX: Final = 30
_TALLEST_PX: Final = 360
"""By the style in ``sheet.css``."""
_SHEET: Final = st.components.v2.component(
    "sheet",
    html='<div class="sheet"></div>',
    css=(_HERE / "sheet.css").read_text(encoding="utf-8"),
    js=(_HERE / "sheet.js").read_text(encoding="utf-8"),
)


class SheetColumn(NamedTuple):
    """A column of a table."""

    name: str
    label: str
    kind: str = "text"
    """``text``, ``number``, ``choice`` of the table's options, ``tick``; ``fixed`` and ``figure``
    are not typed."""
    about: str = ""
    width: int = 120


class SheetTable(NamedTuple):
    """A table to edit, as the browser shows it."""

    name: str
    alt: str
    columns: Sequence[SheetColumn]
    rows: Sequence[tuple[str, str, Sequence[str]]]
    """Of each row its id, its name for screen readers, and the texts of its cells."""
    adds: str = ""
    """What the line below the table adds; "" if rows are neither added nor removed."""
    options: Sequence[tuple[str, str]] = ()
    """Choices: shown text and what it stands for."""


class _Taken(NamedTuple):
    """Which operations of which browser's table have been applied."""

    by: str
    number: int


class _Opened(NamedTuple):
    """The opened group that a table belongs to; another group makes old operations void.

    A later snapshot of a watched group is the same one: what is being typed must reach it.
    """

    name: tuple[str, str]
    number: int


def window(rows: pd.DataFrame, what: str) -> pd.DataFrame:
    """Return as many rows as a table shows; of more, the viewer chooses the first."""
    if len(rows) <= MOST_ROWS:
        return rows
    first = st.number_input(
        f"From {what}",
        0,
        len(rows) - 1,
        0,
        step=MOST_ROWS,
        key=f"from_{what}",
        help=f"{MOST_ROWS:,} of {len(rows):,} are shown at a time",
    )
    return rows.iloc[int(first) : int(first) + MOST_ROWS]


def rows_of(
    rows: pd.DataFrame, columns: Sequence[SheetColumn], names: "pd.Series[str]"
) -> list[tuple[str, str, list[str]]]:
    """Return the rows of a frame with these columns as texts; unknown is blank."""
    texts = [_texts(rows[column.name]) for column in columns]
    each = zip(*texts, strict=True) if texts else ([] for _ in range(len(rows)))
    return [
        (str(row), str(name), list(cells))
        for row, name, cells in zip(rows.index, names, each, strict=True)
    ]


def _texts(column: "pd.Series[str]") -> list[str]:
    values = zip(column.tolist(), column.notna().tolist(), strict=True)
    return [str(value) if is_known else "" for value, is_known in values]


def show(current: Scenario, table: SheetTable) -> None:
    """Show a table; what is typed has already been applied when the page runs."""
    taken: _Taken = st.session_state.get(_TAKEN, _Taken("", 0))
    wrong = {
        f"{cell.row}\n{cell.column}": cells.why_unread(current.draft, cell)
        for cell in current.draft.unread
        if cell.table == table.name
    }
    lines = 1 + len(table.rows) + bool(table.adds)
    with at_least(min(_LINE_PX * lines, _TALLEST_PX)):
        _SHEET(
            key=KEY,
            data={
                "of": f"{_opened(current)} {table.name}",
                "by": taken.by,
                "taken": taken.number,
                "alt": table.alt,
                "columns": [column._asdict() for column in table.columns],
                "rows": [
                    [row, name, _as_typed(current.draft, table, row, texts)]
                    for row, name, texts in table.rows
                ],
                "wrong": wrong,
                "adds": table.adds,
                "options": list(table.options),
            },
            on_log_change=_take,
        )


def _as_typed(draft: Draft, table: SheetTable, row: str, texts: Sequence[str]) -> Sequence[str]:
    """Return the texts of a row; those that could not be read as they were typed."""
    if not draft.unread:
        return texts
    places = (TableCell(table.name, row, column.name) for column in table.columns)
    return [draft.unread.get(p, text) for p, text in zip(places, texts, strict=True)]


def _opened(current: Scenario) -> int:
    name = (current.title, current.origin)
    was: _Opened = st.session_state.get(_OPENED, _Opened(name, 0))
    now = was if was.name == name else _Opened(name, was.number + 1)
    st.session_state[_OPENED] = now
    return now.number


def _take() -> None:
    """Apply the operations that are new, each a step of its own for undo."""
    log = (st.session_state.get(KEY) or {}).get("log")
    current = scenario.shown()
    if not log or current is None:
        return
    taken: _Taken = st.session_state.get(_TAKEN, _Taken("", 0))
    first = taken.number + 1 if taken.by == log["by"] else 0
    for number, of, kind, what in log["operations"]:
        opened, _, table = str(of).partition(" ")
        if number >= first and opened == str(_opened(current)):
            _apply(table, kind, what)
    st.session_state[_TAKEN] = _Taken(log["by"], log["operations"][-1][0])


def _apply(table: str, kind: str, what: Any) -> None:  # noqa: ANN401 -- JSON, by kind
    if kind == "undo":
        scenario.undo()
        return
    change = _CHANGES[kind]
    scenario.change(lambda draft: change(draft, table, what))


def _set(draft: Draft, table: str, what: Sequence[tuple[str, str, str]]) -> Draft:
    if table == SUBSCRIPTIONS:
        ticks = {(row, column): bool(text) for row, column, text in what}
        return edits.with_ticks(draft, ticks)
    return cells.with_cells(draft, table, {(row, column): text for row, column, text in what})


def _add(draft: Draft, table: str, what: Sequence[Mapping[str, str]]) -> Draft:
    for row in what:
        draft = cells.with_row(draft, table, row)
    return draft


_CHANGES: Final[Mapping[str, Callable[[Draft, str, Any], Draft]]] = {
    "set": _set,
    "add": _add,
    "delete": cells.without_rows,
}
