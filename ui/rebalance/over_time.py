"""The history over time: lag under each strategy, pauses, and rolling restarts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import Group
from assignors.strategy import Strategy
from assignors.sums import whole
from charts.timeline import lag_over_time
from evaluation.rebalance.events import Event
from evaluation.rebalance.lag_over_time import LagTimeline
from evaluation.rebalance.schedule import Planned, dynamic, planned, rolling_restart
from evaluation.stated import InvalidNumberError
from evaluation.wording import amount, duration, plural, sentence
from ui import cache, facts, widgets
from ui.answers import known_in, known_of_another
from ui.rebalance import rolling
from ui.rebalance.time_inputs import TimelineInputs, TimeStory, ask
from ui.scenario import Scenario

_MOST_RESTARTED: Final = 300_000
"""Consumers times partitions of the largest group whose rolling restart is simulated."""
_LEAST_CALM_S: Final = 10.0
"""The least time shown after the last rebalance, however close the events are."""


def over_time(
    current: Scenario,
    starts: Mapping[Strategy, Group],
    events: tuple[Event, ...],
    drawn: Strategy,
) -> None:
    """Show lag over time for the history or a rolling restart, and the lost processing time."""
    controls, answer = st.columns([2, 3], gap="large")
    found = known_in(current).facts
    with controls:
        question = ask(current, found)
    if question is None:
        return
    rates = known_of_another(current, starts[drawn]).facts.arriving
    starts = {strategy: start.with_rates(rates) for strategy, start in starts.items()}
    with answer:
        said = sentence(facts.reading_words(found))
        st.markdown(f":small[{said}]")
        _show(starts, events, question, drawn)
    rolling.calculator(starts[drawn], question.pace.timing)


def _show(
    starts: Mapping[Strategy, Group],
    events: tuple[Event, ...],
    question: TimelineInputs,
    drawn: Strategy,
) -> None:
    group = starts[drawn]
    if question.story is not TimeStory.HISTORY:
        if group.member_count * group.partition_count > _MOST_RESTARTED:
            st.info(
                f"{plural(group.member_count, 'consumer')} and "
                f"{plural(group.partition_count, 'partition')} are too many to simulate a rolling "
                "restart while you wait; the calculator below needs no simulation."
            )
            return
        if question.story is not TimeStory.STATIC:
            starts = {strategy: dynamic(start) for strategy, start in starts.items()}
            group = starts[drawn]
        events = tuple(rolling_restart(group, is_static=question.story is TimeStory.STATIC))
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
        pace = replace(question.pace, calm_s=max(question.pace.calm_s, _LEAST_CALM_S))
        timelines = cache.timelines(starts, plan, pace)
    except InvalidNumberError as error:
        widgets.refusal(error)
        return
    _picture(timelines, drawn, group.layout.client_ids)
    _figures_table(timelines)
    for limit in _limits(group, events, plan, question):
        st.markdown(limit)


def _picture(
    timelines: dict[Strategy, LagTimeline], drawn: Strategy, client_ids: Mapping[str, str]
) -> None:
    """Draw the chosen strategy, and the one that loses most if different."""
    worst = max(timelines, key=lambda strategy: timelines[strategy].lost_partition_seconds)
    shown = dict.fromkeys((drawn, worst))
    widgets.picture(
        lag_over_time({strategy.label: timelines[strategy] for strategy in shown}, client_ids),
        "lag_over_time",
        "Lag per consumer over time, hatched while partitions are paused; the highest is "
        + ", ".join(
            f"{amount(timelines[strategy].peak)} records under {strategy.label}"
            for strategy in shown
        ),
    )


def _figures_table(timelines: dict[Strategy, LagTimeline]) -> None:
    rows = [
        {
            "Strategy": strategy.label,
            "Partition-seconds": line.lost_partition_seconds,
            "Highest lag": whole(line.peak),
            "Caught up after": duration(line.caught_up_at_s),
            "Protocol": strategy.protocol.short,
        }
        for strategy, line in timelines.items()
    ]
    widgets.table(
        pd.DataFrame(rows),
        "Partition-seconds lost, highest lag and time of catching up for each strategy",
        {
            "Partition-seconds": "Lost: partitions that nobody reads, times the seconds that lasts",
            "Highest lag": "Of any consumer at any moment, in records",
            "Caught up after": "When all lag is gone if nothing else happens; never, if a consumer "
            "receives more than it can read",
        },
    )


def _limits(
    group: Group, events: tuple[Event, ...], plan: tuple[Planned, ...], question: TimelineInputs
) -> list[str]:
    """Return the assumptions behind the picture."""
    sentences = [_unknown_lags(group), _unknown_rates(group, question.pace.rate_per_partition)]
    if len(plan) > len(events):
        sentences.append(
            "A restart that takes longer than the group waits is two rebalances: the consumer "
            "leaves, and joins again when it is back."
        )
    sentences.append(
        "A model, not a measurement: a consumer reads at a steady speed, divided evenly among its "
        "partitions. The lag of a paused partition counts for its last owner."
    )
    return [sentence for sentence in sentences if sentence]


def _unknown_lags(group: Group) -> str:
    unknown = int(np.count_nonzero(~group.is_lag_known & group.is_wanted))
    if not unknown:
        return ""
    return (
        f"**The lag of {plural(unknown, 'partition')} is unknown**: it starts from 0 here, so the "
        "real lag can only be higher."
    )


def _unknown_rates(group: Group, given: float | None) -> str:
    rates = (
        np.full(group.partition_count, np.nan)
        if group.offsets.rates is None
        else group.offsets.rates
    )
    unknown = int(np.count_nonzero(np.isnan(rates) & group.is_wanted))
    if not unknown:
        return ""
    if given is None:
        return (
            f"**The produce rates of {plural(unknown, 'partition')} are unknown**: in this model "
            "no records arrive there, so lag cannot grow. State a total to see what a pause costs."
        )
    return f"{plural(unknown, 'partition')} of unknown rate: {given:,g} records/s assumed for each."
