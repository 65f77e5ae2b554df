"""Rebalance: what happens to a group, event by event, under every strategy."""

from functools import partial

import streamlit as st

from ui import answers, cache, entry, judging, kind_gate, scenario, visited
from ui.header import plan_of
from ui.kinds import page as kinds
from ui.picture import places, verdict
from ui.picture.model import Tone, VerdictBand
from ui.rebalance import controls, history, logged, post_mortem
from ui.rebalance.details import details
from ui.rebalance.pictures import (
    choose_drawn,
    disruption_picture,
    flow_picture,
    headline_figures,
)
from ui.rebalance.words import Result, best_first, conclusion, remarks, section
from ui.start import default_scenario
from ui.strategy_choice import choose_strategies
from ui.untrusted import plain

entry.through_app(__file__)

history.open_from_link()
current = scenario.current(default_scenario)
kind_gate.stop_at_kind(current, partial(kinds.show, is_by_round=True))
logged.show(current)
kind_gate.stop_at(current)
played = history.current(current)
with st.container(horizontal=True, vertical_alignment="center"):
    plan_of(current)
    controls.choose_guide(played)
controls.about_guide(played)
found = answers.answer_in(current)
post_mortem.show(current, found)
answer, settings = places.held(places.LARGE_PICTURE), st.container()

with settings:
    measure = found.load.measure
    chosen = choose_strategies(current, found)
    starts = controls.choose_start(found.group, chosen, found.running.strategy)

with answer:
    reached = history.reached(current.group, played)
    controls.say_wrong(current, reached, played)
    step = controls.choose_step(reached, played)
    if not chosen:
        places.await_nothing()
        st.info("Choose at least one strategy.")
        st.stop()
    replays = cache.replays(starts, reached.events)
    event = reached.events[step - 1] if step else None
    shown = best_first(
        [Result(strategy, steps[step].rebalance) for strategy, steps in replays.items()]
    )
    visited.remember(current.group, section(event, shown))
    said = conclusion(event, shown)
    verdict.show(
        VerdictBand(tone=Tone.NEUTRAL, finding=plain(said.finding), evidence=plain(said.evidence))
    )
    left, right = st.columns([2, 3], gap="large")
    with left:
        moves = places.held(places.MOVES_AND_PAUSES)
    with right:
        drawn = choose_drawn(shown)
        headline_figures(drawn, measure)
        flow_picture(drawn)
    with moves:
        disruption_picture(shown, drawn)
        for remark in remarks(event, shown):
            st.markdown(remark)
        if why := judging.why(measure):
            st.markdown(f":small[{why}]")

details(current, starts, reached.events, shown, drawn)
after = replays[drawn.strategy][step].group.with_weights(None)
st.button(
    f"Continue with the result of {drawn.strategy.label} on every page",
    on_click=lambda: history.take_over(after),
    help="Makes the owners after this step the present owners; Undo is on the Group page",
)
