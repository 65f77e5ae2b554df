"""Groups that keep up: their figures from two snapshots, for a tenth of an answer's time.

A group is calm if its last answer was that it is well, nothing but offsets has changed since, and
every partition has been read to within seconds of its end. Its verdict and its times are then those
of a new answer (``tests/watching/test_calm.py``); how even its loads are is as old as that answer,
so each group is answered anew from time to time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from zlib import crc32

import numpy as np

from assignors.model import UNKNOWN, FloatArray, LongArray
from evaluation.answering.answer import Answer
from evaluation.measuring.facts import stands_s
from evaluation.measuring.lag_in_time import Series, time_lag
from evaluation.measuring.offset_history import BEGIN, COMMITTED, END, Moment
from evaluation.measuring.partition_times import KEEPS_UP_S, Basis
from evaluation.metrics import lag_per_member
from evaluation.verdict_kinds import VerdictKind
from watching.states import WatchedState, lag_of
from watching.tracks import Track

ANSWERED_EVERY: Final = 5
"""Polls after which a calm group is answered anew."""
_WELL: Final = frozenset({VerdictKind.HEALTHY, VerdictKind.IDLE})


@dataclass(frozen=True, eq=False)
class Answered:
    """What the last answer on a group said."""

    state: WatchedState
    glanced: VerdictKind
    is_final: bool
    retentions: int
    """Topics whose retention was known."""


def may_be_calm(answer: Answer, state: WatchedState) -> bool:
    """Return whether an answer says that the group is well, and keeps up everywhere."""
    times = answer.known.times
    keeps_up = times.lag.size > 0 and not state.partitions.catch_up_s.any()
    is_rated = not (np.isnan(times.produced) | np.isnan(times.consumed)).any()
    return answer.verdict.kind in _WELL and keeps_up and bool(is_rated)


def is_due(group: str, poll: int) -> bool:
    """Return whether a group is answered anew in this poll; each poll has an equal share."""
    return (crc32(group.encode(errors="replace")) + poll) % ANSWERED_EVERY == 0


def state_if_calm(track: Track, before: WatchedState) -> WatchedState | None:
    """Return what is published of a group that is still as well as ``before``; None if unsure."""
    if not track.is_same or len(track.moments) < 2:  # noqa: PLR2004 -- two snapshots
        return None
    last, now = track.moments[-2], track.moments[-1]
    if now.at_s - last.at_s < stands_s(track.reading.kind):
        return None
    age_s = _ages(last, now)
    if age_s is None:
        return None
    group = track.reading.group
    its = before.per_consumer
    if its is not None:
        its = replace(its, lag=lag_per_member(group, group.present_owners))
    return replace(
        before,
        lag=lag_of(group),
        partitions=replace(
            before.partitions,
            lag=group.counted_lags.astype(np.float64),
            time_lag_s=age_s,
            basis=np.full(age_s.size, Basis.BETWEEN, np.int8),
        ),
        per_consumer=its,
    )


def _ages(last: Moment, now: Moment) -> FloatArray | None:
    """Return the time lags (P,), None unless each is known and that of a group that keeps up."""
    if not now.topics or last.topics.keys() != now.topics.keys():
        return None
    then, latest = _offsets(last.topics), _offsets(now.topics)
    if (
        then.shape != latest.shape
        or bool((latest == UNKNOWN).any() or (then[END:] == UNKNOWN).any())
        or bool((latest[END:] < then[END:]).any())
        or bool((latest[COMMITTED] < np.maximum(then[END], latest[BEGIN])).any())
    ):
        return None
    ends = Series.of_snapshots(np.array([last.at_s, now.at_s]), np.array([then[END], latest[END]]))
    age_s = time_lag(ends, latest[COMMITTED]).seconds
    return age_s if bool((age_s <= KEEPS_UP_S).all()) else None


def _offsets(topics: Mapping[str, LongArray]) -> LongArray:
    first = next(iter(topics.values()))
    return first if len(topics) == 1 else np.concatenate(list(topics.values()), axis=1)
