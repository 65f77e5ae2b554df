"""The view "Switch": what another strategy brings, what the way costs, and the steps."""

from contextlib import suppress
from typing import Final

import pandas as pd
import streamlit as st

from assignors.catalogue import strategies
from assignors.model import Group
from assignors.strategy import Protocol, Strategy
from evaluation.advice import busiest_load, is_judged_by_lag
from evaluation.compare import Outcome
from evaluation.consumer_labels import labels_of
from evaluation.judging import LAG, Measure
from evaluation.metrics import count_per_member, lag_per_member
from evaluation.rebalance.switching import SwitchCost, switch_cost
from evaluation.wording import amount, listed, plural
from processes.calls import StoppedError
from sources.reading import Reading
from ui import cache, told, url_state, widgets
from ui.compare.conclusion import span_of
from ui.compare.optimum import show_moves
from ui.configuration import show_configuration
from ui.strategy_choice import client, running

_NAMED: Final = 3
_STATIC: Final = (
    "Without static ids every later restart draws again. With a different `{}` for each consumer "
    "nobody leaves for a restart, and the result stays; it costs that the partitions of a consumer "
    "that dies wait until its session times out, 45 s by default."
)
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
    with suppress(StoppedError):  # the first figures stay
        for each in cache.refinable(group, (after,), before):
            cache.refine(group, each, before)
    reached = cache.expected(group, (after,), before)[0]
    now = cache.present_owners(group)
    if now is not None:
        st.markdown(said(group, now, reached, switch_cost(group, before, after), measure))
    show_configuration(after, before)
    if reached.outlook is not None:
        _show_way(group, before, after, measure)
    if reached.outlook is None and reached.figures.moved:
        show_moves(group, reached.owners, "The partitions that move", "switch")


def _show_way(group: Group, before: Strategy, after: Strategy, measure: Measure) -> None:
    """Show one play of the way, rebalance by rebalance, and what static ids would change."""
    if not any(group.layout.instance_ids) and client().static_id:
        st.markdown(_STATIC.format(client().static_id))
    steps = cache.way(group, before, after, is_noticed=told.is_slow())
    if not steps:
        return
    names = labels_of(group)
    load = lag_per_member if is_judged_by_lag(group) else count_per_member
    rows = [
        {
            "Restart": step.restart,
            "What happens": f"{listed([names[m] for m in step.consumers], _NAMED)} "
            f"{'back' if step.is_back else 'leaves'}",
            "Assigned by": step.strategy.label,
            "Moved": step.moved,
            "Paused": step.paused,
            f"Busiest, {measure.unit}": int(load(group, step.owners).max()),
        }
        for step in steps
    ]
    with st.expander("One run of the way, rebalance by rebalance", icon=":material/footprint:"):
        widgets.table(
            pd.DataFrame(rows),
            "Every rebalance of one run of the rolling restarts",
            {
                "Moved": "Partitions that another consumer reads than before",
                "Paused": "Partitions that nobody reads meanwhile",
            },
        )
        st.caption("Ids and the order of the consumers are drawn; another run has others.")


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
