"""The pictures of one step: its figures, the bars of all strategies, and the flow."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from assignors.certainty import EXACT
from charts.disruption import Disruption, disruption_bars
from charts.flow import flow
from charts.flow_slots import MOST_APART
from charts.report import Figure
from evaluation.judging import JudgeBy, Measure
from evaluation.takes import takes_of
from evaluation.wording import amount, plural
from ui import widgets
from ui.caching import cached
from ui.picture import places
from ui.rebalance.history import DRAWN
from ui.rebalance.words import Result
from ui.untrusted import verbatim

HELP: Final = {
    "Moved": "Partitions that lost the owner they had",
    "Needless": "Moves beyond the fewest possible. A strategy that looks at racks may have made "
    "them to bring partitions to their own rack.",
    "New": "Partitions that nobody owned before",
    "Paused": "Partitions that had an owner and for some time had none: nobody read them",
}
"""Help on figures that pictures and tables share."""
_bars: Final = cached(64)(disruption_bars)
_flow: Final = cached(64)(flow)  # drawing both took half of a click that changes neither


def choose_drawn(results: Sequence[Result]) -> Result:
    """Let the visitor choose the strategy to draw, the best first; return it."""
    by_name = {result.strategy.name: result for result in results}
    if st.session_state.get(DRAWN) not in by_name:
        st.session_state[DRAWN] = next(iter(by_name))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Figures and picture of", width="content")
        name = st.selectbox(
            "Strategy to draw",
            list(by_name),
            key=DRAWN,
            format_func=lambda name: by_name[name].strategy.label,
            label_visibility="collapsed",
            width=320,
        )
        drawn = by_name[name]
        st.badge(takes_of(drawn.strategy).value, color="gray")
        certainty = drawn.strategy.certainty_for(drawn.rebalance.group)
        if certainty != EXACT:
            st.badge(certainty.text, color="orange", help=verbatim(certainty.why))
    if certainty.is_fault:
        st.error(verbatim(certainty.why), icon=":material/error:")
    return drawn


def headline_figures(drawn: Result, measure: Measure) -> None:
    """Show the figures of the strategy drawn, the load by what the visitor judges by."""
    rebalance = drawn.rebalance
    owned = rebalance.moved + rebalance.kept
    is_all = 0 < owned == rebalance.paused
    least, most = drawn.counts
    counts = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    shown = [Figure("New", f"{rebalance.new:,}", "had no owner", HELP["New"])]
    if owned:
        needless = "unknown" if rebalance.needless is None else f"{rebalance.needless:,}"
        what = "for even counts" if drawn.is_uneven else "must move"
        fewest = "unequal subscriptions"
        if rebalance.fewest is not None:
            fewest = f"{rebalance.fewest:,} {what}"
        paused = "stop-the-world" if is_all else plural(len(rebalance.rounds), "round")
        shown = [
            Figure("Moved", f"{rebalance.moved:,}", f"of {owned:,}", HELP["Moved"]),
            Figure("Needless", needless, fewest, HELP["Needless"]),
            Figure("Paused", f"{rebalance.paused:,}", paused, HELP["Paused"]),
        ]
    shown.append(Figure("Afterwards", counts, "per consumer", "Partitions of each consumer"))
    if rebalance.group.counted_weights.any() and measure.by is not JudgeBy.PARTITIONS:
        about = f"The busiest consumer's {measure.noun} afterwards, in {measure.unit}"
        shown.append(Figure("Busiest", amount(drawn.load), measure.noun, about))
    with st.container(key=places.FIGURES):
        widgets.figures(shown, 100, border=False)


def disruption_picture(results: Sequence[Result], drawn: Result) -> None:
    """Show the step's cost under every strategy, the best on top; nothing if all are free."""
    if not any(rebalance.moved or rebalance.kept for _, rebalance in results):
        return
    rows = [
        Disruption(r.strategy.label, change.moved, change.needless, change.paused, r.is_uneven)
        for r in results
        for change in [r.rebalance]
    ]
    widgets.picture(
        _bars(rows, drawn.strategy.label),
        "disruption",
        "Partitions moved and paused: "
        + "; ".join(f"{row.label} {row.moved:,} and {row.paused:,}" for row in rows),
    )


def flow_picture(drawn: Result) -> None:
    """Show the partitions that move between consumers."""
    rebalance = drawn.rebalance
    widgets.picture(
        _flow(rebalance),
        "flow",
        f"Under {drawn.strategy.label}, {plural(rebalance.kept, 'partition')} stay, "
        f"{rebalance.moved:,} move, {rebalance.new:,} had no owner",
    )
    if len(rebalance.holders) > MOST_APART:
        st.markdown(
            "Drawn one by one: the consumers that give or take most. The others are drawn "
            "together, smaller than to scale; the table of partitions has them all."
        )
