"""Capacity: how many consumers a group needs to clear its backlog in time."""

import streamlit as st

from evaluation.facts import Source
from ui import entry, judging, kind_gate, scenario, visited
from ui.capacity import inputs, views, words
from ui.capacity.decision import decided
from ui.capacity.findings import with_fewest_consumers
from ui.capacity.work import CapacityTrials, needed_at_half_and_twice, switch_start
from ui.group import remarks
from ui.header import plan_of, say_why_empty
from ui.incident import view as incident
from ui.start import default_scenario
from ui.strategy_choice import choose_strategies

entry.through_app(__file__)

current = scenario.current(default_scenario)
kind_gate.stop_at(current)
if say_why_empty(current.group, inputs.TITLE):
    st.stop()

plan_of(current)
progress, answer = st.empty(), st.empty()
remarks.say_stale(current)
pictures, controls = st.columns([3, 1], gap="large")
with controls:
    question = inputs.ask(current, pictures)
with pictures, st.container(horizontal=True, vertical_alignment="center", gap="small"):
    comparison = judging.compared(current)
    chosen = choose_strategies(current, comparison)
    chosen = with_fewest_consumers(chosen)
if question is None:
    st.stop()
if not chosen:
    answer.info("Choose at least one strategy.")
    st.stop()

start = switch_start(comparison.group, comparison.runs, chosen)
work = CapacityTrials(question, chosen, start)
work.search(progress)
findings = work.findings()
decision = decided(question, findings)
with answer.container():
    views.show_answer(decision)
    incident.show_with_time(current)

work.settle(progress)
findings, first = work.findings(), decision
decision = decided(question, findings)
if decision.sentence != first.sentence:  # a number tried for the pictures was better
    with answer.container():
        views.show_answer(decision)
        incident.show_with_time(current)
visited.remember(current.group, decision.section)
with pictures:
    if work.progress.is_stopped:
        work.progress.stopped_notice()
    is_drawn = bool(decision.picture.points)
    is_ever_cleared = is_drawn and decision.picture.is_ever_cleared
    if is_drawn and findings.limits.fewest is None and not is_ever_cleared:
        views.show_needs(findings)
    elif is_drawn:
        views.show_grid(decision, findings)
    views.show_reasons(decision, findings, comparison.runs)
    if question.speed.source is Source.GUESS:
        needed = needed_at_half_and_twice(question, chosen, start, progress)
        st.markdown(words.at_other_speeds(needed))
    if is_ever_cleared:
        views.show_chart(decision, findings)
    if is_drawn:
        views.show_details(findings)
