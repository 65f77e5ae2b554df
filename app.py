"""The dashboard's list of pages. Start it with ``make run``."""

import streamlit as st

from ui import entry

entry.enter()
st.set_page_config(page_title="Kafka assignments", page_icon=":material/hub:", layout="wide")
st.navigation(
    [
        st.Page("pages/compare.py", title="Compare", icon=":material/balance:", default=True),
        st.Page("pages/rebalance.py", title="Rebalance", icon=":material/sync_alt:"),
        st.Page("pages/capacity.py", title="Capacity", icon=":material/speed:"),
        st.Page("pages/fleet.py", title="Fleet", icon=":material/dashboard:"),
        st.Page("pages/strategies.py", title="Strategies", icon=":material/menu_book:"),
        st.Page("pages/gallery.py", title="Gallery", icon=":material/collections_bookmark:"),
    ],
    position="top",
).run()
