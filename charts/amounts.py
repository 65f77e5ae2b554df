"""One figure under a few strategies, as small as a card."""

from collections.abc import Mapping
from typing import Final

import plotly.graph_objects as go

from charts.lettering import INK, readable
from charts.palette import BAR, BUSIEST

_BAR_HEIGHT: Final = 34
_ROOM_FOR_VALUE: Final = 1.3


def amount_bars(amounts: Mapping[str, float]) -> go.Figure:
    """Return one bar for each label, the first on top; the largest stand out if not all are."""
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
    figure.update_layout(
        height=len(values) * _BAR_HEIGHT + 16,
        margin={"l": 10, "r": 10, "t": 4, "b": 4},
        bargap=0.3,
        showlegend=False,
    )
    return readable(figure, 14)
