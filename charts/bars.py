"""Bars per consumer, one panel a strategy, all on the same axes."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from assignors.model import Group
from charts.labels import short_names
from charts.palette import BAR, BOUND_LINE, FULLEST, MEAN_LINE
from evaluation.compare import Outcome
from evaluation.metrics import count_per_member, lag_per_member, unknown_per_member

MAX_BARS = 600
"""A panel shows at most this many bars; beyond, each bar stands for several consumers."""
MAX_SEPARATE = 100
"""More bars than this are drawn as one outline."""
MAX_NAMED = 16
UNKNOWN_MARK = "x-thin-open"
_NOWHERE = np.zeros(0, np.intp)
_PANEL_HEIGHT = 190
_ROOM_FOR_NAMES = 90
_ROOM_FOR_VALUE = 1.2
"""Above the fullest bar, for its figure."""
_LETTERS_ACROSS = 24
"""More than these do not fit below a panel side by side."""
_SCREEN_COLUMNS = 3


class _Line(NamedTuple):
    name: str
    value: float
    colour: str
    dash: str


def lag_bars(group: Group, outcomes: Sequence[Outcome], best_possible: int | None) -> go.Figure:
    """Return known lag per consumer; bars with unknown lag on top are hatched."""
    lines = [_Line("mean", _mean_lag(outcomes), MEAN_LINE, "dot")]
    if best_possible is not None:
        lines.append(_Line("best possible maximum", best_possible, BOUND_LINE, "dash"))
    panels = [
        _Panel(
            outcome.label,
            lag_per_member(group, outcome.owners),
            unknown_per_member(group, outcome.owners),
        )
        for outcome in outcomes
    ]
    return _panels(group, panels, lines, "lag (records)")


def count_bars(group: Group, outcomes: Sequence[Outcome]) -> go.Figure:
    """Return partitions per consumer."""
    mean = float(np.count_nonzero(group.is_wanted)) / max(group.member_count, 1)
    lines = [
        _Line("mean", mean, MEAN_LINE, "dot"),
        _Line("best possible maximum", float(np.ceil(mean)), BOUND_LINE, "dash"),
    ]
    nothing = np.zeros(group.member_count, np.int64)
    panels = [
        _Panel(outcome.label, count_per_member(group, outcome.owners), nothing)
        for outcome in outcomes
    ]
    return _panels(group, panels, lines, "partitions")


def _mean_lag(outcomes: Sequence[Outcome]) -> float:
    means = [o.figures.mean_lag for o in outcomes if o.figures.mean_lag is not None]
    return max(means, default=0.0)


class _Panel(NamedTuple):
    label: str
    amounts: npt.NDArray[np.int64]
    unknown: npt.NDArray[np.int64]


def _panels(group: Group, panels: Sequence[_Panel], lines: Sequence[_Line], unit: str) -> go.Figure:
    columns = max(min(len(panels), _SCREEN_COLUMNS), 1)
    rows = max(-(-len(panels) // columns), 1)
    is_named = group.member_count <= MAX_NAMED
    height = rows * _PANEL_HEIGHT + (_ROOM_FOR_NAMES if is_named else 70)
    figure = make_subplots(
        rows=rows,
        cols=columns,
        shared_xaxes=True,
        shared_yaxes=True,
        horizontal_spacing=0.02,
        vertical_spacing=min(0.32 / rows, 0.16),
        subplot_titles=[panel.label for panel in panels],
    )
    for k, panel in enumerate(panels):
        place = {"row": k // columns + 1, "col": k % columns + 1}
        for trace in _drawn(_profile(group, panel), unit):
            figure.add_trace(trace, **place)
        for line in lines:
            figure.add_trace(_across(line, group.member_count, in_legend=k == 0), **place)
    names = short_names(group.members) if is_named else []
    figure.update_xaxes(
        tickvals=np.arange(len(names)),
        ticktext=names,
        tickangle=-90 if sum(map(len, names)) > _LETTERS_ACROSS else 0,
        range=[-0.6, group.member_count - 0.4],
    )
    for column in range(columns):  # names below the lowest panel, which may stand a row higher
        lowest = (len(panels) - 1 - column) // columns + 1
        figure.update_xaxes(showticklabels=True, row=lowest, col=column + 1)
    tallest = max([1, *(panel.amounts.max(initial=0) for panel in panels)])
    tallest = max([tallest, *(line.value for line in lines)])
    # Set rather than found by Plotly: it looks at the first panel alone.
    figure.update_yaxes(range=[0, tallest * _ROOM_FOR_VALUE])
    figure.update_yaxes(title_text=unit, col=1)
    figure.update_layout(
        height=height,
        bargap=0.15 if is_named else 0,
        margin={"l": 10, "r": 10, "t": 60, "b": 10},
        legend={"orientation": "h", "y": 1.0, "yanchor": "top", "yref": "container", "x": 0},
        hovermode="closest",
    )
    return figure


class _Profile(NamedTuple):
    """What one panel draws, from left to right."""

    places: npt.NDArray[np.float64]
    heights: npt.NDArray[np.int64]
    unknown: npt.NDArray[np.int64]
    names: list[str]
    width: int
    """How many consumers each place stands for."""
    fullest: int
    """The place of the fullest consumer, -1 if nobody has anything."""


def _profile(group: Group, panel: _Panel) -> _Profile:
    amounts, unknown = panel.amounts, panel.unknown
    width = max(-(-amounts.size // MAX_BARS), 1)
    first = np.arange(0, amounts.size, width)
    heights = np.maximum.reduceat(amounts, first) if amounts.size else amounts
    unknown = np.add.reduceat(unknown, first) if unknown.size else unknown
    names = _hover_names(group.members, width, unknown)
    fullest = int(np.argmax(heights)) if heights.any() else -1
    places = (first + (width - 1) / 2).astype(np.float64)
    return _Profile(places, heights, unknown, names, width, fullest)


def _drawn(profile: _Profile, unit: str) -> list[go.Bar | go.Scatter]:
    """Return bars; of many consumers their outline, since a browser takes seconds for bars."""
    if profile.heights.size <= MAX_SEPARATE:
        return [_bars(profile, unit)]
    return [
        _outline(profile, unit),
        _marks(profile, np.flatnonzero(profile.unknown), UNKNOWN_MARK),
        _marks(profile, np.array([profile.fullest]) if profile.fullest >= 0 else _NOWHERE, None),
    ]


def _bars(profile: _Profile, unit: str) -> go.Bar:
    heights, unknown = profile.heights, profile.unknown
    return go.Bar(
        x=profile.places,
        y=heights,
        width=profile.width * (0.85 if heights.size <= MAX_NAMED else 1.0),
        customdata=profile.names,
        marker={
            # Numbers on a scale of two colours: Plotly checks every colour name by itself.
            "color": (np.arange(heights.size) == profile.fullest).astype(np.uint8),
            "colorscale": [[0, BAR], [1, FULLEST]],
            "cmin": 0,
            "cmax": 1,
            "pattern": {"shape": np.where(unknown > 0, "/", "") if unknown.any() else ""},
            "line": {"width": 0},
        },
        text=[f"{height:,}" if k == profile.fullest else "" for k, height in enumerate(heights)],
        textposition="outside",
        textangle=0,
        textfont={"size": 12},
        constraintext="none",
        cliponaxis=False,
        hovertemplate="%{customdata}<br>%{y:,} " + unit + "<extra></extra>",
        showlegend=False,
    )


def _outline(profile: _Profile, unit: str) -> go.Scatter:
    return go.Scatter(
        x=profile.places,
        y=profile.heights,
        customdata=profile.names,
        mode="lines",
        line={"shape": "hvh", "width": 1, "color": BAR},
        fill="tozeroy",
        fillcolor=BAR,
        hovertemplate="%{customdata}<br>%{y:,} " + unit + "<extra></extra>",
        showlegend=False,
    )


def _marks(profile: _Profile, at: npt.NDArray[np.intp], symbol: str | None) -> go.Scatter:
    """Return marks on top of some places; without a symbol, the figure of the fullest."""
    is_fullest = symbol is None
    return go.Scatter(
        x=profile.places[at],
        y=profile.heights[at],
        mode="markers+text" if is_fullest else "markers",
        text=[f"{height:,}" for height in profile.heights[at]] if is_fullest else None,
        textposition="top center",
        textfont={"size": 12},
        marker={"color": FULLEST, "size": 7, "symbol": symbol or "diamond"},
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
    )


def _hover_names(members: Sequence[str], width: int, unknown: npt.NDArray[np.int64]) -> list[str]:
    names = []
    for k, first in enumerate(range(0, len(members), width)):
        name = members[first]
        if width > 1:
            name = f"the fullest of {name} and the {width - 1} after it"
        if unknown[k]:
            name += f"<br>{unknown[k]} partitions of unknown lag come on top"
        names.append(name)
    return names


def _across(line: _Line, member_count: int, *, in_legend: bool) -> go.Scatter:
    return go.Scatter(
        x=[-0.5, member_count - 0.5],
        y=[line.value, line.value],
        mode="lines",
        name=f"{line.name}: {line.value:,.1f}".removesuffix(".0"),
        line={"color": line.colour, "dash": line.dash, "width": 2},
        legendgroup=line.name,
        showlegend=in_legend,
        hoverinfo="name",
    )
