"""Short names of consumers; resting on one shows the whole id, which an editor cannot do."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

_MOST: Final = 1_000
"""A longer list is no help; the editor holds every id in full."""

_list = st.components.v2.component(
    "kafka_assignments.consumer_names",
    html="<ul aria-label='Consumers; rest on a name for the whole id'></ul>",
    css="""
    ul { margin: 0; padding: 0; list-style: none; max-height: 5rem; overflow-y: auto;
         display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem;
         font-size: 0.875rem; color: var(--st-text-color); }
    li { cursor: help; text-decoration: underline dotted; }
    """,
    js="""
    export default ({ data, parentElement }) => {
      const items = Object.entries(data).map(([id, short]) => {
        const item = document.createElement('li')
        item.textContent = short
        item.title = id
        return item
      })
      parentElement.querySelector('ul').replaceChildren(...items)
    }
    """,
)


def show_names(short: Mapping[str, str]) -> None:
    """Show the short names; ``short`` holds them by id. Ids stay text, whatever they hold."""
    if len(short) <= _MOST:
        _list(key="consumer_names", data=dict(short))
