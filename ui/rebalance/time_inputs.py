"""Inputs of the view "Over time": rates, durations, and events."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import streamlit as st

from assignors.model import Group
from evaluation.facts import Facts
from evaluation.rebalance.timing import InvalidTimingError, Timing
from ui import cache, facts, told, widgets

_COLUMN: Final = 190


class Story(Enum):
    """The simulated events; links contain the labels."""

    HISTORY = "the history above"
    DYNAMIC = "a rolling restart without static ids"
    STATIC = "a rolling restart with static ids"


@dataclass(frozen=True, kw_only=True)
class TimelineInputs:
    """What to simulate."""

    story: Story
    pace: cache.Pace
    apart_s: float
    is_crash: bool


def ask(group: Group, found: Facts) -> TimelineInputs | None:
    """Show the inputs; return their values, or None after an error message."""
    story = st.selectbox(
        "What happens",
        [story.value for story in Story],
        key="time_story",
        bind="query-params",
        help="A rolling restart restarts the consumers one after another, each once the group has "
        "settled",
    )
    try:
        pace = _ask_pace(group, found)
    except InvalidTimingError as error:
        widgets.refusal(error)
        return None
    return TimelineInputs(
        story=Story(story),
        pace=pace,
        apart_s=pace.calm_s if story == Story.HISTORY.value else 0.0,
        is_crash=st.toggle(
            "Consumers crash instead of leaving",
            key="time_crash",
            bind="query-params",
            help="A crashed consumer sends no LeaveGroup request, so its session times out first; "
            "a static consumer never sends one",
        ),
    )


def _ask_pace(group: Group, found: Facts) -> cache.Pace:
    """Show the numeric inputs; raises InvalidTimingError."""
    usual = Timing()
    with st.grid(2, min_column_width=_COLUMN):
        facts.ask_speed(found)
        facts.ask_arriving(group, found)
        timing = Timing(
            pause_s=_number(
                "Pause of a round (s)",
                "pause",
                usual.pause_s,
                "Until the slowest consumer has rejoined. Measure it; eager and cooperative only",
            ),
            warm_up_s=_number(
                "Warm-up of a moved partition (s)",
                "warm_up",
                usual.warm_up_s,
                "Until the new owner reads it: caches, state stores, seeks",
            ),
            restart_s=_number(
                "A restart takes (s)",
                "restart",
                usual.restart_s,
                "From the last record before it to the first one after it",
            ),
            heartbeat_s=_number(
                "Broker's heartbeat interval (s)",
                "heartbeat",
                usual.heartbeat_s,
                "group.consumer.heartbeat.interval.ms: under KIP-848, a moved partition waits for "
                "half of it on average",
            ),
            assignment_interval_s=_number(
                "Broker's assignment interval (s)",
                "interval",
                usual.assignment_interval_s,
                "consumer.assignment.interval.ms (KIP-1263): a broker waits so long from one "
                "assignment to the next; 0 before Kafka 4.3",
            ),
            session_timeout_s=_number(
                "Session timeout (s)",
                "session",
                usual.session_timeout_s,
                "session.timeout.ms: until the coordinator notices that a consumer has crashed, or "
                "that a static one is away",
            ),
        )
        apart_s = _number(
            "Time between events (s)",
            "apart",
            20.0,
            "From one event to the next, and shown after the last; an event waits until the "
            "group has settled",
        )
    typed, total = told.number(told.SPEED), told.number(told.TOTAL)
    return cache.Pace(
        timing=timing,
        throughput_per_consumer=found.speed.records_s if typed is None else typed,
        rate_per_partition=None if total is None else total / max(found.arriving.size, 1),
        calm_s=apart_s,
    )


def _number(label: str, key: str, value: float, about: str) -> float:
    return st.number_input(label, value=value, key=f"time_{key}", bind="query-params", help=about)
