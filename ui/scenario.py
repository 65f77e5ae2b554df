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
_MOST_STEPS: Final = 50
_FEWEST_STEPS: Final = 3
_PARTITIONS_KEPT: Final = 2_000_000
"""Over all steps that can be undone: each keeps its tables, and sessions outlive tabs."""


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
    earlier: tuple["Scenario", ...]
    """What undo goes back to, the latest last."""
    edition: int
    """Grows when the tables change from outside, so that the editors start anew."""

    @property
    def is_edited(self) -> bool:
        """Whether anything differs from what was opened."""
        return bool(self.earlier) and self.earlier[-1].reading is self.reading


def opened(title: str, reading: Reading) -> Scenario:
    """Return a fresh scenario of what was read."""
    return Scenario(title, draft_of(reading.group), reading.group, (), reading, (), 0)


def current(default: Callable[[], Scenario]) -> Scenario:
    """Return the viewer's scenario; the first time, the default."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = default()
    found: Scenario = st.session_state[_KEY]
    return found


def show(title: str, reading: Reading) -> None:
    """Replace the scenario by what was just read; undo brings back the one before."""
    before: Scenario | None = st.session_state.get(_KEY)
    after = opened(title, reading)
    if before is not None:
        after = replace(after, earlier=_with(before), edition=before.edition + 1)
    st.session_state[_KEY] = after


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
        earlier=_with(before),
        edition=before.edition if from_editor else before.edition + 1,
    )
    st.session_state[_KEY] = after
    return after


def change(edit: Callable[[Draft], Draft]) -> None:
    """Commit what an edit makes of the current draft; for the callbacks of buttons."""
    before: Scenario = st.session_state[_KEY]
    commit(edit(before.draft))


def undo() -> None:
    """Go back to the scenario before the last change, if there is one."""
    now: Scenario = st.session_state[_KEY]
    if now.earlier:
        st.session_state[_KEY] = replace(
            now.earlier[-1], earlier=now.earlier[:-1], edition=now.edition + 1
        )


def reset() -> None:
    """Go back to what was opened."""
    before: Scenario = st.session_state[_KEY]
    show(before.title, before.reading)


def _with(latest: Scenario) -> tuple[Scenario, ...]:
    """Return what can be undone once this scenario is left, as far as memory allows."""
    by_size = _PARTITIONS_KEPT // max(latest.group.partition_count, 1)
    steps = min(max(by_size, _FEWEST_STEPS), _MOST_STEPS)
    return (*latest.earlier, replace(latest, earlier=()))[-steps:]
