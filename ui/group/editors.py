"""The editable tables, one at a time: topics, consumers, subscriptions, partitions."""

from typing import Final

import streamlit as st

from ui import widgets
from ui.group import consumers, edits, partitions, subscriptions
from ui.group.draft import Draft
from ui.group.grid import Edit, Table, edited
from ui.scenario import Scenario

_MOST_NAMES: Final = 1_000
_SHORT_NAMES: Final = st.components.v2.component(
    "short_names",
    html="<ul aria-label='Consumers; rest on a name for the whole id'></ul>",
    css="""
    ul { display: flex; flex-wrap: wrap; gap: 0.1rem 0.6rem; list-style: none; margin: 0;
         padding: 0; max-height: 4.2rem; overflow-y: auto; color: var(--st-text-color);
         font-family: var(--st-font); font-size: 0.85rem }
    li { cursor: help; text-decoration: underline dotted }
    """,
    # Names are untrusted: as text content and title they cannot become markup.
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


def edit_tables(current: Scenario) -> Scenario:
    """Show the chosen table; return the scenario after the edit."""
    table = widgets.choose("Edit", list(_TABLES), "table", is_label_shown=False)
    counts = st.container()
    current = _TABLES[table](current)
    with counts:
        consumers.count_buttons(current)
        _short_names(current.draft)
    return current


def _topics(current: Scenario) -> Scenario:
    """Show the topics; return the scenario after the edit."""
    table = Table(
        name="topics",
        base=current.draft.topics,
        columns={
            "topic": st.column_config.TextColumn("Topic", required=True),
            "partitions": st.column_config.NumberColumn(
                "Partitions", min_value=0, step=1, default=1
            ),
            "racks": st.column_config.TextColumn(
                "Replica racks",
                help="The racks that hold replicas of each partition. Separate racks by commas "
                "and partitions by semicolons; a shorter list repeats: `a,b; b,c; c,a`",
            ),
        },
        about="The empty last row adds a topic.",
        alt="Topics with partition counts and replica racks, editable",
        names="topic",
    )
    return edited(current, table, _topics_taken)


def _topics_taken(draft: Draft, edit: Edit) -> Draft:
    """Return the draft with the edited topics; a new topic starts with one partition."""
    counts = edit.after["partitions"]
    is_blank = counts.isna() & edit.after.index.isin(edit.added)
    after = edit.after.assign(partitions=counts.mask(is_blank, 1)) if is_blank.any() else edit.after
    return edits.with_topics(draft, edit.before, after)


def _short_names(draft: Draft) -> None:
    """List the consumers whose short name differs from their id, with the full id on hover.

    Streamlit draws the editor's cells on a canvas, without hover text.
    """
    shortened = [
        [short, name] for name, short in consumers.short_of(draft).items() if short != name
    ]
    if shortened:
        _SHORT_NAMES(data=shortened[:_MOST_NAMES], key="short_names")


_TABLES: Final = {
    "Topics": _topics,
    "Consumers": consumers.edited,
    "Subscriptions": subscriptions.edited,
    "Lags and owners": partitions.edited,
}
