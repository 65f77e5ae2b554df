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
    _lay_out(figure, standings, longest)
    figure.update_layout(height=rows * _PANEL_HEIGHT + 90)
    return figure


def _lay_out(figure: go.Figure, standings: Sequence[Standing], longest: int) -> None:
    tallest = max((m.owned + m.unowned for s in standings for m in s.moments), default=1)
    figure.update_xaxes(range=[-0.6, longest - 0.4], tickangle=0, fixedrange=True, tickfont_size=11)
    figure.update_yaxes(range=[0, max(tallest, 1) * _ROOM_ABOVE], fixedrange=True)
    figure.update_yaxes(title_text="partitions", col=1)
    figure.update_layout(
        barmode="stack",
        bargap=0.25,
        margin={"l": 10, "r": 10, "t": 60, "b": 10},
        legend={"orientation": "h", "y": 1.0, "yanchor": "top", "yref": "container", "x": 0},
    )


def _stacked(standing: Standing, *, in_legend: bool) -> tuple[go.Bar, go.Bar]:
    moments = standing.moments
    owned = _bars(standing, "owned", [moment.owned for moment in moments])
    owned.update(marker={"color": BAR, "line": {"width": 0}}, showlegend=in_legend)
    unowned = _bars(standing, "in nobody's hands", [moment.unowned for moment in moments])
    hatching = {"shape": "/", "fillmode": "overlay", "fgcolor": ON_COLOUR, "size": 6}
    unowned.update(
        marker={"color": FULLEST, "pattern": hatching, "line": {"width": 0}},
        text=[f"{moment.unowned:,}" if moment.unowned else "" for moment in moments],
        textposition="outside",
        textangle=0,
        cliponaxis=False,
        showlegend=in_legend,
    )
    return owned, unowned


def _bars(standing: Standing, name: str, amounts: Sequence[int]) -> go.Bar:
    return go.Bar(
        x=list(range(len(amounts))),
        y=amounts,
        name=name,
        customdata=[moment.name for moment in standing.moments],
        hovertemplate=f"%{{customdata}}: %{{y:,}} {name}<extra>{standing.label}</extra>",
        legendgroup=name,
    )
