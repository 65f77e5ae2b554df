"""One editable table on screen, and its changes across runs of the page.

An editor that is given its own output loses every second edit, so it keeps its initial table; it
restarts when another table replaces it, or when the draft changes from outside, which
``Scenario.edition`` counts.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import pandas as pd
import streamlit as st

from ui import scenario
from ui.group import edits, remarks
from ui.group.draft import Draft
from ui.scenario import Scenario

OPEN: Final = "open_editor"
_HEIGHT: Final = 360


class Table(NamedTuple):
    """A table to edit: its initial content and the configuration of its columns."""

    name: str
    base: pd.DataFrame
    columns: Mapping[str, Any]
    about: str
    """A caption above the table, which also keeps its toolbar off the controls above."""
    alt: str
    names: str | None = None
    """The column that names the rows, if rows can be added and removed."""
    hide_index: bool = True


class Edit(NamedTuple):
    """A table before and after a change."""

    before: pd.DataFrame
    """The table with the last valid names; rows match those after by index."""
    after: pd.DataFrame
    added: pd.Index
    """Rows of ``after`` that were added in the editor."""


class Open(NamedTuple):
    """The editor on screen."""

    table: str
    edition: int
    turn: int
    held: pd.DataFrame
    """The editor's initial table, which it is given on every run."""
    sound: pd.DataFrame
    """Its content with the last valid names."""
    seen: pd.DataFrame
    """Its content on the last run."""


def edited(current: Scenario, table: Table, take: Callable[[Draft, Edit], Draft]) -> Scenario:
    """Show an editor; commit a change as ``take`` applies it; return the scenario after it.

    Problems of the scenario after the change are shown above the table.
    """
    above = st.container()
    st.caption(table.about)
    edit = _changed(current, table)
    if edit is not None:
        current = scenario.commit(take(current.draft, edit), from_editor=True)
    with above:
        remarks.show(current)
    return current


def _changed(current: Scenario, table: Table) -> Edit | None:
    was: Open | None = st.session_state.get(OPEN)
    if was is None or (was.table, was.edition) != (table.name, current.edition):
        base = table.base if table.names is None else table.base.reset_index(drop=True)
        turn = 0 if was is None else was.turn + 1
        was = Open(table.name, current.edition, turn, base, base, base)
    after: pd.DataFrame = st.data_editor(
        was.held,
        key=f"{table.name} {was.turn}",
        num_rows="fixed" if table.names is None else "dynamic",
        column_config=dict(table.columns),
        hide_index=table.hide_index,
        height=_HEIGHT,
        placeholder="",
        alt=table.alt,
    )
    is_sound = table.names is None or edits.has_sound_names(after[table.names])
    st.session_state[OPEN] = was._replace(seen=after, sound=after if is_sound else was.sound)
    if after.equals(was.seen):
        return None
    return Edit(was.sound, after, after.index.difference(was.held.index))
