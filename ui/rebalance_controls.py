"""The history on screen: what happened so far, stepping through it, and guided ones to load."""

from functools import partial
from typing import Final

import streamlit as st

from assignors.model import Group
from evaluation.events import Event
from sources.histories import GUIDES
from ui import rebalance_history
from ui.rebalance_history import GUIDE, OWN_GROUP, STEP, History, Reached
from ui.untrusted import verbatim

_OWN: Final = "each strategy's own assignment"
_PRESENT: Final = "the present owners"
_UNFOLDED: Final = 8
"""Longer histories scroll."""


def choose_guide(history: History) -> None:
    """Show the guided histories to choose from, and what the chosen one is about."""
    titles = [OWN_GROUP, *(guide.title for guide in GUIDES)]
    if GUIDE not in st.session_state:
        st.session_state[GUIDE] = history.guide
    st.selectbox(
        "Scenario",
        titles,
        key=GUIDE,
        bind="query-params",
        on_change=rebalance_history.load_chosen,
        width=560,
    )
    guide = rebalance_history.guide_named(history.guide)
    if guide:
        st.caption(f"{guide.look_at} *{guide.provenance}*")
    else:
        st.caption(
            "What happens to the group of the Compare page when consumers come and go, topics "
            "grow and subscriptions change; or choose a guided history here."
        )


def choose_start(group: Group) -> Group:
    """Let the visitor choose where the history starts; return the group that starts it."""
    if not group.has_claims:
        st.caption(f"Nobody owns anything yet: the history starts from {_OWN}.")
        return group
    start = st.segmented_control(
        "Start from",
        (_PRESENT, _OWN),
        default=_PRESENT,
        required=True,
        key="history_start",
        help="From the present owners, the first event also pays for going over to the strategy. "
        "From its own assignment, you see what the event alone costs.",
    )
    return group if start == _PRESENT else group.owned_by(group.nobody())


def choose_step(reached: Reached) -> int:
    """Show the history as a list to step through; return the step on screen."""
    last = len(reached.events)
    if not 0 <= st.session_state.get(STEP, last) <= last:
        st.session_state[STEP] = last
    st.session_state.setdefault(STEP, last)
    with st.container(height=320 if last > _UNFOLDED else "content", border=False):
        step: int = st.radio(
            "History",
            range(last + 1),
            key=STEP,
            format_func=lambda number: _entry(number, reached.events),
        )
    _step_buttons(step, last)
    return step


def _step_buttons(step: int, last: int) -> None:
    with st.container(horizontal=True):
        _jump("Replay", ":material/replay:", 0, "From the start", is_off=not last)
        _jump("Back", ":material/skip_previous:", step - 1, "One step back", is_off=step == 0)
        _jump("Next", ":material/skip_next:", step + 1, "One step on", is_off=step == last)
    with st.container(horizontal=True):
        st.button(
            "Undo last",
            icon=":material/undo:",
            on_click=rebalance_history.undo,
            disabled=not last,
            help="Take the last event back",
        )
        st.button(
            "Clear",
            icon=":material/delete_sweep:",
            on_click=rebalance_history.clear,
            disabled=not last,
            help="Take all events back",
        )


def _jump(label: str, icon: str, step: int, what: str, *, is_off: bool) -> None:
    go = partial(rebalance_history.show, step)
    st.button(label, icon=icon, on_click=go, disabled=is_off, help=what)


def _entry(number: int, events: tuple[Event, ...]) -> str:
    if number == 0:
        return "Start" if events else "Start; nothing has happened yet"
    return f"{number}. {verbatim(str(events[number - 1]))}"
