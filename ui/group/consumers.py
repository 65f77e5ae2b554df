"""The table of consumers, and the buttons that change their number."""

from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from evaluation.metrics import lag_per_member
from evaluation.wording import plural
from ui import scenario
from ui.draft import edits
from ui.draft.tables import CONSUMERS, separated
from ui.group import sheet
from ui.group.sheet import SheetColumn, SheetTable
from ui.scenario import Scenario

_MOST_AT_ONCE: Final = 10_000
_LONG_ID: Final = 24
"""Longer ids are cut off in the table, so a short name is shown beside them."""
_SHORT: Final = SheetColumn("short", "Short name", "fixed", "As charts show it")
_LOAD: Final = (
    SheetColumn("lag", "Lag", "figure", "Of the partitions it owns today", width=90),
    SheetColumn("share", "Of all lag", "figure", "Its share of the group's lag", width=80),
    SheetColumn("client", "Client id", "fixed", "client.id, which several may share", width=110),
    SheetColumn("host", "Host", "fixed", "From which it connects", width=100),
)


def count_buttons(current: Scenario) -> None:
    """Offer to add and remove consumers, above any of the tables."""
    count = len(current.draft.consumers)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(plural(count, "consumer"), width="content")
        st.button(
            "−1",
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


def show_table(current: Scenario) -> None:
    """Show the consumers with their load today, which sorts them."""
    draft = current.draft
    rows = sheet.window(draft.consumers, "consumer")
    short = rows["consumer"].map(draft.short_names)
    is_long = bool((rows["consumer"].str.len() > _LONG_ID).any())
    rows = rows.assign(short=short, **_load(current, rows["consumer"]))
    columns = (
        *([_SHORT] if is_long else []),
        SheetColumn(
            "consumer", "Consumer", about="The whole member id. A new one subscribes to every topic"
        ),
        *_LOAD,
        SheetColumn("static_id", "Static id", about="group.instance.id, if there is one (KIP-345)"),
        SheetColumn("rack", "Rack", about="client.rack (KIP-881)", width=70),
        SheetColumn(
            "generation",
            "Generation",
            "number",
            "The generation in which the consumer got the partitions it owns; blank if it never "
            "joined",
            width=90,
        ),
    )
    unknown = {
        *(() if current.reading.hosts else ("host",)),
        *(() if draft.client_ids else ("client",)),
    }
    columns = tuple(column for column in columns if column.name not in unknown)
    table = SheetTable(
        name=CONSUMERS,
        alt="Consumers with static ids, racks and generations, editable",
        columns=columns,
        rows=sheet.rows_of(rows, columns, short),
        adds="consumer",
    )
    sheet.show(current, table)


def _load(current: Scenario, names: "pd.Series[str]") -> dict[str, "list[str]"]:
    """Return what each consumer has today as texts: lag, its share of all, client id and host."""
    group = current.group
    lags = lag_per_member(group, group.present_owners)
    number = {name: m for m, name in enumerate(group.members)}
    total = sum(lags)
    hosts = current.reading.hosts
    known = [number.get(name) for name in names]
    return {
        "lag": ["" if m is None else str(lags[m]) for m in known],
        "share": [
            "" if m is None or not total else f"{100 * lags[m] / total:.0f} %" for m in known
        ],
        "client": [current.draft.client_ids.get(name, "") for name in names],
        "host": [hosts.get(name, "").strip("/") for name in names],
    }


def add_consumers(current: Scenario, *, is_next: bool = True) -> None:
    """Offer to add consumers to see their share; as what to do next, unless the verdict says."""
    partitions = current.group.partition_count
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
            type="primary" if is_next else "secondary",
            icon=":material/group_add:",
            on_click=partial(scenario.change, partial(edits.add_consumers, count=int(count))),
        )
