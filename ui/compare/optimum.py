"""The best possible: every strategy beside the bounds, and the trade-off against moves."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.lag.load_sticky import default_moves, load_sticky
from assignors.model import Group, Owners
from charts.frontier import frontier_curve
from charts.report import Figure
from evaluation.bounds.frontier import Frontier
from evaluation.bounds.optimality import AgainstBound, GroupBounds, optimality
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.consumer_labels import labels_by_id
from evaluation.judging import LAG, JudgeBy, Measure
from evaluation.metrics import lag_per_member
from evaluation.predicates import is_moved
from evaluation.wording import amount, percent, plural
from ui import cache, downloads, judging, widgets
from ui.group.draft import blank_unknown
from ui.untrusted import verbatim

_ABOUT_LAG: Final = "Proven: no assignment gives the busiest consumer less. Below, the best found"
_WIDTHS: Final = {
    "Max lag": 260,
    "Max lag with even counts": 230,
    "Max partitions": 190,
    "Moves": 200,
    "Rack-local": 200,
}


def optimum_view(comparison: Comparison) -> None:
    """Show the bounds, each strategy's distance from them, and the trade-off against moves."""
    group, outcomes, measure = comparison.group, comparison.outcomes, comparison.measure
    if not group.member_count or not group.partition_count:
        st.info("Limits need a consumer and a partition; add one of each under Edit.")
        return
    limits = cache.best_possible(group)
    _limits(limits, measure)
    bound = comparison.bound
    if comparison.load.by_lag and bound is not None and (limits.max_lag or 0) > bound:
        st.caption(
            f"The best possible of the pictures, {amount(bound)}, is an even share or the largest "
            "partition: whole partitions cannot be shared so evenly."
        )
    verdicts = verdict_table(group, outcomes, limits, measure)
    widgets.table(
        verdicts,
        "How far every strategy is from the best possible",
        placeholder="not known",
        widths=judging.keyed(_WIDTHS, measure),
        row_height=widgets.WRAPPED,
        height="content",
    )
    downloads.offer(lambda: verdicts, group.id, "optimality")
    counted = _with_unknown_as_none(group)
    curve = cache.frontier(counted) if comparison.load.by_lag else None
    if curve is None:
        st.caption(
            f"How much {measure.noun} each move saves appears here once partitions have owners and "
            f"some {measure.noun} is known and above 0."
        )
        return
    _frontier(counted, outcomes, curve, measure)
    if counted is not group:
        st.caption(
            "Unknown lags count as zero here; Load-sticky itself then moves nothing by choice."
        )


def _with_unknown_as_none(group: Group) -> Group:
    """Return the group with no lag unknown, beside which load-sticky makes no move by choice."""
    is_known = group.is_lag_known
    return group.with_lags(group.counted_lags) if is_known.any() > is_known.all() else group


def verdict_table(
    group: Group, outcomes: Sequence[Outcome], limits: GroupBounds, measure: Measure = LAG
) -> pd.DataFrame:
    """Return a row per strategy with a sentence for each bound."""
    rows = []
    for outcome in outcomes:
        judged = optimality(
            group, limits, outcome.owners, moved=outcome.figures.moved, noun=measure.noun
        )
        rows.append(
            {
                "Strategy": outcome.label,
                "Max lag": _says(judged.lag),
                "Max lag with even counts": _says(judged.balanced_lag),
                "Max partitions": _says(judged.count),
                "Moves": _says(judged.moves),
                "Rack-local": _says(judged.rack_local),
            }
        )
    table = judging.headed(pd.DataFrame(rows), measure)
    return table[[name for name in table if not table[name].isna().all()]]


def show_moves(group: Group, owners: Owners, measure: Measure, alt: str, file: str) -> None:
    """Show a row per partition that changes its owner, with downloads."""
    table = judging.headed(_moves_table(group, owners), measure)
    widgets.table(
        table,
        alt,
        labels={name: name.capitalize() for name in map(str, table)},
        pinned=("partition",),
        widths=judging.keyed({"lag": 90}, measure),
        ids=labels_by_id(group),
    )
    downloads.offer(lambda: table, group.id, file)


def _moves_table(group: Group, owners: Owners) -> pd.DataFrame:
    before = group.present_owners
    moved = np.flatnonzero(is_moved(before, owners))
    names = np.array([*group.members, ""], dtype=object)  # the last one: nobody
    return pd.DataFrame(
        {
            "partition": [group.partition_name(int(p)) for p in moved],
            "lag": blank_unknown(group.lags[moved]),
            "from": names[before[moved]],
            "to": names[owners[moved]],
        }
    )


def _limits(limits: GroupBounds, measure: Measure) -> None:
    moves = "not known" if limits.moves is None else f"{limits.moves:,}"
    free, even = limits.found_max_lag, limits.found_balanced_max_lag
    of_load = [
        Figure(f"Least max {measure.noun}", amount(limits.max_lag), _found(free), _ABOUT_LAG),
        Figure("With even counts", amount(limits.balanced_max_lag), _found(even), _ABOUT_LAG),
    ]
    of_counts = [
        Figure("Least max partitions", f"{limits.max_count:,}", "of a consumer"),
        Figure("Fewest moves", moves, "to even counts"),
    ]
    widgets.figures(of_counts if measure.by is JudgeBy.PARTITIONS else of_load + of_counts, 170)
    if limits.hot_partition and limits.hot_share is not None:
        st.markdown(
            f"**No assignor can help beyond {amount(limits.max_lag)}:** partition "
            f"{verbatim(limits.hot_partition)} alone holds {percent(limits.hot_share)} of the "
            f"{measure.noun}, and it has one consumer at a time."
        )


def _frontier(group: Group, outcomes: Sequence[Outcome], curve: Frontier, measure: Measure) -> None:
    st.subheader(
        "What each move saves",
        help=f"The most even {measure.noun} that load-sticky reaches within this many moves",
    )
    most = curve.max_lag.size - 1
    moves = min(default_moves(group), most)
    if most:
        moves = st.slider("Moves allowed", 0, most, moves, key="moves", bind="query-params")
    st.plotly_chart(
        frontier_curve(curve, outcomes, moves),
        key="frontier",
        alt=f"{measure.noun.capitalize()} of the busiest consumer against the partitions moved",
    )
    least = int(curve.max_lag[moves])
    fewest = curve.fewest_moves(least) or 0
    now = int(lag_per_member(group, group.present_owners).max())
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
        f"{measure.unit}{alike}."
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
    show_moves(group, moved, measure, "The partitions to move", "moves")


def _says(verdict: AgainstBound | None) -> str | None:
    return None if verdict is None else f"{verdict.value:,}: {verdict.says}"


def _found(value: int | None) -> str:
    return "no lag known" if value is None else f"best found: {amount(value)}"
