"""The tables of strategies and of consumers, to show and to download."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from assignors.certainty import EXACT
from assignors.model import NO_GENERATION, Group, Owners
from assignors.strategy import Strategy
from assignors.sums import whole
from evaluation import metrics
from evaluation.answering.answer import Answer
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import NOW, Outcome
from evaluation.consumer_labels import labels_by_id
from evaluation.explain.reasons import reason_for
from evaluation.judging import Measure
from evaluation.rebalance.switching import keeps_owners
from evaluation.releases import holds_for
from evaluation.wording import natural
from ui import columns, downloads, widgets
from ui.columns import FigureColumn, Noun
from ui.configuration import configuration_popover

_FIGURES: Final = (
    FigureColumn("Busiest", lambda f, _: f.max_load, Noun.LOAD, "{Noun} of the busiest consumer"),
    FigureColumn(
        "Above lower bound",
        lambda f, bound: (
            100 * (f.max_load / bound - 1) if bound and f.max_load is not None else None
        ),
        Noun.LOAD,
        "How far the busiest consumer is above the lower bound",
        "%.0f %%",
    ),
    FigureColumn(
        "Even share",
        lambda f, _: None if f.mean_load is None else whole(f.mean_load),
        Noun.LOAD,
        "{Noun} of all consumers, divided among them",
    ),
    FigureColumn(
        "{Noun} spread", lambda f, _: f.load_spread, Noun.LOAD, "Busiest minus least busy consumer"
    ),
    FigureColumn(
        "Busiest / even share", lambda f, _: f.max_over_mean_load, Noun.LOAD, "1 is even", "%.2f"
    ),
    FigureColumn("Most lag", lambda f, _: f.max_lag, Noun.LAG, "Of the consumer with the most lag"),
    FigureColumn("Most partitions", lambda f, _: f.max_count),
    FigureColumn(
        "Partition spread",
        lambda f, _: f.count_spread,
        about="Most minus fewest partitions of a consumer",
    ),
    FigureColumn("Idle", lambda f, _: f.idle, about="Consumers without a partition"),
    FigureColumn(
        "Moved",
        lambda f, _: f.moved,
        about="Partitions whose owner differs from the present one",
    ),
    FigureColumn(
        "Off rack",
        lambda f, _: f.off_rack,
        about="Partitions without a replica in their owner's rack",
    ),
    FigureColumn(
        "Unknown {noun}",
        lambda f, _: f.unknown_loads,
        Noun.LOAD,
        "Partitions for which it is unknown; the real total is higher",
    ),
)
"""Each of the figures of an outcome and the lower bound."""
_PREDICTION: Final = "Prediction"


def figures_frame(outcomes: Sequence[Outcome], load: Load, bound: int | None) -> pd.DataFrame:
    """Return a row of figures per strategy, without uninformative columns.

    ``bound`` is the lower bound of the busiest consumer's load, None if unknown.
    """
    shown = columns.shown(_FIGURES, load)
    rows = [
        {"Strategy": o.label}
        | {each.heading(load): each.of(o.figures, bound) for each in shown}
        | {_PREDICTION: _prediction(o, load)}
        for o in outcomes
    ]
    table = pd.DataFrame(rows)
    kinds = {each.heading(load): "Float64" if each.form else "Int64" for each in shown}
    table = table.astype(kinds)
    if table[_PREDICTION].isin(["", EXACT.text]).all():
        del table[_PREDICTION]
    return table[[name for name in table if not table[name].isna().all()]]


def formats(load: Load) -> dict[str, str]:
    """Return how the columns of figures are written, by heading."""
    return columns.forms(_FIGURES, load)


def _prediction(outcome: Outcome, load: Load) -> str:
    """Return what the figures of an outcome are: exact, uncertain, or those after a switch."""
    if outcome.name == NOW:
        return ""
    if outcome.outlook is None:
        return outcome.certainty.text
    span = load.span_said(outcome)
    return f"after a switch: {span}" if span else "after a switch"


def figures_table(answer: Answer, outcomes: Sequence[Outcome]) -> None:
    """Show a row of figures per strategy, with downloads and settings."""
    table, load = figures_frame(outcomes, answer.load, answer.bound), answer.load
    holds = holds_for(each.strategy for each in outcomes if each.strategy)
    widgets.table(
        table,
        "One row of figures for each strategy",
        columns.abouts(_FIGURES, load)
        | {_PREDICTION: f"What is known of the owners before the rebalance. {holds}".strip()},
        formats(load),
        height="content",
    )
    with st.container(horizontal=True):
        downloads.offer(lambda: table, answer.group.id, "figures")
        configuration_popover(outcomes, answer.running.strategy)


def why(group: Group, runs: Strategy | None, outcome: Outcome, measure: Measure) -> str:
    """Return the reason for an outcome without its name, to show beside its label.

    ``runs`` is the strategy that the group runs, if it is known.
    """
    if outcome.outlook is not None and not (
        outcome.strategy and keeps_owners(runs, outcome.strategy)
    ):
        group = group.owned_by(group.nobody(), NO_GENERATION)
    return reason_for(group, outcome, measure, is_named=False)


class _Held(NamedTuple):
    """What the consumers have under one outcome."""

    group: Group
    outcome: Outcome

    @property
    def lags(self) -> pd.arrays.IntegerArray:
        return _known_per_member(self.group.with_weights(None), self.outcome.owners)


def _known_per_member(group: Group, owners: Owners) -> pd.arrays.IntegerArray:
    """Return the load of each member, missing where no weight of it is known."""
    loads = metrics.load_per_member(group, owners)
    return pd.arrays.IntegerArray(loads, ~metrics.is_load_known(group, owners))


_CONSUMERS: Final = (
    FigureColumn("strategy", lambda at: at.outcome.label),
    FigureColumn("consumer", lambda at: np.array(at.group.members, dtype=object)),
    FigureColumn("partitions", lambda at: metrics.count_per_member(at.group, at.outcome.owners)),
    FigureColumn(
        "{noun}",
        lambda at: _known_per_member(at.group, at.outcome.owners),
        Noun.LOAD,
        "As far as it is known",
    ),
    FigureColumn("lag", lambda at: at.lags, Noun.LAG),
    FigureColumn(
        "unknown {noun}",
        lambda at: metrics.unknown_per_member(at.group, at.outcome.owners),
        Noun.LOAD,
        "Its partitions for which it is unknown; its real total is higher",
    ),
    FigureColumn("topics", lambda at: metrics.topics_per_member(at.group, at.outcome.owners)),
    FigureColumn(
        "of all {noun}",
        lambda at: metrics.share_per_member(at.group, at.outcome.owners),
        Noun.LOAD,
        "Its share of what is known of the group",
        "percent",
    ),
)


def consumers_frame(group: Group, outcomes: Sequence[Outcome], load: Load) -> pd.DataFrame:
    """Return a row per strategy and consumer, the busiest first; a load is missing if unknown."""
    tables = []
    for outcome in outcomes:
        held = _Held(group, outcome)
        table = pd.DataFrame(
            {each.heading(load): each.of(held) for each in columns.shown(_CONSUMERS, load)}
        )
        busiest = table[load.noun].astype("Float64").fillna(-1)
        by = zip(-busiest, -table["partitions"], table["consumer"].map(natural), strict=True)
        ranked = sorted(enumerate(by), key=lambda pair: pair[1])
        tables.append(table.iloc[[k for k, _ in ranked]])
    return pd.concat(tables, ignore_index=True, copy=False)


def consumers_table(
    group: Group, outcomes: Sequence[Outcome], load: Load, hosts: Mapping[str, str]
) -> None:
    """Show every consumer's load under each strategy, the busiest first, with search and files."""
    table = consumers_frame(group, outcomes, load)
    if clients := group.layout.client_ids:
        table["client id"] = [clients.get(name, "") for name in table["consumer"]]
    if hosts:
        table["host"] = [hosts.get(name, "").strip("/") for name in table["consumer"]]
    texts = [table["consumer"], table["strategy"]]
    rows = downloads.searched(
        table, texts, "consumer or strategy", "consumer_search", (group.id, "consumers")
    )
    widgets.table(
        rows,
        f"Partitions, {load.noun} and topics of every consumer under every strategy",
        columns.abouts(_CONSUMERS, load),
        columns.forms(_CONSUMERS, load),
        labels={name: name.capitalize() for name in map(str, rows)},
        pinned=("strategy", "consumer"),
        ids=labels_by_id(group),
    )
