"""What consumers have just taken over from others, and whether they catch up. P partitions."""

from typing import Final

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group, LongArray
from evaluation.diagnosis.departures import TELLS_S
from evaluation.diagnosis.findings import TakenOver
from evaluation.diagnosis.renewals import Renewals
from evaluation.diagnosis.sums import lag_of, numbers, owners_of, rate_between
from evaluation.measuring.offset_history import (
    BEGIN,
    COMMITTED,
    END,
    OffsetHistory,
    history_offsets,
)
from evaluation.measuring.partition_times import PartitionTimes

_EARLY_S: Final = 60.0
"""What somebody reads for no longer says little: commits come in batches."""
_JUST_S: Final = 900.0
"""Who has owned it for longer has not just taken over."""


def taken_over(
    group: Group,
    history: OffsetHistory,
    times: PartitionTimes,
    renewals: Renewals,
    is_behind: BoolArray,
) -> list[TakenOver]:
    """Return what is behind of consumers that own some of it only since a moment ago.

    It is all of theirs, as they read one partition after another. Who has owned it for a minute and
    has more to read than then is not excused by it.
    """
    owners, taken_at, last = group.present_owners, renewals.taken_at, len(history.moments) - 1
    is_taken = is_behind & (taken_at > 0) & (taken_at >= history.rates_from)
    if not is_taken.any():
        return []
    begun = np.zeros(group.member_count + 1, np.int64)
    np.maximum.at(begun, owners[is_taken], taken_at[is_taken])
    theirs = np.flatnonzero(is_behind & (begun > 0)[owners] & (owners != UNOWNED))
    since = begun[owners[theirs]]
    seconds = history.times_s[last] - history.times_s[begun]  # (M + 1,)
    before, now = (
        np.bincount(owners[theirs], lags, group.member_count + 1)
        for lags in _lags(group, history, theirs, since)
    )
    is_less = (now < before) & (seconds >= TELLS_S) & (seconds <= _JUST_S)  # NaN is not
    is_early = (begun == last) | (seconds <= _EARLY_S)
    is_early &= begun > history.rates_from  # else those rates are its own
    is_of = is_less[owners[theirs]], (is_early & ~is_less)[owners[theirs]]
    return [
        _of(group, history, times, theirs[is_some], int(since[is_some].max()))
        for is_some in is_of
        if is_some.any()
    ]


def _lags(
    group: Group, history: OffsetHistory, theirs: LongArray, since: LongArray
) -> tuple[FloatArray, FloatArray]:
    """Return the lags of these partitions when their owners had taken over, and now; or NaN."""
    offsets = history_offsets(group, history.moments)[:, :, theirs]
    read = np.maximum(offsets[:, COMMITTED], offsets[:, BEGIN])
    is_known = (offsets[:, [END, COMMITTED]] != UNKNOWN).all(axis=1)
    lags = np.where(is_known, np.maximum(offsets[:, END] - read, 0), np.nan)
    return lags[since, np.arange(theirs.size)], lags[-1]


def _of(
    group: Group, history: OffsetHistory, times: PartitionTimes, some: LongArray, since: int
) -> TakenOver:
    """Return the finding about partitions, with their rates since that snapshot."""
    offsets = history_offsets(group, history.moments)[:, :, some]
    arriving, reading = (
        rate_between(history.times_s, offsets[:, row], slice(since, None))
        for row in (END, COMMITTED)
    )
    lag, seconds = lag_of(times, some), float(history.times_s[-1] - history.times_s[since])
    is_shrinking = seconds >= TELLS_S and reading > arriving
    return TakenOver(
        members=owners_of(group, some),
        partitions=numbers(some),
        lag=lag,
        arriving=arriving,
        reading=reading,
        over_s=lag / (reading - arriving) if is_shrinking else float("nan"),
        since_s=seconds,
    )
