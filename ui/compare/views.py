"""The details of the answer: figures, reasons, heatmaps, and the assignment itself."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import Group
from charts.heatmaps import consumer_by_topic
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.consumer_labels import labels_by_id
from evaluation.judging import PARTITIONS
from evaluation.load import Load
from ui import downloads, widgets
from ui.compare.explain import explain_view
from ui.compare.figures import consumers_table, figures_table, why
from ui.compare.optimum import optimum_view
from ui.compare.switch import switch_view
from ui.group.draft import blank_unknown
from ui.lag_in_time.view import time_view
from ui.scenario import Scenario
from ui.untrusted import verbatim


def views(current: Scenario, comparison: Comparison) -> None:
    """Show the chosen view of the outcomes."""
    shown: Mapping[str, Callable[[], None]] = {
        "Figures": partial(_figures, comparison),
        "Topics": partial(_heatmaps, comparison),
        "Consumers": partial(consumers_table, comparison, current.reading.hosts),
        "Assignment": partial(_assignment, comparison.group, comparison.outcomes),
        "Optimum": partial(optimum_view, comparison),
        "Switch": partial(switch_view, current, comparison),
        "Explain": partial(explain_view, comparison.group, comparison.runs),
        "Time": partial(time_view, current, comparison.outcomes),
    }
    shown[widgets.choose("View", list(shown), "view", is_label_shown=False)]()


def _figures(comparison: Comparison) -> None:
    figures_table(comparison)
    with st.expander("Why each comes out so", icon=":material/help:"):
        reasons = ((o.label, why(comparison, o)) for o in comparison.outcomes)
        st.markdown("\n".join(f"- **{label}**: {verbatim(reason)}" for label, reason in reasons))
        if any(o.outlook is not None and o.outlook.draws > 1 for o in comparison.outcomes):
            st.caption("After a switch: of the draw shown, in the middle; names differ in others.")


def _heatmaps(comparison: Comparison) -> None:
    group, outcomes = comparison.group, comparison.outcomes
    loads = {load.noun.capitalize(): load for load in (comparison.load, Load(measure=PARTITIONS))}
    quantity = next(iter(loads))
    if len(loads) > 1:
        quantity = widgets.choose("Colour shows", tuple(loads), "colour")
    st.subheader("Consumer by topic")
    st.plotly_chart(
        consumer_by_topic(group, outcomes, loads[quantity]),
        key="by_topic",
        alt=f"{quantity} of every consumer in every topic, one panel for each strategy",
    )
    st.markdown(f":small[Empty cells: no {quantity.lower()} of the topic.]")


def _assignment(group: Group, outcomes: Sequence[Outcome]) -> None:
    table = assignment_table(group, outcomes)
    texts = [table["topic"] + "-" + table["partition"].astype(str)]
    texts += [table[column] for column in table.columns[3:]]
    rows = downloads.searched(table, texts, "topic or consumer", "search", (group.id, "assignment"))
    widgets.table(
        rows,
        "Owner of every partition under every strategy",
        labels={"topic": "Topic", "partition": "Partition", "lag": "Lag"},
        pinned=("topic", "partition"),
        widths={"lag": 90},
        ids=labels_by_id(group),
    )


def assignment_table(group: Group, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return a row per partition: topic, number, lag, and its owner under each strategy."""
    names = np.array([*group.members, ""], dtype=object)  # UNOWNED, -1, is the last one
    columns: dict[str, object] = {
        "topic": np.array([*group.topics, ""], dtype=object)[group.topic_of_partition],
        "partition": group.number_in_topic,
        "lag": blank_unknown(group.lags),
    }
    return pd.DataFrame(columns | {o.label: names[o.owners] for o in outcomes})
