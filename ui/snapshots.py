"""The strip of a group's snapshots: what was added, how far apart they are, what to correct."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
import streamlit as st

from assignors.model import UNKNOWN, Group
from assignors.sums import exact_total
from evaluation.measuring.offset_history import (
    COMMITTED,
    END,
    Moment,
    OffsetHistory,
    history_offsets,
)
from evaluation.metrics import is_counted
from evaluation.reading import Reading
from evaluation.wording import amount
from ui import readings, scenario, told
from ui.answers import known_in
from ui.picture import snapshots
from ui.picture.model import BandButton, SnapshotMark, SnapshotStrip
from ui.scenario import Scenario

_REPEATED = (
    "These are the offsets of the snapshot on screen once more, so nothing was added. Run the "
    "command again and paste what it prints then."
)
_BY_PASTE = "by when you pasted them. Correct it if they are older: only the rates change."
_DAY_S: Final = 86_400.0
"""A time of day alone is on day 0."""
_LAST_S: Final = datetime.max.replace(tzinfo=UTC).timestamp()
_UNKNOWN = "The texts do not say. Counts need no time; rates do."


def show(current: Scenario) -> None:
    """Show the strip where a snapshot was added, or does not say when it was taken."""
    last, history = readings.last(), current.reading.history
    is_added = last.alone is not None and any(r is current.reading for r in last.readings)
    if is_added and last.is_repeat:
        st.info(_REPEATED)
    if history is not None and history.has_several and (is_added or history.lacks_times):
        snapshots.show(strip_of(current, history, is_added=is_added), _press, _state)


def strip_of(current: Scenario, read: OffsetHistory, *, is_added: bool) -> SnapshotStrip:
    """Return what the strip says of a group's snapshots as they were read."""
    history = known_in(current).history
    times_s, note, buttons = history.times_s, "", []
    seconds = float(times_s[-1] - times_s[-2])
    if history.is_approximate:
        note = _BY_PASTE
    elif math.isnan(seconds):
        note = _UNKNOWN
    if is_added and not readings.last().is_repeat:
        buttons = [
            BandButton(key="replace", label="Replace instead"),
            BandButton(key="undo", label="Undo"),
        ]
    return SnapshotStrip(
        marks=marks_of(current.group, read.moments),
        seconds=None if math.isnan(seconds) else round(seconds, 1),
        is_asked=read.lacks_times,
        note=note,
        buttons=tuple(buttons),
    )


def taken(reading: Reading) -> str:
    """Return when a group's snapshots were taken, for who reads of it elsewhere; "" if unknown.

    Times of a text are as it has them, or in UTC if they name an offset; those of a clock are UTC.
    """
    moments = () if reading.history is None else reading.history.moments
    times_s = [moment.at_s for moment in moments] or [reading.taken_s]
    if not all(0 <= at_s < _LAST_S for at_s in times_s):
        return ""
    first, last = (
        f"{_day(at_s)}{datetime.fromtimestamp(at_s, UTC):%H:%M:%S}"
        for at_s in (times_s[0], times_s[-1])
    )
    last = last.removeprefix(_day(times_s[0]))
    is_pasted = any(moment.is_pasted for moment in moments)
    zone = " UTC" if is_pasted or reading.is_live else ""
    how = ", by when they were pasted" if is_pasted else ""
    if len(times_s) == 1:
        return f"Snapshot of {first}{zone}."
    if len(times_s) == 2:  # noqa: PLR2004 -- a pair
        return f"Snapshots of {first} and {last}{zone}{how}."
    return f"{len(times_s):,} snapshots, from {first} to {last}{zone}{how}."


def _day(at_s: float) -> str:
    """Return the day, "" of a time that names none."""
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d} " if at_s >= _DAY_S else ""


def _when(moment: Moment) -> str:
    """Return when a snapshot was taken by its text, or pasted by the clock of the browser."""
    if math.isnan(moment.at_s):
        return "no date"
    at = datetime.fromtimestamp(moment.at_s, UTC)
    if not moment.is_pasted:
        return f"{at:%H:%M:%S}"
    ahead = timedelta(minutes=-(st.context.timezone_offset or 0))
    return f"pasted {at + ahead:%H:%M:%S}"


def marks_of(group: Group, moments: Sequence[Moment]) -> tuple[SnapshotMark, ...]:
    """Return when each snapshot was taken, and how far all that counts in the group was behind."""
    offsets, counts_here = history_offsets(group, moments), is_counted(group)
    is_known = counts_here & (offsets[:, END:] != UNKNOWN).all(axis=1)
    lags = np.maximum(offsets[:, END] - offsets[:, COMMITTED], 0)
    return tuple(
        SnapshotMark(when=_when(moment), behind=f"{amount(exact_total(lag[known]))} behind")
        for moment, lag, known in zip(moments, lags, is_known, strict=True)
    )


def _press(key: str) -> None:
    if key == "replace":
        readings.replace_instead()
    elif key == "undo":
        scenario.undo()


def _state(seconds: float) -> None:
    told.INTERVAL.state(seconds)
