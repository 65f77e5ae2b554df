"""The cost of one rebalance: partitions moved and paused, a row per strategy."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from charts.lettering import readable, wrapped
from charts.palette import BAR, NEEDLESS, ON_COLOUR, REFERENCE

_ROW_HEIGHT: Final = 34
_ROOM_FOR_VALUE: Final = 1.7


class Disruption(NamedTuple):
    """The cost of a rebalance under one strategy, in partitions."""

    label: str
    moved: int
    needless: int | None
    """Needless moves; None if the fewest possible is unknown."""
    paused: int
    is_uneven: bool = False
    """Whether counts end up uneven; marked with †."""


def disruption_bars(rows: Sequence[Disruption], drawn: str = "") -> go.Figure:
    """Return the moves and the pauses of each strategy side by side, the first row on top.

    Both sides have the same scale. The label ``drawn`` is set in bold.
    """
    figure = make_subplots(
        rows=1,
        cols=2,
        shared_yaxes=True,
        horizontal_spacing=0.03,
        subplot_titles=["Moved", "Paused"],
    )
    places = list(range(len(rows)))
    hatching = {"shape": "/", "fillmode": "overlay", "fgcolor": ON_COLOUR, "size": 6}
    wasted = [row.needless or 0 for row in rows]
    is_split = any(row.needless is not None for row in rows)
    needed = _bars(
        "moves",
        places,
        [row.moved - needless for row, needless in zip(rows, wasted, strict=True)],
        {"color": BAR},
    )
    figure.add_trace(needed.update(showlegend=is_split), row=1, col=1)
    needless = _bars("needless moves", places, wasted, {"color": NEEDLESS, "pattern": hatching})
    needless.update(showlegend=is_split)
    needless.update(text=[f"{row.moved:,}{' †' if row.is_uneven else ''}" for row in rows])
    figure.add_trace(needless, row=1, col=1)
    paused = _bars("paused", places, [row.paused for row in rows], {"color": REFERENCE})
    paused.update(text=[f"{row.paused:,}" for row in rows], showlegend=False)
    figure.add_trace(paused, row=1, col=2)
    _lay_out(figure, rows, drawn)
    return readable(figure)


def _bars(name: str, places: list[int], amounts: list[int], marker: dict[str, object]) -> go.Bar:
    return go.Bar(
        orientation="h",
        y=places,
        x=amounts,
        name=name,
        marker=marker | {"line": {"width": 0}},
        textposition="outside",
        cliponaxis=False,
        hovertemplate=f"%{{x:,}} {name}<extra></extra>",
    )


def _lay_out(figure: go.Figure, rows: Sequence[Disruption], drawn: str) -> None:
    most = max([1, *(max(row.moved, row.paused) for row in rows)])
    figure.update_xaxes(visible=False, range=[0, most * _ROOM_FOR_VALUE], fixedrange=True)
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.5],
        tickvals=list(range(len(rows))),
        ticktext=[
            f"<b>{wrapped(row.label)}</b>" if row.label == drawn else wrapped(row.label)
            for row in rows
        ],
        showgrid=False,
        fixedrange=True,
    )
    figure.update_layout(
        barmode="stack",
        bargap=0.35,
        height=len(rows) * _ROW_HEIGHT + 75,
        margin={"l": 0, "r": 0, "t": 28, "b": 10},
        legend={"orientation": "h", "y": 0, "yanchor": "top", "x": 0, "traceorder": "normal"},
    )
