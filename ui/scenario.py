"""The scenario in the session: its tables, the last valid group, the baseline, the undo stack."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from assignors.model import Group
from sources.reading import Reading
from ui.group import checks
from ui.group.draft import Draft, draft_of

_KEY: Final = "scenario"
_MOST_STEPS: Final = 50
_FEWEST_STEPS: Final = 3
_PARTITIONS_KEPT: Final = 2_000_000
"""Over the whole undo stack: each step keeps its tables, and sessions outlive tabs."""


@dataclass(frozen=True)
class Scenario:
    """What one viewer is looking at; every change makes the next one."""

    title: str
    """Names what was opened; says nothing that an edit could make untrue."""
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
    origin: str = ""
    """The id of the example that was opened; empty for everything else."""
    pinned: Group | None = None
    """The baseline the viewer chose instead of what was opened."""

    @property
    def is_edited(self) -> bool:
        """Whether the tables differ from what was opened."""
        return self.group is not self.reading.group or bool(self.problems)

    @property
    def baseline(self) -> Group:
        """The group that the one on screen is compared with."""
        return self.reading.group if self.pinned is None else self.pinned

    @property
    def is_at_baseline(self) -> bool:
        """Whether there is nothing to compare: the baseline is on screen."""
        return self.group is self.baseline


def opened(title: str, reading: Reading, origin: str = "") -> Scenario:
    """Return a fresh scenario of what was read; ``origin`` is the id of an example."""
    return Scenario(title, draft_of(reading.group), reading.group, (), reading, (), 0, origin)


def current(default: Callable[[], Scenario]) -> Scenario:
    """Return the viewer's scenario; the first time, the default."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = default()
    scenario: Scenario = st.session_state[_KEY]
    return scenario


def shown() -> Scenario | None:
    """Return the viewer's scenario; None before any page has opened one."""
    scenario: Scenario | None = st.session_state.get(_KEY)
    return scenario


def show(title: str, reading: Reading, origin: str = "") -> None:
    """Replace the scenario by what was just read; undo brings back the one before."""
    before: Scenario | None = st.session_state.get(_KEY)
    after = opened(title, reading, origin)
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
    """Go back to the scenario before the last change, if there is one.

    A pinned baseline stays while the same group is on screen; going back to another group
    brings back that group's baseline, title and origin.
    """
    now: Scenario = st.session_state[_KEY]
    if not now.earlier:
        return
    before = now.earlier[-1]
    pinned = now.pinned if before.reading is now.reading else before.pinned
    st.session_state[_KEY] = replace(
        before, earlier=now.earlier[:-1], edition=now.edition + 1, pinned=pinned
    )


def reset() -> None:
    """Go back to what was opened; undo brings the edits back, and a pinned baseline stays."""
    before: Scenario = st.session_state[_KEY]
    show(before.title, before.reading, before.origin)
    st.session_state[_KEY] = replace(st.session_state[_KEY], pinned=before.pinned)


def pin() -> None:
    """Make the group on screen the baseline, until another group is opened."""
    now: Scenario = st.session_state[_KEY]
    st.session_state[_KEY] = replace(now, pinned=now.group)


def unpin() -> None:
    """Make what was opened the baseline again."""
    now: Scenario = st.session_state[_KEY]
    st.session_state[_KEY] = replace(now, pinned=None)


def _with(latest: Scenario) -> tuple[Scenario, ...]:
    """Return the undo stack with this scenario on top, as deep as memory allows."""
    by_size = _PARTITIONS_KEPT // max(latest.group.partition_count, 1)
    steps = min(max(by_size, _FEWEST_STEPS), _MOST_STEPS)
    return (*latest.earlier, replace(latest, earlier=()))[-steps:]
