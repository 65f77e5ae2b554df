"""The view "Switch": what another strategy brings, what the way costs, and the steps."""

from typing import Final

import streamlit as st

from assignors.catalogue import strategies
from assignors.model import Group
from assignors.strategy import Protocol
from evaluation.advice import busiest_load, is_judged_by_lag
from evaluation.compare import Outcome
from evaluation.judging import LAG, Measure
from evaluation.rebalance.switching import SwitchCost, switch_cost
from evaluation.wording import amount, plural
from sources.reading import Reading
from ui import cache, url_state
from ui.compare.conclusion import span_of
from ui.compare.optimum import show_moves
from ui.configuration import show_configuration
from ui.strategy_choice import client, running

_TIMES: Final = ("", "One rolling restart", "Two rolling restarts")


def switch_view(group: Group, reading: Reading, measure: Measure) -> None:
    """Show the choice of two strategies, the figures, the steps, and the partitions that move."""
    if not group.member_count or not group.partition_count:
        st.info("A switch needs a consumer and a partition; add one of each under Edit.")
        return
    settable = client().settable
    runs = running(group, reading).strategy
    sources = sorted(settable, key=lambda strategy: strategy != runs)
    targets = sorted(settable, key=lambda strategy: strategy.protocol is Protocol.EAGER)
    with st.container(horizontal=True):
        before, after = (
            strategies()[url_state.choice(label, [s.name for s in ordered], key, shown=_label)]
            for label, key, ordered in (
                ("The group uses", "switch_from", sources),
                ("Switch to", "switch_to", targets),
            )
        )
    if not group.has_claims:
        group = group.owned_by(cache.answers(group, (before,))[0].owners)
    reached = cache.expected(group, (after,), before)[0]
    now = cache.present_owners(group)
    if now is not None:
        st.markdown(said(group, now, reached, switch_cost(group, before, after), measure))
    show_configuration(after, before)
    if reached.outlook is None and reached.figures.moved:
        show_moves(group, reached.owners, "The partitions that move", "switch")


def said(
    group: Group, now: Outcome, reached: Outcome, cost: SwitchCost, measure: Measure = LAG
) -> str:
    """Return, in Markdown, what the switch brings and what the way there costs."""
    by_lag = is_judged_by_lag(group)
    unit = measure.unit if by_lag else "partitions"
    had, has = (amount(busiest_load(o, by_lag=by_lag)) for o in (now, reached))
    moved, owned = reached.figures.moved or 0, plural(group.partition_count, "partition")
    if reached.outlook is None:
        verb = "moves" if moved == 1 else "move"
        return (
            f"**{moved:,} of {owned} {verb}** at the next rebalance; the busiest consumer goes "
            f"from {had} to **{has}** {unit}."
        )
    span = span_of(reached, by_lag=by_lag)
    drawn = f" ({span}, by the ids it gets, in {reached.outlook.draws:,} drawn)" if span else ""
    way = f"{_TIMES[cost.restarts]} of {plural(group.member_count, 'consumer')}"
    return (
        f"The busiest consumer goes from {had} to **{has}** {unit}{drawn}, and "
        f"**{moved:,} of {owned}** get another consumer. {way} "
        f"{'loses' if cost.restarts == 1 else 'lose'} **{amount(cost.lost)}** partition-seconds of "
        f"reading on the way; a later one {amount(cost.restart_after)}, now "
        f"{amount(cost.restart_before)}."
    )


def _label(name: str) -> str:
    return strategies()[name].label
