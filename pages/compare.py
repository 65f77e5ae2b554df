"""Compare: one consumer group under every strategy."""

import streamlit as st

from ui import cache, entry, results, scenario
from ui.figures import figures_table
from ui.group.editors import edit_tables
from ui.report import report_button
from ui.start import default_scenario, start_bar
from ui.words import plural

entry.through_app(__file__)

current = scenario.current(default_scenario)
st.title(current.title)
ways_out = start_bar(current)

tables, answer = st.columns([2, 3], gap="large")
with tables:
    st.subheader("The group", help="Everything here can be edited; the results follow.")
    current = edit_tables(current)

group = current.group
with answer:
    st.subheader(
        f"{plural(group.member_count, 'consumer')}, {plural(len(group.topics), 'topic')}, "
        f"{plural(group.partition_count, 'partition')}"
    )
    chosen = results.choose_strategies()
    outcomes = cache.outcomes(group, chosen)
    bound = cache.bound(group)
    if not outcomes:
        st.info("Choose at least one strategy.")
        st.stop()
    results.headline(group, outcomes, bound)

with ways_out:
    report_button(current, outcomes, bound)
figures_table(group, outcomes, bound)
with st.expander("Why each comes out so", icon=":material/help:", expanded=True):
    results.reasons(group, outcomes)
results.views(group, outcomes, bound)
