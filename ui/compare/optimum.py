"""Optimum: every strategy beside the bounds, and the trade-off against moves."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.lag.load_sticky import default_moves, load_sticky
from assignors.model import Group, Owners
from charts.frontier import frontier_curve
from charts.report import Figure
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
from ui.choices import UserChoice
from ui.columns import FigureColumn, Noun
from ui.group.draft import blank_unknown
from ui.untrusted import verbatim

_ABOUT_LOAD: Final = "Proven: no assignment gives the busiest consumer less. Below, the best found"
_VERDICTS: Final = (
    FigureColumn("Max {noun}", lambda o: o.load, Noun.LOAD, width=260),
    FigureColumn("Max {noun} with even counts", lambda o: o.balanced_load, Noun.LOAD, width=230),
    FigureColumn("Max partitions", lambda o: o.count, width=190),
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
    _limits(limits, load)
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


def _limits(limits: GroupBounds, load: Load) -> None:
    moves = "not known" if limits.moves is None else f"{limits.moves:,}"
    free, even = limits.found_max_load, limits.found_balanced_max_load
    of_load = [
        Figure(f"Lower bound of {load.noun}", amount(limits.max_load), _found(free), _ABOUT_LOAD),
        Figure("With even counts", amount(limits.balanced_max_load), _found(even), _ABOUT_LOAD),
    ]
    of_counts = [
        Figure("Least max partitions", f"{limits.max_count:,}", "of a consumer"),
        Figure("Fewest moves", moves, "to even counts"),
    ]
    widgets.figures(of_load + of_counts if load.by_weight else of_counts, 170)
    if limits.hot_partition and limits.hot_share is not None:
        st.markdown(
            f"**No assignor can help beyond {amount(limits.max_load)}:** partition "
            f"{verbatim(limits.hot_partition)} alone holds {percent(limits.hot_share)} of the "
            f"{load.noun}, and it has one consumer at a time."
        )


def _frontier(group: Group, outcomes: Sequence[Outcome], curve: Frontier, load: Load) -> None:
    st.subheader(
        "What each move saves",
        help=f"The most even {load.noun} that load-sticky reaches within this many moves",
    )
    most = curve.max_load.size - 1
    moves = min(default_moves(group), most)
    if most:
        moves = UserChoice("moves").slide("Moves allowed", 0, most, moves)
    st.plotly_chart(
        frontier_curve(curve, outcomes, moves, load),
        key="frontier",
        alt=f"{load.noun.capitalize()} of the busiest consumer against the partitions moved",
    )
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
    st.markdown(
        f"With **{plural(moves, 'move')}**{besides}, the busiest consumer {change} "
        f"{load.unit}{alike}."
    )
    if curve.gifts:
        st.caption(
            f"{plural(curve.gifts, 'partition')} more go to consumers that hold none, whatever the "
            "budget."
        )
    if curve.forced:
        st.caption(
            f"{plural(curve.forced, 'partition')} more must move in any case: "
            "their owner no longer subscribes, or they have none."
        )
    moved = load_sticky(group, moves)
    show_moves(group, moved, load, "The partitions to move", "moves")


def _says(verdict: AgainstBound | None) -> str | None:
    return None if verdict is None else f"{verdict.value:,}: {verdict.says}"


def _found(value: int | None) -> str:
    return "none known" if value is None else f"best found: {amount(value)}"
