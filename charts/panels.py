"""A strategy's panel in Plotly, for the pages."""

from typing import Any, Final, TypeAlias

import numpy as np
import plotly.graph_objects as go

from charts.lettering import ink, literal
from charts.loads import Mark, Panel, Strip
from charts.palette import BAR, BOUND_LINE, BUSIEST, MEAN_LINE, SCALE

_STRIP: Final = 0.1275
"""The strip of partition counts, as a share of the height."""
_GAP: Final = 0.02
_Part: TypeAlias = dict[str, Any]
"""A trace or a layout as a dict, because Plotly's objects take ten times as long to build."""


def panel_figure(panel: Panel, *, height: int, text_px: int) -> go.Figure:
    """Return bars of load, and below them a strip of partition counts.

    The busiest consumer has its own colour and label, unless all are equal; hatched bars include
    partitions of unknown lag.
    """
    labels = [literal(label) for label in panel.labels]
    traces = [_load_trace(panel, labels)]
    if panel.whisker is not None:
        traces.append(_whisker(panel.whisker_place, panel.whisker))
    if panel.mark is not None:
        traces.append(_busiest_mark(panel.mark, text_px))
    if panel.strip is not None:
        traces += _strip(panel, panel.strip, labels, text_px)
    return go.Figure(traces, _layout(panel, height, text_px))


def _layout(panel: Panel, height: int, text_px: int) -> _Part:
    text, scale = ink(text_px), panel.scale
    return {
        "height": height,
        "font": text,
        "hoverlabel": {"font": text},
        "bargap": 0,
        "margin": {"l": 4, "r": 4, "t": 4, "b": 4},
        "showlegend": False,
        "hovermode": "closest",
        "xaxis": {
            "anchor": "y2" if scale.load.by_lag else "y",
            "range": [-0.6, max(panel.members, 1) - 0.4],
            "showgrid": False,
            "tickvals": np.arange(len(panel.names)),
            "ticktext": [literal(name) for name in panel.names],
            "tickangle": -90,
            "tickfont": text,
        },
        "yaxis": {
            "domain": [_STRIP + _GAP if scale.load.by_lag else 0, 1],
            "range": [0, scale.top],
            "nticks": 4,
            "tickformat": "~s",
            "tickfont": text,
        },
        "yaxis2": {"domain": [0, _STRIP], "visible": False},
        "shapes": [] if scale.best_possible is None else [_bound_line(scale.best_possible)],
    }


def _bound_line(load: float) -> _Part:
    return {
        "type": "line",
        "xref": "x domain",
        "x0": 0,
        "x1": 1,
        "y0": load,
        "y1": load,
        "line": {"color": BOUND_LINE, "dash": "dash", "width": 2},
    }


def _load_trace(panel: Panel, labels: list[str]) -> _Part:
    bars = panel.bars
    shared = {
        "x": bars.places,
        "y": panel.tops,
        "customdata": labels,
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    if panel.is_outline:
        return shared | {
            "type": "scatter",
            "mode": "lines",
            "line": {"shape": "hvh", "width": 1, "color": BAR},
            "fill": "tozeroy",
            "fillcolor": BAR,
        }
    is_busiest = np.arange(bars.heights.size) == bars.busiest
    return shared | {
        "type": "bar",
        "width": bars.width * 0.85,
        "marker": {
            "color": np.where(is_busiest, BUSIEST, BAR).tolist(),
            "pattern": {"shape": np.where(bars.unknown > 0, "/", "").tolist()},
            "line": {"width": 0},
        },
    }


def _busiest_mark(mark: Mark, text_px: int) -> _Part:
    """Return the label above the busiest consumer's bar, with an arrow if the bar is cut."""
    return {
        "type": "scatter",
        "x": [mark.place],
        "y": [mark.height],
        "mode": "markers+text",
        "text": [mark.text],
        "textposition": f"top {mark.side}",
        "textfont": {"size": text_px + 1},
        "marker": {
            "color": BUSIEST,
            "size": 6,
            "symbol": "triangle-up" if mark.is_cut else "diamond",
        },
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _whisker(place: float, ends: tuple[float, float]) -> _Part:
    """Return the range of the busiest consumer's load as a thin line over its bar."""
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [place, place],
        "y": list(ends),
        "line": {"color": MEAN_LINE, "width": 2},
        "marker": {"symbol": "line-ew-open", "size": 10, "color": MEAN_LINE},
        "cliponaxis": False,
        "hovertemplate": "5 to 95 %: %{y:,}<extra></extra>",
    }


def _strip(panel: Panel, strip: Strip, labels: list[str], text_px: int) -> list[_Part]:
    """Return a cell per consumer, coloured by its number of partitions, which it says if few."""
    shared = {"x": panel.bars.places, "y": [""] * strip.counts.size, "yaxis": "y2"}
    cells = shared | {
        "type": "heatmap",
        "y": [""],
        "z": strip.counts[None],
        "customdata": [labels],
        "zmin": 0,
        "zmax": max(panel.scale.most_partitions, 1),
        "colorscale": SCALE,
        "showscale": False,
        "hovertemplate": "%{customdata}<extra></extra>",
        "xgap": 1 if strip.is_written else 0,
    }
    if not strip.is_written:
        return [cells]
    texts = {
        "type": "scatter",
        "mode": "text",
        "text": [str(count) for count in strip.counts.tolist()],
        "textfont": {"size": text_px - 2, "color": strip.inks},
        "hoverinfo": "skip",
    }
    return [cells, shared | texts]
