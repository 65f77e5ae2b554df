"""Fleet: every group of every cluster, ranked by what switching the strategy would gain."""

import streamlit as st

from ui import entry, fleet_folder, fleet_views

entry.through_app(__file__)

st.title("Fleet")
st.caption(
    "Every consumer group the pipeline has seen, as it was and under each strategy: where "
    "switching gains most, and why."
)
choices = st.grid(5, min_column_width=150, vertical_alignment="bottom")
fleet = fleet_folder.choose(choices)
if fleet is None:
    st.stop()
fleet_views.show(fleet, choices)
