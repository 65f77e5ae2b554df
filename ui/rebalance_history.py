"""The history being played, in the session: its events, and which step is on screen."""

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from assignors.model import Group
from evaluation.event_names import InvalidEventError
from evaluation.events import Event, after
from sources.histories import GUIDES, Guide
from sources.reading import Reading
from ui import scenario
from ui.group.draft import draft_of
from ui.scenario import Scenario

_KEY: Final = "history"
STEP: Final = "history_step"
"""The key of the widget that shows which step is on screen."""
GUIDE: Final = "history_guide"
"""The key of the picker of guided histories, and its name in a link."""
DRAWN: Final = "history_drawn"
"""The key of the widget that chooses the strategy to draw."""
OWN_GROUP: Final = "The group of the Compare page"
_BY_TITLE: Final = {guide.title: guide for guide in GUIDES}


@dataclass(frozen=True)
class History:
    """What happens to the scenario's group, event by event."""

    reading: Reading
    """Of the scenario it belongs to; another scenario starts another history."""
    events: tuple[Event, ...] = ()
    guide: str = OWN_GROUP
    """The title of the guided history it came from."""
    refused: str = ""
    """Why the last event was not added."""


@dataclass(frozen=True)
class Reached:
    """How far the events of a history can happen to a group."""

    group: Group
    """After the last event that can happen; whose claims they are is of no account."""
    events: tuple[Event, ...]
    """Those that can happen."""
    broken: str = ""
    """Which event cannot, and why."""


def open_from_link() -> None:
    """Load the guided history that the link names, if the visitor has just come."""
    title = st.query_params.get(GUIDE, "")
    if _KEY not in st.session_state and title in _BY_TITLE:
        _load(_BY_TITLE[title])


def current(shown: Scenario) -> History:
    """Return the history of the scenario; an empty one if the scenario has been replaced."""
    found: History | None = st.session_state.get(_KEY)
    if found is None or found.reading is not shown.reading:
        found = History(shown.reading)
        _store(found)
        st.session_state[GUIDE] = OWN_GROUP
    return found


def reached(group: Group, history: History) -> Reached:
    """Return how far the events can happen to the group as it is now edited."""
    for number, event in enumerate(history.events):
        try:
            group = after(group, event)
        except InvalidEventError as error:
            broken = f"Event {number + 1}, “{event}”, cannot happen to this group: {error}."
            return Reached(group, history.events[:number], broken)
    return Reached(group, history.events)


def add(event: Event, group: Group) -> None:
    """Add an event to the end, if it can happen to the group."""
    history: History = st.session_state[_KEY]
    try:
        after(group, event)
    except InvalidEventError as error:
        _store(replace(history, refused=f"This cannot happen: {error}."))
    else:
        _store(replace(history, events=(*history.events, event), refused=""))
        _show_last()


def undo() -> None:
    """Take the last event back."""
    history: History = st.session_state[_KEY]
    _store(replace(history, events=history.events[:-1], refused=""))
    _show_last()


def clear() -> None:
    """Take all events back."""
    history: History = st.session_state[_KEY]
    _store(replace(history, events=(), refused=""))
    _show_last()


def show(step: int) -> None:
    """Put one step on screen."""
    st.session_state[STEP] = step


def load_chosen() -> None:
    """Load the guided history that the picker names, or leave the group and start anew."""
    guide = _BY_TITLE.get(st.session_state[GUIDE])
    if guide is None:
        clear()
        _store(replace(st.session_state[_KEY], guide=OWN_GROUP))
    else:
        _load(guide)


def take_over(group: Group) -> None:
    """Make a group, with its owners, the scenario being edited; the history starts anew."""
    scenario.commit(draft_of(group))
    clear()
    _store(replace(st.session_state[_KEY], guide=OWN_GROUP))
    st.session_state[GUIDE] = OWN_GROUP


def guide_named(title: str) -> Guide | None:
    """Return the guided history of this title; None for the visitor's own group."""
    return _BY_TITLE.get(title)


def _load(guide: Guide) -> None:
    scenario.show(guide.title, guide.reading)
    _store(History(guide.reading, guide.events, guide.title))
    _show_last()
    st.session_state[DRAWN] = guide.strategy


def _store(history: History) -> None:
    st.session_state[_KEY] = history


def _show_last() -> None:
    history: History = st.session_state[_KEY]
    st.session_state[STEP] = len(history.events)
