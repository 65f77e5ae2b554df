"""The tables of strategies and of consumers, to show and to download."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.certainty import EXACT
from assignors.model import NO_GENERATION, Group
from assignors.sums import whole
from charts.labels import natural
from evaluation import metrics
from evaluation.compare import NOW, Outcome
from evaluation.comparison import Comparison
from evaluation.consumer_labels import labels_by_id
from evaluation.explain.reasons import reason_for
from evaluation.load import Load
from evaluation.rebalance.switching import keeps_owners
from ui import downloads, judging, widgets
from ui.configuration import configuration_popover

FORMATS: Final = {"Above best": "%.0f %%", "Max/mean lag": "%.2f"}


def figures_frame(comparison: Comparison, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return a row of figures per strategy, without uninformative columns."""
    load, bound = comparison.load, comparison.bound
    rows = [
        {
            "Strategy": o.label,
            "Max lag": o.figures.max_lag,
            "Above best": None
            if not load.by_lag or not bound or o.figures.max_lag is None
            else 100 * (o.figures.max_lag / bound - 1),
            "Mean lag": None if o.figures.mean_lag is None else whole(o.figures.mean_lag),
            "Lag spread": o.figures.lag_spread,
            "Max/mean lag": o.figures.max_over_mean_lag,
            "Max partitions": o.figures.max_count,
            "Partition spread": o.figures.count_spread,
            "Idle": o.figures.idle,
            "Moved": o.figures.moved,
            "Off rack": o.figures.off_rack,
            "Unknown lags": o.figures.unknown_lags,
            "Prediction": _prediction(o, load),
        }
        for o in outcomes
    ]
    table = pd.DataFrame(rows)
    if table["Prediction"].isin(["", EXACT.text]).all():
        del table["Prediction"]
    records = ("Max lag", "Mean lag", "Lag spread", "Moved", "Off rack")
    table = table.astype(dict.fromkeys(records, "Int64"))
    table = table.astype(dict.fromkeys(("Max/mean lag", "Above best"), "Float64"))
    return table[[name for name in table if name == "Max lag" or not table[name].isna().all()]]


def _prediction(outcome: Outcome, load: Load) -> str:
    """Return what the figures of an outcome are: exact, uncertain, or those after a switch."""
    if outcome.name == NOW:
        return ""
    if outcome.outlook is None:
        return outcome.certainty.text
    span = load.span_said(outcome)
    return f"after a switch: {span}" if span else "after a switch"


def figures_table(comparison: Comparison) -> None:
    """Show a row of figures per strategy, with downloads and settings."""
    table = figures_frame(comparison, comparison.outcomes)
    widgets.table(
        judging.headed(table, comparison.measure),
        "One row of figures for each strategy",
        {
            "Max lag": "Of the busiest consumer, in records",
            "Above best": "How far the maximum lies above the best possible one",
            "Lag spread": "Busiest minus least busy consumer",
            "Max/mean lag": "1 is even",
            "Partition spread": "Most minus fewest partitions of a consumer",
            "Idle": "Consumers without a partition",
            "Moved": "Partitions whose owner differs from the present one",
            "Off rack": "Partitions without a replica in their owner's rack",
            "Prediction": "What is known of the owners before the rebalance",
        },
        FORMATS,
        height="content",
    )
    with st.container(horizontal=True):
        downloads.offer(lambda: table, comparison.group.id, "figures")
        configuration_popover(comparison.outcomes, comparison.runs)


def why(comparison: Comparison, outcome: Outcome) -> str:
    """Return the reason for an outcome without its name, to show beside its label."""
    group = comparison.group
    if outcome.outlook is not None and not (
        outcome.strategy and keeps_owners(comparison.runs, outcome.strategy)
    ):
        group = group.owned_by(group.nobody(), NO_GENERATION)
    sentence = reason_for(group, outcome, comparison.measure)
    for name in (outcome.name, outcome.label):
        if sentence.casefold().startswith(name.casefold()):
            sentence = sentence[len(name) :].lstrip(", ")
    return f"{sentence[0].upper()}{sentence[1:]}"


def consumers_frame(group: Group, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return a row per strategy and consumer; lag is missing where unknown."""
    return pd.concat(
        [_consumers_of(group, outcome) for outcome in outcomes], ignore_index=True, copy=False
    )


def busiest_first(table: pd.DataFrame, labels: Sequence[str]) -> pd.DataFrame:
    """Return the rows by strategy, the busiest consumer first, then by name as people count."""
    order = {label: k for k, label in enumerate(labels)}
    keys = zip(
        table["strategy"].map(order),
        -table["lag"].astype("Float64").fillna(-1),
        -table["partitions"],
        table["consumer"].map(natural),
        strict=True,
    )
    ranked = sorted(enumerate(keys), key=lambda pair: pair[1])
    return table.iloc[[k for k, _ in ranked]].reset_index(drop=True)


def _consumers_of(group: Group, outcome: Outcome) -> pd.DataFrame:
    counts = metrics.count_per_member(group, outcome.owners)
    unknown = metrics.unknown_per_member(group, outcome.owners)
    lags = metrics.lag_per_member(group, outcome.owners)
    return pd.DataFrame(
        {
            "strategy": outcome.label,
            "consumer": np.array(group.members, dtype=object),
            "partitions": counts,
            "lag": pd.arrays.IntegerArray(lags, (counts > 0) & (unknown == counts)),
            "unknown lags": unknown,
            "topics": metrics.topics_per_member(group, outcome.owners),
            "of all lag": metrics.share_per_member(group, outcome.owners),
        }
    )


def consumers_table(comparison: Comparison, hosts: Mapping[str, str]) -> None:
    """Show every consumer's load under each strategy, the busiest first, with search and files."""
    group, outcomes = comparison.group, comparison.outcomes
    table = busiest_first(consumers_frame(group, outcomes), [o.label for o in outcomes])
    if clients := group.layout.client_ids:
        table["client id"] = [clients.get(name, "") for name in table["consumer"]]
    if hosts:
        table["host"] = [hosts.get(name, "").strip("/") for name in table["consumer"]]
    texts = [table["consumer"], table["strategy"]]
    rows = downloads.searched(
        table, texts, "consumer or strategy", "consumer_search", (group.id, "consumers")
    )
    widgets.table(
        judging.headed(rows.rename(columns=str.capitalize), comparison.measure),
        "Partitions, lag and topics of every consumer under every strategy",
        {
            "Lag": "Known lag, in records",
            "Unknown lags": "Its partitions whose lag comes on top",
            "Of all lag": "Its share of the group's known lag",
        },
        {"Of all lag": "percent"},
        pinned=("Strategy", "Consumer"),
        ids=labels_by_id(group),
    )
