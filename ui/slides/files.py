"""The deck about the group on screen, and its files to take along."""

from datetime import UTC, datetime
from importlib.util import find_spec

import streamlit as st

from charts.deck.component import deck_html
from charts.deck.model import Deck
from ui import cache, downloads, price, told
from ui.answers import answer_in
from ui.scenario import Scenario
from ui.slides.deck import deck_of
from ui.slides.story import Story


def take_along(current: Scenario, story: Story) -> None:
    """Offer the slides as files; they are made without a session, so the story is told before."""
    name = current.group.id or current.title
    with st.container(horizontal=True):
        st.download_button(
            "Slides",
            lambda: deck_html(_deck(story)).encode(),
            file_name=downloads.file_name(name, "-slides.html"),
            mime="text/html",
            icon=":material/download:",
            on_click="ignore",
            help="One file that opens offline; print it for a PDF",
        )
        if find_spec("pptx"):
            st.download_button(
                "PowerPoint",
                lambda: _pptx(story),
                file_name=downloads.file_name(name, "-slides.pptx"),
                mime="application/vnd.openxmlformats-officedocument.presentationml.presentation",
                icon=":material/download:",
                on_click="ignore",
                help="Native charts and text, to which a company's template applies",
            )


def story_of(current: Scenario) -> Story:
    """Return the story of the group on screen: its answer, as every page has it."""
    answer = answer_in(current)
    runs, option, cost = answer.running.strategy, answer.proposal, None
    is_drawn = option is not None and option.outcome is not None and option.outcome.outlook
    if option is not None and is_drawn and option.strategy and runs:
        switch, facts = (runs, option.strategy), answer.known.facts
        cost = cache.lost(answer.group, *switch, facts.arriving, is_noticed=told.is_slow())
    return Story(title=current.title, answer=answer, cost=cost, price=price.readable())


def deck_on_screen(current: Scenario) -> Deck:
    """Return the slides about the group on screen."""
    return _deck(story_of(current))


def _deck(story: Story) -> Deck:
    return deck_of(story, f"{datetime.now(UTC):%d %B %Y}")


def _pptx(story: Story) -> bytes:
    from charts.deck.powerpoint import deck_pptx  # noqa: PLC0415 -- needs an extra

    return deck_pptx(_deck(story))
