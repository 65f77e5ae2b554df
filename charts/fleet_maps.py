"""Heatmaps of many groups or consumers over time."""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from charts.lettering import laid_out, name_rows
from charts.palette import SCALE
from evaluation.wording import round_amount

_ROW_HEIGHT: Final = 20
_LOWEST: Final = 300
_TALLEST: Final = 900
_MOST_NAMED: Final = 60
_MOST_TICKS: Final = 6
_FEW_POWERS: Final = 3
_AROUND: Final = 220
"""Height, in pixels, of the scale above the cells and the times below."""
_TICK_WIDTH: Final = 0.1
"""The least distance of a tick from an end of the scale, as a share of the scale."""
_LEAST_SHOWN: Final = 0.02
"""The share of cells that may be below the scale."""
_LEAST_SPAN: Final = 1.5
"""The least ratio of the scale's end to its start."""


def time_map(
    names: Sequence[str],
    moments: npt.NDArray[np.datetime64],
    cells: npt.NDArray[np.float64],
    unit: str,
    slot: timedelta | None = None,
) -> go.Figure:
    """Return a cell per name and time, the first name on top; unknown cells are empty.

    The colour scale is logarithmic, so that amounts of any size are distinguishable; hovering shows
    them. A slot is the duration of a column.
    """
    low, high = _range(cells)
    with np.errstate(divide="ignore"):
        depth = np.log10(np.maximum(cells, low))
    height = int(np.clip(len(names) * _ROW_HEIGHT + _AROUND, _LOWEST, _TALLEST))
    ticks = _ticks(low, high, _TICK_WIDTH)
    during = "" if slot is None else f"<br>largest within {slot}"
    figure = go.Figure(
        go.Heatmap(
            z=depth.astype(np.float32),
            customdata=cells,
            x=moments.astype("datetime64[ms]").astype("O"),
            colorscale=SCALE,
            zmin=math.log10(low),
            zmax=math.log10(high),
            colorbar={
                # Beside the cells it would take most of a phone's width.
                "orientation": "h",
                "y": 1,
                "yanchor": "bottom",
                "thickness": 12,
                "title": {"text": unit, "side": "top"},
                "tickvals": [math.log10(tick) for tick in ticks],
                "ticktext": _tick_words(ticks, low, is_less=bool((cells < low).any())),
            },
            hoverongaps=False,
            hovertemplate="%{y}<br>%{x|%d %b %H:%M}: %{customdata:,.3~f} "
            + unit
            + during
            + "<extra></extra>",
        )
    )
    name_rows(figure, names, is_named=len(names) <= _MOST_NAMED)
    figure.update_xaxes(title_text="UTC")
    return laid_out(figure, height)


def _range(cells: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the ends of the scale, which a few very small amounts do not stretch."""
    some = cells[np.isfinite(cells) & (cells > 0)]
    if not some.size:
        return 1.0, 10.0
    low, high = float(np.quantile(some, _LEAST_SHOWN, method="lower")), float(some.max())
    return (low, high) if high > low * _LEAST_SPAN else (high / _LEAST_SPAN, high)


def _ticks(low: float, high: float, apart: float) -> list[float]:
    """Return at most six round amounts from low to high, including both ends.

    None is nearer to an end than ``apart``, a share of the scale.

    >>> _ticks(1, 8, apart=0.1)
    [1, 2.0, 5.0, 8]
    >>> _ticks(70, 20_000, apart=0.04), _ticks(70, 20_000, apart=0.15)
    ([70, 100.0, 1000.0, 10000.0, 20000], [70, 1000.0, 20000])
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) <= _FEW_POWERS else (1,)
    powers = powers[:: -(-len(powers) // _MOST_TICKS)]
    inside = [step * 10.0**power for power in powers for step in steps]
    gap = (high / low) ** apart
    inside = [tick for tick in inside if low * gap < tick < high / gap]
    return [low, *inside, high] if len(inside) < _MOST_TICKS - 1 else inside


def _tick_words(ticks: Sequence[float], low: float, *, is_less: bool) -> list[str]:
    """Return the labels of the scale; the first also covers everything below."""
    words = [round_amount(tick) for tick in ticks]
    if is_less and ticks[0] == low:
        words[0] += " or less"
    return words
