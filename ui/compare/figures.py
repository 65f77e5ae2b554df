"""The tables of strategies and of consumers, to show and to download."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

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
from evaluation.metrics import Figures
from evaluation.rebalance.switching import keeps_owners
from ui import downloads, judging, widgets
from ui.configuration import configuration_popover


class _Figure(NamedTuple):
    """A column of the table of strategies."""

    name: str
    of: Callable[[Figures, int | None], float | None]
    """From the figures of an outcome and the best possible load."""
    about: str = ""
    form: str = ""
    """How it is written, unless it is a whole number."""


_FIGURES: Final = (
    _Figure("Max lag", lambda f, _: f.max_lag, "Of the busiest consumer"),
    _Figure(
        "Above best",
        lambda f, best: 100 * (f.max_lag / best - 1) if best and f.max_lag is not None else None,
        "How far the busiest consumer lies above the best possible",
        "%.0f %%",
    ),
    _Figure("Mean lag", lambda f, _: None if f.mean_lag is None else whole(f.mean_lag)),
    _Figure("Lag spread", lambda f, _: f.lag_spread, "Busiest minus least busy consumer"),
    _Figure("Max/mean lag", lambda f, _: f.max_over_mean_lag, "1 is even", "%.2f"),
    _Figure("Max partitions", lambda f, _: f.max_count),
    _Figure(
        "Partition spread",
        lambda f, _: f.count_spread,
        "Most minus fewest partitions of a consumer",
    ),
    _Figure("Idle", lambda f, _: f.idle, "Consumers without a partition"),
    _Figure("Moved", lambda f, _: f.moved, "Partitions whose owner differs from the present one"),
    _Figure(
        "Off rack", lambda f, _: f.off_rack, "Partitions without a replica in their owner's rack"
    ),
    _Figure(
        "Unknown lags",
        lambda f, _: f.unknown_lags,
        "Partitions of which it is unknown and comes on top",
    ),
)
_ABOUT: Final = {each.name: each.about for each in _FIGURES} | {
    "Prediction": "What is known of the owners before the rebalance"
}
_ABOUT_CONSUMERS: Final = {
    "lag": "As far as it is known",
    "unknown lags": "Its partitions of which it is unknown and comes on top",
    "of all lag": "Its share of what is known of the group",
}
FORMATS: Final = {each.name: each.form for each in _FIGURES if each.form}


def figures_frame(comparison: Comparison, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return a row of figures per strategy, without uninformative columns."""
    load = comparison.load
    best = comparison.bound if load.by_lag else None
    rows = [
        {"Strategy": o.label}
        | {each.name: each.of(o.figures, best) for each in _FIGURES}
        | {"Prediction": _prediction(o, load)}
        for o in outcomes
    ]
    kinds = {each.name: "Float64" if each.form else "Int64" for each in _FIGURES}
    table = pd.DataFrame(rows).astype(kinds)
    if table["Prediction"].isin(["", EXACT.text]).all():
        del table["Prediction"]
    known = [name for name in table if name == "Max lag" or not table[name].isna().all()]
    return judging.headed(table[known], comparison.measure)


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
        table,
        "One row of figures for each strategy",
        judging.keyed(_ABOUT, comparison.measure),
        judging.keyed(FORMATS, comparison.measure),
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
    group, outcomes, measure = comparison.group, comparison.outcomes, comparison.measure
    table = busiest_first(consumers_frame(group, outcomes), [o.label for o in outcomes])
    if clients := group.layout.client_ids:
        table["client id"] = [clients.get(name, "") for name in table["consumer"]]
    if hosts:
        table["host"] = [hosts.get(name, "").strip("/") for name in table["consumer"]]
    table = judging.headed(table, measure)
    texts = [table["consumer"], table["strategy"]]
    rows = downloads.searched(
        table, texts, "consumer or strategy", "consumer_search", (group.id, "consumers")
    )
    widgets.table(
        rows,
        "Partitions, lag and topics of every consumer under every strategy",
        judging.keyed(_ABOUT_CONSUMERS, measure),
        judging.keyed({"of all lag": "percent"}, measure),
        labels={name: name.capitalize() for name in map(str, rows)},
        pinned=("strategy", "consumer"),
        ids=labels_by_id(group),
    )
