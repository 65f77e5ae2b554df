"""Inputs of the Capacity page: the facts, times, and how many consumers to consider."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assignors.model import Group
from evaluation.capacity.draining import Capacity
from evaluation.capacity.search import MOST_CONSUMERS, USUAL_MOST, usual_most
from evaluation.facts import Facts, Speed
from evaluation.judging import LAG, Measure
from evaluation.stated import InvalidNumberError, require
from evaluation.wording import duration, sentence
from ui import facts, form, judging, told, url_state, widgets
from ui.scenario import Scenario

TITLE: Final = "How many consumers does this group need?"
_LIMITS: Final = ("allowed_s", "pause_s", "partition_cap")


@dataclass(frozen=True, eq=False, kw_only=True)
class CapacityInputs:
    """What the visitor asks."""

    group: Group
    """The group of the Compare page with what arrives."""
    capacity: Capacity
    most: int
    """The largest number of consumers considered."""
    rests_on: tuple[str, ...] = ()
    """What the answer rests on that nobody has measured or stated, to stand behind "If"."""
    assumed: str
    """The inputs in a sentence."""
    speed: Speed
    """What one consumer reads; beside a guess, others should be shown."""
    still: int = 0
    """How many of today's consumers read nothing while records wait for them."""
    measure: Measure = LAG
    """What strategies by lag weigh."""


def ask(current: Scenario, beside: DeltaGenerator) -> CapacityInputs | None:
    """Show the inputs; return what they say, or None after saying ``beside`` them what is wrong."""
    st.subheader("Assumptions", anchor=False)
    found, group = facts.facts_in(current), current.group
    facts.ask_speed(found)
    facts.ask_interval(current)
    facts.ask_arriving(group, found)
    form.ask(Capacity, *_LIMITS, blank={"partition_cap": "no limit"})
    entered = _ask_most(group)
    # Every field is drawn before any is checked: a field that is not drawn loses its value.
    try:
        question = question_of(group.with_rates(found.arriving), found, entered)
    except InvalidNumberError as error:
        with beside:
            st.title(TITLE, anchor=False)
            widgets.refusal(error)
        return None
    if found.arriving_source is None and not group.counted_lags.any():
        with beside:
            facts.say_what_is_missing("how many consumers this group needs", group, found)
        return None
    return replace(question, measure=judging.measure_of(current))


def question_of(group: Group, found: Facts, entered: float | None = None) -> CapacityInputs:
    """Return the question about a group with these facts; raises InvalidNumberError."""
    total = told.number(told.TOTAL)
    require("the total produce rate", 0.0 if total is None else total, "records/s")
    capacity = form.read(Capacity, throughput=facts.speed_entered(found))
    most = usual_most(group) if entered is None else int(entered)
    require("the consumers to consider", most, least=1, most=MOST_CONSUMERS)
    return CapacityInputs(
        group=group,
        capacity=capacity,
        most=max(most, group.member_count),
        rests_on=facts.rests_on(found),
        assumed=sentence(
            f"{facts.reading_words(found)}; "
            f"{facts.arrival_words(group, found)}; "
            f"{duration(capacity.allowed_s)} allowed, of which the rebalance takes "
            f"{duration(capacity.pause_s)}"
        ),
        speed=found.speed,
        still=int(np.count_nonzero(found.is_still)),
    )


def _ask_most(group: Group) -> float | None:
    return st.number_input(
        "Consumers to consider, up to",
        value=None,
        step=1,
        key="most_consumers",
        bind=url_state.bound_if_finite("most_consumers"),
        placeholder=f"{usual_most(group):,}",
        help="Blank: one consumer for each partition, but no more than four times today's "
        f"number or {USUAL_MOST:,}, whichever is larger.",
    )
