"""Lags and rates of all partitions of a batch; P partitions as in ``layout``."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa

from assignors.lag.offsets import lag_from_offsets
from assignors.model import UNKNOWN, BoolArray, FloatArray, LongArray
from pipeline.ingest.limits import BY_DURATION
from pipeline.replay.encoding import NOBODY, one_array
from pipeline.replay.layout import Layout

_SECOND_US: Final = 1_000_000
_UNITS_US: Final = tuple(seconds * _SECOND_US for seconds in (86_400, 3_600, 60, 1))


@dataclass(frozen=True, eq=False, kw_only=True)
class Offsets:
    """Lag and rates of every partition; ``UNKNOWN`` or NaN where unknown."""

    end: LongArray
    """(P,)"""
    committed: LongArray
    """(P,)"""
    lag: LongArray
    """(P,) records."""
    produce_rate: FloatArray
    """(P,) records/s since the previous snapshot."""
    consume_rate: FloatArray
    """(P,)"""
    backwards: int
    """Number of end or committed offsets lower than at the previous snapshot."""


def offsets_of(rows: pa.Table, layout: Layout) -> Offsets:
    """Return lags by the rules of KAFKA-5337 and KIP-1106, and rates.

    A rate is unknown where an offset is unknown, at the first snapshot, and where offsets went
    backwards because the topic was recreated or the group was reset.
    """
    taken = layout.rows[layout.partition_rows]
    start, end, committed = (
        _placed(rows[f"{name}_offset"].fill_null(UNKNOWN).to_numpy()[taken], layout)
        for name in ("log_start", "log_end", "committed")
    )
    resets = one_array(rows["auto_offset_reset"])
    # By reset policy; the last entry, latest, is for those without one.
    duration_us, is_latest = _policies([*resets.dictionary.to_pylist(), "latest"])
    policy = np.full(layout.partition_count, NOBODY)
    policy[layout.partition_of_row] = resets.indices.fill_null(NOBODY).to_numpy()[taken]
    lag = np.where(
        is_latest[policy],
        lag_from_offsets(start, end, committed),
        lag_from_offsets(start, end, committed, "earliest"),
    )
    by_duration = np.flatnonzero((duration_us[policy] >= 0) & (committed == UNKNOWN))
    lag[by_duration] = _lag_by_duration(start, end, duration_us[policy], layout)[by_duration]
    produced, produced_back = _rate(end, layout)
    consumed, consumed_back = _rate(committed, layout)
    return Offsets(
        end=end,
        committed=committed,
        lag=lag,
        produce_rate=produced,
        consume_rate=consumed,
        backwards=produced_back + consumed_back,
    )


def _policies(resets: list[str]) -> tuple[LongArray, BoolArray]:
    """Return the duration of each reset policy, -1 without one, and which start at the end."""
    matches = [re.fullmatch(BY_DURATION, reset, re.IGNORECASE) for reset in resets]
    durations_us = [
        sum(
            int(float(number or 0) * unit)
            for number, unit in zip(match.groups(), _UNITS_US, strict=True)
        )
        if match
        else -1
        for match in matches
    ]
    return np.array(durations_us, np.int64), np.array([reset == "latest" for reset in resets])


def _lag_by_duration(
    start: LongArray, end: LongArray, duration_us: LongArray, layout: Layout
) -> LongArray:
    """Return the lag of groups that start at a time before now (KIP-1106).

    Telemetry has no times of records, but the end offsets of the previous snapshot: records beyond
    them are newer. That suffices for an empty log, for a duration of zero, for a log that has not
    grown since a snapshot before the duration began, and for a duration that began at a snapshot.
    """
    elapsed_us = layout.elapsed_us[layout.snapshot_of_partition]
    end_before = np.append(end, UNKNOWN)[layout.before]  # the last one: NONE
    grown = np.where((end_before != UNKNOWN) & (end >= end_before), end - end_before, UNKNOWN)
    held = np.where(start != UNKNOWN, end - start, UNKNOWN)
    is_settled = (elapsed_us == duration_us) | ((elapsed_us > duration_us) & (grown == 0))
    lag = np.where(is_settled & (grown != UNKNOWN), grown, UNKNOWN)
    lag = np.where((lag != UNKNOWN) & (held != UNKNOWN), np.minimum(lag, held), lag)
    return np.where((end != UNKNOWN) & ((duration_us == 0) | (held == 0)), 0, lag)


def _placed(values: LongArray, layout: Layout) -> LongArray:
    """Return the values by partition; ``UNKNOWN`` without a row."""
    placed = np.full(layout.partition_count, UNKNOWN, np.int64)
    placed[layout.partition_of_row] = values
    return placed


def _rate(offsets: LongArray, layout: Layout) -> tuple[FloatArray, int]:
    """Return records/s since the previous snapshot, and how many offsets went backwards."""
    before = np.append(offsets, UNKNOWN)[layout.before]  # the last one: NONE
    is_known = (offsets != UNKNOWN) & (before != UNKNOWN)
    is_growing = is_known & (offsets >= before)
    backwards = int(np.count_nonzero(is_known)) - int(np.count_nonzero(is_growing))
    rate = np.full(offsets.size, np.nan)
    seconds = layout.elapsed_us[layout.snapshot_of_partition] / _SECOND_US
    np.divide(offsets - before, seconds, out=rate, where=is_growing)
    return rate, backwards
