"""What a setting takes off each group's busiest consumer, and what a jar adds."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from assignors.model import FloatArray
from charts.lettering import INK, laid_out, literal
from charts.palette import BAR, ON_COLOUR
from evaluation.wording import percent

_BAR_HEIGHT: Final = 26
_ROOM: Final = 1.6
_SETTING: Final = "by a setting"
_JAR: Final = "with a jar as well"


def gain_bars(
    names: Sequence[str], by_setting: FloatArray, with_jar: FloatArray, noun: str
) -> go.Figure:
    """Return a bar a group, the first on top: solid by a setting, hatched what a jar adds.

    Gains are shares of the busiest consumer's load today; NaN, unknown, is no bar.
    """
    solid = np.nan_to_num(by_setting)
    added = np.maximum(np.nan_to_num(with_jar) - solid, 0.0)
    figure = go.Figure()
    for name, share, pattern in ((_SETTING, solid, ""), (_JAR, added, "/")):
        figure.add_trace(
            go.Bar(
                x=100 * share,
                y=[*range(len(names))],
                name=name,
                orientation="h",
                marker={
                    "color": BAR,
                    "line": {"width": 0},
                    "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": ON_COLOUR},
                },
                hovertemplate="%{x:.0f} %<extra>" + name + "</extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=100 * (solid + added),
            y=[*range(len(names))],
            mode="text",
            text=[f" {_label(*each)}" for each in zip(solid, solid + added, strict=True)],
            textposition="middle right",
            textfont={"color": INK},
            cliponaxis=False,
            showlegend=False,
            hoverinfo="skip",
        )
    )
    most = max(float((solid + added).max(initial=0.0)), 0.1)
    figure.update_xaxes(
        title_text=f"% less {noun} on the busiest consumer",
        range=[0, 100 * most * _ROOM],
        fixedrange=True,
    )
    figure.update_yaxes(
        autorange="reversed",
        fixedrange=True,
        tickvals=[*range(len(names))],
        ticktext=[*map(literal, names)],
    )
    figure.update_layout(
        barmode="stack", bargap=0.35, legend={"orientation": "h", "y": 1.12, "traceorder": "normal"}
    )
    return laid_out(figure, len(names) * _BAR_HEIGHT + 90, top=30)


def _label(by_setting: float, with_jar: float) -> str:
    """Return the gains of a bar.

    >>> _label(0.41, 0.58), _label(0.41, 0.41), _label(0.0, 0.1)
    ('41 % (jar 58 %)', '41 %', 'jar 10 %')
    """
    if with_jar <= by_setting:
        return percent(by_setting)
    jar = f"jar {percent(with_jar)}"
    return f"{percent(by_setting)} ({jar})" if by_setting else jar
