"""Rebalance: what happens to a group, event by event, under every strategy."""

import streamlit as st

from assignors.registry import STRATEGIES
from ui import (
    cache,
    entry,
    rebalance_controls,
    rebalance_history,
    rebalance_results,
    rebalance_time,
    scenario,
)
from ui.rebalance_events import choose_event
from ui.rebalance_words import Result, conclusion
from ui.start import default_scenario
from ui.strategy_choice import choose_strategies
from ui.untrusted import verbatim

entry.through_app(__file__)

rebalance_history.open_from_link()
current = scenario.current(default_scenario)
history = rebalance_history.current(current)
st.title(current.title)
rebalance_controls.choose_guide(history)

reached = rebalance_history.reached(current.group, history)
if current.problems:
    st.warning("Some cells on the Compare page are wrong; this is the group as it was before.")
if reached.broken:
    st.error(verbatim(reached.broken), icon=":material/error:")

controls, answer = st.columns([2, 3], gap="large")
with controls:
    timeline = st.container()
    event = choose_event(reached.group, len(history.events))
    if event is not None:
        rebalance_history.add(event, reached.group)
        st.rerun()
    if history.refused:
        st.error(verbatim(history.refused), icon=":material/error:")
    with timeline:  # above the form, yet drawn after it: adding an event moves on to it
        step = rebalance_controls.choose_step(reached)

with answer:
    chosen = choose_strategies(current.group, current.reading)
    start = rebalance_controls.choose_start(current.group)
    if not chosen:
        st.info("Choose at least one strategy.")
        st.stop()
    played = cache.replays(start, reached.events, chosen)
    shown = [Result(STRATEGIES[name], steps[step].rebalance) for name, steps in played.items()]
    happened = reached.events[step - 1] if step else None
    st.subheader(f"{step}. {verbatim(str(happened))}" if happened else "Start")
    st.markdown(conclusion(happened, shown))
    rebalance_results.figures_table(shown)
    drawn = rebalance_results.choose_drawn(shown)
    settled = played[drawn.strategy.name][step].settled
    st.button(
        f"Take the result of {drawn.strategy.label} as the present owners",
        icon=":material/move_down:",
        on_click=lambda: rebalance_history.take_over(settled),
        help="On all pages the group becomes what it is after this step; "
        "undo is on the Compare page",
    )

pictures = st.grid(2, min_column_width=480, gap="large")
with pictures.cell():
    rebalance_results.flow_picture(drawn)
with pictures.cell():
    rebalance_results.rounds_picture(shown, drawn)
rebalance_time.over_time(start, reached.events, chosen)
rebalance_results.partitions(shown, drawn)
