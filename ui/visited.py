"""What other pages last showed of the open group, for the report."""

from typing import Final

import streamlit as st

from assignors.model import Group
from charts.report import Section

_KEY: Final = "visited"
_PAGES: Final = ("Rebalance", "Capacity")
"""Titles of sections, in the order of the report."""


def remember(group: Group, section: Section) -> None:
    """Keep what a page shows of this group; an edit makes it another group."""
    st.session_state.setdefault(_KEY, {})[section.title] = (group, section)


def sections(group: Group) -> list[Section]:
    """Return what the pages last showed of this group."""
    kept = st.session_state.get(_KEY, {})
    shown = (kept[page] for page in _PAGES if page in kept)
    return [section for of, section in shown if of is group]
