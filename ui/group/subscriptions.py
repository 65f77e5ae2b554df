"""Subscriptions: a checkbox per consumer and topic."""

from collections.abc import Collection, Sequence
from typing import Final

import streamlit as st

from sources.errors import SourceError
from sources.patterns import SYNTAX, whole_name
from ui import scenario, widgets
from ui.choices.text import TextChoice
from ui.draft import edits
from ui.draft.tables import SUBSCRIPTIONS, Draft
from ui.group import sheet
from ui.group.sheet import SheetColumn, SheetTable
from ui.scenario import Scenario

_MAX_TICKS: Final = 20_000
_MAX_COLUMNS: Final = 200
_EVERYTHING: Final = ".*"
_AXES: Final = {"consumers": "Consumer", "topics": "Topic"}


def show_table(current: Scenario) -> None:
    """Show the filtered part of the matrix."""
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
        widgets.refusal(error)
        return
    if not consumers or not topics:
        st.info("No consumer and topic pass the filters. Clear them to see everything.")
        return
    _matrix(current, consumers, topics)


def _filter(axis: str) -> None:
    with st.container(horizontal=True):
        TextChoice(f"{axis}_with").ask(
            f"{_AXES[axis]} name contains",
            "any text",
            "Plain text anywhere in the name; upper and lower case are alike",
        )
        TextChoice(f"{axis}_like").ask(
            f"{_AXES[axis]} regex (whole name)",
            about="A regular expression that matches the whole name, as in "
            f"`subscribe(Pattern)`: `orders-.*`. {SYNTAX}",
            usual=_EVERYTHING,
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


def _matrix(current: Scenario, consumers: Sequence[str], topics: Sequence[str]) -> None:
    wide = topics[:_MAX_COLUMNS]
    tall = consumers[: max(_MAX_TICKS // len(wide), 1)]
    wanted, short = current.draft.subscriptions, current.draft.short_names
    table = SheetTable(
        name=SUBSCRIPTIONS,
        alt="Who subscribes to what, one tick box for each consumer and topic",
        columns=(
            SheetColumn("", "Consumer", "fixed", "Short names; Consumers has the whole ids", 160),
            *(SheetColumn(topic, topic, "tick", width=100) for topic in wide),
        ),
        rows=[(name, short[name], _ticks(short[name], wanted[name], wide)) for name in tall],
    )
    sheet.show(current, table)
    st.caption(f"{len(tall):,} of {len(wanted):,} consumers shown.")
    if left_out := len(consumers) * len(topics) - len(wide) * len(tall):
        st.caption(f"{left_out:,} cells pass the filters but are not shown; narrow the filters.")


def _ticks(consumer: str, wanted: Collection[str], topics: Sequence[str]) -> list[str]:
    chosen = set(wanted)
    return [consumer, *("1" if topic in chosen else "" for topic in topics)]
