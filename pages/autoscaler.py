"""Autoscaler: which rule keeps a group's lag below a target, for how many pods."""

import streamlit as st

from ui import entry, scenario, visited
from ui.autoscaler import inputs, replays
from ui.capacity.work import say_why_empty
from ui.compare import incident
from ui.group import remarks
from ui.header import plan_of
from ui.start import default_scenario

entry.through_app(__file__)

current = scenario.current(default_scenario)
if say_why_empty(current.group, inputs.TITLE):
    st.stop()

plan_of(current)
progress, answer = st.empty(), st.container()
remarks.say_stale(current)
pictures, controls = st.columns([3, 1], gap="medium")
with controls:
    question = inputs.ask(current, answer)
if question is None:
    st.stop()
work = replays.Replays(question)
work.begin(progress)
with answer:
    if work.progress.is_stopped:
        work.progress.stopped_notice()
        st.caption(work.so_far)
    if not work.results:
        st.stop()
    replays.show_answer(question, work.results)
    incident.show_with_time(current)
visited.remember(current.group, replays.section(question, work))
with pictures:
    other_speeds = st.empty()
    replays.show_pictures(question, work.results)
if not work.is_complete:
    work.go_on(progress)
elif question.is_guess:
    best = replays.recommended(question, work.results)
    other_speeds.markdown(replays.at_other_speeds(best, work.late_at_half_and_twice(best)))
