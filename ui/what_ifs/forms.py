"""Forms that add a row or a column to the matrix."""

from functools import partial
from typing import Final

import streamlit as st

from evaluation.capacity.search import MOST_CONSUMERS
from evaluation.what_if import (
    MOST,
    MOST_PARTITIONS,
    MOST_TIMES,
    MOST_WEATHERS,
    Asked,
    Weather,
    WhatIf,
)
from ui.clients import client
from ui.scenario import Scenario
from ui.what_ifs import kept

_AS_NOW: Final = "as today"
_LONGEST: Final = 60
"""Characters of a name."""


def offer(current: Scenario, asked: Asked) -> None:
    """Offer to add a choice, which is a row, and a case, which is a column."""
    is_full = len(asked.choices) >= MOST
    is_wide = len(asked.weathers) >= MOST_WEATHERS
    with st.container(horizontal=True, vertical_alignment="center", key="scenario_forms"):
        st.markdown(":small[Rows: what you decide. Columns: what happens to every choice.]")
        # Another key closes a form that has been sent.
        with st.popover(
            "Add a choice",
            icon=":material/add:",
            disabled=is_full,
            help=f"{MOST} have room; remove one to add another." if is_full else None,
            key=f"another_choice_{len(asked.choices)}",
        ):
            _choice_form(current, asked)
        with st.popover(
            "Add a case",
            icon=":material/add:",
            disabled=is_wide,
            help=f"{MOST_WEATHERS} have room; remove one to add another." if is_wide else None,
            key=f"another_case_{len(asked.weathers)}",
        ):
            _case_form(asked)


def _choice_form(current: Scenario, asked: Asked) -> None:
    group, options = current.group, (*client().settable, *client().custom)
    with st.form("another_what_if", clear_on_submit=True, border=False):
        st.text_input("Name", key="what_if_name", max_chars=_LONGEST, placeholder="what it changes")
        st.number_input(
            "Consumers more or fewer", -MOST_CONSUMERS, MOST_CONSUMERS, 0, key="what_if_consumers"
        )
        st.selectbox(
            "Strategy",
            [None, *options],
            key="what_if_strategy",
            format_func=lambda s: s.label if s else _AS_NOW,
        )
        st.selectbox(
            "Topic", ["", *group.topics], key="what_if_topic", format_func=lambda t: t or _AS_NOW
        )
        st.number_input("Its partitions", 0, MOST_PARTITIONS, 0, key="what_if_partitions")
        st.form_submit_button("Add choice", type="primary", on_click=partial(_add_choice, asked))


def _case_form(asked: Asked) -> None:
    with st.form("another_weather", clear_on_submit=True, border=False):
        st.text_input(
            "Name", key="weather_name", max_chars=_LONGEST, placeholder="such as Black Friday"
        )
        st.number_input("Arrivals, times", 0.0, MOST_TIMES, 1.0, key="weather_arrivals")
        st.number_input(
            "Consumers lost",
            0,
            MOST_CONSUMERS,
            0,
            key="weather_lost",
            help="As many as a host or a zone holds",
        )
        st.number_input(
            "Consumers read, times",
            0.0,
            MOST_TIMES,
            1.0,
            key="weather_speed",
            help="Below 1 where what they write to is slow",
        )
        st.form_submit_button("Add case", type="primary", on_click=partial(_add_case, asked))


def _add_choice(asked: Asked) -> None:
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


def _add_case(asked: Asked) -> None:
    entered = st.session_state
    another = Weather(
        name=entered["weather_name"].strip(),
        arrivals=float(entered["weather_arrivals"]),
        lost=int(entered["weather_lost"]),
        speed=float(entered["weather_speed"]),
    )
    kept.keep(asked._replace(weathers=(*asked.weathers, another)))
