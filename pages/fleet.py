"""Fleet: every group of every cluster, by urgency and by what another strategy would gain."""

import streamlit as st

from ui import entry
from ui.fleet import folder, view
from ui.picture import places

entry.through_app(__file__)

st.markdown(":small[**Fleet**, as it was and under each strategy]")
totals, answer = places.held(places.TOTALS), places.held(places.VERDICT_OF_FLEET)
with st.container(key=places.FIELDS):
    choices = st.grid(5, min_column_width=150, vertical_alignment="bottom")
fleet = folder.choose(choices)
if fleet is None:
    places.await_nothing()
    answer.title(
        "Fleet", anchor=False
    )  # the page's heading, as the verdict is once tables are open
    st.stop()
view.show(fleet, totals, answer, choices)
