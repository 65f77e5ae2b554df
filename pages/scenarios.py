"""Scenarios: what you decide against what happens, for one group."""

import streamlit as st

from ui import entry, kind_gate, scenario
from ui.group import remarks
from ui.header import plan_of, say_why_empty
from ui.kinds import page as kinds
from ui.start import default_scenario
from ui.what_ifs import kept, view

entry.through_app(__file__)

kept.open_from_link()
current = scenario.current(default_scenario)
kind_gate.stop_at_kind(current, kinds.show_choices)
kind_gate.stop_at(current)
if say_why_empty(current.group, view.TITLE):
    st.stop()
plan_of(current)
remarks.say_stale(current)
view.show(current)
