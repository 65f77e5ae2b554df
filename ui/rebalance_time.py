"""The history over time: lag under every strategy, what stands still, and rolling restarts."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import Group
from assignors.registry import STRATEGIES
from charts.timeline import Panel, lag_over_time
from evaluation.events import Event
from evaluation.plan import Planned, dynamic, planned, rolling_restart
from evaluation.timeline import Timeline
from evaluation.timing import InvalidTimingError, Timing
from ui import cache, rebalance_rolling
from ui.words import amount, plural

_COLUMN: Final = 190
_MOST_RESTARTED: Final = 300_000
"""Consumers times partitions of a group whose rolling restart is simulated while one waits."""
_LEAST_CALM_S: Final = 10.0


class _Story(Enum):
    """What is simulated; the labels stand in links."""

    HISTORY = "the history above"
    DYNAMIC = "a rolling restart without static ids"
    STATIC = "a rolling restart with static ids"


@dataclass(frozen=True, kw_only=True)
class _Question:
    """What the visitor asks."""

    story: _Story
    pace: cache.Pace
    apart_s: float
    is_crash: bool


def over_time(group: Group, events: tuple[Event, ...], chosen: tuple[str, ...]) -> None:
    """Show lag over time for the history, or for a rolling restart, and what that loses."""
    st.subheader("Over time")
    controls, answer = st.columns([2, 3], gap="large")
    with controls:
        question = _ask()
    if question is None:
        return
    with answer:
        _show(group, events, question, chosen)
    rebalance_rolling.calculator(group, question.pace.timing)


def _ask() -> _Question | None:
    """Show the inputs; return what they say, or None after a sentence on what is wrong."""
    story = st.selectbox(
        "What happens",
        [story.value for story in _Story],
        key="time_story",
        bind="query-params",
        help="A rolling restart restarts every consumer, one after another, each when the group "
        "has settled after the one before",
    )
    try:
        pace = _ask_pace()
    except InvalidTimingError as error:
        _say_wrong(error)
        return None
    return _Question(
        story=_Story(story),
        pace=pace,
        apart_s=pace.calm_s if story == _Story.HISTORY.value else 0.0,
        is_crash=st.toggle(
            "Who leaves crashes",
            key="time_crash",
            bind="query-params",
            help="Says no goodbye, so that the session times out first; a static consumer never "
            "says goodbye",
        ),
    )


def _ask_pace() -> cache.Pace:
    """Show the inputs that are numbers; raises InvalidTimingError."""
    usual = Timing()
    with st.grid(2, min_column_width=_COLUMN):
        throughput = _number(
            "Throughput of a consumer (records/s)",
            "throughput",
            500.0,
            "Where the group does not state it; shared out fairly among its partitions",
        )
        rate = st.number_input(
            "Rate of a partition (records/s)",
            value=None,
            key="time_rate",
            bind="query-params",
            placeholder="unknown",
            help="Records produced to each partition whose rate the group does not state",
        )
        timing = Timing(
            pause_s=_number(
                "Pause of a round (s)",
                "pause",
                usual.pause_s,
                "Until the slowest consumer has rejoined; measure it. Eager and cooperative only",
            ),
            warm_up_s=_number(
                "Warm-up of a moved partition (s)",
                "warm_up",
                usual.warm_up_s,
                "Until its new owner reads it: caches, state stores, seeks",
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
                "group.consumer.heartbeat.interval.ms: under KIP-848, a partition that moves "
                "waits for half of it on average",
            ),
            session_timeout_s=_number(
                "Session timeout (s)",
                "session",
                usual.session_timeout_s,
                "session.timeout.ms: until the coordinator notices a crash, or that a static "
                "consumer is away",
            ),
        )
        apart_s = _number(
            "Between events (s)",
            "apart",
            20.0,
            "From one event to the next, and shown after the last; an event waits until the "
            "group has settled",
        )
    return cache.Pace(
        timing=timing,
        throughput_per_consumer=throughput,
        rate_per_partition=rate,
        calm_s=apart_s,
    )


def _number(label: str, key: str, value: float, about: str) -> float:
    return st.number_input(label, value=value, key=f"time_{key}", bind="query-params", help=about)


def _show(
    group: Group, events: tuple[Event, ...], question: _Question, chosen: tuple[str, ...]
) -> None:
    if question.story is not _Story.HISTORY:
        if group.member_count * group.partition_count > _MOST_RESTARTED:
            st.info(
                f"{plural(group.member_count, 'consumer')} and "
                f"{plural(group.partition_count, 'partition')} are too many to simulate a rolling "
                "restart while you wait; the figures below need no simulation."
            )
            return
        group = group if question.story is _Story.STATIC else dynamic(group)
        events = tuple(rolling_restart(group, is_static=question.story is _Story.STATIC))
    try:
        plan = tuple(
            planned(
                group,
                events,
                question.pace.timing,
                apart_s=question.apart_s,
                is_crash=question.is_crash,
            )
        )
        found = cache.timelines(group, plan, question.pace, chosen)
    except InvalidTimingError as error:
        _say_wrong(error)
        return
    _picture(found)
    _figures_table(found)
    for sentence in _limits(group, events, plan, question):
        st.caption(sentence)


def _picture(found: dict[str, Timeline]) -> None:
    panels = [Panel(STRATEGIES[name].label, line) for name, line in found.items()]
    worst = max(found, key=lambda name: found[name].peak)
    st.plotly_chart(
        lag_over_time(panels),
        key="lag_over_time",
        alt="Lag per consumer over time, one panel for each strategy, hatched while partitions "
        f"stand still; the highest is {amount(found[worst].peak)} records under "
        f"{STRATEGIES[worst].label}",
    )


def _figures_table(found: dict[str, Timeline]) -> None:
    rows = [
        {
            "Strategy": STRATEGIES[name].label,
            "Partition-seconds": line.lost_partition_seconds,
            "Highest lag": round(line.peak),
            "Caught up at": None if np.isinf(line.caught_up_at_s) else line.caught_up_at_s,
            "Protocol": STRATEGIES[name].protocol.value.partition(":")[0],
        }
        for name, line in found.items()
    ]
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows).astype({"Caught up at": "Float64"}),
        hide_index=True,
        placeholder="never",
        column_config={
            "Strategy": st.column_config.TextColumn(pinned=True),
            "Partition-seconds": number(
                format="localized",
                help="Lost: partitions wanted and not read, times how long",
            ),
            "Highest lag": number(
                format="localized", help="Of any consumer at any time, in records"
            ),
            "Caught up at": number(
                format="%.0f s",
                help="When nobody has any lag if nothing else happens; never, if more arrives "
                "than one of the consumers can read",
            ),
        },
        alt="Partition-seconds lost, highest lag and time of catching up for each strategy",
    )


def _limits(
    group: Group, events: tuple[Event, ...], plan: tuple[Planned, ...], question: _Question
) -> list[str]:
    """Return what the picture takes for granted."""
    said = [_unknown_lags(group), _unknown_rates(group, question.pace.rate_per_partition)]
    if len(plan) > len(events):
        said.append(
            "A restart that takes longer than the group waits for is two rebalances: the consumer "
            "leaves, and joins when it is back."
        )
    said.append(
        "A model, not a measurement: consumers read at a steady speed, shared out fairly, and "
        "lag counts records. Until another has a partition, its lag is its last owner's."
    )
    return [sentence for sentence in said if sentence]


def _unknown_lags(group: Group) -> str:
    unknown = int(np.count_nonzero(~group.is_lag_known & group.is_wanted))
    if not unknown:
        return ""
    return (
        f"**The lag of {plural(unknown, 'partition')} is unknown**: it counts from 0 here, so that "
        "the curves are the least it can be."
    )


def _unknown_rates(group: Group, given: float | None) -> str:
    rates = np.full(group.partition_count, np.nan) if group.rates is None else group.rates
    unknown = int(np.count_nonzero(np.isnan(rates) & group.is_wanted))
    if not unknown:
        return ""
    if given is None:
        return (
            f"**The produce rates of {plural(unknown, 'partition')} are unknown**: nothing is "
            "taken to arrive there, so that lag cannot grow. Give a rate to see what a pause costs."
        )
    return f"The produce rates of {plural(unknown, 'partition')} are taken as {given:,g} records/s."


def _say_wrong(error: InvalidTimingError) -> None:
    text = str(error)
    st.error(f"{text[:1].upper()}{text[1:]}.", icon=":material/error:")
