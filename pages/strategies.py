"""Strategies: where each one runs, what it looks at, what it guarantees and where it fails."""

import streamlit as st

from assignors.registry import STRATEGIES
from ui import entry
from ui.strategy_cards import strategy_card, strategy_table

entry.through_app(__file__)

st.title("Strategies")
st.markdown(
    "Where each strategy runs, what it looks at and guarantees, and one weakness of each with an "
    "example to open."
)
strategy_table(list(STRATEGIES.values()))
grid = st.grid(2, min_column_width=420, gap="medium")
for strategy in STRATEGIES.values():
    with grid.cell():
        strategy_card(strategy)
