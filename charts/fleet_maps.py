"""A figure of many groups or consumers over time: one cell each, colour for how much."""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from charts.labels import short_names
from charts.palette import SCALE

_ROW_HEIGHT: Final = 20
_TALLEST: Final = 900
_MOST_NAMED: Final = 60
_UNITS: Final = ((9, "G"), (6, "M"), (3, "k"), (0, ""))
_MOST_TICKS: Final = 8


def time_map(
    names: Sequence[str],
    moments: npt.NDArray[np.datetime64],
    cells: npt.NDArray[np.float64],
    unit: str,
    slot: timedelta | None = None,
) -> go.Figure:
    """Return one cell for each name and moment, the first name on top; unknown is empty.

    Amounts that differ by powers of ten are told apart, since the colour follows the
    logarithm; the figures shown are the amounts. A slot says how long a column lasts.
    """
    with np.errstate(divide="ignore"):
        depth = np.log10(1 + cells)
    highest = float(np.nanmax(depth)) if np.isfinite(depth).any() else 1.0
    ticks = _ticks(highest)
    during = "" if slot is None else f"<br>the most in {slot} from then on"
    figure = go.Figure(
        go.Heatmap(
            z=depth.astype(np.float32),
            customdata=cells,
            x=moments.astype("datetime64[ms]").astype("O"),
            y=np.arange(len(names)),
            text=None,
            colorscale=SCALE,
            zmin=0,
            zmax=max(highest, 1e-9),
            colorbar={
                "title": {"text": unit},
                "tickvals": [math.log10(1 + tick) for tick in ticks],
                "ticktext": [_short(tick) for tick in ticks],
            },
            hoverongaps=False,
            hovertemplate="%{y}<br>%{x|%d %b %H:%M}: %{customdata:,.3~f} "
            + unit
            + during
            + "<extra></extra>",
        )
    )
    _name_rows(figure, names)
    figure.update_xaxes(title_text="UTC")
    height = int(np.clip(len(names) * _ROW_HEIGHT + 110, 220, _TALLEST))
    figure.update_layout(height=height, margin={"l": 10, "r": 10, "t": 10, "b": 10})
    return figure


def _name_rows(figure: go.Figure, names: Sequence[str]) -> None:
    """Name the rows at their side, or, of many, on hovering alone."""
    figure.data[0].y = list(names)
    is_named = len(names) <= _MOST_NAMED
    figure.update_yaxes(
        type="category",
        autorange="reversed",
        showticklabels=is_named,
        tickvals=list(names) if is_named else None,
        ticktext=short_names(names) if is_named else None,
    )


def _ticks(highest: float) -> list[float]:
    """Return amounts for the scale: 0, then powers of ten, or thirds of little."""
    powers = range(math.floor(highest) + 1)
    step = -(-len(powers) // _MOST_TICKS)
    if len(powers) > 1:
        return [0.0, *(float(10**power) for power in powers[::step])]
    most = 10**highest - 1
    return [0.0, round(most / 2, 1), round(most, 1)]


def _short(amount: float) -> str:
    """Return an amount as a scale says it.

    >>> _short(0), _short(2.5), _short(10_000_000)
    ('0', '2.5', '10 M')
    """
    for power, prefix in _UNITS:
        if amount >= 10**power:
            return f"{amount / 10**power:g} {prefix}".strip()
    return f"{amount:g}"
