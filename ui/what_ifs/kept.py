"""The what-ifs of a session: kept across groups, so that they are asked again of the next paste."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from evaluation.what_if import MOST, WhatIf
from sources import what_ifs
from sources.errors import SourceError
from ui import url_state

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
        url_state.keep(NAME, [])


def problem() -> str:
    """Return why the scenarios of the link could not be read; "" if they could."""
    return str(st.session_state.get(_PROBLEM, ""))


def chosen() -> tuple[WhatIf, ...] | None:
    """Return what the visitor chose or the link brought; None if neither."""
    kept: tuple[WhatIf, ...] | None = st.session_state.get(NAME)
    return kept


def written() -> str:
    """Return what the visitor chose as it stands in a link; "" if nothing."""
    return what_ifs.encode(chosen() or ())


def keep(kept: Sequence[WhatIf]) -> None:
    """Keep these, at most four; for callbacks."""
    st.session_state[NAME] = tuple(kept[:MOST])
    st.session_state.pop(_PROBLEM, None)
    keep_in_link()


def keep_in_link() -> None:
    """Write what was chosen into the address of the page."""
    text = written()
    url_state.keep(NAME, [text] if text else [])
