"""Slides to take along, as files made when a button is pressed."""

from collections.abc import Callable
from importlib.util import find_spec

import streamlit as st

from charts.deck.component import deck_html
from charts.deck.model import Deck
from ui import downloads


def offer_deck(deck: Callable[[], Deck], name: str) -> None:
    """Offer slides as files; ``deck`` is called without a session."""
    with st.container(horizontal=True):
        st.download_button(
            "Slides as HTML",
            lambda: deck_html(deck()).encode(),
            file_name=downloads.file_name(name, "-slides.html"),
            mime="text/html",
            icon=":material/download:",
            on_click="ignore",
            help="One file that opens offline; print it for a PDF",
        )
        if find_spec("pptx"):
            st.download_button(
                "PowerPoint",
                lambda: _pptx(deck()),
                file_name=downloads.file_name(name, "-slides.pptx"),
                mime="application/vnd.openxmlformats-officedocument.presentationml.presentation",
                icon=":material/download:",
                on_click="ignore",
                help="Native charts and text, to which a company's template applies",
            )


def _pptx(deck: Deck) -> bytes:
    from charts.deck.powerpoint import deck_pptx  # noqa: PLC0415 -- needs an extra

    return deck_pptx(deck)
