"""The scenario in the session: its tables, the last valid group, the baseline, the undo stack."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import streamlit as st

from assignors.model import Group
from evaluation.reading import Reading
from sources.plans_of_groups import MOST_GROUPS
from ui import told
from ui.choices.kept import stated_of_another
from ui.draft import checks
from ui.draft.tables import Draft, draft_of

_KEY: Final = "scenario"
_RECENT: Final = "recently_opened"
_MOST_RECENT: Final = MOST_GROUPS - 1
"""Beside the one on screen."""
_MOST_STEPS: Final = 50
_FEWEST_STEPS: Final = 3
_PARTITIONS_KEPT: Final = 2_000_000
"""Limit over the whole undo stack: each step keeps its tables, and sessions outlive tabs."""
_INSTEAD: Final[ContextVar["Scenario | None"]] = ContextVar("asked_instead", default=None)


@dataclass(frozen=True)
class Scenario:
    """The state that one viewer sees; every change creates the next one."""

    title: str
    """Names the opened group; stays true after edits."""
    group: Group
    """What the valid cells describe: what the charts show."""
    problems: tuple[checks.Problem, ...]
    reading: Reading
    """The opened reading, to which reset returns."""
    earlier: tuple["Scenario", ...]
    """The undo stack, the latest last."""
    origin: str = ""
    """The id of the opened example; else empty."""
    pinned: Group | None = None
    """The baseline that the viewer chose instead of the opened group."""
    told: Mapping[str, str] = field(default_factory=dict)
    """What the viewer stated about the flow when this scenario went onto the undo stack."""
    tables: Draft | None = None
    """The tables as edited; None while they are those of the group."""

    @cached_property
    def draft(self) -> Draft:
        """The tables to edit, built when they are first shown."""
        return draft_of(self.group) if self.tables is None else self.tables

    @property
    def is_edited(self) -> bool:
        """Whether the tables differ from the opened ones."""
        return self.group is not self.reading.group or bool(self.problems)

    @property
    def baseline(self) -> Group:
        """The group that the one on screen is compared with."""
        return self.reading.group if self.pinned is None else self.pinned

    @property
    def is_at_baseline(self) -> bool:
        """Whether the baseline itself is on screen, so that there is nothing to compare."""
        return self.group is self.baseline


def opened(
    title: str, reading: Reading, origin: str = "", stated: Mapping[str, str] | None = None
) -> Scenario:
    """Return a new scenario of a reading; ``origin`` is the id of an example."""
    return Scenario(title, reading.group, (), reading, (), origin, told=stated or {})


def current(default: Callable[[], Scenario]) -> Scenario:
    """Return the viewer's scenario, at first the default."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = default()
    scenario: Scenario = st.session_state[_KEY]
    return scenario


def shown() -> Scenario | None:
    """Return the viewer's scenario, or what is asked about instead; None before any is open."""
    scenario: Scenario | None = st.session_state.get(_KEY)
    return _INSTEAD.get() or scenario


@contextmanager
def asked_instead(other: Scenario) -> Iterator[None]:
    """Ask, without showing it, about another open group and what was stated of that."""
    before = _INSTEAD.set(other)
    try:
        with stated_of_another(other.told):
            yield
    finally:
        _INSTEAD.reset(before)


def show(title: str, reading: Reading, origin: str = "") -> None:
    """Replace the scenario by a new reading; undo restores the one before."""
    _leave_for(opened(title, reading, origin))


def reopen(left: Scenario) -> None:
    """Return to a group that was left, with its edits and what was stated of it; for callbacks."""
    _leave_for(left)


def open_together(groups: Sequence[Scenario]) -> None:
    """Open several groups in the place of all that were open, the first of them on screen."""
    first, *others = groups
    _leave_for(first)
    told.replace_by(first.told)
    st.session_state[_RECENT] = tuple(others[::-1])


def close(left: Scenario) -> None:
    """Forget a group that is not on screen; for callbacks."""
    st.session_state[_RECENT] = tuple(each for each in recent() if each is not left)


def recent() -> tuple[Scenario, ...]:
    """Return the groups that this visitor had open, as they were left, the latest first."""
    found: tuple[Scenario, ...] = st.session_state.get(_RECENT, ())
    return found


def _told_of(reading: Reading) -> Mapping[str, str]:
    return next((each.told for each in recent() if each.reading is reading), {})


def _leave_for(after: Scenario) -> None:
    before: Scenario | None = st.session_state.get(_KEY)
    if before is not None:
        after = replace(after, earlier=_with(before))
        _remember(before)
        told.replace_by(_told_of(after.reading))
    st.session_state[_KEY] = after


def _remember(before: Scenario) -> None:
    """Keep a group that leaves the screen with what was stated of it, for as long as it returns."""
    left = replace(before, earlier=(), told=told.values())
    others = [each for each in recent() if each.reading is not before.reading]
    kept: list[Scenario] = []
    partitions = 0
    for each in (left, *others[: _MOST_RECENT - 1]):
        partitions += each.group.partition_count
        if not kept or partitions <= _PARTITIONS_KEPT:
            kept.append(each)
    st.session_state[_RECENT] = tuple(kept)


def _put_in_place(title: str, reading: Reading, origin: str = "") -> None:
    """Replace the scenario by another reading of its group; what was stated of it stays."""
    before: Scenario = st.session_state[_KEY]
    st.session_state[_KEY] = replace(opened(title, reading, origin), earlier=_with(before))


def add(reading: Reading) -> None:
    """Put the group on screen with one more snapshot in its place; what was stated of it stays."""
    before: Scenario = st.session_state[_KEY]
    _put_in_place(before.title, reading)


def follow(reading: Reading) -> None:
    """Put a later snapshot of the group on screen in the place of the last one; nothing to undo."""
    before: Scenario = st.session_state[_KEY]
    after = opened(before.title, reading)
    st.session_state[_KEY] = replace(after, earlier=before.earlier, pinned=before.pinned)


def commit(draft: Draft) -> None:
    """Make this the current draft; keep the previous one for undo."""
    before: Scenario = st.session_state[_KEY]
    checked = checks.read(draft, before.draft, None if before.problems else before.group)
    st.session_state[_KEY] = replace(
        before,
        tables=draft,
        group=checked.group or before.group,
        problems=checked.problems,
        earlier=_with(before),
    )


def turn_into(group: Group) -> None:
    """Put another group on screen, as an edit of the one before; undo returns to that."""
    before: Scenario = st.session_state[_KEY]
    st.session_state[_KEY] = replace(
        before, tables=None, group=group, problems=(), earlier=_with(before)
    )


def change(edit: Callable[[Draft], Draft]) -> None:
    """Apply an edit to the current draft and commit it; for the callbacks of buttons."""
    before: Scenario = st.session_state[_KEY]
    commit(edit(before.draft))


def undo() -> None:
    """Return to the scenario before the last change, if there is one.

    A pinned baseline stays while the same group is on screen; returning to another group restores
    that group's baseline, title and origin.
    """
    now: Scenario = st.session_state[_KEY]
    if not now.earlier:
        return
    before = now.earlier[-1]
    pinned = now.pinned
    if before.reading is not now.reading:
        pinned = before.pinned
        told.replace_by(before.told)
    st.session_state[_KEY] = replace(before, earlier=now.earlier[:-1], pinned=pinned)


def reset() -> None:
    """Return to the opened tables; undo restores the edits, and a pinned baseline stays."""
    before: Scenario = st.session_state[_KEY]
    _put_in_place(before.title, before.reading, before.origin)
    st.session_state[_KEY] = replace(st.session_state[_KEY], pinned=before.pinned)


def read_otherwise(reading: Reading) -> None:
    """Put another reading of the text on screen in place of the current one, for callbacks.

    What is stated stays; undo returns to the reading before.
    """
    before: Scenario = st.session_state[_KEY]
    _put_in_place(before.title, reading, before.origin)


def pin() -> None:
    """Make the group on screen the baseline, until another group is opened."""
    now: Scenario = st.session_state[_KEY]
    st.session_state[_KEY] = replace(now, pinned=now.group)


def unpin() -> None:
    """Make the opened group the baseline again."""
    now: Scenario = st.session_state[_KEY]
    st.session_state[_KEY] = replace(now, pinned=None)


def _with(latest: Scenario) -> tuple[Scenario, ...]:
    """Return the undo stack with this scenario on top, as deep as the limit allows."""
    by_size = _PARTITIONS_KEPT // max(latest.group.partition_count, 1)
    steps = min(max(by_size, _FEWEST_STEPS), _MOST_STEPS)
    return (*latest.earlier, replace(latest, earlier=(), told=told.values()))[-steps:]
