"""One small picture a strategy: the load of every consumer, all pictures on one scale."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from assignors.model import Group
from charts.labels import short_names
from charts.lettering import literal, readable
from charts.palette import BAR, BOUND_LINE, FULLEST, SCALE
from evaluation.compare import Outcome
from evaluation.metrics import count_per_member, lag_per_member, unknown_per_member

MAX_BARS: Final = 600
"""A panel shows at most this many bars; beyond, each stands for the busiest of several."""
MAX_SEPARATE: Final = 100
"""More bars than this are drawn as one outline, since a browser takes seconds for bars."""
MAX_NAMED: Final = 16
"""Up to this many consumers have their names and numbers of partitions written."""
_MOST_WRITTEN: Final = 999
_LONGEST_NAME: Final = 12
_ROOM_FOR_VALUE: Final = 1.18
_OUTLIER: Final = 4.0
"""A bar this many times as high as nearly all others is cut off, so that the others show."""
_NEARLY_ALL: Final = 98
_STRIP: Final = 0.13
"""The share of the height that the strip of partition counts takes."""

_Longs = npt.NDArray[np.int64]


class Scale(NamedTuple):
    """What the panels of one comparison share, so that they can be compared by eye."""

    by_lag: bool
    """Bars show known lag in records; else partitions, and there is no strip."""
    top: float
    """Where the bars' axis ends; higher bars are cut there."""
    most_partitions: int
    best_possible: float | None


class _Bars(NamedTuple):
    """What one panel draws, from left to right."""

    places: npt.NDArray[np.float64]
    heights: _Longs
    counts: _Longs
    unknown: _Longs
    names: list[str]
    width: int
    """How many consumers each bar stands for."""
    busiest: int
    """The place of the busiest consumer; -1 if all are equally busy."""


def scale_of(
    group: Group, outcomes: Sequence[Outcome], best_possible: int | None, *, by_lag: bool
) -> Scale:
    """Return the scale on which all outcomes can be drawn.

    Where a few consumers exceed nearly all others several times, the axis ends above the
    others.
    """
    of_each = [_loads(group, outcome, by_lag=by_lag) for outcome in outcomes]
    loads = np.concatenate(of_each) if of_each else np.zeros(0, np.int64)
    most = float(loads.max(initial=1))
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
    )


def panel(group: Group, outcome: Outcome, scale: Scale, *, height: int, text_px: int) -> go.Figure:
    """Return one strategy's panel: bars of load, and below them a strip of partition counts.

    The busiest consumer stands out in colour and carries its figure, unless all are equal;
    hatched bars carry partitions of unknown lag besides.
    """
    drawn = _bars_of(group, outcome, by_lag=scale.by_lag)
    figure = make_subplots(
        rows=2 if scale.by_lag else 1,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.02,
        row_heights=[1 - _STRIP, _STRIP] if scale.by_lag else None,
    )
    unit = "records" if scale.by_lag else "partitions"
    for trace in _load_traces(drawn, scale, unit, text_px):
        figure.add_trace(trace, row=1, col=1)
    if scale.by_lag:
        figure.add_trace(_strip(drawn, scale, text_px), row=2, col=1)
        figure.update_yaxes(visible=False, row=2, col=1)
    if scale.best_possible is not None:
        figure.add_hline(
            scale.best_possible, line={"color": BOUND_LINE, "dash": "dash", "width": 2}, row=1
        )
    figure.update_yaxes(range=[0, scale.top], nticks=4, tickformat="~s", row=1, col=1)
    figure.update_xaxes(range=[-0.6, max(group.member_count, 1) - 0.4], showgrid=False)
    _name_consumers(figure, group)
    figure.update_layout(
        height=height,
        bargap=0,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        showlegend=False,
        hovermode="closest",
    )
    return readable(figure, text_px)


def _loads(group: Group, outcome: Outcome, *, by_lag: bool) -> _Longs:
    per_member = lag_per_member if by_lag else count_per_member
    return per_member(group, outcome.owners)


def _bars_of(group: Group, outcome: Outcome, *, by_lag: bool) -> _Bars:
    loads = _loads(group, outcome, by_lag=by_lag)
    unknown = unknown_per_member(group, outcome.owners) if by_lag else np.zeros_like(loads)
    counts = count_per_member(group, outcome.owners)
    width = max(-(-loads.size // MAX_BARS), 1)
    first = np.arange(0, loads.size, width)
    if width > 1:
        loads, counts = np.maximum.reduceat(loads, first), np.maximum.reduceat(counts, first)
        unknown = np.add.reduceat(unknown, first)
    is_uneven = loads.size > 1 and loads.max() > loads.min()
    return _Bars(
        places=(first + (width - 1) / 2).astype(np.float64),
        heights=loads,
        counts=counts,
        unknown=unknown,
        names=_hover_names(group.members, width, unknown),
        width=width,
        busiest=int(np.argmax(loads)) if is_uneven else -1,
    )


def _load_traces(drawn: _Bars, scale: Scale, unit: str, text_px: int) -> list[go.Bar | go.Scatter]:
    shown = np.minimum(drawn.heights, scale.top / _ROOM_FOR_VALUE)
    hover = {
        "customdata": [
            f"{name}<br>{height:,} {unit}"
            for name, height in zip(drawn.names, drawn.heights.tolist(), strict=True)
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    is_busiest = np.arange(shown.size) == drawn.busiest
    traces: list[go.Bar | go.Scatter]
    if shown.size <= MAX_SEPARATE:
        hatched = np.where(drawn.unknown > 0, "/", "") if drawn.unknown.any() else ""
        traces = [
            go.Bar(
                x=drawn.places,
                y=shown,
                width=drawn.width * 0.85,
                marker={
                    # Numbers on a scale of two colours: Plotly checks every colour name by itself.
                    "color": is_busiest.astype(np.uint8),
                    "colorscale": [[0, BAR], [1, FULLEST]],
                    "cmin": 0,
                    "cmax": 1,
                    "pattern": {"shape": hatched},
                    "line": {"width": 0},
                },
                **hover,
            )
        ]
    else:
        outline = {"shape": "hvh", "width": 1, "color": BAR}
        traces = [
            go.Scatter(
                x=drawn.places, y=shown, mode="lines", line=outline, fill="tozeroy",
                fillcolor=BAR, **hover,
            )
        ]  # fmt: skip
    if drawn.busiest >= 0:
        traces.append(_busiest_mark(drawn, shown, text_px))
    return traces


def _busiest_mark(drawn: _Bars, shown: npt.NDArray[np.float64], text_px: int) -> go.Scatter:
    """Write the busiest consumer's figure above its bar, with an arrow if the bar is cut."""
    k = drawn.busiest
    is_cut = shown[k] < drawn.heights[k]
    third = drawn.places.size / 3
    side = "right" if k < third else "left" if k >= 2 * third else "center"
    return go.Scatter(
        x=[drawn.places[k]],
        y=[shown[k]],
        mode="markers+text",
        text=[_short(int(drawn.heights[k])) + (" ▲" if is_cut else "")],
        textposition=f"top {side}",
        textfont={"size": text_px + 1},
        marker={"color": FULLEST, "size": 6, "symbol": "triangle-up" if is_cut else "diamond"},
        cliponaxis=False,
        hoverinfo="skip",
    )


def _short(value: int) -> str:
    """Return a count in three figures.

    >>> _short(980), _short(72_745), _short(21_520_518)
    ('980', '72.7k', '21.5M')
    """
    for prefix, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if value >= 10 * size or (prefix != "k" and value >= size):
            return f"{value / size:.{0 if value >= 100 * size else 1}f}{prefix}"
    return f"{value:,}"


def _strip(drawn: _Bars, scale: Scale, text_px: int) -> go.Heatmap:
    """Return one cell a consumer, coloured by its number of partitions."""
    is_written = drawn.counts.size <= MAX_NAMED and scale.most_partitions <= _MOST_WRITTEN
    return go.Heatmap(
        x=drawn.places,
        y=[""],
        z=drawn.counts[None],
        customdata=[drawn.names],
        zmin=0,
        zmax=max(scale.most_partitions, 1),
        colorscale=SCALE,
        showscale=False,
        texttemplate="%{z}" if is_written else None,
        textfont={"size": text_px - 1},
        hovertemplate="%{customdata}<br>%{z:,} partitions<extra></extra>",
        xgap=1 if is_written else 0,
    )


def _name_consumers(figure: go.Figure, group: Group) -> None:
    names = short_names(group.members) if group.member_count <= MAX_NAMED else []
    is_short = max(map(len, names), default=0) <= _LONGEST_NAME
    figure.update_xaxes(
        tickvals=np.arange(len(names)) if is_short else [],
        ticktext=[literal(name) for name in names] if is_short else [],
        tickangle=-90,
    )


def _hover_names(members: Sequence[str], width: int, unknown: _Longs) -> list[str]:
    names = []
    for k, first in enumerate(range(0, len(members), width)):
        name = literal(members[first])
        if width > 1:
            name = f"the busiest of {name} and the {width - 1} after it"
        if unknown[k]:
            name += f"<br>and {unknown[k]} partitions of unknown lag"
        names.append(name)
    return names
