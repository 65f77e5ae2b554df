"""Rates, time lag, catch-up time and retention loss of each partition, from a group's history.

P partitions, K moments. Unknown rates and seconds are NaN; infinite seconds mean never.
"""

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import Final, Self

import numpy as np

from assignors.model import UNKNOWN, BoolArray, FloatArray, Group, LongArray, Owners
from evaluation.measuring.lag_in_time import (
    Series,
    growth_per_second,
    seconds_to_catch_up_together,
    seconds_to_loss_by_age,
    seconds_to_loss_by_size,
    time_lag,
)
from evaluation.measuring.offset_history import (
    BEGIN,
    COMMITTED,
    END,
    OffsetHistory,
    by_partition,
    history_offsets,
)
from evaluation.measuring.pauses import Pauses
from evaluation.measuring.skips import Skips
from evaluation.wording import duration

KEEPS_UP_S: Final = 10.0
"""Consumers commit every 5 s by default, so a smaller time lag says nothing about their speed."""
_FEWEST: Final = 3
"""Fewer snapshots show no pause that has ended."""
_COMMITS_S: Final = 5.0
"""How far apart commits are by default (auto.commit.interval.ms): less tells no rate."""
FRESH: Final = 0.1
"""The share of what arrived between snapshots without times that may wait at any moment."""
MOST_FRESH: Final = 0.5
"""The same between snapshots whose times are those of pasting, if those say that it keeps up."""


class Basis(IntEnum):
    """How a time lag was determined."""

    NOTHING = 0
    REPORTED = 1
    """By offsetsForTimes of the cluster."""
    BETWEEN = 2
    """The end offset passed the committed one between two snapshots."""
    AT_RATE = 3
    """The record is older than the first snapshot: lag divided by the produce rate."""
    AT_LEAST = 4
    """As before, but the produce rate is unknown or 0: the time since the first snapshot."""


_HOW_SURE: Final = {Basis.AT_RATE: ("about ", "≈ "), Basis.AT_LEAST: ("more than ", "> ")}
"""What stands before a time lag by how it was determined, in words and in a table."""
_SURE: Final = ("", "")


@dataclass(frozen=True, eq=False, kw_only=True)
class PartitionTimes:
    """Rates and times of each partition; (P,) each."""

    lag: FloatArray
    """Records that wait."""
    produced: FloatArray
    """Records per second, as is the next."""
    consumed: FloatArray
    age_s: FloatArray
    """The time lag: the age of the next record to be read; 0 if everything is read."""
    basis: LongArray
    """How ``age_s`` was determined, as a ``Basis``."""
    retention_s: FloatArray
    """NaN if neither known nor stated."""
    to_loss_by_size: FloatArray
    """Seconds until the log start overtakes the committed offset; NaN while it does not move."""
    owners: Owners
    skips: Skips
    """Where the committed offset jumped ahead; ``consumed`` is since then."""
    pauses: Pauses | None = None
    """How long it stands, and stood before; None with too few snapshots, or undated ones."""
    arrived: FloatArray | None = None
    """Records between the snapshots, if their times are those of pasting; None if they are not."""

    @property
    def is_approximate(self) -> bool:
        """Whether rates and ages rest on when texts were pasted."""
        return self.arrived is not None

    def age_in_words(self, partition: int) -> str:
        """Return a time lag with its certainty, as a sentence says it; "" if unknown."""
        in_words, _ = self._how_sure(partition)
        return self._age(partition, in_words)

    def age_in_cell(self, partition: int) -> str:
        """Return the same as a table has it, the certainty as a sign."""
        _, as_sign = self._how_sure(partition)
        return self._age(partition, as_sign)

    def _age(self, partition: int, how_sure: str) -> str:
        seconds = float(self.age_s[partition])
        if np.isnan(seconds):
            return ""
        return f"{how_sure if seconds else ''}{duration(seconds)}"

    def _how_sure(self, partition: int) -> tuple[str, str]:
        usual = _HOW_SURE[Basis.AT_RATE] if self.is_approximate else _SURE
        return _HOW_SURE.get(Basis(int(self.basis[partition])), usual)

    @cached_property
    def catch_up_s(self) -> FloatArray:
        """Until the lag is read at the present rates; 0 if the partition keeps up."""
        seconds = seconds_to_catch_up_together(self.lag, self.produced, self.consumed, self.owners)
        return np.where(self.keeps_up, 0.0, seconds)

    @cached_property
    def loss_s(self) -> FloatArray:
        """Until a record is deleted before it is read, at the present rates.

        Infinite if a partition keeps up, even if its rates differ slightly at the moment, or has
        caught up by then.
        """
        seconds = np.fmin(self.loss_by_age(self.consumed), self.to_loss_by_size)
        is_safe = self.keeps_up | (self.catch_up_s < seconds)
        return np.where(is_safe & ~np.isnan(seconds), np.inf, seconds)

    def at_rates(self, produced: FloatArray) -> Self:
        """Return the times if this much arrives instead; ages by rate follow."""
        is_by_rate = self.basis == Basis.AT_RATE
        age_s = np.where(is_by_rate, np.nan, self.age_s)
        np.divide(self.lag, produced, out=age_s, where=is_by_rate & (produced > 0))
        return replace(self, produced=produced, age_s=age_s)

    @cached_property
    def keeps_up(self) -> BoolArray:
        """(P,) whether the next record is no older than the time between two commits.

        That of a partition that pauses as before is what it was when the pause began.

        When texts were pasted says little about when they were made. There, what waits must also be
        a part of what arrived in between, and of a tenth of it the seconds are not asked.
        """
        paused_s = 0.0 if self.pauses is None else self.pauses.usual_s
        is_young = self.age_s - paused_s <= KEEPS_UP_S
        is_young = np.asarray(is_young & (self.basis != Basis.AT_LEAST))
        if self.arrived is None:
            return is_young
        is_fresh = self.lag <= FRESH * self.arrived
        return np.asarray(is_fresh | (is_young & (self.lag <= MOST_FRESH * self.arrived)))

    def loss_by_age(self, consumed: FloatArray) -> FloatArray:
        """Return when retention by age deletes a record at this consume rate."""
        is_known = (self.basis != Basis.AT_LEAST) | (self.age_s >= self.retention_s)
        age = np.where(is_known, self.age_s, np.nan)
        seconds = seconds_to_loss_by_age(self.lag, age, self.produced, consumed, self.retention_s)
        return np.where(np.isnan(self.retention_s), np.nan, seconds)


def partition_times(
    group: Group, history: OffsetHistory, retention_s: float | None = None
) -> PartitionTimes:
    """Return rates, time lags and losses of a group with this history.

    Uses the group's own lag, so edits count. If the history is too short for rates, the group's
    stated rates apply. A record older than the first snapshot is assumed to have been written at
    the present rate, as kafka-lag-exporter extrapolates. ``retention_s`` is what users state and
    overrides the cluster's.

    A log whose start has moved has reached its size limit, so as many records are deleted as
    written; a single step would say little, because whole segments are deleted at once.
    """
    offsets = history_offsets(group, history.moments)
    timed = history.timed
    begin = Series.of_snapshots(history.times_s[timed], offsets[timed, BEGIN])
    told = np.union1d(timed, [len(offsets) - 1]) if len(offsets) else timed
    ends = Series.of_snapshots(history.times_s[told], offsets[told, END])
    lag = np.where(group.is_lag_known, group.counted_lags, np.nan)
    stated = np.full(lag.size, np.nan) if group.offsets.rates is None else group.offsets.rates
    produced = _present_growth(history, offsets[:, END])
    produced = np.where(np.isnan(produced), stated, produced)
    skips = history.skips_in(offsets)
    is_past = np.arange(len(offsets))[:, None] < skips.at
    consumed = _present_growth(history, np.where(is_past, UNKNOWN, offsets[:, COMMITTED]))
    newest = offsets[-1] if len(offsets) else np.full((3, lag.size), UNKNOWN)
    is_placed = group.is_lag_known & (newest[END] != UNKNOWN)
    read = np.where(is_placed, newest[END] - group.counted_lags, UNKNOWN)
    reported_s = by_partition(group, history.moments[-1].age_s if history.moments else None)
    age_s, basis = _ages(ends, read, lag, produced, reported_s)
    is_limited = np.array([name not in history.unlimited for name in group.topics], np.bool_)
    is_full = (growth_per_second(begin) > 0) & is_limited[group.topic_of_partition]
    deleted = np.where(is_full, produced, np.nan)
    known_retention = by_partition(group, history.retention_s)
    return PartitionTimes(
        lag=lag,
        produced=produced,
        consumed=consumed,
        age_s=age_s,
        basis=basis,
        retention_s=known_retention if retention_s is None else np.full(lag.size, retention_s),
        to_loss_by_size=seconds_to_loss_by_size(newest[BEGIN], read, deleted, consumed),
        owners=group.present_owners,
        skips=skips,
        pauses=None if timed.size < _FEWEST else Pauses.of(history, offsets),
        arrived=_arrived(offsets[history.rates_from :, END]) if history.is_approximate else None,
    )


def _arrived(ends: LongArray) -> FloatArray:
    """Return how much end offsets (K, P) grew in all; NaN if one of the two is unknown."""
    is_known = (ends[0] != UNKNOWN) & (ends[-1] != UNKNOWN)
    return np.where(is_known, (ends[-1] - ends[0]).astype(np.float64), np.nan)


def _present_growth(history: OffsetHistory, offsets: LongArray) -> FloatArray:
    """Return how much offsets (K, P) grow per second now, or else over the whole history.

    Unknown where all of it is shorter than the time between two commits.
    """
    if history.span_s < _COMMITS_S:  # NaN is not
        return np.full(offsets.shape[1], np.nan)
    now = history.timed[history.timed >= history.rates_from]
    present, whole = (
        growth_per_second(Series.of_snapshots(history.times_s[places], offsets[places]))
        for places in (now, history.timed)
    )
    return np.where(np.isnan(present), whole, present)


def _ages(
    ends: Series, read: LongArray, lag: FloatArray, produced: FloatArray, reported_s: FloatArray
) -> tuple[FloatArray, LongArray]:
    """Return time lags and their bases; what the cluster reported takes precedence."""
    at_ends = time_lag(ends, read)
    at_rate = np.full(lag.size, np.nan)
    np.divide(lag, produced, out=at_rate, where=produced > 0)
    at_rate[lag == 0] = 0.0
    is_older = ~at_ends.is_exact | np.isnan(at_ends.seconds)
    seconds = np.where(is_older, np.fmax(at_ends.seconds, at_rate), at_ends.seconds)
    basis = np.select(
        [
            ~np.isnan(reported_s),
            ~is_older,
            ~np.isnan(at_rate),
            ~at_ends.is_exact & (at_ends.seconds > 0),
        ],
        [Basis.REPORTED, Basis.BETWEEN, Basis.AT_RATE, Basis.AT_LEAST],
        Basis.NOTHING,
    )
    seconds = np.where(basis == Basis.NOTHING, np.nan, seconds)
    return np.where(np.isnan(reported_s), seconds, reported_s), basis.astype(np.int64)


def time_lags_over_time(
    group: Group, history: OffsetHistory, partitions: LongArray, produced: FloatArray
) -> FloatArray:
    """Return the time lags (K, N) of N partitions at each moment, from what was known by then.

    Records older than the first moment are assumed to have been written at ``produced`` (N,).
    """
    offsets, times_s = history_offsets(group, history.moments)[:, :, partitions], history.times_s
    rows = []
    for k, moment in enumerate(history.moments):
        begin, end, committed = offsets[k, BEGIN], offsets[k, END], offsets[k, COMMITTED]
        is_known = (end != UNKNOWN) & (committed != UNKNOWN)
        read = np.where(is_known, np.maximum(committed, begin), committed)
        lag = np.where(is_known, np.maximum(end - read, 0), np.nan)
        ends = Series.of_snapshots(times_s[: k + 1], offsets[: k + 1, END])
        reported_s = by_partition(group, moment.age_s)[partitions]
        rows.append(_ages(ends, read, lag, produced, reported_s)[0])
    return np.array(rows)
