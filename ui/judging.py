"""Judge by: what a comparison counts, one choice for all pages and the link."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from evaluation.judging import HORIZON_MIN, JudgeBy, Measure, possible
from evaluation.reading import Reading
from ui import form, told
from ui.answers import known_in
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


def ask(current: Scenario) -> None:
    """Let the visitor choose what counts."""
    known, usual = known_in(current), _default_horizon(current.reading)
    found = known.facts
    arriving = None if found.arriving_source is None else found.arriving
    options = tuple(by.value for by in possible(arriving))
    told.JUDGE.ask("Judge by", WHY, options, LABELS.__getitem__)
    if known.measure.by is JudgeBy.WORK:
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
    return f"Judged by {measure.noun}{because}."


def _default_horizon(reading: Reading) -> float:
    """Return the minutes that the leader that logged the group weighed, if one did."""
    return HORIZON_MIN if reading.weighed is None else reading.weighed.horizon_min
