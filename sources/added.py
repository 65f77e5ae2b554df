"""A further snapshot of a group that was read before: added, not put in its place."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from assignors.model import UNKNOWN
from evaluation.measuring.offset_history import (
    END,
    Moment,
    OffsetHistory,
    history_offsets,
    is_repeated,
    thinned,
)
from evaluation.reading import Reading
from sources.owner_changes import notes_on_changes


class Added(NamedTuple):
    """A reading with what was read before as its history."""

    reading: Reading
    """Of the newest snapshot."""
    is_repeat: bool = False
    """Whether the text repeats the newest snapshot that was there, and was left out."""


def is_same_group(one: Reading, other: Reading) -> bool:
    """Return whether two readings are of one group: by name, or without names by their topics.

    Of one name they share a topic at least: another cluster may have a group called the same.
    """
    if one.is_live or other.is_live:
        return False
    here, there = set(one.group.topics), set(other.group.topics)
    if one.name and other.name:
        return one.name == other.name and not here.isdisjoint(there)
    return bool(here) and here == there


def added(one: Reading, other: Reading) -> Added:
    """Return the group with the snapshots of both readings.

    Dates in the texts count. Where one of the texts has none, the time between the two pastes
    does, and the times of the text without are marked as approximate. A text whose end offsets are
    all below those of the other is the older one, whenever it was pasted.
    """
    earlier, later = _moments(one), _moments(other)
    if is_repeated(earlier[-1], later[-1]._replace(is_pasted=not np.isfinite(other.taken_s))):
        return Added(one, is_repeat=True)
    if _is_older(other, earlier[-1], later[-1]):
        unknown = [moment._replace(at_s=np.nan, is_pasted=False) for moment in later]
        return Added(_with(one, (*unknown, *earlier)))
    between_s = other.pasted_s - one.pasted_s
    if later[-1].is_pasted or later[-1].at_s <= earlier[-1].at_s:
        later = _shifted(later, earlier[-1].at_s + between_s)
    elif earlier[-1].is_pasted:
        earlier = _shifted(earlier, later[-1].at_s - between_s)
    return Added(_with(other, (*earlier, *later), one))


def _moments(reading: Reading) -> list[Moment]:
    """Return the snapshots of a reading; the newest at least has a time if it was pasted."""
    several = reading.history is not None and reading.history.has_several
    moments = list(reading.history.moments) if reading.history and several else []
    moments = moments or [Moment.of(reading.group, reading.taken_s)]
    if np.isnan(moments[-1].at_s):
        moments[-1] = moments[-1]._replace(at_s=reading.pasted_s, is_pasted=True)
    return moments


def _shifted(moments: list[Moment], last_s: float) -> list[Moment]:
    """Return the moments with this time for the last, as far apart as they were."""
    by_s = last_s - moments[-1].at_s
    return [moment._replace(at_s=moment.at_s + by_s) for moment in moments[:-1]] + [
        moments[-1]._replace(at_s=last_s, is_pasted=True)
    ]


def _is_older(other: Reading, earlier: Moment, later: Moment) -> bool:
    """Return whether every end offset that differs is lower in the later of the two."""
    ends = history_offsets(other.group, [earlier, later])[:, END]
    known = ends[:, (ends != UNKNOWN).all(axis=0)]
    change = known[1] - known[0]
    return bool((change < 0).any()) and not bool((change > 0).any())


def _with(newest: Reading, moments: tuple[Moment, ...], before: Reading | None = None) -> Reading:
    known = newest.history or OffsetHistory()
    older = (before.history if before else None) or OffsetHistory()
    kept = thinned(moments, newest.group.partition_count, is_latest_kept=True)
    history = OffsetHistory(
        tuple(kept),
        retention_s={**older.retention_s, **known.retention_s},
        unlimited=known.unlimited | (older.unlimited - known.retention_s.keys()),
    )
    changed = notes_on_changes(newest.group, history, newest.kind)
    notes = dict.fromkeys((*newest.notes, *changed))
    return replace(newest, history=history, notes=tuple(notes))
