"""One small picture a strategy: the load of every consumer, all pictures on one scale."""

from typing import Final

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from assignors.model import Group
from charts.lettering import literal, readable
from charts.loads import (
    MAX_NAMED,
    MOST_WRITTEN,
    Bars,
    Scale,
    bars_of,
    names_below,
    short_amount,
)
from charts.palette import BAR, BOUND_LINE, BUSIEST, SCALE
from evaluation.compare import Outcome

MAX_SEPARATE: Final = 100
"""More bars than this are drawn as one outline, since a browser takes seconds for bars."""
_STRIP: Final = 0.13
"""The share of the height that the strip of partition counts takes."""


def panel(group: Group, outcome: Outcome, scale: Scale, *, height: int, text_px: int) -> go.Figure:
    """Return one strategy's panel: bars of load, and below them a strip of partition counts.

    The busiest consumer stands out in colour and carries its figure, unless all are equal;
    hatched bars carry partitions of unknown lag besides.
    """
    drawn = bars_of(group, outcome, by_lag=scale.by_lag)
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


def _load_traces(drawn: Bars, scale: Scale, unit: str, text_px: int) -> list[go.Bar | go.Scatter]:
    shown = np.minimum(drawn.heights, scale.highest)
    hover = {
        "customdata": [
            f"{name}<br>{height:,} {unit}"
            for name, height in zip(_hover_names(drawn), drawn.heights.tolist(), strict=True)
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
                    "colorscale": [[0, BAR], [1, BUSIEST]],
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


def _busiest_mark(drawn: Bars, shown: npt.NDArray[np.float64], text_px: int) -> go.Scatter:
    """Write the busiest consumer's figure above its bar, with an arrow if the bar is cut."""
    k = drawn.busiest
    is_cut = shown[k] < drawn.heights[k]
    third = drawn.places.size / 3
    side = "right" if k < third else "left" if k >= 2 * third else "center"
    return go.Scatter(
        x=[drawn.places[k]],
        y=[shown[k]],
        mode="markers+text",
        text=[short_amount(int(drawn.heights[k])) + (" ▲" if is_cut else "")],
        textposition=f"top {side}",
        textfont={"size": text_px + 1},
        marker={"color": BUSIEST, "size": 6, "symbol": "triangle-up" if is_cut else "diamond"},
        cliponaxis=False,
        hoverinfo="skip",
    )


def _strip(drawn: Bars, scale: Scale, text_px: int) -> go.Heatmap:
    """Return one cell a consumer, coloured by its number of partitions."""
    is_written = drawn.counts.size <= MAX_NAMED and scale.most_partitions <= MOST_WRITTEN
    return go.Heatmap(
        x=drawn.places,
        y=[""],
        z=drawn.counts[None],
        customdata=[_hover_names(drawn)],
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
    names = names_below(group)
    figure.update_xaxes(
        tickvals=np.arange(len(names)),
        ticktext=[literal(name) for name in names],
        tickangle=-90,
    )


def _hover_names(drawn: Bars) -> list[str]:
    return [
        literal(name) + (f"<br>and {unknown} partitions of unknown lag" if unknown else "")
        for name, unknown in zip(drawn.names, drawn.unknown.tolist(), strict=True)
    ]
