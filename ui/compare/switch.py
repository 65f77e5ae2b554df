"""The view "Switch": what another strategy brings, what the way costs, and the steps."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import pandas as pd
import streamlit as st

from assignors.catalogue import strategies
from assignors.model import Group
from assignors.strategy import Protocol, Strategy
from evaluation.answering.answer import Answer
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome
from evaluation.consumer_labels import labels_of
from evaluation.rebalance.lost import Lost, Spread
from evaluation.rebalance.switching import SwitchCost, switch_cost
from evaluation.wording import amount, duration, listed, plural
from processes.calls import StoppedError
from ui import cache, told, widgets
from ui.answers import known_of_another
from ui.choices.option import OptionChoice
from ui.clients import client
from ui.compare.optimum import show_moves
from ui.configuration import show_configuration
from ui.scenario import Scenario

_NAMED: Final = 3
_STATIC: Final = (
    "Without static ids every later restart draws from that range again. With a different `{}` for "
    "each consumer nobody leaves for a restart, and the result stays; it costs that the partitions "
    "of a consumer that dies wait until its session times out, 45 s by default."
)
_LOST: Final = (
    "Played several times, consumer by consumer: the seconds for which nobody reads a partition. "
    "A round pauses for 3 s, a broker hands over within 2.5 s on average, and a consumer that is "
    "back before the group rebalances without it is away for 20 s."
)
_TIMES: Final = ("", "One rolling restart", "Two rolling restarts")


def switch_view(current: Scenario, answer: Answer) -> None:
    """Show the choice of two strategies, the figures, the steps, and the partitions that move."""
    group, load = answer.group, answer.load
    if not group.member_count or not group.partition_count:
        st.info("A switch needs a consumer and a partition; add one of each under Edit.")
        return
    settable = client().settable
    sources = sorted(settable, key=lambda strategy: strategy != answer.running.strategy)
    targets = _targets(settable, answer)
    with st.container(horizontal=True):
        before, after = (
            strategies()[OptionChoice(key).pick(label, [s.name for s in ordered], shown=_label)]
            for label, key, ordered in (
                ("The group uses", "switch_from", sources),
                ("Switch to", "switch_to", targets),
            )
        )
    if not group.has_claims:
        group = group.owned_by(cache.answers(group, (before,))[0].owners)
    is_noticed = told.is_noticed()
    with suppress(StoppedError):  # the first figures stay
        while cache.refinable(group, (after,), before, is_noticed):
            cache.refined(group, after, before, is_noticed)
    reached = cache.solved(group, (after,), before, is_noticed)[0]
    now = cache.present_owners(group)
    if now is not None:
        arriving = known_of_another(current, group).facts.arriving
        lost = cache.lost(group, before, after, arriving, is_noticed=is_noticed)
        cost = switch_cost(group, before, after)
        st.markdown(said(group, now, reached, (lost, cost), load), help=_LOST)
    show_configuration(after, before)
    if reached.outlook is not None:
        if client().static_id and _lasts_with_static_ids(group, load, reached):
            st.markdown(_STATIC.format(client().static_id))
        _show_way(group, before, after, load)
    if reached.outlook is None and reached.figures.moved:
        show_moves(group, reached.owners, load, "The partitions that move", "switch")


def _targets(settable: Sequence[Strategy], answer: Answer) -> list[Strategy]:
    """Return what can be switched to, what is proposed first, even if it takes a jar."""
    proposed = None if answer.proposal is None else answer.proposal.strategy
    others = [strategy for strategy in settable if strategy != proposed]
    others.sort(key=lambda strategy: strategy.protocol is Protocol.EAGER)
    return others if proposed is None else [proposed, *others]


def _lasts_with_static_ids(group: Group, load: Load, reached: Outcome) -> bool:
    """Return whether chance decides what the switch brings, and no consumer has a static id yet."""
    return bool(load.span_said(reached)) and not any(group.layout.instance_ids)


def _show_way(group: Group, before: Strategy, after: Strategy, load: Load) -> None:
    """Show one play of the way, rebalance by rebalance."""
    steps = cache.way(group, before, after, is_noticed=told.is_noticed())
    if not steps:
        return
    names = labels_of(group)
    rows = [
        {
            "Restart": step.restart,
            "What happens": f"{listed([names[m] for m in step.consumers], _NAMED)} "
            f"{'back' if step.is_back else 'leaves'}",
            "Assigned by": step.strategy.label,
            "Moved": step.moved,
            "Paused": step.paused,
            f"Busiest, {load.unit}": int(load.per_member(group, step.owners).max()),
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
    group: Group,
    now: Outcome,
    reached: Outcome,
    way: tuple[Lost, SwitchCost],
    load: Load,
) -> str:
    """Return, in Markdown, the effect of the switch and its cost."""
    lost, cost = way
    unit = load.unit
    had, has = (amount(load.of(outcome)) for outcome in (now, reached))
    moved, owned = reached.figures.moved or 0, plural(group.partition_count, "partition")
    change = f"stays at **{has}**" if had == has else f"goes from {had} to **{has}**"
    if reached.outlook is None:
        verb = "moves" if moved == 1 else "move"
        return (
            f"**{moved:,} of {owned} {verb}** at the next rebalance; the busiest consumer {change} "
            f"{unit}."
        )
    span = load.span_said(reached)
    drawn = f" ({span}, by the ids it gets, in {reached.outlook.draws:,} drawn)" if span else ""
    restarts = f"{_TIMES[cost.restarts]} of {plural(group.member_count, 'consumer')}"
    piled = f", while {_spread(lost.records)} records pile up" if lost.records else ""
    return (
        f"The busiest consumer {change} {unit}{drawn}, and "
        f"**{moved:,} of {owned}** {'gets' if moved == 1 else 'get'} another consumer. {restarts} "
        f"{'leaves' if cost.restarts == 1 else 'leave'} a partition unread for "
        f"{_each(lost.partition_seconds, group)} on average{piled}; a rolling restart afterwards "
        f"does for {duration(cost.restart_after / group.partition_count)}, now for "
        f"{duration(cost.restart_before / group.partition_count)}."
    )


def _each(of: Spread, group: Group) -> str:
    """Return the median of the seconds of a partition, and their range if it is one."""
    low, middle, high = (duration(value / group.partition_count) for value in of)
    return f"**{middle}**" if low == high else f"**{middle}** ({low} to {high})"


def _spread(of: Spread) -> str:
    """Return the median of the simulations, and their range if it is one."""
    low, middle, high = (amount(round(value)) for value in of)
    return f"**{middle}**" if low == high else f"**{middle}** ({low} to {high})"


def _label(name: str) -> str:
    return strategies()[name].label
