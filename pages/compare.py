"""Compare: one consumer group under every strategy, the answer first."""

from dataclasses import replace

import streamlit as st

from ui import (
    cache,
    entry,
    facts,
    header,
    judging,
    kind_gate,
    readings,
    scenario,
    snapshots,
    start,
    told,
    widgets,
)
from ui.compare import pictures, summary, views
from ui.compare.conclusion import about_switch, conclusion, remarks, when_over
from ui.compare.past import tested
from ui.compare.refining import Refining
from ui.compare.report import report_button
from ui.group.consumers import add_consumers
from ui.group.editors import edit_tables
from ui.incident import view as incident
from ui.incident.brief import hindrance as hindrance_of
from ui.lag_in_time.view import conclusion_line
from ui.slides import view as slides
from ui.strategy_choice import choose_strategies
from ui.untrusted import verbatim
from ui.what_ifs import kept

entry.through_app(__file__)

kept.open_from_link()
current = scenario.current(start.default_scenario)
if slides.is_presenting() and not kind_gate.hindrance_of(current):
    slides.show_slides(current)
    st.stop()

bar = header.header()
start.show_way(bar.way, current)
if bar.is_editing:
    tables, answer = st.columns([2, 3], gap="large")
    with tables:
        edit_tables(current)
else:
    answer = st.container(gap="small")

with answer:
    kind_gate.stop_at(current)
comparison = judging.compared(current)
group = comparison.group
with bar.name:
    header.name_group(current)
basis = ""
with answer:
    readings.choose_group(current)
    snapshots.show(current)
    findings = incident.findings_in(current)
    hindrance = hindrance_of(findings, group)
    incident.show(current, findings)
    if findings:
        conclusion_line(current)
    st.subheader(conclusion(comparison, hindrance=hindrance), anchor=False)
    if not findings:
        conclusion_line(current)
    if not hindrance and (said := when_over(group, comparison.advice, facts.facts_in(current))):
        st.markdown(f":material/schedule: {said}")
    for remark in remarks(comparison, is_advised=not hindrance):
        st.markdown(f":small[{verbatim(remark)}]")
    summary.baseline_bar(current)
    if not group.member_count:
        add_consumers(current)
    else:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            picture = pictures.choose_picture()
            chosen = choose_strategies(current, comparison)
            if not hindrance:
                summary.how_to_set(comparison)
        baseline = judging.weighed(current, current.baseline)
        comparison = replace(
            comparison,
            outcomes=cache.outcomes(comparison.group, chosen, comparison.runs),
            before={} if current.is_at_baseline else summary.before(baseline, chosen, comparison),
        ).on(current.reading.assumed)
        widgets.figures(summary.four(comparison, baseline), 150)
        pictures.show(picture, comparison)
        basis = about_switch(comparison, comparison.outcomes, is_noticed=told.is_slow())
        for said in filter(None, (judging.why(comparison.measure), basis)):
            st.markdown(f":small[{said}]")
        test, drawing = st.empty(), st.empty()
if comparison.outcomes:
    views.views(current, comparison)
with bar.actions:
    header.undo_and_share(current)
    report_button(current, comparison, basis)
if comparison.outcomes:
    if said := "" if hindrance else tested(current, comparison):
        test.markdown(f":small[{said}]")
    Refining(comparison).go_on(drawing)
