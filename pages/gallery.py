"""Gallery: surprising assignments, and what to do instead."""

import streamlit as st

from ui import entry
from ui.gallery import choose_cards, show_card, show_kind_cards

entry.through_app(__file__)

st.title("Gallery")
st.markdown(
    "Surprising assignments: what happens, why, and what to do instead. The figures are computed "
    "as you look."
)
cards = choose_cards()
st.markdown("[Streams, Connect and share groups](#streams-connect-and-share-groups) come last.")
grid = st.grid(3, min_column_width=330, gap="medium")
for card in cards:
    with grid.cell():
        show_card(card)
show_kind_cards(cards)
