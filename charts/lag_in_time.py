"""Time lag of partitions, side by side and over time."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from assignors.model import FloatArray
from charts.lettering import laid_out, literal
from charts.palette import BAR, BUSIEST, STROKES

_UNITS: Final = (("days", 86_400.0), ("hours", 3_600.0), ("minutes", 60.0))
_TWICE: Final = 2.0
_ROW_HEIGHT: Final = 26
_ROOM_FOR_TEXT: Final = 1.5
_LINES_HEIGHT: Final = 280
MOST_LINES: Final = len(STROKES)


def time_lag_bars(
    names: Sequence[str], age_s: FloatArray, texts: Sequence[str], retention_s: float
) -> go.Figure:
    """Return a bar per partition, the latest on top; a line marks the shortest retention, if near.

    ``texts`` are the time lags in words; a retention of NaN is unknown.
    """
    unit, size = _unit(age_s)
    figure = go.Figure(
        go.Bar(
            orientation="h",
            y=list(range(len(names))),
            x=age_s / size,
            marker={"color": [BUSIEST, *[BAR] * (len(names) - 1)], "line": {"width": 0}},
            text=list(texts),
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{text}<extra></extra>",
        )
    )
    longest = float(np.nanmax(age_s, initial=0.0))
    if retention_s < 4 * longest:
        figure.add_vline(
            x=retention_s / size,
            line_dash="dash",
            annotation_text="retention",
            annotation_xshift=4,
        )
        longest = max(longest, retention_s)
    figure.update_xaxes(
        title_text=f"{unit} behind", range=[0, _ROOM_FOR_TEXT * longest / size or 1]
    )
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[literal(name) for name in names],
        autorange="reversed",
        showgrid=False,
    )
    return _laid_out(figure, len(names) * _ROW_HEIGHT + 90)


_UNDATED: Final = {
    np.datetime64("1971-01-01"): "%H:%M:%S",
    np.datetime64("2002-01-01"): "%b %-d, %H:%M:%S",
}
"""How times before the first Kafka are shown."""


def time_lag_lines(
    times: npt.NDArray[np.datetime64], names: Sequence[str], age_s: FloatArray
) -> go.Figure:
    """Return a line per partition, ``age_s`` (K, N) at K times; at most ``MOST_LINES``.

    Times of 1970 are clocks of no known day, those of the next 32 years days of no known year.
    """
    unit, size = _unit(age_s)
    figure = go.Figure(
        [
            go.Scatter(
                x=times,
                y=age_s[:, k] / size,
                name=literal(name),
                line={"color": STROKES[k][0], "dash": STROKES[k][1], "width": 2},
                hovertemplate=f"%{{y:,.1f}} {unit}",
            )
            for k, name in enumerate(names)
        ]
    )
    figure.update_yaxes(title_text=f"{unit} behind", rangemode="tozero")
    figure.update_layout(hovermode="x unified", showlegend=True)
    shown = next((form for until, form in _UNDATED.items() if times.max() < until), None)
    figure.update_xaxes(tickformat=shown, hoverformat=shown)
    return _laid_out(figure, _LINES_HEIGHT)


def _unit(seconds: FloatArray) -> tuple[str, float]:
    longest = float(np.nanmax(seconds, initial=0.0))
    return next((u for u in _UNITS if longest >= _TWICE * u[1]), ("seconds", 1.0))


def _laid_out(figure: go.Figure, height: int) -> go.Figure:
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(fixedrange=True)
    return laid_out(figure, height, top=30)
