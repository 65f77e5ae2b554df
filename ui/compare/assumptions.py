"""The line of what an answer takes for granted, and where to change it."""

import streamlit as st

from evaluation.answering.words import Words
from ui import judging, strategy_choice
from ui.clients import ask_running, choose_client
from ui.scenario import Scenario
from ui.untrusted import verbatim


def show(current: Scenario, words: Words) -> None:
    """Show what is assumed, the rest of the caveats on demand, and let the visitor change it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        said = " · ".join(map(verbatim, words.assumes))
        more = "  \n".join(map(verbatim, words.caveats))
        if said:
            st.markdown(f":small[:gray[Assumes {said}]]", width="content", help=more or None)
        with st.popover("Change", type="tertiary"):
            choose_client()
            ask_running(current.group, current.reading)
            judging.ask(current)
            strategy_choice.ask(current)
