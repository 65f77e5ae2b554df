"""The way into a page: always through ``app.py``, which knows all of them.

Beside a folder ``pages/`` Streamlit starts in an older mode: until ``st.navigation`` has run
once, whoever asks a fresh server for a page's own address gets its script alone, narrow
and without a menu.
"""

from pathlib import Path
from typing import Final

import streamlit as st

_ENTERED: Final = "entered"


def enter() -> None:
    """Note that this visitor came through ``app.py``."""
    st.session_state[_ENTERED] = True


def through_app(page: str) -> None:
    """Start over with ``app.py`` if Streamlit ran this page's script (its ``__file__``) alone."""
    if st.session_state.get(_ENTERED):
        return
    pages = [st.Page("app.py", default=True), st.Page(Path("pages") / Path(page).name)]
    st.navigation(pages, position="hidden")  # ends the older mode
    st.rerun()
