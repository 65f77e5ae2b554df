"""Strategies: what each one does, looks at, promises and gets wrong."""

import streamlit as st

from assignors.registry import STRATEGIES
from ui import entry
from ui.strategy_cards import strategy_card, strategy_table

entry.through_app(__file__)

st.title("The strategies")
st.caption("What each looks at and promises, and one thing it does badly, with an example to open.")
strategy_table(list(STRATEGIES.values()))
for strategy in STRATEGIES.values():
    strategy_card(strategy)
