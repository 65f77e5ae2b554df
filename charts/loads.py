"""A strategy's panel as data: the load of every consumer, on a scale that all panels share.

``charts.panels`` draws it, for the pages and for the report, and decides nothing.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from assignors.model import Group
from charts.labels import short_names
from charts.palette import BUSIEST
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome
from evaluation.consumer_labels import bare_labels
from evaluation.metrics import count_per_member, unknown_per_member
from evaluation.wording import amount, natural, plural

MAX_BARS: Final = 600
"""The most bars in a panel; of more consumers, each bar shows the busiest of several."""
MAX_NAMED: Final = 16
"""Up to this many consumers are labelled with name and number of partitions."""
MAX_SEPARATE: Final = 100
"""More bars than this are drawn as one outline, since browsers take seconds for that many bars."""
_MOST_WRITTEN: Final = 999
"""The largest number of partitions that fits in a cell."""
_LONGEST_NAME: Final = 12
_ROOM_FOR_VALUE: Final = 1.18
_OUTLIER: Final = 4.0
"""A bar this many times as high as nearly all others is cut off, to keep the others visible."""
_NEARLY_ALL: Final = 98

_Longs = npt.NDArray[np.int64]


class Scale(NamedTuple):
    """The scale shared by all panels of a comparison."""

    load: Load
    """What the bars show; below loads by weight stands a strip with the numbers of partitions."""
    top: float
    """The end of the axis; higher bars are cut there."""
    most_partitions: int
    lower_bound: float | None

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


def scale_of(group: Group, outcomes: Sequence[Outcome], load: Load, bound: int | None) -> Scale:
    """Return the scale on which all outcomes can be drawn; ``bound`` is that of the load.

    If a few consumers exceed nearly all others several times, the axis ends above the others.
    """
    of_each = [load.per_member(group, outcome.owners) for outcome in outcomes]
    loads = np.concatenate(of_each) if of_each else np.zeros(0, np.int64)
    ends = [found[1] for o in outcomes if (found := load.ends(o)) is not None]
    most = float(max(loads.max(initial=1), *ends, 1))
    usual = max(float(np.percentile(loads, _NEARLY_ALL)) if loads.size else 1.0, bound or 0.0, 1.0)
    counts = [count_per_member(group, outcome.owners).max(initial=0) for outcome in outcomes]
    return Scale(
        load=load,
        top=_ROOM_FOR_VALUE * (usual * 1.25 if most > _OUTLIER * usual else most),
        most_partitions=int(max(counts, default=0)),
        lower_bound=None if bound is None else float(bound),
    )


def bars_of(group: Group, outcome: Outcome, load: Load, most: int = MAX_BARS) -> Bars:
    """Return the bars of one outcome; beyond ``most`` each stands for several consumers."""
    order, labels = in_order(group)
    loads = load.per_member(group, outcome.owners)[order]
    unknown = np.zeros_like(loads)
    if load.by_weight:
        unknown = unknown_per_member(group, outcome.owners)[order]
    counts = count_per_member(group, outcome.owners)[order]
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
        names=_names(labels, width),
        width=width,
        busiest=int(np.argmax(loads)) if is_uneven else -1,
    )


def in_order(group: Group) -> tuple[list[int], list[str]]:
    """Return the members in natural order of their labels, 2 before 10, and the labels so."""
    labels = bare_labels(group)
    order = sorted(range(len(labels)), key=lambda member: natural(labels[member]))
    return order, [labels[member] for member in order]


class Mark(NamedTuple):
    """The figure at the busiest consumer's bar."""

    place: float
    height: float
    """Where the figure stands: on top of the bar, and of the whisker if there is one."""
    text: str
    side: Literal["left", "center", "right"]
    """Where there is room for the text, seen from the bar."""
    is_cut: bool
    """Whether the bar goes on beyond the axis."""


class Strip(NamedTuple):
    """The number of partitions below each bar."""

    counts: _Longs
    shares: npt.NDArray[np.float64]
    """(n,) of the most partitions, 0 to 1."""
    is_written: bool
    """Whether there is room for the numbers."""


class Panel(NamedTuple):
    """What is drawn of one strategy."""

    scale: Scale
    members: int
    """Number of consumers; a bar may stand for several."""
    bars: Bars
    tops: npt.NDArray[np.float64]
    """(n,) where each bar ends, on the axis."""
    labels: list[str]
    """What each bar says of itself; unescaped."""
    names: list[str]
    """Below the bars, one a consumer; none if they do not fit. Unescaped."""
    mark: Mark | None
    whisker: tuple[float, float] | None
    """The range of the busiest consumer's load; None if it is one figure."""
    strip: Strip | None
    """None where the bars themselves are numbers of partitions."""
    peak: str = BUSIEST
    """The colour of the busiest bar."""

    @property
    def is_outline(self) -> bool:
        """Whether there are too many bars to draw each."""
        return self.bars.places.size > MAX_SEPARATE

    @property
    def whisker_place(self) -> float:
        """Where the whisker stands: at the busiest bar, or at the first if all are equal."""
        return float(self.bars.places[max(self.bars.busiest, 0)])


def panel_of(
    group: Group, outcome: Outcome, scale: Scale, *, is_named: bool = True, peak: str = BUSIEST
) -> Panel:
    """Return the panel of one outcome, without names below the bars if it is not ``is_named``.

    ``peak`` is the colour of the busiest bar.
    """
    bars, ends = bars_of(group, outcome, scale.load), _whisker(outcome, scale)
    return Panel(
        scale=scale,
        members=group.member_count,
        bars=bars,
        tops=np.minimum(bars.heights, scale.highest),
        labels=[_label(bars, k, scale) for k in range(bars.places.size)],
        names=names_below(group) if is_named else [],
        mark=_mark(bars, scale, 0.0 if ends is None else ends[1]),
        whisker=ends if bars.places.size else None,
        strip=_strip(bars, scale) if scale.load.by_weight else None,
        peak=peak,
    )


def names_below(group: Group) -> list[str]:
    """Return the names below the bars, one per consumer, or none if they do not fit."""
    is_few = group.member_count <= MAX_NAMED
    names = short_names(in_order(group)[1], _LONGEST_NAME) if is_few else []
    return names if max(map(len, names), default=0) <= _LONGEST_NAME else []


def _label(bars: Bars, k: int, scale: Scale) -> str:
    count, unknown = int(bars.counts[k]), int(bars.unknown[k])
    said = f"{bars.names[k]}: {int(bars.heights[k]):,} {scale.load.unit}"
    if scale.load.by_weight:
        said += f", {plural(count, 'partition')}"
    return f"{said}, {unknown:,} of unknown {scale.load.noun}" if unknown else said


def _mark(bars: Bars, scale: Scale, lowest: float) -> Mark | None:
    """Return the figure of the busiest consumer; None if all are equally busy."""
    k = bars.busiest
    if k < 0:
        return None
    height, third = int(bars.heights[k]), bars.places.size / 3
    is_cut = height > scale.highest
    return Mark(
        place=float(bars.places[k]),
        height=max(min(float(height), scale.highest), lowest),
        text=amount(height) + (" ▲" if is_cut else ""),
        side="right" if k < third else "left" if k >= 2 * third else "center",
        is_cut=is_cut,
    )


def _whisker(outcome: Outcome, scale: Scale) -> tuple[float, float] | None:
    ends = scale.load.ends(outcome)
    if ends is None:
        return None
    low, high = (min(end, scale.highest) for end in ends)
    return None if low == high else (low, high)


def _strip(bars: Bars, scale: Scale) -> Strip:
    is_written = bars.counts.size <= MAX_NAMED and scale.most_partitions <= _MOST_WRITTEN
    shares = bars.counts / max(scale.most_partitions, 1)
    return Strip(bars.counts, shares, is_written)


def _names(members: Sequence[str], width: int) -> list[str]:
    first = [members[k] for k in range(0, len(members), width)]
    if width == 1:
        return first
    return [f"the busiest of {name} and the {width - 1} after it" for name in first]
