"""Every page begins at its top.

Streamlit 1.67 keeps the scroll position when it goes from one page to another: a button far
down the gallery led to the middle of the Compare page.
"""

from typing import Final

import streamlit as st

_PAGE: Final = "page_shown"
_SWITCHES: Final = "page_switches"

_scroll = st.components.v2.component(
    "kafka_assignments.start_at_top",
    js="""
    export default ({ data, parentElement }) => {
      const shown = parentElement.host ?? parentElement
      if (shown.dataset.switches === String(data)) return
      shown.dataset.switches = String(data)
      document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0)
    }
    """,
)


def start_at_top(page: str) -> None:
    """Scroll to the top if the visitor has just come from another page."""
    if st.session_state.setdefault(_PAGE, page) != page:
        st.session_state[_PAGE] = page
        st.session_state[_SWITCHES] = st.session_state.get(_SWITCHES, 0) + 1
    if _SWITCHES in st.session_state:
        _scroll(key="start_at_top", data=st.session_state[_SWITCHES], height=0)
