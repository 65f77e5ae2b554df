"""Loads of members and figures of assignments, for many snapshots of groups at once.

S snapshots, each with a slice of the P partitions and of the M members. Owners are (P,), numbered
within their snapshot. Unknown lags and weights are left out of sums; negative ones count as 0.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, LongArray, Owners
from assignors.sums import counts, float_sums, largest, smallest, sums
from evaluation.moves import is_moved


@dataclass(frozen=True, eq=False, kw_only=True)
class Loads:
    """What each of the M members owns."""

    partitions: LongArray
    lag: LongArray
    """Exact, capped at 2^63 - 1, like the load."""
    load: LongArray
    """The sum of the weights; the same array as ``lag`` where those are the lags."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary:
    """Figures of each of the S snapshots; ``UNKNOWN`` or NaN if no lag, or no weight, is known."""

    max_lag: LongArray
    mean_lag: FloatArray
    """Over all members, including idle ones."""
    max_over_mean_lag: FloatArray
    """NaN also if the mean is 0."""
    max_load: LongArray
    mean_load: FloatArray
    max_over_mean_load: FloatArray
    max_partitions: LongArray
    count_spread: LongArray
    idle_members: LongArray
    unowned: LongArray


class _Sums(NamedTuple):
    """What the members of each snapshot have of lag or of load."""

    most: LongArray
    mean: FloatArray
    ratio: FloatArray


@dataclass(frozen=True, eq=False)
class Snapshots:
    """The partitions and members of each snapshot, with lags and weights."""

    partition_starts: LongArray
    """(S + 1,)"""
    member_starts: LongArray
    """(S + 1,)"""
    lag: LongArray
    """(P,) ``UNKNOWN`` if unknown."""
    weight: LongArray | None = None
    """(P,) the same of weights; None if those are the lags."""

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
    def is_weight_known(self) -> BoolArray:
        """(P,) whether the weight of each partition is known."""
        if self.weight is None:
            return self.is_lag_known
        is_known: BoolArray = self.weight != UNKNOWN
        return is_known

    @cached_property
    def known_lags(self) -> LongArray:
        """(S,) how many partitions have a known lag."""
        return self.count(self.is_lag_known)

    @cached_property
    def total_lag(self) -> LongArray:
        """(S,) the known lag of all partitions; ``UNKNOWN`` if none is known."""
        return self._total(self.lag, self.known_lags)

    @cached_property
    def total_load(self) -> LongArray:
        """(S,) the known weight of all partitions; ``UNKNOWN`` if none is known."""
        if self.weight is None:
            return self.total_lag
        return self._total(self.weight, self.count(self.is_weight_known))

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
        size = int(self.member_starts[-1])
        lag = sums(members, _counted(self.lag[held]), size)
        load = lag if self.weight is None else sums(members, _counted(self.weight[held]), size)
        return Loads(partitions=counts(members, size), lag=lag, load=load)

    def summary(self, owners: Owners, loads: Loads) -> Summary:
        """Return the figures of one assignment of each snapshot with these loads."""
        is_owned = owners != UNOWNED
        owned = self.count(is_owned)
        snapshot = ragged.row_of_each(self.member_starts)
        lag = self._summed(loads.lag, is_owned, self.is_lag_known)
        load = (
            lag if self.weight is None else self._summed(loads.load, is_owned, self.is_weight_known)
        )
        most = largest(loads.partitions, self.member_starts)
        return Summary(
            max_lag=lag.most,
            mean_lag=lag.mean,
            max_over_mean_lag=lag.ratio,
            max_load=load.most,
            mean_load=load.mean,
            max_over_mean_load=load.ratio,
            max_partitions=most,
            count_spread=most - smallest(loads.partitions, self.member_starts),
            idle_members=counts(snapshot[loads.partitions == 0], self.members.size),
            unowned=self.partitions - owned,
        )

    def _total(self, of: LongArray, known: LongArray) -> LongArray:
        snapshot = ragged.row_of_each(self.partition_starts)
        total = sums(snapshot, np.maximum(of, 0), self.partitions.size)
        return np.where(known > 0, total, UNKNOWN)

    def _summed(self, per_member: LongArray, is_owned: BoolArray, is_known: BoolArray) -> _Sums:
        known = np.where(
            self.count(is_owned) > 0, self.count(is_owned & is_known), self.count(is_known)
        )
        is_told = (self.members > 0) & (known > 0)
        snapshot = ragged.row_of_each(self.member_starts)
        total = float_sums(snapshot, per_member.astype(np.float64), self.members.size)
        mean = np.where(is_told, total / np.maximum(self.members, 1), np.nan)
        most = np.where(is_told, largest(per_member, self.member_starts), UNKNOWN)
        ratio = np.full(mean.size, np.nan)
        np.divide(most, mean, out=ratio, where=is_told & (mean > 0))
        return _Sums(most, mean, ratio)

    def moved(self, before: Owners, owners: Owners) -> LongArray:
        """Return how many owned partitions lose their owner; ``UNKNOWN`` if none is owned."""
        moved = self.count(is_moved(before, owners))
        return np.where(self.count(before != UNOWNED) > 0, moved, UNKNOWN)


def _counted(of: LongArray) -> LongArray:
    return np.maximum(of, 0) if of.min(initial=0) < 0 else of
