"""Committed offsets that no reading left where they are: set back, or beyond the log's end.

P partitions, K moments.
"""

from typing import Final

import numpy as np

from assignors.model import UNKNOWN, BoolArray, Group, LongArray
from evaluation.diagnosis.findings import AheadOfLog, LogTruncated, OffsetsReset, OffsetsSkipped
from evaluation.diagnosis.sums import (
    lag_of,
    numbers,
    owners_of,
    read_total,
    total,
)
from evaluation.measuring.facts import ONE_POLL
from evaluation.measuring.lag_in_time import seconds_to_catch_up
from evaluation.measuring.offset_history import (
    COMMITTED,
    END,
    OFF_BY_ONE,
    OffsetHistory,
    history_offsets,
)
from evaluation.measuring.partition_times import PartitionTimes

_MOST: Final = int(np.iinfo(np.int64).max)
_JITTER: Final = 10
"""Ends of two tools, or of a replica that lags, may differ by so much in the wrong order."""
_RECREATED: Final = 0.95
"""A topic all of whose logs keep no more than this share of their offsets is another topic: an
unclean election loses the last records of some, hardly a part of all that was ever written."""


def reset(
    group: Group, history: OffsetHistory, times: PartitionTimes, is_backlog: BoolArray
) -> list[OffsetsReset]:
    """Return whether committed offsets fell while the log did not, and are still below.

    Only of partitions (P,) in which records wait. A log whose end fell, too, is another log.
    """
    if not history.has_several:
        return []
    offsets = history_offsets(group, history.moments)
    committed = offsets[:, COMMITTED]
    top = committed.shape[0] - 1 - np.argmax(committed[::-1], axis=0)
    highest, end = (np.take_along_axis(rows, top[None], axis=0)[0] for rows in (
        committed, offsets[:, END]
    ))  # fmt: skip
    lowest, least_end = (_lowest_after(top, offsets[:, row]) for row in (COMMITTED, END))
    fell = (committed[-1] != UNKNOWN) & (lowest < highest) & (least_end >= end)
    those = np.flatnonzero(fell & is_backlog & ~times.keeps_up)
    if not those.size:
        return []
    lag, arriving, reading = lag_of(times, those), total(times.produced, those), np.nan
    if not np.isnan(times.consumed[those]).any():
        reading = read_total(times, those)
    over_s = seconds_to_catch_up(*np.array([[lag], [arriving], [reading]]))[0]
    return [
        OffsetsReset(
            members=owners_of(group, those),
            partitions=numbers(those),
            lag=lag,
            arriving=arriving,
            reading=reading,
            over_s=float(over_s),
            by=float((highest - lowest)[those].astype(np.float64).sum()),
        )
    ]


def skipped(group: Group, history: OffsetHistory, times: PartitionTimes) -> list[OffsetsSkipped]:
    """Return which committed offsets jumped ahead when they last did, and were not read."""
    those = np.flatnonzero(times.skips.is_told)
    if not those.size:
        return []
    return [
        OffsetsSkipped(
            members=owners_of(group, those),
            partitions=numbers(those),
            lag=lag_of(times, those),
            arriving=total(times.produced, those),
            by=float(times.skips.by[those].sum()),
            before=float(times.skips.before[those].sum()),
            since_s=float(history.times_s[-1] - history.times_s[times.skips.at[those]].max()),
        )
    ]


def truncated(group: Group, history: OffsetHistory, times: PartitionTimes) -> list[LogTruncated]:
    """Return which logs ended earlier at some moment than at one before.

    A topic that was recreated has another log, of which nothing is known. Snapshots whose order is
    not dated, or that show all offsets fall, show it only while another log grows.
    """
    lost = _cut_off(group, history)
    those = np.flatnonzero(lost > _JITTER)
    if not those.size:
        return []
    return [
        LogTruncated(
            members=owners_of(group, those),
            partitions=numbers(those),
            arriving=total(times.produced, those),
            lost=float(lost[those].astype(np.float64).sum()),
        )
    ]


def _cut_off(group: Group, history: OffsetHistory) -> LongArray:
    """Return how many records at least each log (P,) lost at its end when it last fell, else 0."""
    lost, topic = np.zeros(group.partition_count, np.int64), group.topic_of_partition
    if not history.has_several:
        return lost
    offsets = history_offsets(group, history.moments)
    is_in_order = not (history.lacks_times or history.is_approximate)
    highest = np.maximum.accumulate(offsets[:, END:], axis=0)  # UNKNOWN is the least
    ends, reached = offsets[1:, END], highest[:-1, 0]
    are_known = (ends != UNKNOWN) & (reached != UNKNOWN)
    fell = are_known & (ends < reached - OFF_BY_ONE) & (ends < offsets[:-1, END])
    for k in np.flatnonzero(fell.any(axis=1)).tolist():  # between moments k and k + 1
        end, before, is_known = ends[k], reached[k], are_known[k]
        is_kept = is_known & (end > _RECREATED * before)
        is_same = np.bincount(topic[is_kept], minlength=len(group.topics)) > 0
        is_dated = is_in_order and not _is_backwards(offsets[k : k + 2])
        if is_dated or (is_known & (end > offsets[k, END])).any():
            is_cut = fell[k] & is_same[topic]
            known_to_be = np.maximum(before, highest[k + 1, 1])  # what was committed was written
            lost[is_cut] = (known_to_be - end)[is_cut]
    return lost


def _is_backwards(pair: LongArray) -> bool:
    """Return whether no offset (2, 3, P) grew and some commit fell, as where clocks differ."""
    one, other = pair[:, END:]
    is_known = (one != UNKNOWN) & (other != UNKNOWN)
    is_lower = is_known & (other < one)
    return bool(is_lower[-1].any() and not (is_known & (other > one)).any())


def _lowest_after(top: LongArray, offsets: LongArray) -> LongArray:
    """Return the lowest known offset (P,) after a moment of each of these (K, P)."""
    is_later = np.arange(len(offsets))[:, None] > top
    return np.asarray(np.where(is_later & (offsets != UNKNOWN), offsets, _MOST).min(axis=0))


def _beyond(group: Group) -> LongArray:
    """Return how far each committed offset (P,) is beyond the end of the log, as far as is known.

    By the offsets, or by a lag that is printed as negative where the text has no offsets.
    """
    end, committed = (
        _offsets(each, group) for each in (group.offsets.end, group.offsets.committed)
    )
    is_known = (end != UNKNOWN) & (committed != UNKNOWN)
    printed = np.where(group.is_lag_known & (group.lags < 0), group.lags, 0)
    return np.where(is_known, committed - end, -printed)


def _offsets(known: LongArray | None, group: Group) -> LongArray:
    return np.full(group.partition_count, UNKNOWN, np.int64) if known is None else known


def ahead(group: Group, history: OffsetHistory, times: PartitionTimes) -> list[AheadOfLog]:
    """Return where the committed offset is beyond the end of the log, and nobody moves it.

    One snapshot alone must show more than a poll may read between two requests of a tool, unless
    the log is seen to have lost its end.
    """
    by, committed = _beyond(group), _offsets(group.offsets.committed, group)
    if not (by > 0).any():
        return []
    earlier = history_offsets(group, history.moments[-2:-1])[:, COMMITTED]
    before = earlier[-1] if len(earlier) else np.full(by.size, UNKNOWN, np.int64)
    stands = (before != UNKNOWN) & (before == committed)
    # Tools that ask for ends first see commits that are up to one poll ahead of them.
    is_ahead = (by > ONE_POLL) & ((before == UNKNOWN) | (before >= committed)) | (by > 0) & stands
    is_ahead |= (by > OFF_BY_ONE) & (_cut_off(group, history) > 0)
    those = np.flatnonzero(is_ahead & (group.counted_lags == 0))
    if not those.size:
        return []
    return [
        AheadOfLog(
            members=owners_of(group, those),
            partitions=numbers(those),
            arriving=total(times.produced, those),
            by=float(by[those].max()),
        )
    ]
