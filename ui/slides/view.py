"""The slides over the whole screen."""

from typing import Final
from urllib.parse import urlencode

import streamlit as st

from charts.deck.component import SCRIPT, STYLE, component_data
from charts.deck.model import Deck
from ui import share
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
    show_deck(current, deck_today(story))
    if refining is not None:
        refining.go_on(st.empty())


def show_deck(current: Scenario, deck: Deck) -> None:
    """Show these slides over the whole screen."""
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
