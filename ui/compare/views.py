"""What lies behind the answer: figures, reasons, heatmaps, and the assignment itself."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import UNKNOWN, UNOWNED, Group
from charts.heatmaps import consumer_by_topic
from evaluation.compare import Outcome
from evaluation.explain.reasons import why
from ui import downloads
from ui.compare.explain import explain_view
from ui.compare.figures import consumers_table, figures_table
from ui.compare.optimum import optimum_view
from ui.untrusted import verbatim

_SHOWN_ROWS: Final = 5_000
_VIEWS: Final = ("Figures", "Topics", "Consumers", "Assignment", "Optimum", "Explain")


def views(group: Group, outcomes: Sequence[Outcome], bound: int | None) -> None:
    """Show the chosen view of the outcomes."""
    view = st.segmented_control(
        "View",
        _VIEWS,
        default="Figures",
        required=True,
        key="view",
        bind="query-params",
        label_visibility="collapsed",
    )
    if view == "Figures":
        figures_table(group, outcomes, bound)
        with st.expander("Why each comes out so", icon=":material/help:"):
            _reasons(group, outcomes)
    elif view == "Topics":
        _heatmaps(group, outcomes)
    elif view == "Consumers":
        consumers_table(group, outcomes)
    elif view == "Optimum":
        optimum_view(group, outcomes)
    elif view == "Explain":
        explain_view(group)
    else:
        _assignment(group, outcomes)


def _reasons(group: Group, outcomes: Sequence[Outcome]) -> None:
    """Show one sentence a strategy on why it comes out so."""
    st.markdown("\n".join(f"- {_introduced(why(group, o), o)}" for o in outcomes))


def _heatmaps(group: Group, outcomes: Sequence[Outcome]) -> None:
    quantity = "Partitions"
    if _is_any_lag_known(outcomes):
        quantity = st.segmented_control(
            "Colour shows",
            ("Lag", quantity),
            default="Lag",
            required=True,
            key="colour",
            bind="query-params",
        )
    is_lag = quantity == "Lag"
    st.subheader("Consumer by topic")
    st.plotly_chart(
        consumer_by_topic(group, outcomes, lag=is_lag),
        key="by_topic",
        alt=f"{quantity} of every consumer in every topic, one panel for each strategy",
    )


def _is_any_lag_known(outcomes: Sequence[Outcome]) -> bool:
    """Return whether a picture of lag would show anything."""
    return any(outcome.figures.max_lag is not None for outcome in outcomes)


def _assignment(group: Group, outcomes: Sequence[Outcome]) -> None:
    table = assignment_table(group, outcomes)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sought = st.text_input(
            "Search", key="search", bind="query-params", placeholder="topic or consumer", width=320
        )
        is_wanted = _matching(table, sought)
        downloads.offer(lambda: table[is_wanted], group.id or "group", "assignment")
    found = table[is_wanted]
    st.dataframe(
        found.head(_SHOWN_ROWS),
        hide_index=True,
        column_config={
            "topic": st.column_config.TextColumn("Topic", pinned=True),
            "partition": st.column_config.NumberColumn("Partition", pinned=True),
            "lag": st.column_config.NumberColumn("Lag", format="localized"),
        },
        placeholder="unknown",
        alt="Owner of every partition under every strategy",
    )
    if len(found) > _SHOWN_ROWS:
        st.caption(f"The first {_SHOWN_ROWS:,} of {len(found):,} rows; the files hold them all.")


def assignment_table(group: Group, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return one row a partition: topic, number, lag, and its owner under each strategy."""
    names = np.array([*group.members, ""], dtype=object)  # the last one: nobody
    unknown = group.lags == UNKNOWN
    columns: dict[str, object] = {
        "topic": np.array([*group.topics, ""], dtype=object)[group.topic_of_partition],
        "partition": group.number_in_topic,
        "lag": pd.arrays.IntegerArray(np.where(unknown, 0, group.lags), unknown),
    }
    for outcome in outcomes:
        assert UNOWNED == -1  # noqa: S101 -- the index below counts on it
        columns[outcome.label] = names[outcome.owners]
    return pd.DataFrame(columns)


def _matching(table: pd.DataFrame, sought: str) -> "pd.Series[bool]":
    """Return which rows hold the text in the topic, `topic-partition`, or an owner."""
    if not sought:
        return pd.Series(data=True, index=table.index)
    found = (table["topic"] + "-" + table["partition"].astype(str)).str.contains(
        sought, case=False, regex=False
    )
    for column in table.columns[3:]:
        found |= table[column].str.contains(sought, case=False, regex=False)
    return found


def _introduced(sentence: str, outcome: Outcome) -> str:
    """Set the strategy's name in bold where the sentence begins with it, else in front."""
    for name in (outcome.name, outcome.label):
        if sentence.casefold().startswith(name.casefold()):
            label = f"{outcome.label[0].upper()}{outcome.label[1:]}"
            return f"**{label}**{verbatim(sentence[len(name) :])}"
    return f"**{outcome.label}**: {verbatim(sentence)}"
