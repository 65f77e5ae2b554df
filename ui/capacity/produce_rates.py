"""Where the Capacity page takes produce rates from."""

from enum import Enum
from typing import NamedTuple

import numpy as np
import streamlit as st

from assignors.model import FloatArray, Group
from evaluation.capacity.draining import InvalidCapacityError, require
from evaluation.capacity.rates import measured, spread_by_lag, spread_evenly
from evaluation.offset_history import OffsetHistory, partition_times
from evaluation.wording import amount, duration, plural
from sources import samples
from sources.errors import SourceError
from sources.text import read_text


class Rates(NamedTuple):
    """Produce rates, and what to say about them."""

    each: FloatArray | None
    """Records per second for each partition; None: none arrive."""
    sentence: str
    """How much arrives, to stand between semicolons."""
    notes: tuple[str, ...] = ()
    """What is not known, a sentence each."""


class _Origin(Enum):
    """Where produce rates come from; links contain the labels."""

    STATED = "as the group states"
    EVENLY = "a total, spread evenly"
    BY_LAG = "a total, spread by lag"
    MEASURED = "measured from an earlier snapshot"


def number(label: str, key: str, value: float, about: str) -> float:
    """Ask for a number that is kept in the URL."""
    return st.number_input(
        label, value=value, format="%g", key=key, bind="query-params", help=about
    )


def ask_rates(
    group: Group, history: OffsetHistory | None = None
) -> Rates | InvalidCapacityError | SourceError:
    """Ask where produce rates come from; return them, or what is wrong with the input."""
    is_stated = group.rates is not None and not np.isnan(group.rates).all()
    is_measured = history is not None and len(history.moments) > 1
    origins = list(_Origin)
    usual = _Origin.MEASURED if is_measured else _Origin.STATED if is_stated else _Origin.EVENLY
    origin = _Origin(
        st.selectbox(
            "Produce rates",
            [origin.value for origin in origins],
            index=origins.index(usual),
            key="rates",
            bind="query-params",
            help="How many records per second producers write to each partition.",
        )
    )
    try:
        if origin is _Origin.STATED:
            return _stated(group)
        if origin is _Origin.MEASURED:
            return _of_history(group, history) if history and is_measured else _ask_snapshot(group)
        return _ask_total(group, is_even=origin is _Origin.EVENLY)
    except (InvalidCapacityError, SourceError) as error:
        return error


def _stated(group: Group) -> Rates:
    if group.rates is None or np.isnan(group.rates).all():
        note = "The group states no produce rates. Enter a total to allow for arriving records."
        return Rates(None, "no records arrive", (note,))
    return _counted(group.rates, "as the group states")


def _ask_total(group: Group, *, is_even: bool) -> Rates:
    total = number(
        "Total produce rate (records/s)", "total_rate", 2000.0, "For all topics of the group."
    )
    require("the total produce rate", total, "records/s", least=0)
    spread = spread_evenly(group, total) if is_even else spread_by_lag(group, total)
    how = "spread evenly" if is_even else "in proportion to lag"
    return Rates(spread, f"{amount(total)} records/s arrive, {how}")


def _of_history(group: Group, history: OffsetHistory) -> Rates:
    rates = partition_times(group, history).produced
    return _counted(rates, f"measured over {duration(history.rates_span_s)}")


def _ask_snapshot(group: Group) -> Rates:
    text = st.text_area(
        "Earlier snapshot of this group",
        key="earlier_snapshot",
        height=140,
        placeholder=samples.PASTE.read_text(),
        help="Output of `kafka-consumer-groups.sh --describe`, or any other text that the Compare "
        "page reads, with end offsets.",
    )
    elapsed = number(
        "Time between the snapshots (seconds)",
        "elapsed",
        60.0,
        "From the earlier snapshot to the one on the Compare page.",
    )
    if not text.strip():
        note = "Paste an earlier snapshot; until then no records are assumed to arrive."
        return Rates(None, "no records arrive", (note,))
    groups = [reading.group for reading in read_text(text)]
    earlier = next((each for each in groups if each.id == group.id), groups[0])
    rates = measured(earlier, group, elapsed)
    return _counted(rates, f"measured over {elapsed:,g} s")


def _counted(rates: FloatArray, how: str) -> Rates:
    unknown = int(np.count_nonzero(np.isnan(rates)))
    total = amount(float(np.nansum(np.maximum(rates, 0.0))))
    note = (
        f"The produce rate of {plural(unknown, 'partition')} is unknown and counts as 0, so it "
        "may take longer."
    )
    return Rates(rates, f"{total} records/s arrive, {how}", (note,) if unknown else ())
