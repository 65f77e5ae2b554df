"""The table of consumers, and the buttons that change their number."""

from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from charts.labels import short_names
from evaluation.wording import plural
from sources.budget import LIMITS
from ui import scenario
from ui.group import edits
from ui.group.draft import CONSUMER_COLUMNS, Draft, separated
from ui.group.grid import Edit, Table
from ui.group.grid import edited as edited_table
from ui.scenario import Scenario
from ui.untrusted import verbatim

_MOST_AT_ONCE: Final = 10_000
_SHORT: Final = "short"
_LONG_ID: Final = 24
"""Longer ids are cut off in the table, so a short name is shown beside them."""


def count_buttons(current: Scenario) -> None:
    """Offer to add and remove consumers, above any of the tables."""
    count = len(current.draft.consumers)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(plural(count, "consumer"), width="content")
        st.button(
            "-1",
            key="remove_1",
            on_click=partial(scenario.change, partial(edits.remove_consumers, count=1)),
            disabled=not count,
            help="Remove the last consumer of the table",
        )
        for added in (1, 10):
            st.button(
                f"+{added}",
                key=f"add_{added}",
                on_click=partial(scenario.change, partial(edits.add_consumers, count=added)),
                help=f"Add {plural(added, 'consumer')} subscribed to every topic",
            )
        with st.popover("More", help="Add or remove any number, with names and racks"):
            _more()


def _more() -> None:
    st.number_input("How many consumers", 1, _MOST_AT_ONCE, 10, key="add_count")
    st.text_input(
        "Names start with", key="add_prefix", placeholder="as the last consumer of the table"
    )
    st.text_input(
        "Racks, in turn",
        key="add_racks",
        placeholder="a, b, c",
        help="`client.rack` of the new consumers, separated by commas",
    )
    with st.container(horizontal=True):
        st.button("Add", type="primary", on_click=_add_named)
        st.button("Remove from the end", on_click=_remove_many)


def _add_named() -> None:
    chosen = st.session_state
    racks = separated(chosen["add_racks"])
    count = min(int(chosen["add_count"]), _MOST_AT_ONCE)
    scenario.change(
        lambda draft: edits.add_consumers(draft, count, chosen["add_prefix"].strip(), racks)
    )


def _remove_many() -> None:
    count = int(st.session_state["add_count"])
    scenario.change(lambda draft: edits.remove_consumers(draft, count))


def edited(current: Scenario) -> Scenario:
    """Show the consumers; return the scenario after the edit."""
    base = current.draft.consumers
    short = short_of(current.draft)
    is_long = bool(base["consumer"].map(len).max() > _LONG_ID)
    table = Table(
        name="consumers",
        base=pd.concat([base["consumer"].map(short).rename(_SHORT), base], axis="columns")
        if is_long
        else base,
        columns={
            _SHORT: st.column_config.TextColumn(
                "Short name",
                disabled=True,
                pinned=True,
                help="As charts show it; the list above has the whole id on hover",
            ),
            "consumer": st.column_config.TextColumn(
                "Consumer",
                required=True,
                help="The whole member id. A new consumer subscribes to every topic.",
            ),
            "static_id": st.column_config.TextColumn(
                "Static id", help="`group.instance.id`, if the consumer has one (KIP-345)"
            ),
            "rack": st.column_config.TextColumn("Rack", help="`client.rack` (KIP-881)"),
            "generation": st.column_config.NumberColumn(
                "Generation",
                step=1,
                help="The generation in which the consumer got the partitions it owns; blank if "
                "it never joined",
            ),
            "throughput": None,
        },
        about="The empty last row adds a consumer.",
        alt="Consumers with static ids, racks and generations, editable",
        names="consumer",
    )
    return edited_table(current, table, _taken)


def _taken(draft: Draft, edit: Edit) -> Draft:
    return edits.with_consumers(draft, edit.before, edit.after[list(CONSUMER_COLUMNS)])


def short_of(draft: Draft) -> dict[str, str]:
    """Return the short name of each consumer; the full one if a name is blank or repeated."""
    names = draft.consumers["consumer"].tolist()
    if not edits.has_sound_names(draft.consumers["consumer"]) or len(names) > LIMITS.members:
        return {name: name for name in names}
    return dict(zip(names, short_names(names), strict=True))


def add_consumers(current: Scenario) -> None:
    """Show how the group was read, and offer to add consumers to see their share."""
    partitions = current.group.partition_count
    for note in current.reading.notes:
        st.markdown(f":material/info: {verbatim(note)}")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        count = st.number_input(
            "Consumers to add",
            1,
            _MOST_AT_ONCE,
            max(1, min(partitions, 3)),
            key="missing",
            width=160,
        )
        st.button(
            f"Add {plural(int(count), 'consumer')}",
            type="primary",
            icon=":material/group_add:",
            on_click=partial(scenario.change, partial(edits.add_consumers, count=int(count))),
        )
