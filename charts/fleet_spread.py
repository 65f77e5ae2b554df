"""How many groups have how much of a figure: grouped bars, one colour for each series."""

from collections.abc import Mapping, Sequence
from typing import Final

import plotly.graph_objects as go

from charts.lettering import readable
from charts.palette import BAR, BOUND_LINE, BUSIEST

_HEIGHT: Final = 300
_ROOM: Final = 1.15
_FEW: Final = 5
_SERIES: Final = ((BUSIEST, ""), (BOUND_LINE, "/"))
"""Colour and hatching of the series; one alone is neither."""


def spread_bars(steps: Sequence[str], groups: Mapping[str, Sequence[int]], unit: str) -> go.Figure:
    """Return a bar for each step and series, labelled with the number of groups."""
    figure = go.Figure()
    for k, (name, counts) in enumerate(groups.items()):
        colour, hatching = (BAR, "") if len(groups) == 1 else _SERIES[k % len(_SERIES)]
        figure.add_trace(
            go.Bar(
                x=list(steps),
                y=list(counts),
                name=name,
                marker={"color": colour, "line": {"width": 0}, "pattern": {"shape": hatching}},
                text=[f"{count:,}" if count else "" for count in counts],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{x}: %{y:,} groups",
            )
        )
    most = max((count for counts in groups.values() for count in counts), default=1)
    figure.update_xaxes(title_text=unit, type="category", fixedrange=True)
    figure.update_yaxes(
        title_text="groups",
        range=[0, max(most, 1) * _ROOM],
        fixedrange=True,
        tickformat=",",
        dtick=1 if most <= _FEW else None,  # groups come whole
    )
    figure.update_layout(
        height=_HEIGHT,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        bargap=0.2,
        showlegend=len(groups) > 1,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )
    return readable(figure)
