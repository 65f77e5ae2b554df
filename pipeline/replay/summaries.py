"""What one strategy comes to at every snapshot of a batch, as ``evaluation.metrics`` has it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, LongArray, Owners
from evaluation.sums import counts, float_sums, largest, smallest, sums
from pipeline.replay.layout import Layout
from pipeline.replay.loads import Loads, Weights
from pipeline.replay.membership import Membership, carried


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary:
    """Figures of each of the U snapshots; ``UNKNOWN`` or NaN where unknown."""

    max_lag: LongArray
    mean_lag: FloatArray
    max_over_mean_lag: FloatArray
    max_partitions: LongArray
    count_spread: LongArray
    idle_members: LongArray
    unowned: LongArray
    moved_from_present: LongArray
    moved_from_previous: LongArray
    above_best_lag: LongArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Totals:
    """Figures of each snapshot that no strategy changes."""

    topics: LongArray
    partitions: LongArray
    members: LongArray
    total_lag: LongArray
    unknown_lags: LongArray
    rate: FloatArray


class Summaries:
    """Sums up strategies over one batch."""

    def __init__(
        self, layout: Layout, membership: Membership, weights: Weights, best_max_lag: LongArray
    ) -> None:
        self._layout, self._membership, self._weights = layout, membership, weights
        self._best = best_max_lag
        self._unit = layout.unit_of_partition
        self._sizes = np.diff(membership.starts)
        self._lag_known_in = self._count(weights.is_lag_known)

    @cached_property
    def totals(self) -> Totals:
        """What the group comes to as a whole."""
        weights, units = self._weights, self._layout.unit_count
        partitions = np.diff(self._layout.unit_starts)
        rate = float_sums(self._unit, weights.rate, units)
        return Totals(
            topics=np.diff(self._layout.segments_of_unit),
            partitions=partitions,
            members=self._sizes,
            total_lag=np.where(
                self._lag_known_in > 0, sums(self._unit, weights.lag, units), UNKNOWN
            ),
            unknown_lags=partitions - self._lag_known_in,
            rate=np.where(self._count(weights.is_rate_known) > 0, rate, np.nan),
        )

    def summary(self, owners: Owners, found: Owners, loads: Loads) -> Summary:
        """Return the figures of one strategy; ``found`` are the owners telemetry shows."""
        starts = self._membership.starts
        is_told = self._is_lag_told(owners)
        max_lag = np.where(is_told, largest(loads.lag, starts), UNKNOWN)
        lag_of_unit = float_sums(
            self._membership.unit, loads.lag.astype(np.float64), self._layout.unit_count
        )
        mean = np.where(is_told, lag_of_unit / np.maximum(self._sizes, 1), np.nan)
        most = largest(loads.partitions, starts)
        is_bounded = is_told & (self._best != UNKNOWN) & (max_lag >= self._best)
        return Summary(
            max_lag=max_lag,
            mean_lag=mean,
            max_over_mean_lag=np.divide(
                max_lag, mean, out=np.full(mean.size, np.nan), where=is_told & (mean > 0)
            ),
            max_partitions=most,
            count_spread=most - smallest(loads.partitions, starts),
            idle_members=counts(
                self._membership.unit[loads.partitions == 0], self._layout.unit_count
            ),
            unowned=self._count(owners == UNOWNED),
            moved_from_present=self._moved(found, owners),
            moved_from_previous=self._moved(self._previous(owners), owners),
            above_best_lag=np.where(is_bounded, max_lag - self._best, UNKNOWN),
        )

    def _count(self, is_so: BoolArray) -> LongArray:
        return counts(self._unit[is_so], self._layout.unit_count)

    def _is_lag_told(self, owners: Owners) -> BoolArray:
        """Tell whether lag is known of anything owned, or, if nothing is, of anything."""
        is_owned = owners != UNOWNED
        known = np.where(
            self._count(is_owned) > 0,
            self._count(is_owned & self._weights.is_lag_known),
            self._lag_known_in,
        )
        return (self._sizes > 0) & (known > 0)

    def _previous(self, owners: Owners) -> Owners:
        """Return the owners at the snapshot before, of partitions and members still there."""
        first = self._membership.starts
        earlier = np.append(0, first[:-2]) if first.size > 1 else first[:0]
        return carried(
            owners,
            self._layout.before,
            self._membership.after,
            (earlier[self._unit], first[self._unit]),
        )

    def _moved(self, before: Owners, owners: Owners) -> LongArray:
        """Return how many owned partitions changed or lost their owner, unknown if none was."""
        was_owned = before != UNOWNED
        moved = self._count(was_owned & (before != owners))
        return np.where(self._count(was_owned) > 0, moved, UNKNOWN)
