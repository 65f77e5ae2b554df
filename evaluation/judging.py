"""What a comparison is judged by: one weight a partition, whose largest sum on a consumer counts.

A group carries the weights beside its lags, so that strategies that see load, bounds, figures of
load and pictures follow them. Kafka's own strategies look at neither.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNKNOWN, FloatArray, Group, LongArray
from evaluation.stated import stated

HORIZON_MIN: Final = 5.0
"""Minutes of arrivals in the load: consumers that balance by load usually weigh it that often."""
_MOST: Final = float(1 << 62)
_LONG_MAX: Final = np.iinfo(np.int64).max


class JudgeBy(Enum):
    """The weight of a partition; the value stands in links and on the command line."""

    LAG = "lag"
    WORK = "work"
    RATE = "rate"
    PARTITIONS = "partitions"

    @property
    def needs_rates(self) -> bool:
        """Whether it takes the arrival rate."""
        return _WEIGHTS[self].needs_rates


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A kind of weight, in words."""

    by: JudgeBy = JudgeBy.LAG
    horizon_min: float = field(
        default=HORIZON_MIN,
        metadata=stated(
            "the minutes of arrivals in the load",
            "Minutes of arrivals in the load",
            "How long until load is usually weighed again",
        ),
    )

    @property
    def noun(self) -> str:
        """What a consumer has, as a heading: "lag"."""
        return _WEIGHTS[self.by].noun

    @property
    def unit(self) -> str:
        """The unit of a weight: "records"."""
        horizon = f"{self.horizon_min:g} min"
        return _WEIGHTS[self.by].unit.format(horizon)


class _Weight(NamedTuple):
    """What is said of a kind of weight, and what it takes."""

    noun: str
    unit: str
    needs_rates: bool


_WEIGHTS: Final[Mapping[JudgeBy, _Weight]] = {
    JudgeBy.LAG: _Weight("lag", "records", needs_rates=False),
    JudgeBy.WORK: _Weight("load", "records to read in {}", needs_rates=True),
    JudgeBy.RATE: _Weight("arrivals", "records/min", needs_rates=True),
    JudgeBy.PARTITIONS: _Weight("partitions", "partitions", needs_rates=False),
}
LAG: Final = Measure()
PARTITIONS: Final = Measure(by=JudgeBy.PARTITIONS)


def possible(arriving: FloatArray | None) -> tuple[JudgeBy, ...]:
    """Return what a group can be judged by, the default first; ``arriving`` (P,) in records/s."""
    if arriving is None or np.isnan(arriving).all():
        return tuple(by for by in JudgeBy if not by.needs_rates)
    return JudgeBy.WORK, *(by for by in JudgeBy if by is not JudgeBy.WORK)


def judged(group: Group, measure: Measure, arriving: FloatArray | None = None) -> Group:
    """Return the group with the measure's weights; ``arriving`` (P,) in records/s.

    Its lags stay. Unknown arrivals count as none where something else is known.

    >>> group = Group.fresh({"t": 2}, ["c"], lags={"t": [100, 7]})
    >>> work = Measure(by=JudgeBy.WORK)
    >>> weighed = judged(group, work, np.array([2.0, np.nan]))
    >>> weighed.weights.tolist(), weighed.lags.tolist()
    ([700, 7], [100, 7])
    """
    if measure.by is JudgeBy.LAG:
        return group if group.offsets.weights is None else group.with_weights(None)
    rates = np.full(group.partition_count, np.nan) if arriving is None else arriving
    return group.with_weights(weights(group.lags, measure, rates))


def weights(lags: LongArray, measure: Measure, arriving: FloatArray) -> LongArray:
    """Return the weights (P,) that a measure makes of lags (P,), ``UNKNOWN`` like them."""
    if measure.by is JudgeBy.LAG:
        return lags
    if measure.by is JudgeBy.PARTITIONS:
        return np.ones_like(lags)
    minutes = measure.horizon_min if measure.by is JudgeBy.WORK else 1.0
    is_unknown, due = np.isnan(arriving), _rounded(np.nan_to_num(arriving) * 60.0 * minutes)
    if measure.by is JudgeBy.RATE:
        return np.where(is_unknown, UNKNOWN, due)
    counted = np.maximum(lags, 0)
    due = np.minimum(due, _LONG_MAX - counted)
    return np.where((lags == UNKNOWN) & is_unknown, UNKNOWN, counted + due)


def _rounded(records: FloatArray) -> LongArray:
    return np.rint(np.clip(records, 0.0, _MOST)).astype(np.int64)
