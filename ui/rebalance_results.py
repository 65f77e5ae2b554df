"""What a step of a history shows: figures, the flow, the rounds, and every partition."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import UNOWNED, BoolArray, Group, Owners
from charts.flow import flow
from charts.flow_slots import MOST_APART
from charts.labels import short_names
from charts.rounds import Standing, rounds_chart
from evaluation.metrics import count_per_member, figures
from evaluation.rebalance import Rebalance, moments
from evaluation.rounds import Round
from ui import downloads
from ui.rebalance_history import DRAWN
from ui.rebalance_words import Result
from ui.words import plural

_SHOWN_ROWS: Final = 5_000
_NAMED_PARTITIONS: Final = 8
_NAMED_CONSUMERS: Final = 6


def figures_table(results: Sequence[Result]) -> None:
    """Show one row of figures a strategy."""
    table = pd.DataFrame([_figures_row(result) for result in results])
    table = table.astype(dict.fromkeys(("Fewest", "Unneeded", "Off rack"), "Int64"))
    if table["Off rack"].isna().all():
        table = table.drop(columns="Off rack")
    st.dataframe(
        table,
        hide_index=True,
        column_config=_FIGURES,
        placeholder="not known",
        alt="One row of figures on the rebalance for each strategy",
    )


def _figures_row(result: Result) -> Mapping[str, object]:
    strategy, found = result
    row = figures(found.group, found.after)
    return {
        "Strategy": strategy.label,
        "Moved": found.moved,
        "Fewest": found.fewest,
        "Unneeded": found.unneeded,
        "Stood still": found.stopped,
        "Rounds": len(found.rounds),
        "Spread": row.count_spread,
        "Idle": row.idle,
        "Kept": found.kept,
        "New": found.new,
        "Off rack": row.off_rack,
        "Protocol": strategy.protocol.value.partition(":")[0],
    }


def choose_drawn(results: Sequence[Result]) -> Result:
    """Show the strategies to draw and return the chosen one."""
    by_name = {result.strategy.name: result for result in results}
    if st.session_state.get(DRAWN) not in by_name:
        st.session_state[DRAWN] = next(iter(by_name))
    name = st.segmented_control(
        "Picture of",
        list(by_name),
        required=True,
        key=DRAWN,
        format_func=lambda name: by_name[name].strategy.label,
        wrap=True,
    )
    return by_name[name or next(iter(by_name))]


def flow_picture(drawn: Result) -> None:
    """Show who handed how much to whom."""
    found = drawn.found
    st.subheader(f"Who hands over what under {drawn.strategy.label}")
    st.plotly_chart(
        flow(found),
        key="flow",
        alt=f"{plural(found.kept, 'partition')} stay, {found.moved} move, {found.new} are new",
    )
    if len(found.holders) > MOST_APART:
        st.caption(
            "The consumers that give or take most stand apart; the others share a slot, which "
            "is drawn smaller than its partitions. Every partition is in the table below."
        )


def rounds_picture(results: Sequence[Result], drawn: Result) -> None:
    """Show how much stands still meanwhile: all strategies as a picture, one in words."""
    st.subheader("What stands still meanwhile")
    standings = [
        Standing(strategy.label, moments(found, strategy.protocol)) for strategy, found in results
    ]
    st.plotly_chart(
        rounds_chart(standings),
        key="rounds",
        alt="Partitions with and without an owner before, during and after the rebalance, "
        "one panel for each strategy",
    )
    st.caption(f"**{drawn.strategy.label}**: {drawn.strategy.protocol.value}.")
    rounds = drawn.found.rounds
    if not rounds:
        st.caption("No round at all: the group goes on as it is.")
        return
    st.table(
        pd.DataFrame(
            [_round_row(drawn.found.group, number, turn) for number, turn in enumerate(rounds, 1)]
        ),
        hide_index=True,
        alt="What is given up in each round, and what nobody owns meanwhile",
    )


def partitions(results: Sequence[Result], drawn: Result) -> None:
    """Show every partition with its owner before and after, under each strategy."""
    st.subheader("Every partition")
    table = partition_table(results)
    is_moved = drawn.found.is_moved | (drawn.found.before != drawn.found.after)
    with st.container(horizontal=True, vertical_alignment="center"):
        is_short = st.toggle(f"Only what changes under {drawn.strategy.label}", key="only_changes")
        downloads.offer(lambda: table, drawn.found.group.id or "group", "rebalance")
    shown = table[is_moved] if is_short else table
    st.dataframe(
        shown.head(_SHOWN_ROWS),
        hide_index=True,
        column_config={
            "topic": st.column_config.TextColumn("Topic", pinned=True),
            "partition": st.column_config.NumberColumn("Partition", pinned=True),
            "owner before": st.column_config.TextColumn("Owner before"),
        },
        alt="Owner of every partition before and after, under each strategy",
    )
    if len(shown) > _SHOWN_ROWS:
        st.caption(f"The first {_SHOWN_ROWS:,} of {len(shown):,} rows; the CSV holds them all.")


def partition_table(results: Sequence[Result]) -> pd.DataFrame:
    """Return one row a partition: topic, number, and its owner before and after.

    Owners before stand in one column if they are the same under all strategies.
    """
    group = results[0].found.group
    columns: dict[str, object] = {
        "topic": np.array([*group.topics, ""], dtype=object)[group.topic_of_partition],
        "partition": group.number_in_topic,
    }
    first = results[0].found.before
    is_shared = all(np.array_equal(found.before, first) for _, found in results)
    if is_shared:
        columns["owner before"] = _names(results[0].found, first)
    for strategy, found in results:
        if not is_shared:
            columns[f"{strategy.label}: before"] = _names(found, found.before)
        columns[f"{strategy.label}: after"] = _names(found, found.after)
    return pd.DataFrame(columns)


def _names(found: Rebalance, owners: Owners) -> np.typing.NDArray[np.object_]:
    names: np.typing.NDArray[np.object_] = np.array([*found.holders, "nobody"], dtype=object)
    assert UNOWNED == -1  # noqa: S101 -- the index below counts on it
    return names[owners]


def _round_row(group: Group, number: int, turn: Round) -> Mapping[str, object]:
    return {
        "Round": number,
        "In nobody's hands": _listed(group, turn.paused) or "none",
        "Given up": _given_up(group, turn) or "none",
    }


def _given_up(group: Group, turn: Round) -> str:
    """Return who gives up what, the consumers that give most first."""
    counts = count_per_member(group, turn.revoked)
    givers = np.flatnonzero(counts)
    if givers.size > 1 and (turn.during == UNOWNED).all():
        return f"everything, by {plural(givers.size, 'consumer')}"
    givers = givers[np.argsort(-counts[givers], kind="stable")]
    names = short_names(group.members)
    shown = "; ".join(
        f"{names[member]}: {_listed(group, turn.revoked == member)}"
        for member in givers[:_NAMED_CONSUMERS].tolist()
    )
    rest = givers.size - _NAMED_CONSUMERS
    return f"{shown}; and {plural(rest, 'more consumer')}" if rest > 0 else shown


def _listed(group: Group, is_chosen: BoolArray) -> str:
    chosen = np.flatnonzero(is_chosen)
    if chosen.size > _NAMED_PARTITIONS and chosen.size == is_chosen.size:
        return f"all {plural(chosen.size, 'partition')}"
    shown = ", ".join(group.partition_name(p) for p in chosen[:_NAMED_PARTITIONS].tolist())
    rest = chosen.size - _NAMED_PARTITIONS
    return f"{shown} and {rest:,} more" if rest > 0 else shown


_number = st.column_config.NumberColumn
_FIGURES: Final = {
    "Strategy": st.column_config.TextColumn(pinned=True),
    "Moved": _number(format="localized", help="Partitions that lost the owner they had"),
    "Kept": _number(format="localized", help="Partitions that stayed with their owner"),
    "New": _number(format="localized", help="Partitions that nobody owned before"),
    "Fewest": _number(
        format="localized",
        help="The fewest moves possible from these owners before to even counts: owned partitions "
        "less those that can stay. Known where all consumers subscribe to the same topics.",
    ),
    "Unneeded": _number(
        format="localized",
        help="Moves beyond the fewest possible. A strategy that looks at racks may have spent them "
        "on bringing partitions to their own rack.",
    ),
    "Stood still": _number(
        format="localized",
        help="Partitions that had an owner, and for some time had none: nobody read them",
    ),
    "Rounds": _number(help="Times the whole group had to rejoin"),
    "Spread": _number(help="Most minus fewest partitions of a consumer, afterwards"),
    "Idle": _number(help="Consumers without a partition, afterwards"),
    "Off rack": _number(help="Partitions without a replica in their owner's rack, afterwards"),
}
