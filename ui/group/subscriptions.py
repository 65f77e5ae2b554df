"""Subscriptions: a checkbox per consumer and topic."""

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from sources.errors import SourceError
from sources.patterns import SYNTAX, whole_name
from ui import scenario, widgets
from ui.group import edits, remarks
from ui.group.consumers import short_of
from ui.group.draft import Draft
from ui.group.grid import Edit, Table
from ui.group.grid import edited as edited_table
from ui.scenario import Scenario

_MAX_TICKS: Final = 20_000
_MAX_COLUMNS: Final = 200
_EVERYTHING: Final = ".*"
_AXES: Final = {"consumers": "Consumer", "topics": "Topic"}


def edited(current: Scenario) -> Scenario:
    """Show the filtered part of the matrix; return the scenario after the edit."""
    for axis in _AXES:
        _filter(axis)
    with st.container(horizontal=True):
        st.button(
            "Subscribe to only these",
            on_click=_subscribe_matching,
            help="The consumers that pass the filters give up all topics but those that pass them",
        )
        st.button(
            "Subscribe all to all",
            on_click=lambda: scenario.change(edits.subscribe_all),
        )
    try:
        consumers, topics = _named(current.draft)
    except SourceError as error:
        remarks.show(current)
        widgets.refusal(error)
        return current
    if not consumers or not topics:
        remarks.show(current)
        st.info("No consumer and topic pass the filters. Clear them to see everything.")
        return current
    return _matrix(current, consumers, topics)


def _filter(axis: str) -> None:
    with st.container(horizontal=True):
        st.text_input(
            f"{_AXES[axis]} name contains",
            key=f"{axis}_with",
            bind="query-params",
            placeholder="any text",
            help="Plain text anywhere in the name; upper and lower case are alike",
        )
        st.text_input(
            f"{_AXES[axis]} regex (whole name)",
            _EVERYTHING,
            key=f"{axis}_like",
            bind="query-params",
            help="A regular expression that matches the whole name, as in "
            f"`subscribe(Pattern)`: `orders-.*`. {SYNTAX}",
        )


def _written() -> list[tuple[str, str]]:
    """Return the text and the pattern of each axis's filter."""
    state = st.session_state
    return [(state[f"{axis}_with"] or "", state[f"{axis}_like"] or "") for axis in _AXES]


def _named(draft: Draft) -> tuple[list[str], list[str]]:
    """Return the consumers and topics that match the filters; raises SourceError."""
    kept = []
    for names, (contains, like) in zip(
        (list(draft.subscriptions), list(draft.topics["topic"])), _written(), strict=True
    ):
        sought, matches = contains.strip().casefold(), whole_name(like or _EVERYTHING)
        kept.append(
            [name for name in names if name and sought in name.casefold() and matches(name)]
        )
    consumers, topics = kept
    return consumers, topics


def _subscribe_matching() -> None:
    """Subscribe the filtered consumers; the next run explains an invalid pattern."""
    try:
        scenario.change(lambda draft: edits.subscribe(draft, *_named(draft)))
    except SourceError:
        return


def _matrix(current: Scenario, consumers: Sequence[str], topics: Sequence[str]) -> Scenario:
    wide = topics[:_MAX_COLUMNS]
    tall = consumers[: max(_MAX_TICKS // len(wide), 1)]
    left_out = len(consumers) * len(topics) - len(wide) * len(tall)
    short = short_of(current.draft)
    about = f"{len(tall):,} of {len(current.draft.subscriptions):,} consumers shown."
    if left_out:
        st.caption(f"{left_out:,} cells pass the filters but are not shown; narrow the filters.")

    def taken(draft: Draft, edit: Edit) -> Draft:
        return edits.with_subscriptions(draft, edit.after.set_axis(pd.Index(tall), axis="index"))

    ticked = _ticks(current.draft, tall, wide).set_axis(
        pd.Index([short.get(name, name) for name in tall])
    )
    table = Table(
        name=f"subscriptions {_written()}",
        base=ticked,
        columns={
            "_index": st.column_config.TextColumn(
                "Consumer", width=160, help="Short names; the Consumers table has the whole ids"
            )
        },
        about=about,
        alt="Who subscribes to what, one tick box for each consumer and topic",
        hide_index=False,
    )
    return edited_table(current, table, taken)


def _ticks(draft: Draft, consumers: Sequence[str], topics: Sequence[str]) -> pd.DataFrame:
    wanted = [set(draft.subscriptions[name]) for name in consumers]
    return pd.DataFrame(
        {topic: [topic in each for each in wanted] for topic in topics},
        index=list(consumers),
        dtype=bool,
    )
