"""Loads of members and figures of assignments, for many snapshots of groups at once.

S snapshots, each with a slice of the P partitions and of the M members. Owners are (P,), numbered
within their snapshot. Unknown lag is left out of sums; negative lag counts as 0.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assignors import ragged
from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, LongArray, Owners
from assignors.sums import counts, float_sums, largest, smallest, sums
from evaluation.predicates import is_moved


@dataclass(frozen=True, eq=False, kw_only=True)
class Loads:
    """What each of the M members owns."""

    partitions: LongArray
    lag: LongArray
    """Exact, capped at 2^63 - 1."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary:
    """Figures of each of the S snapshots; ``UNKNOWN`` or NaN if no lag is known."""

    max_lag: LongArray
    mean_lag: FloatArray
    """Over all members, including idle ones."""
    max_over_mean_lag: FloatArray
    """NaN also if the mean is 0."""
    max_partitions: LongArray
    count_spread: LongArray
    idle_members: LongArray
    unowned: LongArray


@dataclass(frozen=True, eq=False)
class Snapshots:
    """The partitions and members of each snapshot, and the lags."""

    partition_starts: LongArray
    """(S + 1,)"""
    member_starts: LongArray
    """(S + 1,)"""
    lag: LongArray
    """(P,) ``UNKNOWN`` if unknown."""

    @cached_property
    def partitions(self) -> LongArray:
        """(S,) how many partitions each snapshot has."""
        return np.diff(self.partition_starts)

    @cached_property
    def members(self) -> LongArray:
        """(S,) how many members each snapshot has."""
        return np.diff(self.member_starts)

    @property
    def first_member(self) -> LongArray:
        """(P,) the first member of each partition's snapshot; a new array."""
        return np.repeat(self.member_starts[:-1], self.partitions)

    @cached_property
    def is_lag_known(self) -> BoolArray:
        """(P,) whether the lag of each partition is known."""
        is_known: BoolArray = self.lag != UNKNOWN
        return is_known

    @cached_property
    def known_lags(self) -> LongArray:
        """(S,) how many partitions have a known lag."""
        return self.count(self.is_lag_known)

    @cached_property
    def total_lag(self) -> LongArray:
        """(S,) the known lag of all partitions; ``UNKNOWN`` if none is known."""
        snapshot = ragged.row_of_each(self.partition_starts)
        total = sums(snapshot, np.maximum(self.lag, 0), self.partitions.size)
        return np.where(self.known_lags > 0, total, UNKNOWN)

    def count(self, is_so: BoolArray) -> LongArray:
        """Return the number of True partitions of each snapshot."""
        if is_so.all():  # by far the most frequent case: all owned, all lags known
            return self.partitions
        before = ragged.starts_of(is_so.astype(np.int64))[self.partition_starts]
        return before[1:] - before[:-1]

    def held(self, owners: Owners) -> tuple[LongArray | slice, LongArray]:
        """Return the owned partitions, and their owners as numbers from 0 to M - 1."""
        is_owned = owners != UNOWNED
        numbers = self.first_member
        numbers += owners  # in place: for large groups a new array costs more than the sum
        if is_owned.all():
            return slice(None), numbers
        held = np.flatnonzero(is_owned)
        return held, numbers[held]

    def loads(self, owners: Owners) -> Loads:
        """Add up what each member owns."""
        held, members = self.held(owners)
        size, lag = int(self.member_starts[-1]), self.lag[held]
        if lag.min(initial=0) < 0:
            lag = np.maximum(lag, 0)
        return Loads(partitions=counts(members, size), lag=sums(members, lag, size))

    def summary(self, owners: Owners, loads: Loads) -> Summary:
        """Return the figures of one assignment of each snapshot with these loads."""
        is_owned = owners != UNOWNED
        owned = self.count(is_owned)
        known = np.where(owned > 0, self.count(is_owned & self.is_lag_known), self.known_lags)
        is_known = (self.members > 0) & (known > 0)
        snapshot = ragged.row_of_each(self.member_starts)
        total = float_sums(snapshot, loads.lag.astype(np.float64), self.members.size)
        mean = np.where(is_known, total / np.maximum(self.members, 1), np.nan)
        max_lag = np.where(is_known, largest(loads.lag, self.member_starts), UNKNOWN)
        ratio = np.full(mean.size, np.nan)
        np.divide(max_lag, mean, out=ratio, where=is_known & (mean > 0))
        most = largest(loads.partitions, self.member_starts)
        return Summary(
            max_lag=max_lag,
            mean_lag=mean,
            max_over_mean_lag=ratio,
            max_partitions=most,
            count_spread=most - smallest(loads.partitions, self.member_starts),
            idle_members=counts(snapshot[loads.partitions == 0], self.members.size),
            unowned=self.partitions - owned,
        )

    def moved(self, before: Owners, owners: Owners) -> LongArray:
        """Return how many owned partitions lose their owner; ``UNKNOWN`` if none is owned."""
        moved = self.count(is_moved(before, owners))
        return np.where(self.count(before != UNOWNED) > 0, moved, UNKNOWN)
