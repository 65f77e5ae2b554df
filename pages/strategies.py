"""Strategies: where each one runs, what it looks at, what it guarantees and where it fails."""

import streamlit as st

from assignors.clients.registry import ALL_STRATEGIES
from ui import entry
from ui.strategy_cards import strategy_card, strategy_table
from ui.strategy_choice import choose_client

entry.through_app(__file__)

st.title("Strategies")
st.markdown(
    "Where each strategy runs, what it looks at and guarantees, and one weakness of each with an "
    "example to open."
)
strategies = [ALL_STRATEGIES[name] for name in choose_client().strategies]
strategy_table(strategies)
grid = st.grid(2, min_column_width=420, gap="medium")
for strategy in strategies:
    with grid.cell():
        strategy_card(strategy)
