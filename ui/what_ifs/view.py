"""The page of scenarios: the conclusion, a panel and a column each, and a form for more."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from charts.loads import MAX_NAMED, panel_of, scale_of
from charts.report import Section
from evaluation import wording
from evaluation.capacity.draining import Capacity
from evaluation.stated import InvalidNumberError
from evaluation.what_if import MOST, MOST_CONSUMERS, MOST_PARTITIONS, MOST_TIMES, WhatIf
from ui import facts, form, judging, panel, price, scenario, visited, widgets
from ui.clients import client
from ui.scenario import Scenario
from ui.untrusted import plain, verbatim
from ui.what_ifs import figures, kept, plan
from ui.what_ifs.figures import ScenarioColumn

TITLE: Final = "Scenarios side by side"
_NARROWEST: Final = 240
_AS_NOW: Final = "as today"
_FROM_THEN: Final = "times count once a scenario is in place, without the pause that Capacity adds"


def show(current: Scenario) -> None:
    """Show the scenarios of the group on screen."""
    if problem := kept.problem():
        st.error(f"The scenarios of the link could not be read: {verbatim(problem)}")
    group, found = current.group, facts.facts_in(current)
    comparison = judging.compared(current)
    what_ifs = kept.chosen() or figures.usual(group, comparison, found)
    kept.keep_in_link()
    answer, pictures = st.container(), st.container()
    with st.expander("Assumptions", icon=":material/tune:"), st.grid(4, min_column_width=220):
        with st.container():
            judging.ask(current)
        facts.ask_speed(found)
        facts.ask_arriving(group, found)
        form.ask(Capacity, "allowed_s")
        price.ask()
    try:
        shown = figures.columns(group, comparison, what_ifs, found)
        allowed = form.number(Capacity, "allowed_s")
        cost = price.stated()
    except InvalidNumberError as error:
        with answer:
            widgets.refusal(error)
        return
    with answer:
        sentence = figures.conclusion(shown, allowed, facts.rests_on(found))
        st.title(sentence, anchor=False)
        basis = f"{facts.reading_words(found)}; {facts.arrival_words(group, found)}; {_FROM_THEN}"
        st.markdown(f":small[{wording.sentence(basis)}]")
        plan.show_since(current)
    with pictures:
        _panels(shown)
        frame = _frame(shown, cost)
        _table(current, frame)
        for note in figures.notes(shown):
            st.markdown(f":small[{verbatim(note)}]")
    if len(what_ifs) < MOST:
        _form(current, what_ifs)
    else:
        st.caption(f"{MOST} stand side by side; remove one to add another.")
    said = plain(sentence)
    plan.offer(current, what_ifs, said)
    table = visited.table("What each scenario comes to", frame, texts=len(shown) + 1)
    visited.remember(current.group, Section("Scenarios", [said, *figures.notes(shown), table]))


def _panels(shown: Sequence[ScenarioColumn]) -> None:
    load = shown[0].load
    scales = [scale_of(each.group, [each.outcome], load, load.bound(each.group)) for each in shown]
    is_named = all(each.group.member_count <= MAX_NAMED for each in shown)  # or bases differ
    grid = st.grid(len(shown), min_column_width=_NARROWEST, gap="medium")
    for number, each in enumerate(shown):
        scale = scales[number]._replace(
            top=max(scale.top for scale in scales),
            most_partitions=max(scale.most_partitions for scale in scales),
        )
        drawn = panel_of(each.group, each.outcome, scale, is_named=is_named)
        with grid.cell():
            st.markdown(f"**{verbatim(each.title)}**")
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
                    on_click=partial(_remove, number, tuple(c.what_if for c in shown)),
                    disabled=len(shown) == 1,
                )
    st.markdown(
        f":small[Bars: {load.axis('each consumer')}, on one scale; the busiest is orange. "
        "Dashed line: the lower bound.]"
    )


def _frame(shown: Sequence[ScenarioColumn], cost: tuple[float | None, str]) -> pd.DataFrame:
    table = figures.rows(shown, *cost)
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


def _form(current: Scenario, what_ifs: Sequence[WhatIf]) -> None:
    """Ask for another scenario."""
    group, options = current.group, (*client().settable, *client().custom)
    with (
        st.form("another_what_if", clear_on_submit=True),
        st.grid(6, min_column_width=150, vertical_alignment="bottom"),
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
        st.number_input("Arrivals, times", 0.0, MOST_TIMES, 1.0, key="what_if_arrivals")
        st.form_submit_button(
            "Add scenario", type="primary", on_click=partial(_add, tuple(what_ifs))
        )


def _add(what_ifs: Sequence[WhatIf]) -> None:
    asked = st.session_state
    topic = asked["what_if_topic"] if asked["what_if_partitions"] else ""
    another = WhatIf(
        name=asked["what_if_name"].strip(),
        strategy=asked["what_if_strategy"],
        consumers=int(asked["what_if_consumers"]),
        topic=topic,
        partitions=int(asked["what_if_partitions"]) if topic else 0,
        arrivals=float(asked["what_if_arrivals"]),
    )
    kept.keep((*what_ifs, another))


def _remove(number: int, what_ifs: Sequence[WhatIf]) -> None:
    kept.keep([each for k, each in enumerate(what_ifs) if k != number])


def _open(column: ScenarioColumn) -> None:
    """Make a scenario's group, with its owners, the one on screen."""
    group = column.group
    owned = group.owned_by(column.outcome.owners) if column.strategy else group
    scenario.turn_into(owned.with_rates(group.offsets.rates))
