"""The slides over the whole screen."""

from typing import Final
from urllib.parse import urlencode

import streamlit as st

from assignors.share.preview import InconsistentMembersError
from charts.deck.component import SCRIPT, STYLE, component_data
from charts.deck.model import Deck
from evaluation.kinds.forecast import KindGroup
from evaluation.kinds.stated import stated_for
from evaluation.kinds.view import view_of
from evaluation.stated import InvalidNumberError
from ui import share
from ui.kinds import asked
from ui.kinds import slides as kind_slides
from ui.kinds.page import leavers_of, words_in
from ui.scenario import Scenario
from ui.slides.files import deck_today, story_of

SLIDE: Final = "slide"
"""The query parameter that opens the slides, and the number of the first one shown."""
_MOUNTED: Final = "slides"
_show = st.components.v2.component("kafka_assignments_slides", css=STYLE, js=SCRIPT)


def is_presenting() -> bool:
    """Return whether the link or the visitor asks for slides."""
    return SLIDE in st.query_params


def slides_button() -> None:
    """Offer the slides."""
    st.button(
        "Slides",
        on_click=_open,
        help="Problem, cause, proposal, cost and way, a screen each; arrow keys lead through them",
    )


def show_slides(current: Scenario) -> None:
    """Show the slides over the whole screen, and again once their proposal is settled."""
    story, refining = story_of(current)
    _show_deck(current, deck_today(story))
    if refining is not None:
        refining.go_on(st.empty())


def show_kind_slides(current: Scenario, group: KindGroup) -> None:
    """Show the slides of a group that is no consumer group."""
    asked.take_up()
    leavers = leavers_of(view_of(group, current.reading.group))
    try:
        said = asked.stated_in(group)
    except InvalidNumberError:  # which the page refuses where it is typed
        said = stated_for(group)()
    try:
        view = asked.view_in(current.reading, group, said, [name for name, _ in leavers])
    except InconsistentMembersError:  # likewise, of the release that is stated
        view = view_of(group, current.reading.group, said)
    words = words_in(current, view)
    _show_deck(current, kind_slides.deck_today(view, words, leavers, current.title))


def _show_deck(current: Scenario, deck: Deck) -> None:
    number = st.query_params.get(SLIDE, "1")
    data = component_data(
        deck,
        int(number) if number.isdecimal() else 1,
        urlencode(share.parameters(current)),
    )
    _show(
        key=_MOUNTED,
        data=data,
        default={SLIDE: 1},
        on_slide_change=_turned,
        on_left_change=_close,
    )


def _open() -> None:
    st.query_params[SLIDE] = "1"


def _turned() -> None:
    if is_presenting():
        st.query_params[SLIDE] = str(st.session_state[_MOUNTED][SLIDE])


def _close() -> None:
    st.query_params.pop(SLIDE, None)
