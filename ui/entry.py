"""Pages always start through ``app.py``, which lists all of them.

With a folder ``pages/`` Streamlit starts in an older mode: until ``st.navigation`` has run once, a
fresh server runs the script of a requested page alone, narrow and without a menu. Streamlit also
keeps the scroll position between pages: a button far down the gallery would open the Group
page half-way down.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from assignors.catalogue import FailedStrategyError, strategies, withdraw
from evaluation.wording import sentence
from ui import told
from ui.untrusted import verbatim

_ENTERED: Final = "entered"
_PAGE: Final = "page_shown"
_SWITCHES: Final = "page_switches"
_MARKED: Final = "background: light-dark(#e4e7ec, #31353d); font-weight: 600"
_WITHDRAWN: Final = "strategy_withdrawn"

_scroll = st.components.v2.component(
    "kafka_assignments.start_at_top",
    js="""
    export default ({ data, parentElement }) => {
      const shown = parentElement.host ?? parentElement
      if (shown.dataset.switches === String(data)) return
      shown.dataset.switches = String(data)
      document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0)
      // On a phone the menu would go on covering the page that was chosen in it.
      const fold = '[data-testid="stSidebarCollapseButton"] button'
      if (window.innerWidth < 768) document.querySelector(fold)?.click()
    }
    """,
)


def enter() -> None:
    """Record that this visitor came through ``app.py``; bring a link's names up to date."""
    st.session_state[_ENTERED] = True
    told.take_from_link()
    renamed = {
        old: new
        for strategy in strategies().values()
        for other in strategy.other_names
        for old, new in ((other, strategy.name), (other.capitalize(), strategy.label))
    }
    linked = {name: st.query_params.get_all(name) for name in st.query_params}
    outdated = {n: vs for n, vs in linked.items() if not renamed.keys().isdisjoint(vs)}
    for name, values in outdated.items():
        st.query_params[name] = [renamed.get(value, value) for value in values]
    if outdated:
        st.rerun()  # controls take from a link what it said when the run began


def through_app(page: str) -> None:
    """Restart with ``app.py`` if Streamlit ran only this page's script (its ``__file__``)."""
    if st.session_state.get(_ENTERED):
        return
    pages = [st.Page("app.py", default=True), st.Page(Path("pages") / Path(page).name)]
    st.navigation(pages, position="hidden")  # ends the older mode
    st.rerun()


def mark_section(sections: Mapping[str, Sequence[StreamlitPage]], page: StreamlitPage) -> None:
    """Mark the menu in the bar that holds the page: Streamlit marks only what stands in the bar."""
    in_bar = sections[""]
    menus = [pages for name, pages in sections.items() if name]
    for place, pages in enumerate(menus, start=len(in_bar) + 1):
        if page in pages:
            menu = f"[data-testid=stTopNav] > :nth-child({place}) > [data-testid=stTopNavSection]"
            st.html(f"<style>{menu} {{ {_MARKED} }}</style>")


def start_at_top(page: str) -> None:
    """Scroll to the top if the visitor has just come from another page."""
    if st.session_state.setdefault(_PAGE, page) != page:
        st.session_state[_PAGE] = page
        st.session_state[_SWITCHES] = st.session_state.get(_SWITCHES, 0) + 1
    if _SWITCHES in st.session_state:
        _scroll(key="start_at_top", data=st.session_state[_SWITCHES], height=0)


def run(page: StreamlitPage) -> None:
    """Run the page; without a strategy of an installed package that turns out to fail."""
    if notice := st.session_state.pop(_WITHDRAWN, None):
        st.warning(verbatim(sentence(notice)))
    try:
        page.run()
    except FailedStrategyError as error:
        st.session_state[_WITHDRAWN] = withdraw(error)
        _forget(error.name)
        st.rerun()


def _forget(name: str) -> None:
    """Drop every choice of a strategy that is no longer offered."""
    for key, value in list(st.session_state.items()):
        if value == name or (isinstance(value, list | tuple) and name in value):
            del st.session_state[key]
