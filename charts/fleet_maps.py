"""Heatmaps of many groups or consumers over time."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from charts.colour_scale import logarithmic, ramp
from charts.lettering import laid_out, name_rows

_ROW_HEIGHT: Final = 20
_LOWEST: Final = 300
_TALLEST: Final = 900
_MOST_NAMED: Final = 60
_AROUND: Final = 220
"""Height, in pixels, of the scale above the cells and the times below."""


def time_map(  # noqa: PLR0913 -- one argument per property of the picture
    names: Sequence[str],
    moments: npt.NDArray[np.datetime64],
    cells: npt.NDArray[np.float64],
    unit: str,
    slot: timedelta | None = None,
    *,
    is_dark: bool = False,
) -> go.Figure:
    """Return a cell per name and time, the first name on top; unknown cells are empty.

    The colour scale is logarithmic, so that amounts of any size are distinguishable; hovering shows
    them. A slot is the duration of a column.
    """
    scale = logarithmic(cells)
    low, high = scale.ends
    height = int(np.clip(len(names) * _ROW_HEIGHT + _AROUND, _LOWEST, _TALLEST))
    during = "" if slot is None else f"<br>largest within {slot}"
    figure = go.Figure(
        go.Heatmap(
            z=scale.depth(cells).astype(np.float32),
            customdata=cells,
            x=moments.astype("datetime64[ms]").astype("O"),
            colorscale=ramp(is_dark=is_dark),
            zmin=low,
            zmax=high,
            colorbar=scale.colorbar(unit)
            | {
                # Beside the cells it would take most of a phone's width.
                "orientation": "h",
                "y": 1,
                "yanchor": "bottom",
                "thickness": 12,
                "title": {"text": unit, "side": "top"},
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
