"""The history in the session and the URL: its events, and the current step."""

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from assignors.model import Group
from evaluation.reading import Reading
from evaluation.rebalance.event_errors import InvalidEventError
from evaluation.rebalance.events import Event, Join, after
from evaluation.wording import sentence
from sources import histories
from sources.budget import LIMITS
from sources.errors import SourceError
from sources.histories import GUIDES, Guide
from ui import scenario
from ui.choices.kept import keep
from ui.rebalance.events import joining
from ui.scenario import Scenario
from ui.start import default_scenario

_KEY: Final = "history"
_EVENTS: Final = "events"
"""The name of the events in the URL; without it one consumer joins, ``[]`` means no event."""
STEP: Final = "history_step"
"""The key of the widget of the current step."""
GUIDE: Final = "history_guide"
"""The key of the picker of guided histories, and its name in a link."""
DRAWN: Final = "history_drawn"
"""The key of the widget that chooses the strategy to draw."""
MOST_KEPT: Final = 1_000_000
"""Partitions of all steps together after the first, of some 70 bytes each under each strategy."""
OWN_GROUP: Final = "Your group: the one on the Group page"
_BY_TITLE: Final = {guide.title: guide for guide in GUIDES}


@dataclass(frozen=True)
class History:
    """The events of the scenario's group."""

    reading: Reading
    """The scenario's reading; another scenario starts another history."""
    events: tuple[Event, ...]
    opened: tuple[Event, ...]
    """The initial events, which a link need not repeat."""
    guide: str = OWN_GROUP
    """The title of the guided history it came from."""
    refused: str = ""
    """Why the last event was not added, or the link's events were not."""


@dataclass(frozen=True)
class Reached:
    """The events of a history that can happen to a group, and the group afterwards."""

    group: Group
    """After the last event that can happen; its claims do not count."""
    events: tuple[Event, ...]
    """Those that can happen."""
    broken: str = ""
    """Which event is impossible, and why."""


def open_from_link() -> None:
    """Load the history that the link names, if the visitor has just come."""
    if _KEY in st.session_state:
        return
    guide, text = guide_named(st.query_params.get(GUIDE, "")), st.query_params.get(_EVENTS)
    if guide:
        _load(guide)
    if text is None:
        return
    opened = current(scenario.current(default_scenario))
    try:
        _store(replace(opened, events=histories.decode(text)))
    except SourceError as error:
        why = sentence(f"the events in the link could not be read: {error}")
        _store(replace(opened, refused=why))


def keep_in_link(history: History) -> bool:
    """Write the events into the link unless opening brings them anyway; return if they fit."""
    text = histories.encode(history.events)
    fits = len(text) <= histories.MOST_CHARACTERS
    keep(_EVENTS, [text] if fits and history.events != history.opened else [])
    return fits


def current(shown: Scenario) -> History:
    """Return the history of the scenario; of a new one, that a consumer joins."""
    rebalance: History | None = st.session_state.get(_KEY)
    if rebalance is None or rebalance.reading is not shown.reading:
        events = (Join(joining("", shown.group.members)),)
        rebalance = History(shown.reading, events, opened=events)
        _store(rebalance)
        st.session_state[GUIDE] = OWN_GROUP
    return rebalance


def reached(group: Group, history: History) -> Reached:
    """Return how far the events can happen to the group as it is now edited.

    The replay under each strategy keeps every step, so the sum of their partitions is limited.
    """
    kept = 0
    for number, event in enumerate(history.events):
        try:
            group = _after(group, event, kept)
            kept += group.partition_count
        except InvalidEventError as error:
            broken = f"event {number + 1}, “{event}”, cannot happen to this group: {error}"
            return Reached(group, history.events[:number], sentence(broken))
    return Reached(group, history.events)


def _after(group: Group, event: Event, kept: int) -> Group:
    """Return the group after one more event. Raises InvalidEventError."""
    changed = after(group, event)
    if kept and kept + changed.partition_count > MOST_KEPT:
        message = (
            f"all steps together would have {kept + changed.partition_count:,} partitions, and at "
            f"most {MOST_KEPT:,} are kept; take some events back"
        )
        raise InvalidEventError(message)
    if changed.partition_count > LIMITS.partitions:
        message = (
            f"the group would have {changed.partition_count:,} partitions, and at most "
            f"{LIMITS.partitions:,} are read"
        )
        raise InvalidEventError(message)
    return changed


def add(event: Event, group: Group) -> None:
    """Add an event to the end, if it can happen to the group."""
    history: History = st.session_state[_KEY]
    try:
        after(group, event)
    except InvalidEventError as error:
        refused = sentence(f"this cannot happen: {error}")
        st.session_state[_KEY] = replace(history, refused=refused)
    else:
        _store(replace(history, events=(*history.events, event), refused=""))


def keep_first(count: int) -> None:
    """Take back the events after that many first ones."""
    history: History = st.session_state[_KEY]
    _store(replace(history, events=history.events[:count], refused=""))


def show(step: int) -> None:
    """Put one step on screen."""
    st.session_state[STEP] = step


def load_chosen() -> None:
    """Load the guided history that the picker names, or go back to the visitor's own group."""
    guide = guide_named(st.session_state[GUIDE])
    if guide:
        _load(guide)
        return
    left: History = st.session_state.pop(_KEY)
    while (shown := scenario.current(default_scenario)).reading is left.reading and shown.earlier:
        scenario.undo()


def take_over(group: Group) -> None:
    """Make a group, with its owners, the scenario being edited; nothing has happened to it yet."""
    scenario.turn_into(group)
    _store(replace(st.session_state[_KEY], events=(), refused="", guide=OWN_GROUP))
    st.session_state[GUIDE] = OWN_GROUP


def guide_named(title: str) -> Guide | None:
    """Return the guided history of this title; None for the visitor's own group."""
    return _BY_TITLE.get(title)


def _load(guide: Guide) -> None:
    scenario.show(guide.title, guide.reading)
    _store(History(guide.reading, guide.events, guide.events, guide.title))
    st.session_state[DRAWN] = guide.strategy


def _store(history: History) -> None:
    """Keep the history, and put its last step on screen."""
    st.session_state[_KEY] = history
    st.session_state[STEP] = len(history.events)
