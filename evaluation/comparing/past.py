"""Advice tested on a group's own past: given after half of its snapshots, judged on the others.

P partitions, K later snapshots.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from assignors.model import UNKNOWN, FloatArray, Group, LongArray, Owners
from evaluation.judging import LAG, Measure, judged
from evaluation.measuring.lag_in_time import Series, growth_per_second
from evaluation.measuring.offset_history import (
    COMMITTED,
    END,
    Moment,
    OffsetHistory,
    history_offsets,
)
from evaluation.metrics import load_per_member


class Kept(NamedTuple):
    """How much less the busiest consumer has than under the owners of the time, as shares."""

    promised: float
    """When the advice was given; NaN if there was nothing to take off."""
    kept: float
    """Over the later snapshots, as means; negative: more. NaN like ``promised``."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Past:
    """A group as it was after half of its snapshots, and what came later."""

    earlier: Group
    """As of the last of the earlier snapshots, with its weights."""
    history: OffsetHistory
    """The earlier snapshots."""
    later: LongArray
    """(K, P) the weights of the later ones; ``UNKNOWN`` if unknown."""
    measure: Measure
    """What the weights are: lag, if too few snapshots tell rates."""

    def test(self, owners: Owners) -> Kept:
        """Compare these owners (P,), advised of the earlier snapshot, with those of the time."""
        return Kept(self._less([self.earlier.weights], owners), self._less(self.later, owners))

    def _less(self, weights: Sequence[LongArray] | LongArray, owners: Owners) -> float:
        present = self.earlier.present_owners
        groups = [self.earlier.with_weights(each) for each in weights]
        was, then = (
            sum(int(load_per_member(group, own).max()) for group in groups)
            for own in (present, owners)
        )
        return 1 - then / was if was else float("nan")


def past_of(group: Group, history: OffsetHistory, measure: Measure) -> Past | None:
    """Return the past of a group with consumers and owners; None if it tells nothing.

    It takes two snapshots, during which the owners stayed.
    """
    history = history if history.is_undated else history.only_timed()
    moments = history.moments
    owned = {moment.ownership for moment in moments} - {None}
    if not history.has_several or len(owned) > 1 or not group.has_claims:
        return None
    half = (len(moments) + 1) // 2
    halves = [_Half(group, each) for each in (moments[:half], moments[half:])]
    if measure.by.needs_rates and any(np.isnan(each.rates).all() for each in halves):
        measure = LAG
    first, second = (each.weights(measure) for each in halves)
    earlier = group.with_lags(halves[0].lags[-1]).with_weights(first[-1])
    before = replace(history, moments=moments[:half])
    return Past(earlier=earlier, history=before, later=second, measure=measure)


class _Half:
    """Some snapshots in a row."""

    def __init__(self, group: Group, moments: Sequence[Moment]) -> None:
        self._group = group
        offsets = history_offsets(group, moments)
        ends, committed = offsets[:, END], offsets[:, COMMITTED]
        is_known = (ends != UNKNOWN) & (committed != UNKNOWN)
        self.lags: LongArray = np.where(is_known, np.maximum(ends - committed, 0), UNKNOWN)
        """(snapshots, P)"""
        times_s = np.array([moment.at_s for moment in moments])
        self.rates: FloatArray = growth_per_second(Series.of_snapshots(times_s, ends))
        """(P,) records/s that arrive; NaN if unknown."""

    def weights(self, measure: Measure) -> LongArray:
        """Return the weights (snapshots, P)."""
        groups = (self._group.with_lags(lags) for lags in self.lags)
        return np.array([judged(group, measure, self.rates).weights for group in groups])
