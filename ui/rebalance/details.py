"""The views below the pictures, one at a time, so that only the shown one is computed."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import UNOWNED, BoolArray, Group, Owners
from assignors.strategy import Strategy
from charts.labels import short_names
from evaluation.comparing.load import Load
from evaluation.consumer_labels import bare_labels, labels
from evaluation.judging import Measure
from evaluation.metrics import count_per_member, figures_of
from evaluation.rebalance.events import Event
from evaluation.rebalance.rounds import RebalanceRound
from evaluation.rebalance.simulation import Rebalance
from evaluation.takes import takes_of
from evaluation.wording import plural
from ui import columns, downloads, widgets
from ui.answers import known_in
from ui.choices.option import OptionChoice
from ui.columns import FigureColumn, Noun
from ui.rebalance.over_time import over_time
from ui.rebalance.pictures import HELP
from ui.rebalance.words import Result
from ui.scenario import Scenario

_LOADS: Final = (
    FigureColumn(
        "Busiest", lambda of: of.load, Noun.LOAD, "{Noun} of the busiest consumer, afterwards"
    ),
    FigureColumn("Most lag", lambda of: of.max_lag, Noun.LAG),
)
"""Each of a ``Result``."""
_NAMED_PARTITIONS: Final = 8
_NAMED_CONSUMERS: Final = 4
_NAMED_OF_EACH: Final = 4


def details(
    current: Scenario,
    starts: Mapping[Strategy, Group],
    events: tuple[Event, ...],
    results: Sequence[Result],
    drawn: Result,
) -> None:
    """Show the chosen view: all figures, the rounds, every partition, or lag over time."""
    shown: Mapping[str, Callable[[], None]] = {
        "Figures": partial(_figures, results, known_in(current).measure),
        "Rounds": partial(_rounds, drawn),
        "Partitions": partial(_partitions, results, drawn),
        "Over time": partial(over_time, current, starts, events, drawn.strategy),
    }
    shown[OptionChoice("rebalance_view").switch("Details", list(shown), is_label_shown=True)]()


def _figures(results: Sequence[Result], measure: Measure) -> None:
    """Show a row of figures per strategy."""
    load = Load(measure=measure)
    shown = columns.shown(_LOADS, load)
    if not results[0].rebalance.group.counted_weights.any():
        shown = []
    of_each = ({each.heading(load): each.of(result) for each in shown} for result in results)
    table = pd.DataFrame(
        [_figures_row(result, loads) for result, loads in zip(results, of_each, strict=True)]
    )
    table = table.astype(dict.fromkeys(("Fewest", "Needless", "Off rack"), "Int64"))
    if table["Off rack"].isna().all():
        table = table.drop(columns="Off rack")
    widgets.table(
        table,
        "One row of figures on the rebalance for each strategy",
        _ABOUT | columns.abouts(_LOADS, load),
    )
    downloads.offer(lambda: table, results[0].rebalance.group.id, "rebalance-figures")


def _figures_row(result: Result, loads: Mapping[str, int]) -> Mapping[str, object]:
    strategy, rebalance = result
    row = figures_of(rebalance.group, rebalance.after)
    return {
        "Strategy": strategy.label,
        "Takes": takes_of(strategy).value,
        "Moved": rebalance.moved,
        "Fewest": rebalance.fewest,
        "Needless": rebalance.needless,
        "Paused": rebalance.paused,
        "Rounds": len(rebalance.rounds),
        "Spread": row.count_spread,
        "Idle": row.idle,
        "Kept": rebalance.kept,
        "New": rebalance.new,
        **loads,
        "Off rack": row.off_rack,
        "Protocol": strategy.protocol.short,
    }


def _rounds(drawn: Result) -> None:
    """Show the revoked and the unowned partitions in each round under one strategy."""
    protocol = drawn.strategy.protocol.value
    st.markdown(f"**{drawn.strategy.label}** is {protocol}.")
    if not drawn.rebalance.rounds:
        st.markdown("There is no round: the group carries on as it is.")
        return
    turns = enumerate(drawn.rebalance.rounds, 1)
    widgets.table(
        pd.DataFrame([_round_row(drawn.rebalance.group, number, turn) for number, turn in turns]),
        "What is revoked in each round, and what nobody owns meanwhile",
        pinned=(),
        widths={"Round": 70},
        row_height=92,
    )


def _partitions(results: Sequence[Result], drawn: Result) -> None:
    """Show every partition with its owners before and after, under each strategy."""
    table, holders = partition_table(results), drawn.rebalance.holders
    client_ids = drawn.rebalance.group.layout.client_ids
    is_moved = drawn.rebalance.is_moved | (drawn.rebalance.before != drawn.rebalance.after)
    with st.container(horizontal=True, vertical_alignment="center"):
        is_short = st.toggle(
            f"Only what changes under {drawn.strategy.label}", value=True, key="only_changes"
        )
        downloads.offer(lambda: table, drawn.rebalance.group.id, "rebalance")
    widgets.table(
        table[is_moved] if is_short else table,
        "Owner of every partition before and after, under each strategy",
        labels={"topic": "Topic", "partition": "Partition", "owner before": "Owner before"},
        pinned=("topic", "partition"),
        ids=dict(zip(holders, labels(holders, client_ids), strict=True)),
    )


def partition_table(results: Sequence[Result]) -> pd.DataFrame:
    """Return a row per partition: topic, number, and its owner before and after.

    Owners before are in one column if they are the same under all strategies.
    """
    group = results[0].rebalance.group
    columns: dict[str, object] = {
        "topic": np.array([*group.topics, ""], dtype=object)[group.topic_of_partition],
        "partition": group.number_in_topic,
    }
    first = results[0].rebalance.before
    is_shared = all(np.array_equal(rebalance.before, first) for _, rebalance in results)
    if is_shared:
        columns["owner before"] = _names(results[0].rebalance, first)
    for strategy, rebalance in results:
        if not is_shared:
            columns[f"{strategy.label}: before"] = _names(rebalance, rebalance.before)
        columns[f"{strategy.label}: after"] = _names(rebalance, rebalance.after)
    return pd.DataFrame(columns)


def _names(rebalance: Rebalance, owners: Owners) -> np.typing.NDArray[np.object_]:
    names: np.typing.NDArray[np.object_] = np.array([*rebalance.holders, "nobody"], dtype=object)
    return names[owners]  # UNOWNED, -1, is the last one


def _round_row(group: Group, number: int, turn: RebalanceRound) -> Mapping[str, object]:
    return {
        "Round": number,
        "Without an owner": _listed(group, turn.paused, _NAMED_PARTITIONS) or "none",
        "Revoked": _revoked(group, turn) or "none",
    }


def _revoked(group: Group, turn: RebalanceRound) -> str:
    """Return the revoked partitions by consumer, those that lose most first."""
    counts = count_per_member(group, turn.revoked)
    losers = np.flatnonzero(counts)
    if losers.size > 1 and (turn.during == UNOWNED).all():
        return f"everything, from {plural(losers.size, 'consumer')}"
    losers = losers[np.argsort(-counts[losers], kind="stable")]
    names = short_names(bare_labels(group))
    shown = "; ".join(
        f"{names[member]}: {_listed(group, turn.revoked == member, _NAMED_OF_EACH)}"
        for member in losers[:_NAMED_CONSUMERS].tolist()
    )
    rest = losers.size - _NAMED_CONSUMERS
    return f"{shown}; and {plural(rest, 'more consumer')}" if rest > 0 else shown


def _listed(group: Group, is_chosen: BoolArray, most: int) -> str:
    chosen = np.flatnonzero(is_chosen)
    if chosen.size > most and chosen.size == is_chosen.size:
        return f"all {plural(chosen.size, 'partition')}"
    shown = ", ".join(group.partition_name(p) for p in chosen[:most].tolist())
    rest = chosen.size - most
    return f"{shown} and {rest:,} more" if rest > 0 else shown


_ABOUT: Final = HELP | {
    "Fewest": "The fewest moves possible from the owners before to even counts; known where all "
    "consumers subscribe to the same topics",
    "Rounds": "How often the whole group had to rejoin",
    "Spread": "Most minus fewest partitions of a consumer, afterwards",
    "Idle": "Consumers without a partition, afterwards",
    "Kept": "Partitions that stayed with their owner",
    "Off rack": "Partitions without a replica in their owner's rack, afterwards",
}
