"""The table of partitions: their lags or offsets, and their present owners."""

from functools import partial
from typing import Any, Final

import pandas as pd
import streamlit as st

from assignors.lag.offsets import RESETS
from ui import scenario
from ui.group import edits
from ui.group.consumers import short_of
from ui.group.draft import OFFSET_COLUMNS, Draft
from ui.group.grid import Table
from ui.group.grid import edited as edited_table
from ui.scenario import Scenario

_MAX_ROWS: Final = 2_000
_MAX_LISTED: Final = 300
"""The most consumers to choose from; a longer list is unusable, and every edit sends it."""
_ALL: Final = "all topics"


def edited(current: Scenario) -> Scenario:
    """Show the partitions of a topic; return the scenario after the edit."""
    draft = current.draft
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rows = _chosen(draft)
        first = _first(len(rows))
        _lag_rule(current)
    shown = rows.iloc[first : first + _MAX_ROWS]
    table = Table(
        name=f"partitions {shown.index[:1].tolist()} {len(shown)}",
        base=shown.assign(owner=shown["owner"].mask(shown["owner"] == "", None)),
        columns=_columns(draft, shown["owner"]),
        about=f"{len(shown):,} of {len(draft.partitions):,} partitions shown.",
        alt="Partitions with lag and current owner, editable",
    )
    current = edited_table(
        current, table, lambda draft, edit: edits.with_partitions(draft, edit.after)
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input("Lag of every partition shown", 0, None, None, step=100, key="fill_lag")
        st.button(
            "Fill in",
            on_click=partial(_fill, shown.index),
            disabled=draft.lag_from_offsets,
            help="Leave the number blank to make these lags unknown",
        )
    return current


def _chosen(draft: Draft) -> pd.DataFrame:
    """Let the viewer choose a topic, or all if they fit; return its partitions."""
    rows = draft.partitions
    all_topics = [] if len(rows) > _MAX_ROWS else [_ALL]
    names = [name for name in draft.topics["topic"] if name]
    topic = st.selectbox("Topic", [*all_topics, *names], key="lag_topic", bind="query-params")
    return rows if topic in all_topics else rows[rows["topic"] == topic]


def _first(count: int) -> int:
    """Return the first row to show; of too many, the viewer chooses."""
    if count <= _MAX_ROWS:
        return 0
    chosen = st.number_input(
        "From partition",
        0,
        count - 1,
        0,
        step=_MAX_ROWS,
        key="from_partition",
        help=f"{_MAX_ROWS:,} partitions are shown at a time",
    )
    return int(chosen)


def _lag_rule(current: Scenario) -> None:
    """Let the viewer choose the source of lags; a callback, so that undo includes it."""
    draft = current.draft
    changed = partial(_set_lag_rule, current.edition)
    st.toggle(
        "Lag from offsets",
        value=draft.lag_from_offsets,
        key=f"from_offsets {current.edition}",
        on_change=changed,
        help="Edit offsets instead of lags; lag is the end offset minus the committed one",
    )
    st.selectbox(
        "auto.offset.reset",
        RESETS,
        index=RESETS.index(draft.auto_offset_reset),
        key=f"reset_to {current.edition}",
        on_change=changed,
        help="Where a consumer starts on a partition without a committed offset, and so the lag "
        "there: 0 with latest, the whole log with earliest",
        disabled=not draft.lag_from_offsets,
    )


def _set_lag_rule(edition: int) -> None:
    from_offsets = st.session_state[f"from_offsets {edition}"]
    reset = st.session_state[f"reset_to {edition}"]
    scenario.change(
        lambda draft: edits.with_lag_rule(draft, from_offsets=from_offsets, auto_offset_reset=reset)
    )


def _fill(rows: "pd.Index[int]") -> None:
    lag = st.session_state["fill_lag"]
    scenario.change(lambda draft: edits.fill_lags(draft, rows, lag))


def _columns(draft: Draft, owners: "pd.Series[str]") -> dict[str, Any]:
    number = st.column_config.NumberColumn
    from_offsets = draft.lag_from_offsets
    offsets = {
        "begin": number("Begin offset", min_value=0, step=1),
        "end": number("End offset", min_value=0, step=1),
        "committed": number(
            "Committed offset", min_value=0, step=1, help="Blank: nothing is committed"
        ),
    }
    return {
        "topic": st.column_config.TextColumn("Topic", disabled=True),
        "partition": number("Partition", disabled=True),
        "lag": None if from_offsets else number("Lag", step=1, help="Blank: unknown"),
        **(offsets if from_offsets else dict.fromkeys(OFFSET_COLUMNS)),
        "owner": _owner_column(draft, owners),
        "rate": None,
    }


def _owner_column(draft: Draft, owners: "pd.Series[str]") -> Any:  # noqa: ANN401 -- not exported
    """Return a column with a list of consumers to choose from, or text if they are too many."""
    names = [name for name in draft.consumers["consumer"] if name]
    if len(names) > _MAX_LISTED:
        return st.column_config.TextColumn(
            "Current owner",
            help="The id of a consumer; blank for none. Separate several claimants by commas.",
        )
    short = short_of(draft)
    others = sorted(set(owners) - set(names) - {""})
    return st.column_config.SelectboxColumn(
        "Current owner",
        options=[*names, *others],
        format_func=lambda owner: short.get(str(owner), str(owner)),
        help="Short names, with the whole ids on hover in the list above. Delete for none.",
    )
