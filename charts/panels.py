"""A small picture per strategy: the load of every consumer, on a common scale."""

from typing import Any, Final, TypeAlias

import numpy as np
import plotly.graph_objects as go

from assignors.model import Group
from charts.colour_scale import inks
from charts.lettering import ink, literal
from charts.loads import (
    MAX_NAMED,
    MOST_WRITTEN,
    Bars,
    Scale,
    bars_of,
    names_below,
    whisker,
)
from charts.palette import BAR, BOUND_LINE, BUSIEST, MEAN_LINE, SCALE
from evaluation.compare import Outcome
from evaluation.wording import compact

MAX_SEPARATE: Final = 100
"""More bars than this are drawn as one outline, since browsers take seconds for so many bars."""
_STRIP: Final = 0.1275
"""The strip of partition counts, as a share of the height."""
_GAP: Final = 0.02
_Part: TypeAlias = dict[str, Any]
"""A trace or a layout as a dict, because Plotly's objects take ten times as long to build."""


def panel(group: Group, outcome: Outcome, scale: Scale, *, height: int, text_px: int) -> go.Figure:
    """Return one strategy's panel: bars of load, and below them a strip of partition counts.

    The busiest consumer has its own colour and label, unless all are equal; hatched bars include
    partitions of unknown lag.
    """
    drawn = bars_of(group, outcome, by_lag=scale.by_lag)
    ends = whisker(outcome, scale)
    traces = _load_traces(drawn, scale)
    if ends is not None:
        traces.append(_whisker(drawn, ends))
    if drawn.busiest >= 0:
        traces.append(_busiest_mark(drawn, scale, text_px, ends[1] if ends else 0))
    if scale.by_lag:
        traces += _strip(drawn, scale, text_px)
    return go.Figure(traces, _layout(group, scale, height, text_px))


def _layout(group: Group, scale: Scale, height: int, text_px: int) -> _Part:
    text = ink(text_px)
    names = names_below(group)
    return {
        "height": height,
        "font": text,
        "hoverlabel": {"font": text},
        "bargap": 0,
        "margin": {"l": 4, "r": 4, "t": 4, "b": 4},
        "showlegend": False,
        "hovermode": "closest",
        "xaxis": {
            "anchor": "y2" if scale.by_lag else "y",
            "range": [-0.6, max(group.member_count, 1) - 0.4],
            "showgrid": False,
            "tickvals": np.arange(len(names)),
            "ticktext": [literal(name) for name in names],
            "tickangle": -90,
            "tickfont": text,
        },
        "yaxis": {
            "domain": [_STRIP + _GAP if scale.by_lag else 0, 1],
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


def _load_traces(drawn: Bars, scale: Scale) -> list[_Part]:
    shown = np.minimum(drawn.heights, scale.highest)
    hover = {
        "customdata": [
            f"{name}<br>{height:,} {scale.unit}"
            for name, height in zip(_hover_names(drawn), drawn.heights.tolist(), strict=True)
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    is_busiest = np.arange(shown.size) == drawn.busiest
    if shown.size <= MAX_SEPARATE:
        trace = {
            "type": "bar",
            "width": drawn.width * 0.85,
            "marker": {
                "color": np.where(is_busiest, BUSIEST, BAR).tolist(),
                "pattern": {"shape": np.where(drawn.unknown > 0, "/", "").tolist()},
                "line": {"width": 0},
            },
        }
    else:
        trace = {
            "type": "scatter",
            "mode": "lines",
            "line": {"shape": "hvh", "width": 1, "color": BAR},
            "fill": "tozeroy",
            "fillcolor": BAR,
        }
    return [{"x": drawn.places, "y": shown, **trace, **hover}]


def _busiest_mark(drawn: Bars, scale: Scale, text_px: int, lowest: float) -> _Part:
    """Return the label above the busiest consumer's bar, with an arrow if the bar is cut.

    It stands at ``lowest`` or higher, to keep clear of the whisker.
    """
    k = drawn.busiest
    shown = min(float(drawn.heights[k]), scale.highest)
    is_cut = shown < drawn.heights[k]
    third = drawn.places.size / 3
    side = "right" if k < third else "left" if k >= 2 * third else "center"
    return {
        "type": "scatter",
        "x": [drawn.places[k]],
        "y": [max(shown, lowest)],
        "mode": "markers+text",
        "text": [compact(int(drawn.heights[k])) + (" ▲" if is_cut else "")],
        "textposition": f"top {side}",
        "textfont": {"size": text_px + 1},
        "marker": {"color": BUSIEST, "size": 6, "symbol": "triangle-up" if is_cut else "diamond"},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _whisker(drawn: Bars, ends: tuple[float, float]) -> _Part:
    """Return the range of the busiest consumer's load as a thin line over its bar."""
    low, high = ends
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [drawn.places[max(drawn.busiest, 0)]] * 2,
        "y": [low, high],
        "line": {"color": MEAN_LINE, "width": 2},
        "marker": {"symbol": "line-ew-open", "size": 10, "color": MEAN_LINE},
        "cliponaxis": False,
        "hovertemplate": "5 to 95 %: %{y:,}<extra></extra>",
    }


def _strip(drawn: Bars, scale: Scale, text_px: int) -> list[_Part]:
    """Return a cell per consumer, coloured by its number of partitions, which it says if few."""
    is_written = drawn.counts.size <= MAX_NAMED and scale.most_partitions <= MOST_WRITTEN
    cells = {
        "type": "heatmap",
        "x": drawn.places,
        "y": [""],
        "yaxis": "y2",
        "z": drawn.counts[None],
        "customdata": [_hover_names(drawn)],
        "zmin": 0,
        "zmax": max(scale.most_partitions, 1),
        "colorscale": SCALE,
        "showscale": False,
        "hovertemplate": "%{customdata}<br>%{z:,} partitions<extra></extra>",
        "xgap": 1 if is_written else 0,
    }
    if not is_written:
        return [cells]
    shares = (drawn.counts / max(scale.most_partitions, 1)).tolist()
    texts = {
        "type": "scatter",
        "mode": "text",
        "x": drawn.places,
        "y": [""] * drawn.counts.size,
        "yaxis": "y2",
        "text": [str(count) for count in drawn.counts.tolist()],
        "textfont": {"size": text_px - 2, "color": inks(shares)},
        "hoverinfo": "skip",
    }
    return [cells, texts]


def _hover_names(drawn: Bars) -> list[str]:
    return [
        literal(name) + (f"<br>and {unknown} partitions of unknown lag" if unknown else "")
        for name, unknown in zip(drawn.names, drawn.unknown.tolist(), strict=True)
    ]
