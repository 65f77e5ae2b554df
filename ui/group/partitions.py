"""The table of partitions: their lags or offsets, and their present owners."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from assignors.offsets import RESETS
from ui import scenario
from ui.choices.option import OptionChoice
from ui.draft import edits
from ui.draft.edits import partition_row
from ui.draft.tables import PARTITIONS, Draft, separated
from ui.group import sheet
from ui.group.sheet import SheetColumn, SheetTable
from ui.scenario import Scenario

_FROM_OFFSETS: Final = "from_offsets"
_RESET: Final = "reset_to"
_MOST_LISTED: Final = 300
"""The most consumers to choose from; a longer list is unusable, and every edit sends it."""
_ALL: Final = "all topics"


def show_table(current: Scenario) -> None:
    """Show the partitions of a topic."""
    draft = current.draft
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = sheet.window(_chosen(draft), "partition")
        _lag_rule(draft)
    columns = _columns(draft)
    names = shown["topic"] + "-" + shown["partition"].astype(str)
    ids = [partition_row(t, n) for t, n in zip(shown["topic"], shown["partition"], strict=True)]
    owners = [_shown_owners(owner, draft.short_names) for owner in shown["owner"]]
    rows = shown.assign(owner=owners).set_axis(pd.Index(ids))
    table = SheetTable(
        name=PARTITIONS,
        alt="Partitions with lag and current owner, editable",
        columns=columns,
        rows=sheet.rows_of(rows, columns, names),
        options=[(shown, name) for name, shown in draft.short_names.items()][:_MOST_LISTED],
    )
    sheet.show(current, table)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.caption(f"{len(shown):,} of {len(draft.partitions):,} partitions shown.")
        st.number_input("Lag of every partition shown", 0, None, None, step=100, key="fill_lag")
        st.button(
            "Fill in",
            on_click=partial(_fill, shown.index),
            disabled=draft.lag_from_offsets,
            help="Leave the number blank to make these lags unknown",
        )


def _shown_owners(owners: str, short: Mapping[str, str]) -> str:
    return ", ".join(short.get(name, name) for name in separated(owners))


def _chosen(draft: Draft) -> pd.DataFrame:
    """Let the viewer choose a topic, or all if they fit; return its partitions."""
    rows = draft.partitions
    all_topics = [] if len(rows) > sheet.MOST_ROWS else [_ALL]
    names = [name for name in draft.topics["topic"] if name]
    topic = OptionChoice("lag_topic").pick("Topic", [*all_topics, *names])
    return rows if topic in all_topics else rows[rows["topic"] == topic]


def _lag_rule(draft: Draft) -> None:
    """Let the viewer choose the source of lags; a callback, so that undo includes it."""
    st.session_state[_FROM_OFFSETS] = draft.lag_from_offsets
    st.session_state[_RESET] = draft.auto_offset_reset
    st.toggle(
        "Lag from offsets",
        key=_FROM_OFFSETS,
        on_change=_set_lag_rule,
        help="Edit offsets instead of lags; lag is the end offset minus the committed one",
    )
    st.selectbox(
        "auto.offset.reset",
        RESETS,
        key=_RESET,
        on_change=_set_lag_rule,
        help="Where a consumer starts on a partition without a committed offset, and so the lag "
        "there: 0 with latest, the whole log with earliest",
        disabled=not draft.lag_from_offsets,
    )


def _set_lag_rule() -> None:
    from_offsets, reset = (st.session_state[key] for key in (_FROM_OFFSETS, _RESET))
    scenario.change(
        lambda draft: edits.with_lag_rule(draft, from_offsets=from_offsets, auto_offset_reset=reset)
    )


def _fill(rows: "pd.Index[int]") -> None:
    lag = st.session_state["fill_lag"]
    scenario.change(lambda draft: edits.fill_lags(draft, rows, lag))


def _columns(draft: Draft) -> tuple[SheetColumn, ...]:
    offsets = (
        SheetColumn("begin", "Begin offset", "number", width=90),
        SheetColumn("end", "End offset", "number", width=90),
        SheetColumn(
            "committed", "Committed offset", "number", "Blank: nothing is committed", width=90
        ),
    )
    lag = (SheetColumn("lag", "Lag", "number", "Blank: unknown", width=100),)
    return (
        SheetColumn("topic", "Topic", "fixed", width=130),
        SheetColumn("partition", "Partition", "figure", width=80),
        *(offsets if draft.lag_from_offsets else lag),
        SheetColumn(
            "owner",
            "Current owner",
            "choice",
            "A consumer by its short name or whole id; blank for none. Separate several claimants "
            "by commas",
            width=150,
        ),
    )
