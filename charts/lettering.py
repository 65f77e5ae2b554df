"""Text in figures: readable in both themes, with names shown literally."""

from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import Any, Final

import plotly.graph_objects as go

from charts.labels import short_names

INK: Final = "#000037"
"""Nearly black; Streamlit replaces it by its strongest grey, light in the dark theme.

It is the placeholder of Streamlit's Plotly template. The default grey of figures has a contrast of
only 3.7:1 on white.
"""


def ink(size: int) -> dict[str, Any]:
    """Return the font of text without an explicit colour."""
    return {"color": INK, "size": size}


def readable(figure: go.Figure, size: int = 13) -> go.Figure:
    """Set all text without an explicit colour to ``INK``; return the figure.

    Fonts are assigned one by one: Plotly's ``update_xaxes`` and its kin take twice the time.
    """
    layout = figure.layout
    holders = [layout, layout.legend, layout.hoverlabel, *figure.select_annotations()]
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        holders.append(axis.title)
        axis.tickfont = _inked(axis.tickfont, size)
    for colours in figure.select_coloraxes():
        holders.append(colours.colorbar.title)
        colours.colorbar.tickfont = _inked(colours.colorbar.tickfont, size)
    for holder in holders:
        holder.font = _inked(holder.font, size)
    return figure


def _inked(font: Any, size: int) -> dict[str, Any]:  # noqa: ANN401 -- of any part of a figure
    return {**font.to_plotly_json(), **ink(size)}


def laid_out(figure: go.Figure, height: int, *, top: int = 10, size: int = 13) -> go.Figure:
    """Set height, small margins, a legend above, and readable text."""
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": top, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        hoverlabel={"namelength": -1},
    )
    return readable(figure, size)


def name_rows(figure: go.Figure, names: Sequence[str], *, is_named: bool) -> None:
    """Label the axis with a row per name, the first on top; many names show only on hover."""
    rows = [literal(name) for name in names]
    figure.update_traces(y=rows)
    figure.update_yaxes(
        type="category",
        autorange="reversed",
        tickvals=rows if is_named else [],
        ticktext=[literal(name) for name in short_names(names)] if is_named else [],
    )


def wrapped(label: str, width: int = 20) -> str:
    """Wrap a long label, which must not be untrusted, so that neighbours do not overlap.

    >>> wrapped("Uniform (Kafka 4.0.1 and later)")
    'Uniform (Kafka 4.0.1<br>and later)'
    """
    return "<br>".join(wrap(label, width))


def literal(name: str) -> str:
    """Escape a name for Plotly, which interprets tags and entities.

    >>> literal("<b>orders</b> & co")
    '&lt;b&gt;orders&lt;/b&gt; &amp; co'
    """
    return escape(name, quote=False)
