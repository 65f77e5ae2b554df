"""Autoscaler: which rule keeps a group's lag below a target, for how many pods."""

import streamlit as st

from ui import causes, entry, kind_gate, scenario, visited
from ui.autoscaler import inputs, resting, views
from ui.autoscaler.words import at_other_speeds
from ui.autoscaler.work import Replays
from ui.group import remarks
from ui.header import plan_of, say_why_empty
from ui.picture import places
from ui.start import default_scenario

entry.through_app(__file__)

current = scenario.current(default_scenario)
kind_gate.stop_at(current)
if say_why_empty(current.group, inputs.TITLE):
    st.stop()

plan_of(current)
progress, at_rest = places.over_the_page(), st.container()
answer = places.held(places.VERDICT_AND_FIGURES)
remarks.say_stale(current)
pictures, controls = st.columns([3, 1], gap="medium")
with pictures:
    other_speeds = st.empty()
    drawn = places.held(places.LARGE_PICTURE)
with controls:
    question = inputs.ask(current, answer)
if question is None:
    places.await_nothing()
    st.stop()
with at_rest:
    resting.show(question.at_rest)
work = Replays(question)
work.begin(progress)
findings = work.findings()
if work.progress.is_stopped:
    work.progress.stopped_notice(progress)
with answer:
    if work.progress.is_stopped:
        st.caption(work.so_far)
    if findings is None:
        st.stop()
    views.show_answer(findings)
    causes.show(current)
visited.remember(current.group, views.section(findings, "" if work.is_complete else work.so_far))
with drawn:
    views.show_pictures(findings)
if not work.is_complete:
    work.go_on(progress)
elif question.is_guess:
    late = work.late_at_half_and_twice(findings.best)
    other_speeds.markdown(at_other_speeds(findings.best, late))
