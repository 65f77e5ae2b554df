"""What a comparison is judged by: one weight a partition, whose largest sum on a consumer counts.

The weights stand in the place of the lags, so that strategies by lag, bounds, figures and pictures
follow them. Kafka's own strategies look at neither.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import numpy as np

from assignors.model import UNKNOWN, FloatArray, Group, LongArray
from evaluation.stated import stated

HORIZON_MIN: Final = 5.0
"""Minutes of work due: consumers that balance by load are usually told their work that often."""
_MOST: Final = float(1 << 62)
_LONG_MAX: Final = np.iinfo(np.int64).max


class JudgeBy(Enum):
    """The weight of a partition; the value stands in links and on the command line."""

    LAG = "lag"
    WORK = "work"
    RATE = "rate"
    PARTITIONS = "partitions"


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A kind of weight, in words."""

    by: JudgeBy = JudgeBy.LAG
    horizon_min: float = field(
        default=HORIZON_MIN,
        metadata=stated(
            "the minutes of arrivals in the work due",
            "Minutes of arrivals in the work due",
            "How long until load is usually weighed again",
        ),
    )

    @property
    def noun(self) -> str:
        """What a consumer has, as a heading: "lag"."""
        return _NOUNS[self.by]

    @property
    def unit(self) -> str:
        """The unit of a weight: "records"."""
        horizon = f"{self.horizon_min:g} min"
        return _UNITS[self.by].format(horizon)


_NOUNS: Final[Mapping[JudgeBy, str]] = {
    JudgeBy.LAG: "lag",
    JudgeBy.WORK: "work due",
    JudgeBy.RATE: "arrivals",
    JudgeBy.PARTITIONS: "partitions",
}
_UNITS: Final[Mapping[JudgeBy, str]] = {
    JudgeBy.LAG: "records",
    JudgeBy.WORK: "records due in {}",
    JudgeBy.RATE: "records/min",
    JudgeBy.PARTITIONS: "partitions",
}
LAG: Final = Measure()


def possible(arriving: FloatArray | None) -> tuple[JudgeBy, ...]:
    """Return what a group can be judged by, the default first; ``arriving`` (P,) in records/s."""
    if arriving is None or np.isnan(arriving).all():
        return JudgeBy.LAG, JudgeBy.PARTITIONS
    return JudgeBy.WORK, JudgeBy.LAG, JudgeBy.RATE, JudgeBy.PARTITIONS


def judged(group: Group, measure: Measure, arriving: FloatArray | None = None) -> Group:
    """Return the group with weights in the place of its lags; ``arriving`` (P,) in records/s.

    Unknown arrivals count as none where something else is known.

    >>> group = Group.fresh({"t": 2}, ["c"], lags={"t": [100, 7]})
    >>> work = Measure(by=JudgeBy.WORK)
    >>> judged(group, work, np.array([2.0, np.nan])).lags.tolist()
    [700, 7]
    """
    if measure.by is JudgeBy.LAG:
        return group
    rates = np.full(group.partition_count, np.nan) if arriving is None else arriving
    return group.with_lags(weights(group.lags, measure, rates))


def weights(lags: LongArray, measure: Measure, arriving: FloatArray) -> LongArray:
    """Return what stands in the place of lags, ``UNKNOWN`` like them; one of each a partition."""
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
