"""The tables people edit, one at a time: topics, consumers, subscriptions, partitions."""

import re
from typing import Any, Final

import pandas as pd
import streamlit as st

from ui import scenario
from ui.group import edits
from ui.group.draft import OFFSET_COLUMNS, Draft
from ui.group.grid import Table, edited
from ui.scenario import Scenario

_TABLES: Final = ("Topics", "Consumers", "Subscriptions", "Lags and owners")
_MAX_TICKS: Final = 20_000
_MAX_ROWS: Final = 2_000
_MOST_AT_ONCE: Final = 10_000


def edit_tables(current: Scenario) -> Scenario:
    """Show the chosen table and return the scenario after what was edited in it."""
    table = st.segmented_control(
        "Edit",
        _TABLES,
        default="Topics",
        required=True,
        key="table",
        bind="query-params",
        label_visibility="collapsed",
    )
    shown = {
        "Topics": _topics,
        "Consumers": _consumers,
        "Subscriptions": _subscriptions,
        "Lags and owners": _partitions,
    }[table or "Topics"]
    return shown(current)


def _topics(current: Scenario) -> Scenario:
    edit = edited(
        current,
        Table(
            name="topics",
            base=current.draft.topics,
            columns={
                "topic": st.column_config.TextColumn("Topic", required=True),
                "partitions": st.column_config.NumberColumn("Partitions", min_value=0, step=1),
                "racks": st.column_config.TextColumn(
                    "Replica racks",
                    help="Racks of each partition's replicas: racks apart by commas, partitions "
                    "by semicolons; a shorter list repeats. `a,b; b,c; c,a`",
                ),
            },
            alt="Topics with their partitions and replica racks, editable",
            names="topic",
        ),
    )
    if edit is None:
        return current
    return scenario.commit(edits.with_topics(current.draft, *edit), from_editor=True)


def _consumers(current: Scenario) -> Scenario:
    edit = edited(
        current,
        Table(
            name="consumers",
            base=current.draft.consumers,
            columns={
                "consumer": st.column_config.TextColumn("Consumer", required=True),
                "static_id": st.column_config.TextColumn(
                    "Static id", help="group.instance.id, if the consumer has one (KIP-345)"
                ),
                "rack": st.column_config.TextColumn("Rack", help="client.rack (KIP-881)"),
                "generation": st.column_config.NumberColumn(
                    "Generation", step=1, help="Of what it owns at present; blank: never joined"
                ),
                "throughput": None,
            },
            alt="Consumers with static ids and racks, editable",
            names="consumer",
        ),
    )
    if edit is not None:
        current = scenario.commit(edits.with_consumers(current.draft, *edit), from_editor=True)
    with st.popover("Add or remove many", icon=":material/group_add:"):
        st.number_input("How many", 1, _MOST_AT_ONCE, 10, key="add_count")
        st.text_input("Names begin with", "consumer-", key="add_prefix")
        st.text_input("Racks in turn", key="add_racks", placeholder="a, b, c")
        with st.container(horizontal=True):
            st.button("Add", type="primary", on_click=_add_consumers)
            st.button("Remove the last ones", on_click=_remove_consumers)
    return current


def _add_consumers() -> None:
    chosen = st.session_state
    racks = [name.strip() for name in chosen["add_racks"].split(",") if name.strip()]
    count = min(int(chosen["add_count"]), _MOST_AT_ONCE)
    scenario.change(
        lambda draft: edits.add_consumers(draft, count, chosen["add_prefix"].strip(), racks)
    )


def _remove_consumers() -> None:
    count = int(st.session_state["add_count"])
    scenario.change(lambda draft: edits.remove_consumers(draft, count))


def _subscriptions(current: Scenario) -> Scenario:
    draft = current.draft
    with st.container(horizontal=True, vertical_alignment="bottom"):
        consumers = st.text_input(
            "Consumers like",
            ".*",
            key="consumers_like",
            bind="query-params",
            help="A regular expression that matches the whole name",
        )
        topics = st.text_input(
            "Topics like",
            ".*",
            key="topics_like",
            bind="query-params",
            help="A regular expression that matches the whole name",
        )
        st.button("Subscribe these to just these", on_click=_subscribe_matching)
        st.button("All to all", on_click=lambda: scenario.change(edits.subscribe_all))
    for written in (consumers, topics):
        if not _is_pattern(written):
            st.error(f"{written!r} is not a regular expression; for all of them write .*")
    ticks, left_out = _ticks(draft, _pattern(consumers), _pattern(topics))
    if left_out:
        st.caption(f"{left_out:,} more cells are not shown; narrow the two patterns to see them.")
    if ticks.empty:
        st.info("No consumer and topic match; for all of them write .* in both fields.")
        return current
    edit = edited(
        current,
        Table(
            name=f"subscriptions {consumers} {topics}",
            base=ticks,
            columns={"_index": st.column_config.TextColumn("Consumer", width=160)},
            alt="Who subscribes to what, one tick box for each consumer and topic",
            hide_index=False,
        ),
    )
    if edit is None:
        return current
    return scenario.commit(edits.with_subscriptions(draft, edit.after), from_editor=True)


def _subscribe_matching() -> None:
    consumers, topics = st.session_state["consumers_like"], st.session_state["topics_like"]
    if _is_pattern(consumers) and _is_pattern(topics):
        scenario.change(lambda draft: edits.subscribe_matching(draft, consumers, topics))


def _partitions(current: Scenario) -> Scenario:
    draft = current.draft
    rows = draft.partitions
    names = [name for name in draft.topics["topic"] if name]
    all_topics = [] if len(rows) > _MAX_ROWS else ["all topics"]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        topic = st.selectbox("Topic", [*all_topics, *names], key="lag_topic", bind="query-params")
        from_offsets = st.toggle("Lag from offsets", value=draft.lag_from_offsets)
        reset_to = st.selectbox(
            "auto.offset.reset",
            ("latest", "earliest", "none"),
            index=("latest", "earliest", "none").index(draft.auto_offset_reset),
            help="Where a consumer starts if nothing is committed: decides the lag there",
            disabled=not from_offsets,
        )
    changed = edits.with_lag_rule(draft, from_offsets=from_offsets, auto_offset_reset=reset_to)
    if changed is not draft:
        current = scenario.commit(changed)
    shown = rows if topic in all_topics else rows[rows["topic"] == topic]
    shown = shown.iloc[:_MAX_ROWS]
    edit = edited(
        current,
        Table(
            name=f"partitions {topic} {from_offsets}",
            base=shown,
            columns=_partition_columns(from_offsets=from_offsets),
            alt="Partitions with lag and present owner, editable",
        ),
    )
    if edit is not None:
        current = scenario.commit(
            edits.with_partitions(current.draft, edit.after), from_editor=True
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input("Lag for all partitions shown", 0, None, None, step=100, key="fill_lag")
        st.button(
            "Fill in",
            on_click=lambda: scenario.change(
                lambda draft: edits.fill_lags(draft, shown.index, st.session_state["fill_lag"])
            ),
            disabled=from_offsets,
            help="A blank number makes them unknown",
        )
    return current


def _partition_columns(*, from_offsets: bool) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    offsets = {
        "begin": number("Begin offset", min_value=0, step=1),
        "end": number("End offset", min_value=0, step=1),
        "committed": number("Committed", min_value=0, step=1, help="Blank: nothing committed"),
    }
    return {
        "topic": st.column_config.TextColumn("Topic", disabled=True),
        "partition": number("Partition", disabled=True),
        "lag": None if from_offsets else number("Lag", step=1, help="Blank: unknown"),
        **(offsets if from_offsets else dict.fromkeys(OFFSET_COLUMNS)),
        "owner": st.column_config.TextColumn(
            "Present owner", help="Blank: nobody; two claimants: apart by a comma"
        ),
        "rate": None,
    }


def _ticks(
    draft: Draft, consumers: re.Pattern[str], topics: re.Pattern[str]
) -> tuple[pd.DataFrame, int]:
    """Return the part of the matrix that the patterns name, and how many cells did not fit."""
    columns = [name for name in draft.topics["topic"] if name and topics.fullmatch(name)]
    rows = [name for name in draft.subscriptions if consumers.fullmatch(name)]
    wide = columns[:_MAX_TICKS]
    tall = rows[: max(_MAX_TICKS // max(len(wide), 1), 1)]
    ticked = {
        topic: [topic in wanted for wanted in map(set, map(draft.subscriptions.__getitem__, tall))]
        for topic in wide
    }
    left_out = len(columns) * len(rows) - len(wide) * len(tall)
    return pd.DataFrame(ticked, index=tall, dtype=bool), left_out


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text if _is_pattern(text) else ".*")
