"""Capacity: how many consumers a group needs, and how long its backlog takes."""

import streamlit as st

from ui import capacity_inputs, capacity_results, entry, scenario
from ui.start import default_scenario
from ui.strategy_choice import choose_strategies

entry.through_app(__file__)

current = scenario.current(default_scenario)
st.title(current.title)
st.caption(
    "How many consumers does the group of the Compare page need to be rid of its backlog in time? "
    "Every number is tried under every strategy."
)
if current.problems:
    st.warning("Some cells on the Compare page are wrong; this is the group as it was before.")
if not current.group.is_wanted.any():
    st.info("Nobody subscribes to any partition: open or edit a group on the Compare page.")
    st.stop()

controls, answer = st.columns([2, 3], gap="large")
with controls:
    question = capacity_inputs.ask(current.group)

with answer:
    chosen = choose_strategies(current.group, current.reading)
    if not chosen:
        st.info("Choose at least one strategy.")
    if question is None:
        st.info("The answer appears here once the input is right.")
    if question is None or not chosen:
        st.stop()
    found = capacity_results.find(question, chosen)
    capacity_results.headline(found, question.rates)
    capacity_results.strategy_table(found)

capacity_results.picture(found)
capacity_results.rules_table(found)
