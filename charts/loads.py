"""The data of a strategy's panel: the load of every consumer, on a shared scale."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from assignors.model import Group
from charts.labels import short_names
from evaluation.compare import Outcome
from evaluation.judging import LAG, Measure
from evaluation.metrics import count_per_member, lag_per_member, unknown_per_member

MAX_BARS: Final = 600
"""The most bars in a panel; of more consumers, each bar shows the busiest of several."""
MAX_NAMED: Final = 16
"""Up to this many consumers are labelled with name and number of partitions."""
MOST_WRITTEN: Final = 999
"""The largest number of partitions that fits in a cell."""
_LONGEST_NAME: Final = 12
_ROOM_FOR_VALUE: Final = 1.18
_OUTLIER: Final = 4.0
"""A bar this many times as high as nearly all others is cut off, to keep the others visible."""
_NEARLY_ALL: Final = 98

_Longs = npt.NDArray[np.int64]


class Scale(NamedTuple):
    """The scale shared by all panels of a comparison."""

    by_lag: bool
    """Whether bars show known lag in records; otherwise partitions, without a strip."""
    top: float
    """The end of the axis; higher bars are cut there."""
    most_partitions: int
    best_possible: float | None
    measure: Measure = LAG
    """What the bars show if ``by_lag``."""

    @property
    def unit(self) -> str:
        """The unit of the bars."""
        return self.measure.unit if self.by_lag else "partitions"

    @property
    def highest(self) -> float:
        """The largest height of a bar; the rest is cut off."""
        return self.top / _ROOM_FOR_VALUE


class Bars(NamedTuple):
    """The bars of one panel, from left to right."""

    places: npt.NDArray[np.float64]
    heights: _Longs
    counts: _Longs
    unknown: _Longs
    names: list[str]
    """Unescaped names from outside."""
    width: int
    """Number of consumers per bar."""
    busiest: int
    """The position of the busiest consumer; -1 if all are equally busy."""


def scale_of(
    group: Group,
    outcomes: Sequence[Outcome],
    best_possible: int | None,
    measure: Measure = LAG,
    *,
    by_lag: bool,
) -> Scale:
    """Return the scale on which all outcomes can be drawn.

    If a few consumers exceed nearly all others several times, the axis ends above the others.
    """
    of_each = [_loads(group, outcome, by_lag=by_lag) for outcome in outcomes]
    loads = np.concatenate(of_each) if of_each else np.zeros(0, np.int64)
    spans = [o.outlook.span(by_lag=by_lag)[1] for o in outcomes if o.outlook is not None]
    most = float(max(loads.max(initial=1), *spans, 1))
    usual = max(float(np.percentile(loads, _NEARLY_ALL)) if loads.size else 1.0, 1.0)
    limit = (
        best_possible
        if by_lag
        else -(-int(np.count_nonzero(group.is_wanted)) // (max(group.member_count, 1)))
    )
    usual = max(usual, float(limit or 0))
    counts = [count_per_member(group, outcome.owners).max(initial=0) for outcome in outcomes]
    return Scale(
        by_lag=by_lag,
        top=_ROOM_FOR_VALUE * (usual * 1.25 if most > _OUTLIER * usual else most),
        most_partitions=int(max(counts, default=0)),
        best_possible=None if limit is None else float(limit),
        measure=measure,
    )


def _loads(group: Group, outcome: Outcome, *, by_lag: bool) -> _Longs:
    per_member = lag_per_member if by_lag else count_per_member
    return per_member(group, outcome.owners)


def bars_of(group: Group, outcome: Outcome, *, by_lag: bool, most: int = MAX_BARS) -> Bars:
    """Return the bars of one outcome; beyond ``most`` each stands for several consumers."""
    loads = _loads(group, outcome, by_lag=by_lag)
    unknown = unknown_per_member(group, outcome.owners) if by_lag else np.zeros_like(loads)
    counts = count_per_member(group, outcome.owners)
    width = max(-(-loads.size // most), 1)
    first = np.arange(0, loads.size, width)
    if width > 1:
        loads, counts = np.maximum.reduceat(loads, first), np.maximum.reduceat(counts, first)
        unknown = np.add.reduceat(unknown, first)
    is_uneven = loads.size > 1 and loads.max() > loads.min()
    return Bars(
        places=(first + (width - 1) / 2).astype(np.float64),
        heights=loads,
        counts=counts,
        unknown=unknown,
        names=_names(group.members, width),
        width=width,
        busiest=int(np.argmax(loads)) if is_uneven else -1,
    )


def whisker(outcome: Outcome, scale: Scale) -> tuple[float, float] | None:
    """Return the ends of the range of the busiest consumer's load; None if it is one figure."""
    if outcome.outlook is None:
        return None
    low, high = (min(end, scale.highest) for end in outcome.outlook.span(by_lag=scale.by_lag))
    return None if low == high else (low, high)


def names_below(group: Group) -> list[str]:
    """Return the names below the bars, one per consumer, or none if they do not fit."""
    is_few = group.member_count <= MAX_NAMED
    names = short_names(group.members, _LONGEST_NAME) if is_few else []
    return names if max(map(len, names), default=0) <= _LONGEST_NAME else []


def _names(members: Sequence[str], width: int) -> list[str]:
    first = [members[k] for k in range(0, len(members), width)]
    if width == 1:
        return first
    return [f"the busiest of {name} and the {width - 1} after it" for name in first]
