"""The choices and cases of a session, kept across groups to be asked of the next paste."""

from typing import Final

import streamlit as st

from evaluation.what_if import MOST, MOST_WEATHERS, Asked
from sources import what_ifs
from sources.errors import SourceError
from ui.choices import kept as choices

NAME: Final = "what_if"
"""The session key, and the query parameter."""
_PROBLEM: Final = "what_if_problem"


def open_from_link() -> None:
    """Keep what the link asks, once a session."""
    text = st.query_params.get(NAME)
    if NAME in st.session_state or text is None:
        return
    try:
        st.session_state[NAME] = what_ifs.decode(text)
    except SourceError as error:
        st.session_state[_PROBLEM] = str(error)
        choices.keep(NAME, [])


def problem() -> str:
    """Return why the scenarios of the link could not be read; "" if they could."""
    return str(st.session_state.get(_PROBLEM, ""))


def chosen() -> Asked:
    """Return what the visitor chose or the link brought; without choices if neither."""
    kept: Asked = st.session_state.get(NAME, Asked())
    return kept


def written() -> str:
    """Return what the visitor chose as a link holds it; "" if nothing."""
    return what_ifs.encode(chosen())


def keep(asked: Asked) -> None:
    """Keep these choices and cases, no more than there is room for; for callbacks."""
    st.session_state[NAME] = Asked(asked.choices[:MOST], asked.weathers[:MOST_WEATHERS])
    st.session_state.pop(_PROBLEM, None)
    keep_in_link()


def keep_in_link() -> None:
    """Write what was chosen into the address of the page."""
    text = written()
    choices.keep(NAME, [text] if text else [])
