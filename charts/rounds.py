"""How much of a group stands still during a rebalance, one panel a strategy, same axes."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from charts.palette import BAR, FULLEST, ON_COLOUR
from evaluation.rebalance import Moment

_PANEL_HEIGHT: Final = 170
_SCREEN_COLUMNS: Final = 3
_ROOM_ABOVE: Final = 1.25
"""Above the bars, for the count of what nobody owns."""


class Standing(NamedTuple):
    """How a group stands before, during and after a rebalance under one strategy."""

    label: str
    moments: Sequence[Moment]


def rounds_chart(standings: Sequence[Standing]) -> go.Figure:
    """Return stacked bars, moment by moment: partitions owned, and in nobody's hands."""
    columns = max(min(len(standings), _SCREEN_COLUMNS), 1)
    rows = max(-(-len(standings) // columns), 1)
    figure = make_subplots(
        rows=rows,
        cols=columns,
        shared_yaxes=True,
        horizontal_spacing=0.02,
        vertical_spacing=min(0.45 / rows, 0.25),
        subplot_titles=[standing.label for standing in standings],
    )
    longest = max((len(standing.moments) for standing in standings), default=1)
    for k, standing in enumerate(standings):
        place = {"row": k // columns + 1, "col": k % columns + 1}
        for bars in _stacked(standing, in_legend=k == 0):
            figure.add_trace(bars, **place)
        figure.update_xaxes(
            tickvals=list(range(len(standing.moments))),
            ticktext=[moment.name.replace(" ", "<br>") for moment in standing.moments],
            **place,
        )
    tallest = max((m.owned + m.unowned for s in standings for m in s.moments), default=1)
    figure.update_xaxes(range=[-0.6, longest - 0.4], tickangle=0, fixedrange=True, tickfont_size=11)
    figure.update_yaxes(range=[0, max(tallest, 1) * _ROOM_ABOVE], fixedrange=True)
    figure.update_yaxes(title_text="partitions", col=1)
    figure.update_layout(
        barmode="stack",
        bargap=0.25,
        height=rows * _PANEL_HEIGHT + 90,
        margin={"l": 10, "r": 10, "t": 60, "b": 10},
        legend={"orientation": "h", "y": 1.0, "yanchor": "top", "yref": "container", "x": 0},
    )
    return figure


def _stacked(standing: Standing, *, in_legend: bool) -> tuple[go.Bar, go.Bar]:
    moments = standing.moments
    places = list(range(len(moments)))
    names = [moment.name for moment in moments]
    owned = go.Bar(
        x=places,
        y=[moment.owned for moment in moments],
        name="owned",
        customdata=names,
        marker={"color": BAR, "line": {"width": 0}},
        hovertemplate="%{customdata}: %{y:,} owned<extra>" + standing.label + "</extra>",
        legendgroup="owned",
        showlegend=in_legend,
    )
    unowned = go.Bar(
        x=places,
        y=[moment.unowned for moment in moments],
        name="in nobody's hands",
        customdata=names,
        marker={
            "color": FULLEST,
            "pattern": {"shape": "/", "fillmode": "overlay", "fgcolor": ON_COLOUR, "size": 6},
            "line": {"width": 0},
        },
        text=[f"{moment.unowned:,}" if moment.unowned else "" for moment in moments],
        textposition="outside",
        textangle=0,
        cliponaxis=False,
        hovertemplate="%{customdata}: %{y:,} in nobody's hands<extra>"
        + standing.label
        + "</extra>",
        legendgroup="unowned",
        showlegend=in_legend,
    )
    return owned, unowned
