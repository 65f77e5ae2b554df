"""What the Capacity page asks: what consumers can do, what arrives, and how long it may take."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import numpy as np
import streamlit as st

from assignors.model import FloatArray, Group
from evaluation.capacity import Capacity, InvalidCapacityError
from evaluation.rates import measured, spread_by_lag, spread_evenly
from sources import samples
from sources.errors import SourceError
from sources.reading import Reading
from sources.text import read_text
from ui.words import amount

MOST_TRIED: Final = 500
"""Numbers of consumers looked at unless the visitor asks for more."""
_MOST_ALLOWED: Final = 5_000
_COLUMN: Final = 190


class _Rates(Enum):
    """Where produce rates come from; the labels stand in links."""

    STATED = "as the group states"
    EVENLY = "a total, spread evenly"
    BY_LAG = "a total, spread by lag"
    MEASURED = "measured from an earlier snapshot"


@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """What the visitor asks."""

    group: Group
    """The group of the Compare page with the produce rates taken for granted."""
    capacity: Capacity
    most: int
    """Numbers of consumers from 1 to this one are tried."""
    rates: str
    """A sentence on where the produce rates come from."""


def ask(group: Group) -> Question | None:
    """Show the inputs; return what they say, or None after a sentence on what is wrong."""
    st.subheader("What consumers can do")
    with st.grid(2, min_column_width=_COLUMN):
        throughput = _number(
            "Consumer reads (records/s)",
            "throughput",
            500.0,
            "Throughput of one consumer while it has a backlog: measure it, with processing",
        )
        cap = st.number_input(
            "Partition cap (records/s)",
            value=None,
            key="partition_cap",
            bind="query-params",
            placeholder="none",
            help="The most that can be read from one partition, such as by a fetch that waits or "
            "records that must be processed one after another; blank for none",
        )
    st.subheader("What arrives")
    try:
        rates, said = _ask_rates(group)
    except (InvalidCapacityError, SourceError) as error:
        st.error(str(error), icon=":material/error:")
        return None
    st.subheader("How long it may take")
    with st.grid(2, min_column_width=_COLUMN):
        allowed = _number(
            "Time allowed (s)", "allowed", 600.0, "By then nobody may have any backlog"
        )
        pause = _number(
            "Pause of a rebalance (s)",
            "pause",
            10.0,
            "Nobody reads for so long at the start, as in an eager rebalance; it counts as part "
            "of the time allowed",
        )
        most = _ask_most(group)
    try:
        capacity = Capacity(
            throughput=throughput, partition_cap=cap, pause_s=pause, allowed_s=allowed
        )
    except InvalidCapacityError as error:
        st.error(f"{_sentence(str(error))}.", icon=":material/error:")
        return None
    return Question(group=replace(group, rates=rates), capacity=capacity, most=most, rates=said)


def _number(label: str, key: str, value: float, about: str) -> float:
    return st.number_input(label, value=value, key=key, bind="query-params", help=about)


def _ask_most(group: Group) -> int:
    usual = min(max(group.partition_count, group.member_count, 1), MOST_TRIED)
    asked = st.number_input(
        "Consumers to look at, up to",
        value=None,
        min_value=1,
        max_value=_MOST_ALLOWED,
        step=1,
        key="most_consumers",
        bind="query-params",
        placeholder=f"{max(usual, group.member_count):,}",
        help="Every number from 1 to this one is tried, and at least those there are. Blank: one "
        f"consumer a partition, at most {MOST_TRIED}",
    )
    return max(usual if asked is None else int(asked), group.member_count)


def _ask_rates(group: Group) -> tuple[FloatArray | None, str]:
    """Return records per second for each partition, and a sentence on where they come from."""
    is_stated = group.rates is not None and not np.isnan(group.rates).all()
    origins = [origin.value for origin in _Rates]
    chosen = _Rates(
        st.selectbox(
            "Produce rates",
            origins,
            index=0 if is_stated else 1,
            key="rates",
            bind="query-params",
            help="Records per second that producers write to each partition",
        )
    )
    if chosen is _Rates.STATED:
        return group.rates, _stated(group)
    if chosen is _Rates.MEASURED:
        return _ask_snapshot(group)
    total = _number(
        "Total produce rate (records/s)", "total_rate", 2000.0, "Of all topics together"
    )
    if not 0 <= total < np.inf:
        message = f"The total produce rate must be 0 records/s or more; found {total:,g}."
        raise InvalidCapacityError(message)
    is_even = chosen is _Rates.EVENLY
    spread = spread_evenly(group, total) if is_even else spread_by_lag(group, total)
    how = "evenly" if is_even else "in proportion to lag"
    return spread, f"Produce rates are assumed: {amount(total)} records/s in all, spread {how}."


def _stated(group: Group) -> str:
    if group.rates is None or np.isnan(group.rates).all():
        return "The group states no produce rates: **nothing is taken to arrive**."
    unknown = int(np.count_nonzero(np.isnan(group.rates)))
    return "Produce rates are those the group states." + _unknown_rates(unknown)


def _ask_snapshot(group: Group) -> tuple[FloatArray | None, str]:
    text = st.text_area(
        "The same group some time before",
        key="earlier_snapshot",
        height=140,
        placeholder=samples.PASTE.read_text(),
        help="Output of `kafka-consumer-groups.sh --describe` or anything else that can be pasted "
        "on the Compare page, with end offsets",
    )
    elapsed = _number(
        "Time between the snapshots (s)", "elapsed", 60.0, "From that output to the present group"
    )
    if not text.strip():
        return None, "No earlier snapshot yet: **nothing is taken to arrive**."
    rates = measured(_same_group(group, read_text(text)).group, group, elapsed)
    unknown = int(np.count_nonzero(np.isnan(rates)))
    total = amount(float(np.nansum(rates)))
    said = f"Produce rates are measured over {elapsed:,g} s: {total} records/s in all."
    return rates, said + _unknown_rates(unknown)


def _same_group(group: Group, found: Sequence[Reading]) -> Reading:
    return next((reading for reading in found if reading.group.id == group.id), found[0])


def _unknown_rates(count: int) -> str:
    if not count:
        return ""
    return f" Those of {count:,} partitions are unknown and count as 0, so it may take longer."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
