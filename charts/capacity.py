"""Consumers against the time until the backlog is gone, one line a strategy."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from charts.palette import BOUND_LINE, LINES, MEAN_LINE
from evaluation.sweep import Curve

_DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash")
_MARKERS: Final = ("circle", "square", "diamond", "cross", "x", "triangle-up", "star")
_MOST_MARKED: Final = 40
"""More numbers of consumers than this and a line bears a marker only now and then."""
_MARKER: Final = 8
_TICKS: Final = (
    (1e-3, "1 ms"),
    (1e-2, "10 ms"),
    (0.1, "0.1 s"),
    (1, "1 s"),
    (3, "3 s"),
    (10, "10 s"),
    (30, "30 s"),
    (60, "1 min"),
    (180, "3 min"),
    (600, "10 min"),
    (1800, "30 min"),
    (3600, "1 h"),
    (10_800, "3 h"),
    (36_000, "10 h"),
    (86_400, "1 d"),
    (259_200, "3 d"),
    (864_000, "10 d"),
    (2_592_000, "30 d"),
    (31_536_000, "1 y"),
    (315_360_000, "10 y"),
)
"""Seconds, and how people say them."""
_ROOM: Final = 1.6
"""Above and below the lines, as a factor."""


def drain_curves(
    curves: Sequence[Curve], allowed_s: float, fewest: int | None, today: int
) -> go.Figure:
    """Return seconds to drain over numbers of consumers; gaps are numbers that never do.

    Strategies that agree everywhere share a line. Horizontal: the time allowed. Vertical:
    the consumers there are, and the proved minimum if there is one.
    """
    figure = go.Figure()
    low, high = _range(curves, allowed_s)
    for k, alike in enumerate(_alike(curves)):
        figure.add_trace(_line(alike, k, low))
    most = max((int(curve.consumers[-1]) for curve in curves if curve.consumers.size), default=1)
    ends = [0.5, most + 0.5]
    name = "time allowed"
    figure.add_trace(_straight(ends, [allowed_s] * 2, name, MEAN_LINE, "dash"))
    if today:
        name = f"consumers today: {today:,}"
        figure.add_trace(_straight([today] * 2, [low, high], name, MEAN_LINE, "dot"))
    if fewest is not None:
        name = f"proved minimum: {fewest:,}"
        figure.add_trace(_straight([fewest] * 2, [low, high], name, BOUND_LINE, "longdashdot"))
    # Ranges are set rather than found: the lines above would stretch them.
    figure.update_xaxes(title_text="consumers", range=ends, fixedrange=False)
    ticks = dict(tick for tick in _TICKS if low <= tick[0] <= high)
    figure.update_yaxes(
        title_text="time until the backlog is gone",
        type="log",
        range=[math.log10(low), math.log10(high)],
        tickvals=list(ticks),
        ticktext=list(ticks.values()),
    )
    figure.update_layout(
        height=460,
        margin={"l": 10, "r": 10, "t": 20, "b": 10},
        legend={"orientation": "h", "y": -0.18, "yanchor": "top", "x": 0},
        hovermode="closest",
    )
    return figure


def _alike(curves: Sequence[Curve]) -> Iterator[list[Curve]]:
    """Yield the strategies in sets that agree at every number of consumers."""
    sets: dict[bytes, list[Curve]] = {}
    for curve in curves:
        sets.setdefault(curve.seconds.tobytes(), []).append(curve)
    yield from sets.values()


def _line(alike: Sequence[Curve], k: int, low: float) -> go.Scatter:
    curve = alike[0]
    seconds = np.where(np.isfinite(curve.seconds), np.maximum(curve.seconds, low), np.nan)
    label = ", ".join(each.label for each in alike)
    colour = LINES[k % len(LINES)]
    return go.Scatter(
        x=curve.consumers,
        y=seconds,
        mode="lines+markers",
        name=label,
        customdata=np.column_stack([curve.seconds, 100 * curve.loads]),
        line={"color": colour, "dash": _DASHES[k % len(_DASHES)], "width": 2},
        marker={
            "color": colour,
            "symbol": _MARKERS[k % len(_MARKERS)],
            "size": _marker_sizes(seconds, k),
            "line": {"width": 0},
        },
        connectgaps=False,
        hovertemplate="%{x:,} consumers: %{customdata[0]:,.3~r} s<br>the one worst off is loaded "
        "%{customdata[1]:,.0f} %<extra>" + label + "</extra>",
    )


def _marker_sizes(seconds: npt.NDArray[np.float64], k: int) -> npt.NDArray[np.int64]:
    """Return a size for each marker: one now and then, and all that stand between gaps."""
    every = max(-(-seconds.size // _MOST_MARKED), 1)
    is_drawn = ~np.isnan(seconds)
    beside = np.zeros(seconds.size + 2, np.bool_)
    beside[1:-1] = is_drawn
    is_lonely = is_drawn & ~beside[:-2] & ~beside[2:]
    is_marked = (np.arange(seconds.size) - k) % every == 0
    sizes = np.where(is_marked | is_lonely, _MARKER, 0)
    sizes[:1] = _MARKER  # which the legend shows
    return sizes


def _range(curves: Sequence[Curve], allowed_s: float) -> tuple[float, float]:
    """Return the shortest and longest time the picture has room for; 0 has none on it."""
    found = np.concatenate([[allowed_s], *(curve.seconds for curve in curves)])
    found = found[np.isfinite(found) & (found > 0)]
    return float(found.min()) / _ROOM, float(found.max()) * _ROOM


def _straight(
    x: Sequence[float], y: Sequence[float], name: str, colour: str, dash: str
) -> go.Scatter:
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        name=name,
        line={"color": colour, "dash": dash, "width": 2},
        hoverinfo="name",
    )
