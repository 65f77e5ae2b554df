"""Fewest moves: what each move saves, the moves, and how far strategies are from the bounds."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.lag.load_sticky import default_moves, load_sticky
from assignors.model import Group, Owners
from charts.frontier import frontier_curve
from evaluation.answering.answer import Answer
from evaluation.bounds.frontier import Frontier
from evaluation.bounds.optimality import AgainstBound, GroupBounds, optimality
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome
from evaluation.consumer_labels import labels_by_id
from evaluation.metrics import load_per_member
from evaluation.moves import is_moved
from evaluation.wording import amount, percent, plural
from ui import cache, columns, downloads, widgets
from ui.choices.number import NumberChoice
from ui.columns import FigureColumn, Noun
from ui.draft.tables import blank_unknown
from ui.untrusted import verbatim

HOW_TO_MOVE: Final = (
    "No setting of Kafka's makes just these. Our assignor does, at a rebalance after which nobody "
    "has a new id (the switch to it restarts all consumers under new ids, and moves most "
    "partitions once); or consumers that are assigned their partitions by hand."
)
_VERDICTS: Final = (
    FigureColumn("Busiest", lambda o: o.load, Noun.LOAD, width=260),
    FigureColumn("Busiest with even counts", lambda o: o.balanced_load, Noun.LOAD, width=230),
    FigureColumn("Most partitions", lambda o: o.count, width=190),
    FigureColumn("Moves", lambda o: o.moves, width=200),
    FigureColumn("Rack-local", lambda o: o.rack_local, width=200),
)
"""Each of an ``Optimality``."""


def optimum_view(answer: Answer, outcomes: Sequence[Outcome]) -> None:
    """Show the bounds, each strategy's distance from them, and the trade-off against moves."""
    group, load = answer.group, answer.load
    if not group.member_count or not group.partition_count:
        st.info("Limits need a consumer and a partition; add one of each under Edit.")
        return
    limits = cache.bounds(group)
    _moves(answer, outcomes)
    st.caption(limits_said(limits, load))
    if limits.hot_partition and limits.hot_share is not None:
        st.markdown(
            f"**No assignor can help beyond {amount(limits.max_load)}:** partition "
            f"{verbatim(limits.hot_partition)} alone holds {percent(limits.hot_share)} of the "
            f"{load.noun}, and it has one consumer at a time."
        )
    with st.expander("How far every strategy is from the bounds", icon=":material/rule:"):
        verdicts = verdict_table(group, outcomes, limits, load)
        widgets.table(
            verdicts,
            "How far every strategy is from the bounds",
            placeholder="not known",
            widths=columns.widths(_VERDICTS, load),
            row_height=widgets.WRAPPED,
            height="content",
        )
        downloads.offer(lambda: verdicts, group.id, "optimality")


def _moves(answer: Answer, outcomes: Sequence[Outcome]) -> None:
    """Show what each move saves and the moves themselves, or why neither is known."""
    group, load = answer.group, answer.load
    counted = _with_unknown_as_none(group)
    curve = cache.frontier(counted) if load.by_weight else None
    if curve is None:
        st.caption(
            f"How much {load.noun} each move saves appears here once partitions have owners and "
            f"some {load.noun} is known and above 0."
        )
        return
    _frontier(counted, outcomes, curve, load)
    if counted is not group:
        st.caption(
            f"Unknown {load.noun} counts as zero here; Load-sticky itself then moves nothing by "
            "choice."
        )


def _with_unknown_as_none(group: Group) -> Group:
    """Return the group with no weight unknown, beside which load-sticky moves nothing by choice."""
    is_known = group.is_weight_known
    return group.with_weights(group.counted_weights) if is_known.any() > is_known.all() else group


def verdict_table(
    group: Group, outcomes: Sequence[Outcome], limits: GroupBounds, load: Load
) -> pd.DataFrame:
    """Return a row per strategy with a sentence for each bound."""
    rows: list[dict[str, str | None]] = []
    for outcome in outcomes:
        judged = optimality(
            group, limits, outcome.owners, moved=outcome.figures.moved, noun=load.noun
        )
        said = {
            each.heading(load): _says(each.of(judged)) for each in columns.shown(_VERDICTS, load)
        }
        rows.append({"Strategy": outcome.label, **said})
    table = pd.DataFrame(rows)
    return table[[name for name in table if not table[name].isna().all()]]


def show_moves(group: Group, owners: Owners, load: Load, alt: str, file: str) -> None:
    """Show a row per partition that changes its owner, with downloads."""
    table = moves_table(group, owners, load)
    widgets.table(
        table,
        alt,
        labels={name: name.capitalize() for name in map(str, table)},
        pinned=("partition",),
        widths=columns.widths(_MOVES, load),
        ids=labels_by_id(group),
    )
    downloads.offer(lambda: table, group.id, file)


_MOVES: Final = (
    FigureColumn("{noun}", lambda group, moved: group.weights[moved], Noun.LOAD, width=90),
    FigureColumn("lag", lambda group, moved: group.lags[moved], Noun.LAG, width=90),
)
"""Each of a group and the partitions that move."""


def moves_table(group: Group, owners: Owners, load: Load) -> pd.DataFrame:
    """Return a row per partition that changes its owner."""
    before = group.present_owners
    moved = np.flatnonzero(is_moved(before, owners))
    names = np.array([*group.members, ""], dtype=object)  # the last one: nobody
    return pd.DataFrame(
        {"partition": [group.partition_name(int(p)) for p in moved]}
        | {
            each.heading(load): blank_unknown(each.of(group, moved))
            for each in columns.shown(_MOVES, load)
        }
        | {"from": names[before[moved]], "to": names[owners[moved]]}
    )


def limits_said(limits: GroupBounds, load: Load) -> str:
    """Return the bounds in one line: proven ones, each beside the best assignment found."""
    counts = f"at least {plural(limits.max_count, 'partition')} for some consumer"
    if limits.moves is not None:
        counts += f", and {plural(limits.moves, 'move')} make counts even"
    if not load.by_weight or limits.max_load is None:
        return f"Bounds: {counts}."
    least = f"{amount(limits.max_load)} (found {_found(limits.found_max_load)})"
    if limits.balanced_max_load is not None:
        least += (
            f", {amount(limits.balanced_max_load)} with even counts "
            f"(found {_found(limits.found_balanced_max_load)})"
        )
    return f"Lower bound of the busiest consumer's {load.noun}: {least}; {counts}."


def _frontier(group: Group, outcomes: Sequence[Outcome], curve: Frontier, load: Load) -> None:
    said = st.container()
    most = curve.max_load.size - 1
    moves = min(default_moves(group), most)
    if most:
        moves = NumberChoice("moves").slide("Moves allowed", 0, most, moves)
    with said:
        st.markdown(_saving(group, curve, moves, load))
        st.caption(f"{_further(curve)}{HOW_TO_MOVE}")
    st.plotly_chart(
        frontier_curve(curve, outcomes, moves, load),
        key="frontier",
        alt=f"{load.noun.capitalize()} of the busiest consumer against the partitions moved",
    )
    moved = load_sticky(group, moves)
    show_moves(group, moved, load, "The partitions to move", "moves")


def _saving(group: Group, curve: Frontier, moves: int, load: Load) -> str:
    """Return what that many moves by choice do for the busiest consumer."""
    least = int(curve.max_load[moves])
    fewest = curve.fewest_moves(least) or 0
    now = int(load_per_member(group, group.present_owners).max())
    certain = curve.gifts + curve.forced
    besides = f", and {certain:,} more in any case" if certain else ""
    alike = ""
    if fewest < moves:
        without = f"; the {certain:,} alone do as much" if certain else ""
        alike = f"; {plural(fewest, 'move')} would do" if fewest else without
    had, has = amount(now), amount(least)
    change = f"stays at **{has}**" if had == has else f"goes from {had} to **{has}**"
    return (
        f"With **{plural(moves, 'move')}**{besides}, the busiest consumer {change} "
        f"{load.unit}{alike}."
    )


def _further(curve: Frontier) -> str:
    """Return why partitions beyond the moves allowed have another owner."""
    parts = []
    if curve.gifts:
        parts.append(
            f"{plural(curve.gifts, 'partition')} more go to consumers that hold none, whatever the "
            "budget. "
        )
    if curve.forced:
        parts.append(
            f"{plural(curve.forced, 'partition')} more must move in any case: "
            "their owner no longer subscribes, or they have none. "
        )
    return "".join(parts)


def _says(verdict: AgainstBound | None) -> str | None:
    return None if verdict is None else f"{verdict.value:,}: {verdict.says}"


def _found(value: int | None) -> str:
    return "none" if value is None else amount(value)
