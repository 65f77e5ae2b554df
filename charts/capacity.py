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
_MOST_OF_ALLOWED: Final = 1000
"""Lines that rise beyond so many times the time allowed leave the picture: they are as good as
never, and would flatten all others."""


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
        figure.add_traces(list(_lines(alike, k, low)))
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


def _lines(alike: Sequence[Curve], k: int, low: float) -> Iterator[go.Scatter]:
    """Yield the line, and the numbers between two gaps, which no line would show."""
    curve = alike[0]
    seconds = np.where(np.isfinite(curve.seconds), np.maximum(curve.seconds, low), np.nan)
    name = ", ".join(each.label for each in alike)
    look = {
        "name": name,
        "legendgroup": name,
        "line": {"color": LINES[k % len(LINES)], "dash": _DASHES[k % len(_DASHES)], "width": 2},
        "hovertemplate": "%{x:,} consumers: %{customdata[0]:,.3~r} s<br>the one worst off is "
        "loaded %{customdata[1]:,.0f} %<extra>" + name + "</extra>",
    }
    marker = {"color": LINES[k % len(LINES)], "symbol": _MARKERS[k % len(_MARKERS)], "size": 8}
    details = np.column_stack([curve.seconds, 100 * curve.loads])
    yield go.Scatter(
        x=curve.consumers,
        y=seconds,
        customdata=details,
        mode="lines+markers",
        marker=marker | {"maxdisplayed": _MOST_MARKED},
        connectgaps=False,
        **look,
    )
    alone = _between_gaps(seconds)
    if alone.any():
        yield go.Scatter(
            x=curve.consumers[alone],
            y=seconds[alone],
            customdata=details[alone],
            mode="markers",
            marker=marker,
            showlegend=False,
            **look,
        )


def _between_gaps(seconds: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    is_drawn = np.zeros(seconds.size + 2, np.bool_)
    is_drawn[1:-1] = ~np.isnan(seconds)
    return is_drawn[1:-1] & ~is_drawn[:-2] & ~is_drawn[2:]


def _range(curves: Sequence[Curve], allowed_s: float) -> tuple[float, float]:
    """Return the shortest and longest time the picture has room for; 0 has none on it."""
    found = np.concatenate([[allowed_s], *(curve.seconds for curve in curves)])
    found = found[(found > 0) & (found <= _MOST_OF_ALLOWED * allowed_s)]
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
