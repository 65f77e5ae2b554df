"""A group without consumers: the page people open in an incident."""

from typing import Final

import streamlit as st

from ui import scenario
from ui.group import edits
from ui.scenario import Scenario
from ui.untrusted import verbatim

_MOST: Final = 10_000


def add_consumers(current: Scenario) -> None:
    """Show how the group was read and offer to add consumers, to see what they would take on."""
    partitions = current.group.partition_count
    for note in current.reading.notes:
        st.markdown(f":material/info: {verbatim(note)}")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        count = st.number_input(
            "Consumers to add", 1, _MOST, max(1, min(partitions, 3)), key="missing", width=160
        )
        st.button(
            f"Add {count:,} {'consumer' if count == 1 else 'consumers'}",
            type="primary",
            icon=":material/group_add:",
            on_click=lambda: scenario.change(lambda draft: edits.add_consumers(draft, int(count))),
        )
