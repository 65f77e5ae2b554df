"""Capacity: how many consumers a group needs to clear its backlog in time."""

import time

import streamlit as st

from ui import answers, causes, entry, kind_gate, scenario, visited
from ui.capacity import inputs, several, views
from ui.capacity.decision import decided
from ui.capacity.findings import with_fewest_consumers
from ui.capacity.work import FIRST_S, CapacityTrials, switch_start
from ui.group import remarks
from ui.header import plan_of, say_why_empty
from ui.kinds import page as kinds
from ui.picture import places
from ui.start import default_scenario
from ui.strategy_choice import choose_strategies

entry.through_app(__file__)

current = scenario.current(default_scenario)
kind_gate.stop_at_kind(current, kinds.show_choices)
kind_gate.stop_at(current)
if say_why_empty(current.group, inputs.TITLE):
    st.stop()

plan_of(current)
progress = places.over_the_page()
answer = places.held(places.VERDICT_AND_FIGURES)  # above the fields: on a phone columns stack
controls, pictures = st.columns([1, 4], gap="large")
with controls:  # first: on a phone the picture is below its fields
    question = inputs.ask(current, answer)
with pictures:
    remarks.say_stale(current)
    drawn = places.held(places.LARGE_PICTURE)
with pictures, st.expander("Every strategy: in time, late or never", icon=":material/grid_on:"):
    found = answers.answer_in(current)
    chosen = choose_strategies(current, found)
    chosen = with_fewest_consumers(chosen)
    folded = st.container()
if question is None:
    places.await_nothing()
    with pictures:
        several.offer(current)
    st.stop()
if not chosen:
    places.await_nothing()
    answer.info("Choose at least one strategy.")
    st.stop()

start = switch_start(found.group, found.running.presumed, chosen)
proposal = None if found.proposal is None else found.proposal.strategy
work = CapacityTrials(question, chosen, start, proposal)
work.search(progress, until=time.monotonic() + FIRST_S)
findings = work.findings()
decision = decided(question, findings)
with answer:
    is_asked = views.show_answer(decision, found.running.strategy)
visited.remember(current.group, decision.section)
several.remember(current, question, findings)
if work.progress.is_stopped:
    work.progress.stopped_notice(progress)
with drawn:
    if decision.curves.points and decision.curves.is_ever_cleared:
        views.show_chart(decision)
    elif decision.curves.points and findings.limits.fewest is None:
        views.show_needs(findings)
    elif work.is_complete or work.progress.is_stopped:
        places.await_nothing()
    views.show_reasons(decision, findings)
    views.show_partitions(findings, question.threads)
    together = st.container()
    causes.show(current)
with folded:
    if decision.picture.columns:
        views.show_grid(decision, findings)
    views.show_details(findings)
if not is_asked and not work.progress.is_stopped and not work.is_complete:
    work.search(progress)
    st.rerun()
with together:
    several.show(current, question, progress)
