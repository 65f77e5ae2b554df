"""Text in figures: readable in both themes, with names shown literally."""

from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import Any, Final

import plotly.graph_objects as go

from charts.labels import short_names

INK: Final = "#000037"
"""Nearly black; Streamlit's page puts its own strongest grey in its place, light on dark.

It is the placeholder that Streamlit's template uses for its own figures. The grey that
figures get by default has a contrast of 3.7:1 on white.
"""


def ink(size: int) -> dict[str, Any]:
    """Return the font of all text that has no colour of its own."""
    return {"color": INK, "size": size}


def readable(figure: go.Figure, size: int = 13) -> go.Figure:
    """Set all the text of a figure that has no colour of its own in ``INK``; return the figure."""
    font = ink(size)
    figure.update_layout(font=font, legend_font=font, hoverlabel_font=font)
    figure.update_xaxes(tickfont=font, title_font=font)
    figure.update_yaxes(tickfont=font, title_font=font)
    figure.update_annotations(font=font)
    figure.update_coloraxes(colorbar_tickfont=font, colorbar_title_font=font)
    return figure


def laid_out(figure: go.Figure, height: int, *, top: int = 10, size: int = 13) -> go.Figure:
    """Give a figure its height, small margins, its legend above it, and readable text."""
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": top, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        hoverlabel={"namelength": -1},
    )
    return readable(figure, size)


def name_rows(figure: go.Figure, names: Sequence[str], *, is_named: bool) -> None:
    """Put one row a name on the axis, the first on top; if they are many, name them on hover."""
    rows = [literal(name) for name in names]
    figure.update_traces(y=rows)
    figure.update_yaxes(
        type="category",
        autorange="reversed",
        tickvals=rows if is_named else [],
        ticktext=[literal(name) for name in short_names(names)] if is_named else [],
    )


def wrapped(label: str, width: int = 20) -> str:
    """Return a label of our own over several lines if it is long, so that neighbours stay apart.

    >>> wrapped("Uniform (Kafka 4.0.1 and later)")
    'Uniform (Kafka 4.0.1<br>and later)'
    """
    return "<br>".join(wrap(label, width))


def literal(name: str) -> str:
    """Return a name so that Plotly, which reads tags and entities, shows it as it stands.

    >>> literal("<b>orders</b> & co")
    '&lt;b&gt;orders&lt;/b&gt; &amp; co'
    """
    return escape(name, quote=False)
