"""Strategies: how one gets each, what it considers, what it guarantees and where it fails."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from assignors.certainty import EXACT
from assignors.strategy import Sees, Strategy, StrategyKind
from evaluation.releases import holds_for
from evaluation.takes import takes_of
from evaluation.wording import listed
from sources.samples import SIMULATED, shows_weakness
from ui import entry, widgets
from ui.clients import choose_client
from ui.configuration import show_configuration
from ui.start import open_example
from ui.strategy_choice import say_refused

entry.through_app(__file__)


def show_table(strategies: Sequence[Strategy]) -> None:
    """Show how one gets each strategy and what it considers, a row per strategy."""
    rows = [
        {
            "Strategy": strategy.label,
            "Takes": takes_of(strategy).value,
            "Protocol": strategy.protocol.short,
        }
        | {sight.value.capitalize(): "✓" if sight in strategy.sees else "" for sight in Sees}
        for strategy in strategies
    ]
    widgets.table(
        pd.DataFrame(rows),
        "How one gets each strategy, and what it looks at",
        {
            "Takes": "Setting: a property of the consumers; broker: group.protocol=consumer; jar: "
            "an assignor of ours on their class path; earlier release: no setting selects it now"
        },
        height="content",
    )


def show_card(strategy: Strategy) -> None:
    """Show one strategy: goals, promises, weakness, sources, and how to configure it."""
    with st.container(border=True, height="stretch"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(strategy.label, anchor=strategy.name, width="content")
            st.badge(
                takes_of(strategy).value,
                color="orange" if strategy.kind is StrategyKind.CUSTOM else "blue",
            )
        protocol = strategy.protocol.value
        st.markdown(f"{protocol[0].upper()}{protocol[1:]}.")
        sights = [sight.value for sight in Sees if sight in strategy.sees]
        st.markdown(f"**Looks at:** {listed(sights) if sights else 'subscriptions alone'}.")
        if strategy.goals:
            st.markdown("**Goals, in order:** " + "; ".join(strategy.goals) + ".")
        promises = sorted(promise.value for promise in strategy.promises)
        st.markdown(
            "**Guarantees:**\n" + "\n".join(f"- {promise}" for promise in promises or ["none"])
        )
        if strategy.weakness:
            st.markdown(f"**Weakness:** {strategy.weakness}")
        if strategy.certainty != EXACT:
            st.markdown(f"**Prediction:** {strategy.certainty.text}. {strategy.certainty.why}")
        elif exact := holds_for([strategy]):
            st.markdown(f"**Prediction:** {exact}")
        with st.container(horizontal=True, vertical_alignment="center"):
            example = shows_weakness(strategy)
            if example and st.button("See it in an example", key=f"open_{strategy.name}"):
                open_example(example.id)
            if strategy.sources:
                st.markdown(f":small[Sources: {', '.join(strategy.sources)}]")
        with st.expander("How to configure it"):
            show_configuration(strategy)


def show_simulation() -> None:
    """Show what strategies make of the same hours of restarts and drifting rates."""
    rows = [
        {
            "Strategy": row.strategy,
            "Arriving": f"{row.busy:.0%}",
            "A consumer above its speed": f"{row.above:.0%} of the time",
            "Worst time lag": f"{row.worst_s:,.0f} s",
            "Mean time lag": f"{row.mean_s:,.1f} s",
            "Moves a rebalance": f"{row.moves:,.1f}",
        }
        for row in SIMULATED
    ]
    with st.expander("What they make of uneven rates and restarts: a simulation"):
        st.markdown(
            "48 partitions at Pareto-distributed rates that drift, 8 equal consumers, one of which "
            "restarts every ten minutes, four hours; *arriving* is the share of what all consumers "
            "can read. Medians of 16 such histories, the same for every strategy; "
            "`python -m benchmarks.simulation` plays them again."
        )
        widgets.table(pd.DataFrame(rows), "What strategies make of uneven rates", height="content")


st.title("Strategies")
st.markdown(
    "How one gets each strategy, what it looks at and guarantees, and one weakness of each with an "
    "example to open."
)
strategies = choose_client().strategies
say_refused()
show_table(strategies)
show_simulation()
grid = st.grid(2, min_column_width=420, gap="medium")
for strategy in strategies:
    with grid.cell():
        show_card(strategy)
