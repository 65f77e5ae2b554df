"""What users are told about a strategy, straight from the registry."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from assignors.registry import Sees, Strategy
from ui.configuration import show_configuration
from ui.start import open_example


def strategy_table(strategies: Sequence[Strategy]) -> None:
    """Show who looks at what, one row a strategy."""
    rows = [
        {"Strategy": strategy.label, "Protocol": strategy.protocol.value.partition(":")[0]}
        | {sight.value.capitalize(): "yes" if sight in strategy.sees else "" for sight in Sees}
        for strategy in strategies
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt="What each strategy looks at")


def strategy_card(strategy: Strategy) -> None:
    """Show one strategy: goals, promises, weakness, sources, and how to configure it."""
    with st.container(border=True):
        st.subheader(strategy.label, anchor=strategy.name)
        protocol = strategy.protocol.value
        st.markdown(f"*{protocol[0].upper()}{protocol[1:]}*")
        st.markdown("**Goals, in order:** " + "; ".join(strategy.goals))
        for promise in sorted(strategy.promises, key=lambda promise: promise.name):
            st.markdown(f":material/check: {promise.value}")
        st.markdown(f":material/warning: **Weakness:** {strategy.weakness}")
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button("See it in an example", key=f"open_{strategy.name}"):
                open_example(strategy.scenario)
            st.caption("Sources: " + ", ".join(strategy.sources))
        with st.expander("What to set on the consumers", icon=":material/settings:"):
            show_configuration(strategy)
