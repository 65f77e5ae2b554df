"""Lags and rates of all partitions of a batch; P partitions as in ``layout``."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa

from assignors.model import UNKNOWN, BoolArray, FloatArray, LongArray
from assignors.offsets import lag_from_offsets
from evaluation.judging import LAG, JudgeBy, Measure, weights
from pipeline.encoding import NOBODY, one_array
from pipeline.ingest.limits import BY_DURATION
from pipeline.replay.layout import BatchLayout

_SECOND_US: Final = 1_000_000
_UNITS_US: Final = tuple(seconds * _SECOND_US for seconds in (86_400, 3_600, 60, 1))


@dataclass(frozen=True, eq=False, kw_only=True)
class BatchOffsets:
    """Lag and rates of every partition; ``UNKNOWN`` or NaN where unknown."""

    end: LongArray
    """(P,)"""
    end_since: LongArray
    """(P,) the first of the snapshots since which the end is the same; microseconds since 1970."""
    committed: LongArray
    """(P,)"""
    lag: LongArray
    """(P,) records."""
    weight: LongArray | None
    """(P,) what strategies balance and figures of load add up; None: the lag."""
    produce_rate: FloatArray
    """(P,) records/s since the previous snapshot."""
    consume_rate: FloatArray
    """(P,)"""
    backwards: int
    """Number of end or committed offsets lower than at the previous snapshot."""


def offsets_of(
    rows: pa.Table, layout: BatchLayout, end_since: LongArray, measure: Measure = LAG
) -> BatchOffsets:
    """Return lags by the rules of KAFKA-5337 and KIP-1106, and rates.

    ``end_since`` is the checkpoint's, by row, ``UNKNOWN`` where it has none. A rate is unknown
    where an offset is unknown, at the first snapshot, and where offsets went backwards because the
    topic was recreated or the group was reset.
    """
    taken = layout.rows[layout.partition_rows]
    start, end, committed = (
        _placed(rows[f"{name}_offset"].fill_null(UNKNOWN).to_numpy()[taken], layout)
        for name in ("log_start", "log_end", "committed")
    )
    resets = one_array(rows["auto_offset_reset"])
    # By reset policy; the last entry, latest, is for those without one.
    names = [*resets.dictionary.to_pylist(), "latest"]
    duration_us, is_latest = durations_us(names), np.array([name == "latest" for name in names])
    policy = np.full(layout.partition_count, NOBODY)
    policy[layout.partition_of_row] = resets.indices.fill_null(NOBODY).to_numpy()[taken]
    lag = np.where(
        is_latest[policy],
        lag_from_offsets(start, end, committed),
        lag_from_offsets(start, end, committed, "earliest"),
    )
    by_duration = np.flatnonzero((duration_us[policy] >= 0) & (committed == UNKNOWN))
    since = _end_since(end, layout, end_since)
    if by_duration.size:
        then_us = layout.at_us[layout.snapshot_of_partition[by_duration]]
        then_us -= duration_us[policy[by_duration]]
        end_then = _end_at(by_duration, then_us, end, layout)
        end_then = np.where(since[by_duration] <= then_us, end[by_duration], end_then)
        lag[by_duration] = _lag_since(start[by_duration], end[by_duration], end_then)
    produced, produced_back = _rate(end, layout)
    consumed, consumed_back = _rate(committed, layout)
    return BatchOffsets(
        end=end,
        end_since=since,
        committed=committed,
        lag=lag,
        weight=None if measure.by is JudgeBy.LAG else weights(lag, measure, produced),
        produce_rate=produced,
        consume_rate=consumed,
        backwards=produced_back + consumed_back,
    )


def durations_us(resets: list[str]) -> LongArray:
    """Return the duration of each reset policy, -1 without one."""
    matches = [re.fullmatch(BY_DURATION, reset, re.IGNORECASE) for reset in resets]
    durations = [
        sum(
            int(float(number or 0) * unit)
            for number, unit in zip(match.groups(), _UNITS_US, strict=True)
        )
        if match
        else -1
        for match in matches
    ]
    return np.array(durations, np.int64)


def _lag_since(start: LongArray, end: LongArray, end_then: LongArray) -> LongArray:
    """Return the lag of a group that starts where the log ended at a time before now (KIP-1106).

    Telemetry has no times of records, so the end at that time is known only if a snapshot shows it.
    """
    lag = np.where(
        (end_then != UNKNOWN) & (end_then <= end), end - np.maximum(end_then, start), UNKNOWN
    )
    return np.where((end != UNKNOWN) & (end == start), 0, np.where(end == UNKNOWN, UNKNOWN, lag))


def _end_at(
    partitions: LongArray, at_us: LongArray, end: LongArray, layout: BatchLayout
) -> LongArray:
    """Return the ends of partitions at the group's snapshots of these times, or ``UNKNOWN``."""
    times, rank = np.unique(layout.at_us, return_inverse=True)
    group = np.cumsum(~layout.follows) - 1
    wanted_rank = np.minimum(np.searchsorted(times, at_us), times.size - 1)
    wanted = group[layout.snapshot_of_partition[partitions]] * times.size + wanted_rank
    snapshot, is_there = _found(group * times.size + rank, wanted)
    is_there &= times[wanted_rank] == at_us
    topics = int(layout.segment_topic.max()) + 1
    own = layout.segment_of_partition[partitions]
    segment, has_topic = _found(
        layout.segment_snapshot * topics + layout.segment_topic,
        snapshot * topics + layout.segment_topic[own],
    )
    number = partitions - layout.segment_starts[own]
    is_there &= has_topic & (number < np.diff(layout.segment_starts)[segment])
    return np.append(end, UNKNOWN)[np.where(is_there, layout.segment_starts[segment] + number, -1)]


def _found(ascending: LongArray, wanted: LongArray) -> tuple[LongArray, BoolArray]:
    """Return where values are in an ascending array, and whether they are in it."""
    place = np.minimum(np.searchsorted(ascending, wanted), ascending.size - 1)
    return place, ascending[place] == wanted


def _end_since(end: LongArray, layout: BatchLayout, known: LongArray) -> LongArray:
    """Return the first of the consecutive snapshots at which a partition has the same end."""
    snapshot = layout.snapshot_of_partition
    since = layout.at_us[snapshot].copy()
    row = layout.rows[layout.partition_rows] - layout.new_rows
    place, given = layout.partition_of_row[row >= 0], known[row[row >= 0]]
    since[place] = np.where(given == UNKNOWN, since[place], given)
    is_same = (end != UNKNOWN) & (end == np.append(end, UNKNOWN)[layout.before])
    is_same &= ~layout.is_checkpoint[snapshot]
    first = np.where(is_same, layout.before, np.arange(end.size))
    while not np.array_equal(first, earlier := first[first]):
        first = earlier
    return since[first]


def _placed(values: LongArray, layout: BatchLayout) -> LongArray:
    """Return the values by partition; ``UNKNOWN`` without a row."""
    placed = np.full(layout.partition_count, UNKNOWN, np.int64)
    placed[layout.partition_of_row] = values
    return placed


def _rate(offsets: LongArray, layout: BatchLayout) -> tuple[FloatArray, int]:
    """Return records/s since the previous snapshot, and how many offsets went backwards.

    Those of a checkpoint were counted by the replay that left it.
    """
    before = np.append(offsets, UNKNOWN)[layout.before]  # the last one: NONE
    is_known = (offsets != UNKNOWN) & (before != UNKNOWN)
    is_growing = is_known & (offsets >= before)
    is_new = ~layout.is_checkpoint[layout.snapshot_of_partition]
    backwards = int(np.count_nonzero(is_known & ~is_growing & is_new))
    rate = np.full(offsets.size, np.nan)
    seconds = layout.elapsed_us[layout.snapshot_of_partition] / _SECOND_US
    np.divide(offsets - before, seconds, out=rate, where=is_growing)
    return rate, backwards
