"""Inputs of the view "Over time": rates, durations, and events."""

from dataclasses import dataclass, field
from enum import Enum
from math import inf
from typing import Final

import streamlit as st

from evaluation.measuring.facts import Facts
from evaluation.rebalance.timing import Timing
from evaluation.stated import InvalidNumberError, check_stated, stated
from ui import cache, facts, form, told, widgets
from ui.choices.option import OptionChoice
from ui.choices.text import ToggleChoice
from ui.scenario import Scenario

_COLUMN: Final = 190
_PREFIX: Final = "time_"
"""Of the names in links."""


class TimeStory(Enum):
    """The simulated events; links contain the labels."""

    HISTORY = "the history above"
    DYNAMIC = "a rolling restart without static ids"
    STATIC = "a rolling restart with static ids"


@dataclass(frozen=True, kw_only=True)
class TimelineInputs:
    """What to simulate."""

    story: TimeStory
    pace: cache.Pace
    apart_s: float
    is_crash: bool


def ask(current: Scenario, found: Facts) -> TimelineInputs | None:
    """Show the inputs; return their values, or None after an error message."""
    story = OptionChoice("time_story").pick(
        "What happens",
        [story.value for story in TimeStory],
        about="A rolling restart restarts the consumers one after another, each once the group has "
        "settled",
    )
    with st.grid(2, min_column_width=_COLUMN):
        facts.ask_interval(current)
        facts.ask_speed(found)
        facts.ask_arriving(current.group, found)
        form.ask(Timing, prefix=_PREFIX)
        form.ask(_Apart, prefix=_PREFIX)
    try:
        pace = _pace(found)
    except InvalidNumberError as error:
        widgets.refusal(error)
        return None
    return TimelineInputs(
        story=TimeStory(story),
        pace=pace,
        apart_s=pace.calm_s if story == TimeStory.HISTORY.value else 0.0,
        is_crash=ToggleChoice("time_crash").ask(
            "Consumers crash instead of leaving",
            about="A crashed consumer sends no LeaveGroup request, so its session times out first; "
            "a static consumer never sends one",
        ),
    )


@dataclass(frozen=True, kw_only=True)
class _Apart:
    """How the events follow each other; raises InvalidNumberError."""

    apart_s: float = field(
        default=20.0,
        metadata=stated(
            "the time between events",
            "Time between events",
            "From one event to the next, and shown after the last; an event waits until the group "
            "has settled",
            unit="s",
        ),
    )

    def __post_init__(self) -> None:
        check_stated(self)


def _pace(found: Facts) -> cache.Pace:
    """Return what was entered; raises InvalidNumberError."""
    total = told.TOTAL.number()
    return cache.Pace(
        timing=form.read(Timing, prefix=_PREFIX),
        throughput_per_consumer=facts.speed_entered(found),
        partition_cap=inf if found.partition_cap is None else found.partition_cap,
        rate_per_partition=None if total is None else total / max(found.arriving.size, 1),
        calm_s=form.read(_Apart, prefix=_PREFIX).apart_s,
    )
