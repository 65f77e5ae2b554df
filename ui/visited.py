"""The last sections of pages and views on the open group, for the report."""

from typing import Final

import pandas as pd
import streamlit as st

from assignors.model import Group
from charts.report import ReportTable, Section

_KEY: Final = "visited"
_SHOWN: Final = ("Over time", "Scenarios", "Rebalance", "Consumers", "Autoscaler")
"""Section titles in the order of the report."""


def remember(group: Group, section: Section) -> None:
    """Keep a page's section on this group; an edit makes it another group."""
    st.session_state.setdefault(_KEY, {})[section.title] = (group, section)


def sections(group: Group) -> list[Section]:
    """Return the pages' last sections on this group."""
    kept = st.session_state.get(_KEY, {})
    shown = (kept[page] for page in _SHOWN if page in kept)
    return [section for of, section in shown if of is group]


def table(caption: str, frame: pd.DataFrame, texts: int = 1) -> ReportTable:
    """Return rows for the report; the first ``texts`` columns are texts, and "-" is unknown."""
    rows = [list(map(_cell, row)) for row in frame.itertuples(index=False)]
    return ReportTable(caption, list(frame.columns), rows, texts)


def _cell(value: float | str | None) -> str:
    if isinstance(value, str):
        return value
    return "-" if pd.isna(value) else f"{value:,}"
