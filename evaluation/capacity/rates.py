"""Produce rates, from a total or from two snapshots, and the default throughput."""

import math
from typing import Final

import numpy as np

from assignors.model import FloatArray, Group
from evaluation.capacity.draining import Capacity, InvalidCapacityError, demand_of, require
from evaluation.capacity.resizing import as_planned
from evaluation.lag_in_time import Series, growth_per_second
from evaluation.offset_history import END, Moment, history_offsets

_BUSY: Final = 0.8
"""The default load of consumers, as autoscalers aim for."""
_HEAVIEST: Final = 0.5
"""The largest share of a consumer for the heaviest partition, by default."""
_NEWCOMERS: Final = 10
"""Consumers assumed if there are none."""


def spread_evenly(group: Group, total: float) -> FloatArray:
    """Divide the total records per second evenly among partitions; shape (P,)."""
    return np.full(group.partition_count, total / max(group.partition_count, 1))


def spread_by_lag(group: Group, total: float) -> FloatArray:
    """Divide the total records per second in proportion to known lag; shape (P,).

    Evenly without lag. Assumes that partitions lag because they are busy.
    """
    lags = group.counted_lags.astype(np.float64)
    return total * lags / lags.sum() if lags.sum() > 0 else spread_evenly(group, total)


def measured(earlier: Group, later: Group, elapsed_s: float) -> FloatArray:
    """Return the records per second by which end offsets grew; shape (P,) of ``later``.

    NaN if an end offset is unknown or fell because the topic was recreated. Raises
    InvalidCapacityError if no partition has an end offset in both.
    """
    require("the time between the snapshots", elapsed_s, "s")
    moments = Moment.of(earlier, 0.0), Moment.of(later, elapsed_s)
    times_s = np.array([moment.at_s for moment in moments])
    rates = growth_per_second(Series.of_snapshots(times_s, history_offsets(later, moments)[:, END]))
    if np.isnan(rates).all():
        message = (
            "no partition has an end offset in both snapshots that does not fall; paste an "
            "earlier --describe output of the same group"
        )
        raise InvalidCapacityError(message)
    return rates


def default_throughput(group: Group, *, pause_s: float, allowed_s: float) -> float:
    """Return a round number of records per second for a consumer of unknown speed.

    At this speed today's consumers (ten if there are none) would be 80 % busy with perfectly
    balanced load, and the heaviest partition takes at most half of one consumer.
    """
    capacity = Capacity(throughput=1.0, pause_s=pause_s, allowed_s=allowed_s)
    needs = demand_of(as_planned(group), capacity).needs
    consumers = group.member_count or min(_NEWCOMERS, max(group.partition_count, 1))
    needed = max(
        float(needs.sum()) / consumers / _BUSY, float(needs.max(initial=0.0)) / _HEAVIEST, 1.0
    )
    unit = 10.0 ** max(math.floor(math.log10(needed)) - 1, 0)
    return math.ceil(needed / unit - 1e-9) * unit
