"""Lag as time in words: the conclusion in a line, and the origin of each figure."""

from typing import Final

import numpy as np

from assignors.model import Group
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.measuring.partition_times import Basis, PartitionTimes
from evaluation.wording import amount, duration
from ui.untrusted import verbatim

NOTHING: Final = "-"
HOW_TO_GET: Final = (
    "Time takes two snapshots: run `kafka-consumer-groups.sh --describe` again in a minute and "
    "paste its output, too. **Watch** in Connect and **Fleet** bring their own."
)
UNDATED: Final = (
    "The snapshots show no times that tell how far apart they are: state the seconds between them "
    "in the view **Over time**, for rates and for how far behind the group is."
)
_SOON_S: Final = 30 * 86_400.0
"""A later loss is not mentioned in the headline."""
_ROUND: Final = 10
_FROM: Final = {
    Basis.NOTHING: NOTHING,
    Basis.REPORTED: "offsetsForTimes",
    Basis.BETWEEN: "between snapshots",
    Basis.AT_RATE: "lag / arriving",
    Basis.AT_LEAST: "since the first snapshot",
}


def conclusion(group: Group, times: PartitionTimes) -> str:
    """Return the sentence as Markdown; "" without a known time lag."""
    if np.isnan(times.age_s).all():
        return ""
    latest, first = int(np.nanargmax(times.age_s)), None
    loss = times.loss_s
    if not np.isnan(loss).all() and np.nanmin(loss) < _SOON_S:
        first = int(np.nanargmin(loss))
        if loss[latest] == loss[first]:
            first = latest
    if times.age_s[latest] == 0 and first is None:
        waits = bool((times.lag > 0).any())  # and for how long is not known
        return "" if waits else "Every partition whose time lag is known is read to its end."
    said = [_behind(group, times, latest)]
    if first is not None:
        who = "it" if first == latest else f"**{verbatim(group.partition_name(first))}**"
        left = span(float(loss[first]))
        later = f"loses data in **{left}** unless it is read faster"
        said.append(f"{who} {later if loss[first] else 'is losing data **now**'}")
    return f"{'; '.join(said)}."


def _behind(group: Group, times: PartitionTimes, partition: int) -> str:
    name = verbatim(group.partition_name(partition))
    said = f"**{name}** is **{times.age_in_words(partition)}** behind"
    catch_up = float(times.catch_up_s[partition])
    if np.isfinite(catch_up):
        return f"{said} and catches up in {span(catch_up)}" if catch_up else said
    if np.isnan(catch_up):
        return said
    more = float(times.produced[partition] - times.consumed[partition])
    why = (
        f"{amount(round(more, None if more >= _ROUND else 1))}/s more arrive than are read"
        if more
        else "it only keeps pace"
    )
    return f"{said} and never catches up: {why}"


def span(seconds: float) -> str:
    """Return a time, "never" if infinite, "-" if unknown.

    >>> span(90.0), span(float("nan")), span(float("inf"))
    ('1 min 30 s', '-', 'never')
    """
    return NOTHING if np.isnan(seconds) else duration(seconds)


def origin(times: PartitionTimes, partition: int) -> str:
    """Return the origin of a time lag in words."""
    return _FROM[Basis(int(times.basis[partition]))]


def basis(history: OffsetHistory, times: PartitionTimes) -> str:
    """Return the origin of the rates in words."""
    count = len(history.moments)
    if history.is_undated:
        return "Rates are unknown until the seconds between the snapshots are stated."
    if np.isnan(times.produced).all():
        return f"Rates are unknown. {HOW_TO_GET}"
    if not history.has_several:
        return "Rates as the group states."
    if history.rates_span_s == history.span_s:
        about = "≈ " if history.is_approximate else ""
        return f"Rates over {about}{duration(history.span_s)}, from {count:,} snapshots."
    rates, whole = duration(history.rates_span_s), duration(history.span_s)
    return f"Rates over the last {rates}; {count:,} snapshots over {whole}."
