"""Judge by: what a comparison counts, one choice for all pages and the link."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from assignors.model import Group
from evaluation.comparison import Comparison
from evaluation.facts import Facts
from evaluation.judging import HORIZON_MIN, LAG, JudgeBy, Measure, judged, possible
from sources.reading import Reading
from ui import cache, facts, form, told
from ui.clients import client, running
from ui.scenario import Scenario

LABELS: Final[Mapping[str, str]] = {
    JudgeBy.LAG.value: "Lag: records behind",
    JudgeBy.WORK.value: "Load: lag and arrivals",
    JudgeBy.RATE.value: "Arrival rate",
    JudgeBy.PARTITIONS.value: "Number of partitions",
}
WHY: Final = (
    "Lag counts the records that wait now. Load adds the arrivals of the next minutes, so a busy "
    "partition counts even while its lag is small. It is the default where rates are known: from "
    "two snapshots, or stated. Kafka's own strategies look at neither."
)


def measure_of(current: Scenario) -> Measure:
    """Return what the visitor judges by; a choice that needs rates falls back without them."""
    return _measure(_options(facts.facts_in(current)), _default_horizon(current.reading))


def _measure(options: tuple[str, ...], usual_horizon_min: float) -> Measure:
    return Measure(
        by=JudgeBy(told.choice(told.JUDGE, options)),
        horizon_min=told.usable(told.HORIZON) or usual_horizon_min,
    )


def weighed(current: Scenario, group: Group | None = None) -> Group:
    """Return the scenario's group, or another in its place, with its weights."""
    group, measure = group or current.group, measure_of(current)
    if measure.by is JudgeBy.LAG:
        return judged(group, measure)
    return judged(group, measure, facts.facts_in(current, group).arriving)


def compared(current: Scenario) -> Comparison:
    """Return what is known of the group on screen, before any strategies are chosen."""
    group, runs = current.group, running(current.group, current.reading)
    measure = measure_of(current) if group.member_count else LAG  # nobody works off what waits
    group = weighed(current) if group.member_count else group
    advice = cache.advice(group, client(), runs, measure)
    return Comparison(group=group, running=runs, advice=advice).on(current.reading.assumed)


def ask(current: Scenario) -> None:
    """Let the visitor choose what counts."""
    options, usual = _options(facts.facts_in(current)), _default_horizon(current.reading)
    measure = _measure(options, usual)
    told.ask_choice(told.JUDGE, "Judge by", WHY, options, LABELS.__getitem__)
    if measure.by is JudgeBy.WORK:
        form.ask(Measure, "horizon_min", blank={"horizon_min": f"{usual:g}"})
    if JudgeBy.RATE.value not in options:
        st.caption("Load and arrival rate need rates: two snapshots, or a stated total.")


def why(measure: Measure) -> str:
    """Return, below the pictures, why something else than lag counts; "" where lag does."""
    if measure.by is JudgeBy.LAG:
        return ""
    because = ""
    if measure.by is JudgeBy.WORK:
        because = (
            f", lag and the arrivals of {measure.horizon_min:g} min, because rates are known: a "
            "busy partition counts even while its lag is small"
        )
    return f"Judged by {measure.noun}{because}; change it under the strategies."


def _default_horizon(reading: Reading) -> float:
    """Return the minutes that the leader that logged the group weighed, if one did."""
    return HORIZON_MIN if reading.weighed is None else reading.weighed.horizon_min


def _options(found: Facts) -> tuple[str, ...]:
    arriving = None if found.arriving_source is None else found.arriving
    return tuple(by.value for by in possible(arriving))
