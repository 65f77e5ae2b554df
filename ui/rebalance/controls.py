"""The controls of the history: which one, which step, and the next event."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import streamlit as st

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.rebalance.rounds import next_generation
from sources.histories import GUIDES
from ui import cache, told
from ui.choices.kept import keep
from ui.choices.option import OptionChoice
from ui.group import remarks
from ui.picture import places
from ui.rebalance import history
from ui.rebalance.events import choose_event
from ui.rebalance.history import GUIDE, OWN_GROUP, STEP, History, Reached
from ui.rebalance.words import named_event
from ui.scenario import Scenario
from ui.untrusted import verbatim

_OWN: Final = "each strategy's own assignment"
_PRESENT: Final = "the present owners"
_REACHED: Final = "the owners after a switch"


def choose_guide(shown: History) -> None:
    """Let the visitor choose a guided history; show what it is about."""
    if GUIDE not in st.session_state:
        st.session_state[GUIDE] = shown.guide
    chosen = st.selectbox(
        "What to play",
        [OWN_GROUP, *(guide.title for guide in GUIDES)],
        key=GUIDE,
        on_change=history.load_chosen,
        label_visibility="collapsed",
        width=420,
    )
    keep(GUIDE, [] if chosen == OWN_GROUP else [chosen])


def about_guide(shown: History) -> None:
    """Show what to notice in a guided history."""
    guide = history.guide_named(shown.guide)
    if guide:
        st.markdown(f"{verbatim(guide.look_at)} *{verbatim(guide.provenance)}*")


def say_wrong(current: Scenario, reached: Reached, shown: History) -> None:
    """Show why the page cannot show the requested history."""
    remarks.say_stale(current)
    if reached.broken:
        st.error(verbatim(reached.broken))
    if shown.refused:
        st.error(verbatim(shown.refused))
    if not history.keep_in_link(shown):
        st.info("This history is too long for a link: the address opens the page without it.")


def choose_start(
    group: Group, strategies: Sequence[Strategy], runs: Strategy | None
) -> Mapping[Strategy, Group]:
    """Let the visitor choose the start of the history; return each strategy's first group.

    Only the strategy that ``runs`` can start from the present owners; where it is known, the
    others start from the owners after a switch.
    """
    if not group.has_claims:
        return dict.fromkeys(strategies, group)
    options = (_PRESENT, _OWN) if runs is None else (_REACHED, _PRESENT, _OWN)
    start = OptionChoice("history_start").switch(
        "The history starts from",
        options,
        is_label_shown=True,
        about="The owners after a switch: the group has restarted into each strategy, so the "
        "events alone are compared. The present owners: the first event also moves the group to "
        "the strategy, as if nobody had restarted. Each strategy's own assignment: the group "
        "starts afresh.",
    )
    if start == _REACHED:
        return {strategy: _reached(group, strategy, runs) for strategy in strategies}
    first = group if start == _PRESENT else group.owned_by(group.nobody())
    return dict.fromkeys(strategies, first)


def _reached(group: Group, strategy: Strategy, runs: Strategy | None) -> Group:
    (outcome,) = cache.solved(group, (strategy,), runs, told.is_noticed())
    if outcome.outlook is None:
        return group
    return group.owned_by(outcome.owners, next_generation(group))


def choose_step(reached: Reached, shown: History) -> int:
    """Show the history with controls to step through and change it; return the current step."""
    last, has_any = len(reached.events), bool(shown.events)
    with st.container(horizontal=True, vertical_alignment="center"):
        steps = st.container(
            horizontal=True, vertical_alignment="center", width="content", key=places.STEPS
        )
        steps.empty()  # a container without an element is not drawn
        _add_event(reached, shown)
    if not 0 <= st.session_state.get(STEP, last) <= last:
        st.session_state[STEP] = last
    st.session_state.setdefault(STEP, last)
    with steps:  # left of the form, but drawn after it, because adding an event selects it
        step: int = st.selectbox(
            "Step",
            range(last + 1),
            key=STEP,
            format_func=lambda number: _entry(number, reached),
            label_visibility="collapsed",
            width=400,
        )
        for label, act, about, is_on in (
            ("Back", partial(history.show, step - 1), "Show the step before", step > 0),
            ("Next", partial(history.show, step + 1), "Show the next step", step < last),
            ("Remove last", partial(history.keep_first, -1), "Take the last event back", has_any),
            ("Remove all", partial(history.keep_first, 0), "Start again without events", has_any),
        ):
            st.button(label, on_click=act, disabled=not is_on, help=about)
    return step


def _add_event(reached: Reached, shown: History) -> None:
    """Show the form for the next event; adding one closes and resets the popover."""
    turn = len(shown.events)
    with st.popover("Add an event", key=f"add_event_{turn}", type="primary"):
        event = choose_event(reached.group, turn)
        if event is not None:
            history.add(event, reached.group)
            st.rerun()


def _entry(number: int, reached: Reached) -> str:
    """Return the plain text of an entry in the list of steps."""
    last = len(reached.events)
    if number == 0:
        return "Start" if last else "Start; nothing has happened yet"
    return f"{number} of {last}: {named_event(reached.events[number - 1])}"
