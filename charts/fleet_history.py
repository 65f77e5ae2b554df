"""A group over time: the busiest consumer's lag and the moves, a line per strategy."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from charts.lettering import laid_out, literal
from charts.palette import BAR, BOUND_LINE, OTHERS, REFERENCE, STROKES

_MOST_MARKED: Final = 40
_HEIGHT: Final = 460
_PER_LINE: Final = 12
"""Extra height for the legend."""
_ROOM: Final = 1.08


class Line(NamedTuple):
    """The group under one strategy; arrays over the snapshots."""

    label: str
    max_load: npt.NDArray[np.float64]
    """NaN, shown as a gap, where unknown."""
    moved: npt.NDArray[np.float64]
    """Cumulative number of moves."""
    is_as_it_was: bool = False
    """Whether these are the group's own owners."""
    is_best: bool = False
    """Whether it is the recommended strategy."""


def best_lines(lines: Sequence[Line], most: int) -> list[Line]:
    """Return the lines of as it was, the recommended strategy and those with the least lag.

    Those that agree everywhere count as one; the order stays.
    """
    sets = sorted(
        _alike(lines),
        key=lambda alike: (
            not alike[0].is_as_it_was,
            not _has_best(alike),
            _mean(alike[0].max_load),
        ),
    )
    kept = {line.label for alike in sets[:most] for line in alike}
    return [line for line in lines if line.label in kept]


def history_lines(
    moments: npt.NDArray[np.datetime64],
    best: npt.NDArray[np.float64],
    lines: Sequence[Line],
    noun: str = "lag",
    unit: str = "records",
) -> go.Figure:
    """Return two panels over the same time; strategies that agree throughout share a line.

    ``noun`` and ``unit`` are of what judges: "lag" and "records".
    """
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.64, 0.36], vertical_spacing=0.06
    )
    times = moments.astype("datetime64[ms]").astype("O")
    # Highlighted lines are drawn last, on top of the others.
    sets = sorted(_alike(lines), key=lambda alike: (alike[0].is_as_it_was, _has_best(alike)))
    for k, alike in enumerate(sets):
        for trace, row in _drawn(times, alike, k, unit):
            figure.add_trace(trace, row=row, col=1)
    figure.add_trace(_bound(times, best, unit), row=1, col=1)
    highest = max([1.0, *(_most(line.max_load) for line in lines), _most(best)])
    figure.update_yaxes(title_text=f"{noun} of the busiest", range=[0, highest * _ROOM], row=1)
    figure.update_yaxes(title_text="moved so far", rangemode="tozero", row=2)
    figure.update_xaxes(title_text="UTC", row=2)
    figure.update_layout(hovermode="closest")
    return laid_out(figure, _HEIGHT + _PER_LINE * len(lines))


def _alike(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines in sets that agree everywhere; "as it was" stays separate."""
    sets: dict[object, list[Line]] = {}
    for line in lines:
        key = line.label if line.is_as_it_was else (line.max_load.tobytes(), line.moved.tobytes())
        sets.setdefault(key, []).append(line)
    yield from sets.values()


def _has_best(alike: Sequence[Line]) -> bool:
    return any(line.is_best for line in alike)


def _drawn(
    times: npt.NDArray[np.object_], alike: Sequence[Line], k: int, load_unit: str
) -> Iterator[tuple[go.Scatter, int]]:
    line = alike[0]
    name = literal(", ".join(each.label for each in alike))
    look = {"color": OTHERS[k % len(OTHERS)], "dash": STROKES[1 + k % 4][1], "width": 1.5}
    if line.is_as_it_was or _has_best(alike):
        look = {"color": REFERENCE if line.is_as_it_was else BAR, "dash": "solid", "width": 3}
    panels = ((line.max_load, load_unit), (line.moved, "partitions moved so far"))
    for row, (values, unit) in enumerate(panels, start=1):
        yield (
            go.Scatter(
                x=times,
                y=values,
                mode="lines+markers" if len(times) <= _MOST_MARKED else "lines",
                marker={"size": 4},
                line=look,
                name=name,
                legendgroup=name,
                showlegend=row == 1,
                hovertemplate="%{x|%d %b %H:%M}: %{y:,.0f} " + unit,
            ),
            row,
        )


def _bound(times: npt.NDArray[np.object_], best: npt.NDArray[np.float64], unit: str) -> go.Scatter:
    return go.Scatter(
        x=times,
        y=best,
        mode="lines+markers" if len(times) == 1 else "lines",
        line={"color": BOUND_LINE, "dash": "longdashdot", "width": 2},
        name="lower bound",
        hovertemplate="%{x|%d %b %H:%M}: %{y:,.0f} " + unit,
    )


def _mean(values: npt.NDArray[np.float64]) -> float:
    return float(np.nanmean(values)) if np.isfinite(values).any() else np.inf


def _most(values: npt.NDArray[np.float64]) -> float:
    return float(np.nanmax(values)) if np.isfinite(values).any() else 0.0
