"""The page of scenarios: the conclusion, a panel and a column each, and a form for more."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import Group
from charts.loads import MAX_NAMED, panel_of, scale_of
from charts.palette import ALARM, BAR, BUSIEST
from charts.report import Section
from evaluation import wording
from evaluation.answering.planning import PlanSaid, plan_words
from evaluation.capacity.draining import Capacity
from evaluation.capacity.search import MOST_CONSUMERS
from evaluation.measuring.facts import Facts
from evaluation.stated import InvalidNumberError
from evaluation.what_if import (
    MOST,
    MOST_PARTITIONS,
    MOST_TIMES,
    Asked,
    Weather,
    WhatIf,
)
from ui import downloads, facts, form, judging, panel, price, scenario, visited, widgets
from ui.answers import answer_in
from ui.clients import client
from ui.picture import places, verdict
from ui.picture.model import Tone, VerdictBand
from ui.scenario import Scenario
from ui.untrusted import verbatim
from ui.what_ifs import figures, kept, plan
from ui.what_ifs.figures import ScenarioColumn

TITLE: Final = "Scenarios side by side"
_NARROWEST: Final = 240
_AS_NOW: Final = "as today"


def show(current: Scenario) -> None:
    """Show the scenarios of the group on screen."""
    if problem := kept.problem():
        st.error(f"The scenarios of the link could not be read: {verbatim(problem)}")
    answer = answer_in(current)
    group, found, asked = current.group, answer.known.facts, kept.chosen()
    if not asked.choices:
        asked = asked._replace(choices=figures.usual(answer))
    kept.keep_in_link()
    said_first, pictures = places.held(places.VERDICT_AND_FACTS), st.container()
    _ask(current, found)
    try:
        shown = figures.columns(asked, answer)
        allowed = form.number(Capacity, "allowed_s")
        cost = price.stated()
    except InvalidNumberError as error:
        places.await_nothing()
        with said_first:
            widgets.refusal(error)
        return
    said = _said(shown, asked, allowed, found)
    with said_first:
        _say(said, group, found)
        plan.show_since(current)
    frame = _frame(shown, cost, allowed)
    notes = figures.notes(shown)
    with pictures:
        _weather(asked)
        _panels(shown, asked)
        _table(current, frame)
        for note in notes:
            st.markdown(f":small[{verbatim(note)}]")
    if len(asked.choices) < MOST:
        _form(current, asked)
    else:
        st.caption(f"{MOST} stand side by side; remove one to add another.")
    plan.offer(current, asked, said.text)
    table = visited.table("What each scenario comes to", frame, texts=len(shown) + 1)
    visited.remember(current.group, Section("Scenarios", [said.text, *notes, table]))


def _ask(current: Scenario, found: Facts) -> None:
    """Ask what all scenarios assume."""
    with st.expander("Assumptions", icon=":material/tune:"), st.grid(4, min_column_width=220):
        with st.container():
            judging.ask(current)
        facts.ask_speed(found)
        facts.ask_arriving(current.group, found)
        form.ask(Capacity, "allowed_s")
        price.ask()


def _said(
    shown: Sequence[ScenarioColumn], asked: Asked, allowed_s: float, found: Facts
) -> PlanSaid:
    """Return the conclusion, and what it rests on."""
    still = int(np.count_nonzero(found.is_still))
    again = (facts.again(still),) if still else ()
    rests_on = (*facts.rests_on(found), *again)
    return plan_words(figures.choices_of(shown), asked.weather, allowed_s, rests_on)


def _say(said: PlanSaid, group: Group, found: Facts) -> None:
    """Show the conclusion, and the facts below it."""
    verdict.show(
        VerdictBand(
            tone=Tone.RED if said.is_alarm else Tone.NEUTRAL,
            finding=said.finding,
            evidence=said.evidence,
            action=said.action,
        )
    )
    basis = f"{facts.reading_words(found)}; {facts.arrival_words(group, found)}; {facts.FROM_THEN}"
    st.markdown(f":small[{wording.sentence(basis)}]")


def _weather(asked: Asked) -> None:
    """Ask what happens to every choice alike."""
    weather, (arrivals, lost, speed) = asked.weather, kept.WEATHER
    changed = partial(_blow, asked.choices)
    with st.container(key=places.FIELDS), st.grid(3, min_column_width=180):
        st.number_input(
            "Arrivals, times",
            0.0,
            MOST_TIMES,
            weather.arrivals,
            key=arrivals,
            on_change=changed,
            help="The weather: it happens to every choice below alike",
        )
        st.number_input(
            "Consumers lost",
            0,
            MOST_CONSUMERS,
            weather.lost,
            key=lost,
            on_change=changed,
            help="As many as a host or a zone holds",
        )
        st.number_input(
            "Consumers read, times",
            0.0,
            MOST_TIMES,
            weather.speed,
            key=speed,
            on_change=changed,
            help="Below 1 where what they write to is slow",
        )


def _blow(choices: tuple[WhatIf, ...]) -> None:
    arrivals, lost, speed = (st.session_state[name] for name in kept.WEATHER)
    kept.keep(Asked(choices, Weather(float(arrivals), int(lost), float(speed))))


def _panels(shown: Sequence[ScenarioColumn], asked: Asked) -> None:
    load = shown[0].load
    scales = [scale_of(each.group, [each.outcome], load, load.bound(each.group)) for each in shown]
    is_named = all(each.group.member_count <= MAX_NAMED for each in shown)  # or bases differ
    is_alarm = any(each.never_ends for each in shown)
    grid = st.grid(len(shown), min_column_width=_NARROWEST, gap="medium")
    for number, each in enumerate(shown):
        scale = scales[number]._replace(
            top=max(scale.top for scale in scales),
            most_partitions=max(scale.most_partitions for scale in scales),
        )
        peak = ALARM if each.never_ends else BAR if is_alarm else BUSIEST
        drawn = panel_of(each.group, each.outcome, scale, is_named=is_named, peak=peak)
        with grid.cell():
            never = " :red[never catches up]" if each.never_ends else ""
            st.markdown(f"**{verbatim(each.title)}**{never}")
            panel.show(drawn, f"what_if_{number}", f"{each.title}: load of each consumer")
            with st.container(horizontal=True):
                st.button(
                    "Open",
                    key=f"open_{number}",
                    on_click=partial(_open, each),
                    help="Make this the group on every page; Undo is on the Group page",
                )
                st.button(
                    "Remove",
                    key=f"remove_{number}",
                    on_click=partial(_remove, number, asked),
                    disabled=len(shown) == 1,
                )
    coloured = "red where the group never catches up" if is_alarm else "orange"
    st.markdown(
        f":small[Bars: {load.axis('each consumer')}, on one scale; the busiest is {coloured}. "
        "Dashed line: the lower bound.]"
    )


def _frame(
    shown: Sequence[ScenarioColumn], cost: tuple[float | None, str], allowed_s: float
) -> pd.DataFrame:
    table = figures.rows(shown, *cost, allowed_s)
    return pd.DataFrame(
        [[measure, *texts] for measure, texts in table.items()],
        columns=["", *(each.title for each in shown)],
    )


def _table(current: Scenario, frame: pd.DataFrame) -> None:
    widgets.table(
        frame,
        f"What each scenario of {current.title} comes to",
        pinned=("",),
        height="content",
    )
    downloads.offer(lambda: frame, current.group.id, "scenarios")


def _form(current: Scenario, asked: Asked) -> None:
    """Ask for another scenario."""
    group, options = current.group, (*client().settable, *client().custom)
    with (
        st.form("another_what_if", clear_on_submit=True),
        st.grid(5, min_column_width=150, vertical_alignment="bottom"),
    ):
        st.text_input("Name", key="what_if_name", max_chars=60, placeholder="what it changes")
        st.number_input(
            "Consumers more or fewer", -MOST_CONSUMERS, MOST_CONSUMERS, 0, key="what_if_consumers"
        )
        st.selectbox(
            "Topic", ["", *group.topics], key="what_if_topic", format_func=lambda t: t or _AS_NOW
        )
        st.number_input("Its partitions", 0, MOST_PARTITIONS, 0, key="what_if_partitions")
        st.selectbox(
            "Strategy",
            [None, *options],
            key="what_if_strategy",
            format_func=lambda s: s.label if s else _AS_NOW,
        )
        st.form_submit_button("Add scenario", type="primary", on_click=partial(_add, asked))


def _add(asked: Asked) -> None:
    entered = st.session_state
    topic = entered["what_if_topic"] if entered["what_if_partitions"] else ""
    another = WhatIf(
        name=entered["what_if_name"].strip(),
        strategy=entered["what_if_strategy"],
        consumers=int(entered["what_if_consumers"]),
        topic=topic,
        partitions=int(entered["what_if_partitions"]) if topic else 0,
    )
    kept.keep(asked._replace(choices=(*asked.choices, another)))


def _remove(number: int, asked: Asked) -> None:
    choices = tuple(each for k, each in enumerate(asked.choices) if k != number)
    kept.keep(asked._replace(choices=choices))


def _open(column: ScenarioColumn) -> None:
    """Make a scenario's group, with its owners, the one on screen."""
    group = column.group
    owned = group.owned_by(column.outcome.owners) if column.strategy else group
    scenario.turn_into(owned.with_rates(group.offsets.rates))
