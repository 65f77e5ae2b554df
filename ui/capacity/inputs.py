"""Inputs of the Consumers page: the facts, what a plan must stand, and what a consumer costs."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assignors.model import Group
from evaluation.answering.given import Knowledge
from evaluation.capacity import planning
from evaluation.capacity.draining import Capacity
from evaluation.capacity.planning import Margin, Outage
from evaluation.capacity.search import MOST_CONSUMERS, USUAL_MOST, usual_most
from evaluation.judging import LAG, Measure
from evaluation.measuring.facts import Facts, Source, Speed
from evaluation.stated import InvalidNumberError, require
from evaluation.wording import duration, sentence, without_uuid
from ui import facts, form, price, told, widgets
from ui.answers import known_in
from ui.choices.number import NumberChoice
from ui.picture import places
from ui.scenario import Scenario

_HEADING: Final = "Plan for"
TITLE: Final = "How many consumers does this group need?"
_LIMITS: Final = ("allowed_s", "partition_cap")
_USUAL_ZONES: Final = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class CapacityInputs:
    """What the visitor asks."""

    group: Group
    """The group of the Group page with the arrival rate of the peak."""
    capacity: Capacity
    most: int
    """The largest number of consumers considered."""
    speed: Speed
    """What one consumer reads."""
    assumed: str
    """The inputs in a sentence."""
    margin: Margin = field(default_factory=Margin)
    outage: Outage = planning.NO_OUTAGE
    threads: int = 1
    """Consumers on one host or of one client."""
    source: Source = Source.STATED
    """What the plan rests on."""
    is_deadline_stated: bool = True
    price: float | None = None
    currency: str = ""
    rests_on: tuple[str, ...] = ()
    """What the answer rests on that nobody has measured or stated, to stand behind "If"."""
    still: int = 0
    """How many of today's consumers read nothing while records wait for them."""
    measure: Measure = LAG
    """What strategies by lag weigh."""


def ask(current: Scenario, above: DeltaGenerator) -> CapacityInputs | None:
    """Show the inputs; return what they say, or None after saying ``above`` them what is wrong."""
    st.subheader(_HEADING, anchor=False)
    known, group = known_in(current), current.group
    found = known.facts
    with st.container(key=places.FIELDS):
        facts.ask_arriving(group, found)
        facts.ask_interval(current)
        form.ask(Margin)
        facts.ask_speed(found)
        form.ask(Capacity, *_LIMITS, blank={"partition_cap": "no limit"})
        told.SURVIVE.ask(
            "Survive the loss of",
            "With that many consumers gone, the rest is still in time. A host: as many as run on "
            f"one today. A zone: of those that the consumers name, else of {_USUAL_ZONES}.",
            told.LOSSES,
        )
        price.ask()
        entered = _ask_most(group)
    # Every field is drawn before any is checked: a field that is not drawn loses its value.
    try:
        question = question_in(current, known, entered)
    except InvalidNumberError as error:
        with above:
            st.title(TITLE, anchor=False)
            widgets.refusal(error)
        return None
    if question is None:
        with above:
            facts.say_what_is_missing("how many consumers this group needs", group, found, _HEADING)
    return question


def question_in(
    current: Scenario, known: Knowledge, entered: float | None = None
) -> CapacityInputs | None:
    """Return the question about an open group; None where neither lag nor arrivals tell a need.

    Raises InvalidNumberError.
    """
    group, found = current.group, known.facts
    question = question_of(group, found, entered)
    cost, currency = price.stated()
    is_idle = found.arriving_source is None and not group.counted_lags.any()
    if is_idle or not planning.is_known(found):
        return None
    threads = threads_of(current)
    return replace(
        question,
        measure=known.measure,
        outage=outage_of(told.SURVIVE.chosen(told.LOSSES), group, threads),
        threads=threads,
        price=cost,
        currency=currency,
    )


def question_of(group: Group, found: Facts, entered: float | None = None) -> CapacityInputs:
    """Return the question about a group with these facts; raises InvalidNumberError."""
    total = told.TOTAL.number()
    require("the total produce rate", 0.0 if total is None else total, "records/s")
    # Rebalance has the pauses; a time counts from when the plan is in place, on every page.
    capacity = form.read(Capacity, throughput=facts.speed_entered(found), pause_s=0.0)
    margin = form.read(Margin)
    most = usual_most(group) if entered is None else int(entered)
    require("the consumers to consider", most, least=1, most=MOST_CONSUMERS)
    peak = "" if margin.peak == 1 else f", times {margin.peak:g}"
    return CapacityInputs(
        group=group.with_rates(found.arriving * margin.peak),
        capacity=capacity,
        most=max(most, group.member_count),
        margin=margin,
        source=planning.rests_on(found),
        is_deadline_stated=told.ALLOWED.number() is not None,
        rests_on=facts.rests_on(found),
        assumed=sentence(
            f"{facts.reading_words(found)}; "
            f"{facts.arrival_words(group, found)}{peak}; "
            f"{duration(capacity.allowed_s)} allowed; {facts.FROM_THEN}"
        ),
        speed=found.speed,
        still=int(np.count_nonzero(found.is_still)),
    )


def threads_of(current: Scenario) -> int:
    """Return how many consumers run on one host, or of one client where no host is known."""
    members = current.group.members
    hosts = current.reading.hosts
    homes = [hosts.get(name) or without_uuid(name) for name in members]
    return max(Counter(homes).values(), default=1)


def outage_of(lost: str, group: Group, threads: int) -> Outage:
    """Return what may be lost, in consumers."""
    racks = {rack for rack in group.layout.member_racks.tolist() if rack >= 0}
    return {
        told.ONE: Outage(1),
        told.HOST: Outage(threads),
        told.ZONE: Outage(zones=len(racks) if len(racks) > 1 else _USUAL_ZONES),
    }.get(lost, planning.NO_OUTAGE)


def _ask_most(group: Group) -> float | None:
    return NumberChoice("most_consumers").ask_whole(
        "Consumers to consider, up to",
        placeholder=f"{usual_most(group):,}",
        about="Blank: one consumer for each partition, but no more than four times today's "
        f"number or {USUAL_MOST:,}, whichever is larger.",
    )
