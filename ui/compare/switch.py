"""The view "Switch": what another strategy would move and pause, and the migration steps."""

import streamlit as st

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from assignors.strategy import Protocol
from evaluation.rebalance.switching import SwitchCost, switch_cost
from evaluation.wording import amount, plural
from ui import cache, url_state
from ui.compare.optimum import show_moves
from ui.configuration import show_configuration
from ui.strategy_choice import client


def switch_view(group: Group) -> None:
    """Show the choice of two strategies, the figures, the steps, and the partitions that move."""
    if not group.member_count or not group.partition_count:
        st.info("A switch needs a consumer and a partition; add one of each under Edit.")
        return
    names = client().settable
    targets = sorted(names, key=lambda name: ALL_STRATEGIES[name].protocol is Protocol.EAGER)
    with st.container(horizontal=True):
        before, after = (
            ALL_STRATEGIES[url_state.choice(label, ordered, key, shown=_label)]
            for label, key, ordered in (
                ("The group uses", "switch_from", names),
                ("Switch to", "switch_to", targets),
            )
        )
    if not group.has_claims:
        group = group.owned_by(cache.answers(group, (before.name,))[0].owners)
    owners = cache.answers(group, (after.name,))[0].owners
    change = switch_cost(group, owners, before, after)
    st.markdown(said(change, group.member_count))
    show_configuration(after, before)
    if change.moved:
        show_moves(group, owners, "The partitions that move", "switch")


def said(change: SwitchCost, members: int) -> str:
    """Return, in Markdown, what the switch moves, pauses and gains."""
    moves = "moves" if change.moved == 1 else "move"
    paused = (
        f"all {change.paused:,} pause"
        if change.paused == change.owned
        else f"{change.paused:,} pause"
    )
    lag = (
        f" The busiest consumer goes from {amount(change.max_lag_before)} to "
        f"**{amount(change.max_lag_after)}** records."
        if change.max_lag_after is not None
        else ""
    )
    return (
        f"**{change.moved:,} of {plural(change.owned, 'partition')} {moves}**, and {paused} in the "
        f"rebalance that brings the new owners.{lag} A rolling restart of "
        f"{plural(members, 'consumer')} loses **{amount(change.restart_after)}** partition-seconds "
        f"of reading after the switch, {amount(change.restart_before)} before."
    )


def _label(name: str) -> str:
    return ALL_STRATEGIES[name].label
