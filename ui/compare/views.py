"""What lies behind the answer: figures, reasons, heatmaps, and the assignment itself."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import UNOWNED, Group
from charts.heatmaps import consumer_by_topic
from evaluation.compare import Outcome
from evaluation.explain.reasons import reason_for
from ui import downloads, widgets
from ui.compare.explain import explain_view
from ui.compare.figures import consumers_table, figures_table
from ui.compare.optimum import optimum_view
from ui.compare.switch import switch_view
from ui.group.draft import blank_unknown
from ui.lag_in_time.view import time_view
from ui.scenario import Scenario
from ui.untrusted import verbatim

_VIEWS: Final = (
    "Figures",
    "Topics",
    "Consumers",
    "Assignment",
    "Optimum",
    "Switch",
    "Explain",
    "Time",
)


def views(current: Scenario, outcomes: Sequence[Outcome], bound: int | None) -> None:
    """Show the chosen view of the outcomes."""
    group = current.group
    view = widgets.choose("View", _VIEWS, "view", is_label_shown=False)
    if view == "Figures":
        figures_table(group, outcomes, bound)
        with st.expander("Why each comes out so", icon=":material/help:"):
            st.markdown("\n".join(f"- {_introduced(reason_for(group, o), o)}" for o in outcomes))
    elif view == "Topics":
        _heatmaps(group, outcomes)
    elif view == "Consumers":
        consumers_table(group, outcomes)
    elif view == "Optimum":
        optimum_view(group, outcomes)
    elif view == "Switch":
        switch_view(group)
    elif view == "Explain":
        explain_view(group)
    elif view == "Time":
        time_view(current, outcomes)
    else:
        _assignment(group, outcomes)


def _heatmaps(group: Group, outcomes: Sequence[Outcome]) -> None:
    quantity = "Partitions"
    if any(outcome.figures.max_lag is not None for outcome in outcomes):
        quantity = widgets.choose("Colour shows", ("Lag", quantity), "colour")
    is_lag = quantity == "Lag"
    st.subheader("Consumer by topic")
    st.plotly_chart(
        consumer_by_topic(group, outcomes, lag=is_lag),
        key="by_topic",
        alt=f"{quantity} of every consumer in every topic, one panel for each strategy",
    )
    st.markdown(f":small[Empty cells: no {quantity.lower()} of the topic.]")


def _assignment(group: Group, outcomes: Sequence[Outcome]) -> None:
    table = assignment_table(group, outcomes)
    texts = [table["topic"] + "-" + table["partition"].astype(str)]
    texts += [table[column] for column in table.columns[3:]]
    rows = downloads.searched(
        table, texts, "topic or consumer", "search", (group.id or "group", "assignment")
    )
    widgets.table(
        rows,
        "Owner of every partition under every strategy",
        labels={"topic": "Topic", "partition": "Partition", "lag": "Lag"},
        pinned=("topic", "partition"),
        widths={"lag": 90},
        ids=group.members,
    )


def assignment_table(group: Group, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return one row a partition: topic, number, lag, and its owner under each strategy."""
    names = np.array([*group.members, ""], dtype=object)  # the last one: nobody
    columns: dict[str, object] = {
        "topic": np.array([*group.topics, ""], dtype=object)[group.topic_of_partition],
        "partition": group.number_in_topic,
        "lag": blank_unknown(group.lags),
    }
    for outcome in outcomes:
        assert UNOWNED == -1  # noqa: S101 -- the index below counts on it
        columns[outcome.label] = names[outcome.owners]
    return pd.DataFrame(columns)


def _introduced(sentence: str, outcome: Outcome) -> str:
    """Set the strategy's name in bold where the sentence begins with it, else in front."""
    for name in (outcome.name, outcome.label):
        if sentence.casefold().startswith(name.casefold()):
            label = f"{outcome.label[0].upper()}{outcome.label[1:]}"
            return f"**{label}**{verbatim(sentence[len(name) :])}"
    return f"**{outcome.label}**: {verbatim(sentence)}"
