"""Group: one consumer group, its verdict first, then every strategy side by side."""

import streamlit as st

from assignors.kinds import GroupKind
from evaluation.answering.words import words_of
from ui import (
    answers,
    entry,
    header,
    kind_gate,
    present,
    readings,
    scenario,
    snapshots,
    start,
    strategy_choice,
)
from ui.compare import answer, assumptions, summary, views
from ui.group.consumers import add_consumers
from ui.group.editors import edit_tables
from ui.kinds import page as kinds
from ui.kinds import slides_view
from ui.picture import places
from ui.refining import settled
from ui.slides import view as slides
from ui.what_ifs import kept

entry.through_app(__file__)

kept.open_from_link()
views.follow_earlier_links()
current = scenario.current(start.default_scenario)
if slides.is_presenting() and not kind_gate.hindrance_of(current):
    slides.show_slides(current)
    st.stop()

if slides.is_presenting() and current.reading.as_kind is not None:
    slides_view.show_slides(current, current.reading.as_kind)
    st.stop()

bar = header.header(current)
start.show_way(bar.way, current)
if bar.is_editing:
    tables, shown = st.columns([4, 7], gap="medium")
    with tables:
        edit_tables(current)
        summary.baseline_bar(current)
else:
    shown = st.container(gap="xsmall", key=places.ANSWER)
with shown:
    readings.choose_group(current)
    if current.reading.as_kind is not None:
        snapshots.show(current)
        asked = kinds.show(current, current.reading.as_kind)
        present.present_kind(bar.present, current, asked)
        st.stop()
    if current.reading.kind is not GroupKind.OFFSETS:  # whose verdict says more
        kind_gate.stop_at(current, is_named=True)
    found = answers.answer_so_far(current, strategy_choice.named_strategies(current))
    chosen = strategy_choice.chosen_strategies(current, found)
    outcomes = answer.drawn_in(found, chosen)
    found, refining = settled(found, outcomes)
    words = words_of(found)
    answer.show_band(current, found, words)
    snapshots.show(current)
    if not bar.is_editing:
        summary.baseline_bar(current)
    if not current.group.member_count and not found.verdict.is_alarm:
        add_consumers(current)
    answer.show_picture_of(current, found, outcomes, summary.before(current, chosen, found))
    if not current.group.member_count and found.verdict.is_alarm:
        add_consumers(current, is_next=False)
    assumptions.show(current, words)
of_view = views.views(current, found, outcomes) if outcomes else None
drawing = st.empty()
present.present(bar.present, current)
waits_for = refining or of_view
if waits_for is not None:
    waits_for.go_on(drawing)
