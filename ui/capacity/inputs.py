"""Inputs of the Capacity page: rates, times, and how many consumers to consider."""

from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assignors.model import Group
from evaluation.capacity.draining import Capacity, InvalidCapacityError, require
from evaluation.capacity.rates import default_throughput
from evaluation.offset_history import OffsetHistory
from evaluation.wording import amount, duration
from ui import url_state, widgets
from ui.capacity.produce_rates import Rates, ask_rates, number

_MOST_ALLOWED: Final = 10_000
_USUAL: Final = 1_000
"""Numbers of consumers considered, unless there are nearly as many or the visitor asks for more."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CapacityInputs:
    """What the visitor asks."""

    group: Group
    """The group of the Compare page with the produce rates assumed."""
    capacity: Capacity
    most: int
    """The largest number of consumers considered."""
    assumed: str
    """The inputs in a sentence."""
    notes: tuple[str, ...]
    """What the inputs leave open, a sentence each."""


def ask(
    group: Group, history: OffsetHistory | None, answer: DeltaGenerator
) -> CapacityInputs | None:
    """Show the inputs; return what they say, or None after saying in ``answer`` what is wrong."""
    st.subheader("Assumptions", anchor=False)
    first = st.container()  # drawn first, but its default needs what comes after
    rates = ask_rates(group, history)
    limits, most = _ask_limits(), _ask_most(group)
    problem = rates if isinstance(rates, Exception) else None
    arriving = group if isinstance(rates, Exception) else replace(group, rates=rates.each)
    # Every field is drawn before any is checked: a field that is not drawn loses its value.
    try:
        usual = default_throughput(
            arriving, pause_s=limits["pause_s"], allowed_s=limits["allowed_s"]
        )
    except InvalidCapacityError as error:
        usual, problem = None, problem or error
    throughput = _ask_throughput(first, usual)
    if not isinstance(rates, Exception) and usual is not None:
        try:
            capacity = Capacity(**limits, throughput=usual if throughput is None else throughput)
            return _question(arriving, rates, capacity, most, is_assumed=throughput is None)
        except InvalidCapacityError as error:
            problem = error
    with answer.container():
        st.title("How many consumers does this group need?", anchor=False)
        widgets.refusal(problem)
    return None


def _ask_limits() -> dict[str, Any]:
    """Ask for what Capacity holds beside the processing rate; return it unchecked."""
    return {
        "allowed_s": number(
            "Time allowed (seconds)",
            "allowed",
            600.0,
            "The backlog must be cleared within this time, rebalance pause included.",
        ),
        "pause_s": number(
            "Rebalance pause (seconds)",
            "pause",
            10.0,
            "At the start nobody reads for this long, as in an eager rebalance.",
        ),
        "partition_cap": st.number_input(
            "At most from one partition (records/s)",
            value=None,
            format="%g",
            key="partition_cap",
            bind="query-params",
            placeholder="no limit",
            help="Set it where one partition cannot use a consumer's full rate, as with small "
            "fetches from distant brokers.",
        ),
    }


def _ask_most(group: Group) -> float | None:
    return st.number_input(
        "Consumers to consider, up to",
        value=None,
        step=1,
        key="most_consumers",
        bind=url_state.bound_if_finite("most_consumers"),
        placeholder=f"{_usual_most(group):,}",
        help="Blank: one consumer for each partition, but no more than four times today's "
        f"number or {_USUAL:,}, whichever is larger.",
    )


def _ask_throughput(place: DeltaGenerator, usual: float | None) -> float | None:
    return place.number_input(
        "One consumer processes (records/s)",
        value=None,
        format="%g",
        key="throughput",
        bind="query-params",
        placeholder="" if usual is None else f"{usual:,.0f}",
        help="Measure it under load, processing included. Blank: the rate at which today's "
        "consumers (ten, if there are none) would be 80 % busy if the load were spread evenly, "
        "and the heaviest partition would take at most half of one.",
    )


def _question(
    arriving: Group, rates: Rates, capacity: Capacity, entered: float | None, *, is_assumed: bool
) -> CapacityInputs:
    """Check how many consumers to consider; raises InvalidCapacityError."""
    most = _usual_most(arriving) if entered is None else int(entered)
    require("the consumers to consider", most, least=1, most=_MOST_ALLOWED)
    source = "assumed" if is_assumed else "entered"
    return CapacityInputs(
        group=arriving,
        capacity=capacity,
        most=max(most, arriving.member_count),
        assumed=f"Each consumer processes {amount(capacity.throughput)} records/s ({source}); "
        f"{rates.sentence}; {duration(capacity.allowed_s)} allowed, of which the rebalance takes "
        f"{duration(capacity.pause_s)}.",
        notes=rates.notes,
    )


def _usual_most(group: Group) -> int:
    usual = min(group.partition_count, max(_USUAL, 4 * group.member_count))
    return min(max(usual, 1), _MOST_ALLOWED)
