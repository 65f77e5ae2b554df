"""The scenario being edited, in the session: its tables, the last valid group, and the way back."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from assignors.model import Group
from sources.reading import Reading
from ui import checks
from ui.draft import Draft, draft_of

_KEY: Final = "scenario"
_UNDO_STEPS: Final = 50


@dataclass(frozen=True)
class Scenario:
    """What one viewer is looking at; every change makes the next one."""

    title: str
    draft: Draft
    group: Group
    """The group of the last draft without wrong cells: what the charts show."""
    problems: tuple[checks.Problem, ...]
    reading: Reading
    """Where the scenario came from; reset goes back to it."""
    earlier: tuple[Draft, ...]
    edition: int
    """Grows when the tables change from outside, so that the editors start anew."""


def opened(title: str, reading: Reading, edition: int = 0) -> Scenario:
    """Return a fresh scenario of what was read."""
    return Scenario(title, draft_of(reading.group), reading.group, (), reading, (), edition)


def current(default: Callable[[], Scenario]) -> Scenario:
    """Return the viewer's scenario; the first time, the default."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = default()
    found: Scenario = st.session_state[_KEY]
    return found


def show(title: str, reading: Reading) -> None:
    """Replace the scenario by what was just read."""
    st.session_state[_KEY] = opened(title, reading, _next_edition())


def commit(draft: Draft, *, from_editor: bool = False) -> Scenario:
    """Make this the current draft, with the one before it kept for undo.

    ``from_editor``: the visible editor shows the change already and must not start anew.
    """
    before: Scenario = st.session_state[_KEY]
    checked = checks.read(draft)
    after = replace(
        before,
        draft=draft,
        group=checked.group or before.group,
        problems=checked.problems,
        earlier=(*before.earlier[-_UNDO_STEPS + 1 :], before.draft),
        edition=before.edition if from_editor else _next_edition(),
    )
    st.session_state[_KEY] = after
    return after


def change(edit: Callable[[Draft], Draft]) -> None:
    """Commit what an edit makes of the current draft; for the callbacks of buttons."""
    before: Scenario = st.session_state[_KEY]
    commit(edit(before.draft))


def undo() -> None:
    """Go back to the draft before the last change, if there is one."""
    before: Scenario = st.session_state[_KEY]
    if before.earlier:
        draft = before.earlier[-1]
        checked = checks.read(draft)
        st.session_state[_KEY] = replace(
            before,
            draft=draft,
            group=checked.group or before.group,
            problems=checked.problems,
            earlier=before.earlier[:-1],
            edition=_next_edition(),
        )


def reset() -> None:
    """Go back to what was opened."""
    before: Scenario = st.session_state[_KEY]
    show(before.title, before.reading)


def _next_edition() -> int:
    before: Scenario | None = st.session_state.get(_KEY)
    return 0 if before is None else before.edition + 1
