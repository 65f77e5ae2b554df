"""The dashboard: its server, and its list of pages. Start it with ``make run``."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from processes import limits
from ui import browser_files, connections, entry, first_screen
from ui.gate import Gate
from ui.slides import view as slides

if __name__ != "__main__":  # the server's import; afterwards each visit runs this file as a script
    limits.check()
    limits.raise_open_files()
    connections.watch()
    first_screen.prepare()
    layers = (Gate, browser_files.Packed, browser_files.Hints)
    app = st.App(__file__, middleware=[Middleware(layer) for layer in layers])
else:
    entry.enter()
    # An SVG icon, because Streamlit fetches named ones from another host.
    pictures = Path(entry.__file__).parent / "static"
    icon = pictures / "icon.svg"
    st.set_page_config(page_title="Kafka assignments", page_icon=icon, layout="wide")
    st.logo(pictures / "wordmark.svg", size="large")
    sections = {
        "": [
            st.Page("pages/compare.py", title="Group", icon=":material/balance:", default=True),
            st.Page("pages/rebalance.py", title="Rebalance", icon=":material/sync_alt:"),
            st.Page("pages/fleet.py", title="Fleet", icon=":material/dashboard:"),
        ],
        "Plan": [
            st.Page("pages/capacity.py", title="Consumers", icon=":material/speed:"),
            st.Page("pages/scenarios.py", title="Scenarios", icon=":material/view_column:"),
            st.Page("pages/autoscaler.py", title="Autoscaler", icon=":material/monitoring:"),
        ],
        "Learn": [
            st.Page("pages/strategies.py", title="Strategies", icon=":material/menu_book:"),
            st.Page("pages/gallery.py", title="Gallery", icon=":material/collections_bookmark:"),
            st.Page("pages/glossary.py", title="Glossary", icon=":material/dictionary:"),
        ],
    }
    page = st.navigation(sections, position="hidden" if slides.is_presenting() else "top")
    entry.mark_section(sections, page)
    entry.start_at_top(page.url_path)
    entry.run(page)
