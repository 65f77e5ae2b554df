"""Lag over time through a series of rebalances, a panel per strategy."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from assignors.model import FloatArray
from charts.labels import short_names
from charts.lettering import INK, literal, readable, wrapped
from charts.palette import BAR, BUSIEST, REFERENCE, STROKES
from evaluation.consumer_labels import labels
from evaluation.rebalance.lag_over_time import LagTimeline

MOST_LINES: Final = len(STROKES)
"""More consumers than that are drawn as the busiest, the least busy and an even share."""
_MOST_COUNTS: Final = 6
"""The most pauses in a panel that have room for their counts; hovering shows the others."""
_PANEL_HEIGHT: Final = 230
_SCREEN_COLUMNS: Final = 2
_ROOM_ABOVE: Final = 1.2


def lag_over_time(
    panels: Mapping[str, LagTimeline], client_ids: Mapping[str, str] = MappingProxyType({})
) -> go.Figure:
    """Return a panel per label: lag per consumer over time, hatched while paused.

    ``client_ids`` name the members of a broker-side group, whose ids are random.
    """
    columns = max(min(len(panels), _SCREEN_COLUMNS), 1)
    rows = max(-(-len(panels) // columns), 1)
    figure = make_subplots(
        rows=rows,
        cols=columns,
        shared_yaxes=True,
        horizontal_spacing=0.03,
        vertical_spacing=min(0.3 / rows, 0.16),
        subplot_titles=[wrapped(label) for label in panels],
    )
    top = max([1.0, *(line.peak for line in panels.values())]) * _ROOM_ABOVE
    names_shown: set[str] = set()
    for k, line in enumerate(panels.values()):
        place = {"row": k // columns + 1, "col": k % columns + 1}
        for trace in _traces(line, top, client_ids):
            trace.update(showlegend=trace.name not in names_shown and bool(trace.name))
            names_shown.add(trace.name)
            figure.add_trace(trace, **place)
    ends = [p.end_s for line in panels.values() for p in line.ownership.phases[-1:]]
    figure.update_xaxes(range=[0, max([1.0, *ends])], fixedrange=True)
    for column in range(columns):
        lowest = (len(panels) - 1 - column) // columns + 1
        figure.update_xaxes(title_text="seconds", row=lowest, col=column + 1)
    figure.update_yaxes(range=[0, top], fixedrange=True)
    figure.update_yaxes(title_text="lag (records)", col=1)
    figure.update_layout(
        height=rows * _PANEL_HEIGHT + 120,
        margin={"l": 10, "r": 10, "t": 100, "b": 10},
        legend={"orientation": "h", "y": 1.0, "yanchor": "top", "yref": "container", "x": 0},
        hovermode="closest",
    )
    return readable(figure)


def _traces(
    timeline: LagTimeline, top: float, client_ids: Mapping[str, str]
) -> Iterator[go.Scatter]:
    stops = _stops(timeline)
    if stops:
        yield _shading(stops, top)
        yield _counts(stops, top)
    if timeline.ownership.event_at_s:
        yield _events(timeline.ownership.event_at_s, top)
    for name, lags, colour, dash in _lines(timeline, client_ids):
        yield go.Scatter(
            x=timeline.curves.times_s,
            y=lags,
            mode="lines",
            name=name,
            line={"color": colour, "dash": dash, "width": 2},
            legendgroup=name,
            hovertemplate="%{y:,.0f} records at %{x:,.1f} s<extra>%{fullData.name}</extra>",
        )


def _lines(
    timeline: LagTimeline, client_ids: Mapping[str, str]
) -> Iterator[tuple[str, FloatArray, str, str]]:
    """Yield name, lags, colour and dash of each consumer; of many, only of the extremes."""
    curves, consumers = timeline.curves, timeline.ownership.consumers
    if len(consumers) > MOST_LINES:
        yield "busiest", curves.busiest, BUSIEST, "solid"
        yield "even share", curves.mean, REFERENCE, "dash"
        yield "least busy", curves.least_busy, BAR, "dot"
        return
    for k, name in enumerate(short_names(labels(consumers, client_ids))):
        yield literal(name), curves.lags[:, k], *STROKES[k]
    if curves.lags[:, -1].any():
        yield "no owner yet", curves.lags[:, -1], REFERENCE, "dot"


class _Stop(NamedTuple):
    start_s: float
    end_s: float
    partitions: int


def _stops(line: LagTimeline) -> list[_Stop]:
    """Return the pauses with their numbers of partitions; equal adjacent pauses are merged."""
    stops: list[_Stop] = []
    for phase in line.ownership.phases:
        if not phase.paused:
            continue
        last = stops[-1] if stops else None
        if last and last.end_s == phase.start_s and last.partitions == phase.paused:
            stops[-1] = last._replace(end_s=phase.end_s)
        else:
            stops.append(_Stop(phase.start_s, phase.end_s, phase.paused))
    return stops


def _shading(stops: Sequence[_Stop], top: float) -> go.Scatter:
    return go.Scatter(
        x=[at for s in stops for at in (s.start_s, s.start_s, s.end_s, s.end_s, s.start_s, None)],
        y=[0.0, top, top, 0.0, 0.0, None] * len(stops),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor="rgba(127, 138, 153, 0.25)",
        fillpattern={"shape": "/", "fgcolor": REFERENCE, "size": 5, "solidity": 0.25},
        name="paused",
        legendgroup="paused",
        hoverinfo="skip",
    )


def _counts(stops: Sequence[_Stop], top: float) -> go.Scatter:
    """Return the labels of pauses; adjacent pauses share one, such as ``6 → 2``."""
    runs: list[list[_Stop]] = []
    for stop in stops:
        if runs and runs[-1][-1].end_s == stop.start_s:
            runs[-1].append(stop)
        else:
            runs.append([stop])
    return go.Scatter(
        x=[run[-1].end_s for run in runs],
        y=[top * 0.92] * len(runs),
        mode="text" if len(runs) <= _MOST_COUNTS else "markers",
        textposition="middle right",
        textfont={"size": 12, "color": INK},
        marker={"opacity": 0},
        text=[f" {' → '.join(f'{stop.partitions:,}' for stop in run)}" for run in runs],
        customdata=np.array([[run[0].start_s, run[-1].end_s] for run in runs]),
        hovertemplate="%{text} partitions paused from %{customdata[0]:,.1f} s "
        "to %{customdata[1]:,.1f} s<extra></extra>",
        name="",
    )


def _events(event_at_s: Sequence[float], top: float) -> go.Scatter:
    return go.Scatter(
        x=[at for event in event_at_s for at in (event, event, None)],
        y=[0.0, top, None] * len(event_at_s),
        mode="lines",
        line={"color": REFERENCE, "dash": "dot", "width": 1},
        name="event",
        legendgroup="event",
        hoverinfo="skip",
    )
