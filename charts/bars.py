"""Labelled bars: a figure per strategy, groups by size, losses through restarts."""

from collections.abc import Mapping, Sequence
from typing import Final

import plotly.graph_objects as go

from charts.lettering import INK, laid_out
from charts.palette import BAR, BUSIEST, ON_COLOUR, REFERENCE
from evaluation.rebalance.timing import Loss

_BAR_HEIGHT: Final = 34
_ROOM_FOR_VALUE: Final = 1.3
_HEIGHT: Final = 300
_ROOM_ABOVE: Final = 1.15
_FEW: Final = 5


def amount_bars(amounts: Mapping[str, float]) -> go.Figure:
    """Return a bar per label, the first on top; the largest stand out unless all are equal."""
    values = list(amounts.values())
    most, least = max(values, default=0), min(values, default=0)
    figure = go.Figure(
        go.Bar(
            x=values,
            y=list(amounts),
            orientation="h",
            marker={
                "color": [BUSIEST if value == most > least else BAR for value in values],
                "line": {"width": 0},
            },
            text=[f"{value:,}" for value in values],
            textposition="outside",
            textfont={"size": 14, "color": INK},
            cliponaxis=False,
            hovertemplate="%{y}: %{x:,}<extra></extra>",
        )
    )
    figure.update_xaxes(visible=False, range=[0, max(most, 1) * _ROOM_FOR_VALUE], fixedrange=True)
    figure.update_yaxes(autorange="reversed", fixedrange=True)
    figure.update_layout(bargap=0.3)
    return laid_out(figure, len(values) * _BAR_HEIGHT + 24, size=14)


def spread_bars(steps: Sequence[str], groups: Mapping[str, Sequence[int]], unit: str) -> go.Figure:
    """Return a bar per step and series, labelled with the number of groups."""
    colours = [BAR] if len(groups) == 1 else [REFERENCE, BAR]
    figure = _grouped(steps, groups, colours, "groups")
    for trace in figure.data:
        trace.text = ["" if text == "0" else text for text in trace.text]
    figure.update_xaxes(title_text=unit)
    most = max((count for counts in groups.values() for count in counts), default=1)
    figure.update_yaxes(tickformat=",", dtick=1 if most <= _FEW else None)  # whole groups only
    return figure


def loss_bars(losses: Sequence[Loss]) -> go.Figure:
    """Return partition-seconds that a rolling restart loses, without and with static ids."""
    series = {
        "without static ids": [loss.dynamic for loss in losses],
        "with static ids": [loss.static for loss in losses],
    }
    protocols = [loss.protocol.short for loss in losses]
    figure = _grouped(protocols, series, [REFERENCE, BAR], "partition-seconds")
    return figure.update_yaxes(title_text="partition-seconds lost")


def _grouped(
    steps: Sequence[str],
    series: Mapping[str, Sequence[float]],
    colours: Sequence[str],
    unit: str,
) -> go.Figure:
    """Return bars side by side, a colour per series; all but the first are hatched."""
    figure = go.Figure()
    for k, (name, values) in enumerate(series.items()):
        pattern = {"shape": "/" if k else "", "fillmode": "overlay", "fgcolor": ON_COLOUR}
        figure.add_trace(
            go.Bar(
                x=list(steps),
                y=list(values),
                name=name,
                marker={"color": colours[k], "line": {"width": 0}, "pattern": pattern},
                text=[f"{value:,.0f}" for value in values],
                textposition="outside",
                textangle=0,
                cliponaxis=False,
                hovertemplate="%{x}: %{y:,.0f} " + unit + f"<extra>{name}</extra>",
            )
        )
    most = max((value for values in series.values() for value in values), default=1)
    figure.update_xaxes(type="category", fixedrange=True)
    figure.update_yaxes(title_text=unit, range=[0, max(most, 1) * _ROOM_ABOVE], fixedrange=True)
    figure.update_layout(bargap=0.2, showlegend=len(series) > 1)
    return laid_out(figure, _HEIGHT)
