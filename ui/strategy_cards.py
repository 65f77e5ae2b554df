"""What users are told about a strategy, straight from the registry."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from assignors.registry import Sees, Strategy
from sources import samples
from ui import scenario
from ui.configuration import show_configuration


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
        st.markdown(f"*{strategy.protocol.value.capitalize()}*")
        st.markdown("**Goals, in order:** " + "; ".join(strategy.goals))
        for promise in sorted(strategy.promises, key=lambda promise: promise.name):
            st.markdown(f":material/check: {promise.value}")
        st.markdown(f":material/warning: **Weakness:** {strategy.weakness}")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "See it in an example",
                key=f"open_{strategy.name}",
                on_click=partial(_open, strategy.scenario),
            )
            st.caption("Sources: " + ", ".join(strategy.sources))
        with st.expander("What to set on the consumers", icon=":material/settings:"):
            show_configuration(strategy)


def _open(sample_id: str) -> None:
    sample = next(sample for sample in samples.SAMPLES if sample.id == sample_id)
    scenario.show(sample.title, samples.load(sample_id))
    st.session_state["example"] = sample.title
    st.switch_page("pages/compare.py")
