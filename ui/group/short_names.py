"""The short names of consumers, each with its whole id on hover, beside the tables that use them.

Cells of Streamlit's editor are drawn on a canvas and have no hover text of their own.
"""

from typing import Final

import streamlit as st

from ui.group.consumers import short_of
from ui.group.draft import Draft

_MOST: Final = 1_000
_NAMES: Final = st.components.v2.component(
    "short_names",
    html="<ul aria-label='Consumers; rest on a name for the whole id'></ul>",
    css="""
    ul { display: flex; flex-wrap: wrap; gap: 0.1rem 0.6rem; list-style: none; margin: 0;
         padding: 0; max-height: 4.2rem; overflow-y: auto; color: var(--st-text-color);
         font-family: var(--st-font); font-size: 0.85rem }
    li { cursor: help; text-decoration: underline dotted }
    """,
    # Names are foreign text: as text content and title they cannot become markup.
    js="""
    export default function ({ data, parentElement }) {
      parentElement.querySelector("ul").replaceChildren(...data.map(([short, id]) => {
        const item = document.createElement("li");
        item.textContent = short;
        item.title = id;
        return item;
      }));
    }
    """,
)


def show(draft: Draft) -> None:
    """List the consumers whose short name is not their id; nothing if there are none."""
    shortened = [[short, name] for name, short in short_of(draft).items() if short != name]
    if shortened:
        _NAMES(data=shortened[:_MOST], key="short_names")
