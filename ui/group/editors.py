"""The tables people edit, one at a time: topics, consumers, subscriptions, partitions."""

from typing import Final

import streamlit as st

from ui import widgets
from ui.group import consumers, partitions, short_names, subscriptions, topics
from ui.scenario import Scenario

_TABLES: Final = {
    "Topics": topics.edited,
    "Consumers": consumers.edited,
    "Subscriptions": subscriptions.edited,
    "Lags and owners": partitions.edited,
}


def edit_tables(current: Scenario) -> Scenario:
    """Show the chosen table and return the scenario after what was edited in it."""
    table = widgets.choose("Edit", list(_TABLES), "table", is_label_shown=False)
    counts = st.container()
    current = _TABLES[table or "Topics"](current)
    with counts:
        consumers.count_buttons(current)
        short_names.show(current.draft)
    return current
