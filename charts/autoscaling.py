"""Pods, time lag and lag over a day, under the rule to recommend and another."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from charts.lettering import laid_out
from charts.palette import ALARM, BAR, REFERENCE
from evaluation.autoscaling.replay import ScalingRun
from evaluation.wording import duration

_LOOKS: Final = ((BAR, "solid"), (REFERENCE, "dash"))
_HEIGHT: Final = 560
_MOST_OF_TARGET: Final = 4
"""Time lags beyond this many times the target are cut off, so that they do not flatten the rest."""


def over_time(runs: Mapping[str, ScalingRun], allowed_s: float) -> go.Figure:
    """Return three panels over time: pods, time lag and lag of one run, or of it and another.

    What is later than allowed is tinted.
    """
    figure = make_subplots(rows=3, cols=1, shared_xaxes=True, vertical_spacing=0.07)
    highest = max(float(each.time_lag_s.max(initial=0.0)) for each in runs.values())
    top = min(max(1.15 * highest, 1.3 * allowed_s), _MOST_OF_TARGET * allowed_s)
    for (name, run), (colour, dash) in zip(runs.items(), _LOOKS, strict=False):
        hours = np.arange(1, run.pods.size + 1) * run.step_s / 3600
        line = {"color": colour, "dash": dash, "width": 2}
        spoken = [duration(seconds) for seconds in run.time_lag_s.tolist()]
        for row, values, said in (
            (1, run.pods, "%{y:,} pods"),
            (2, np.minimum(run.time_lag_s, 1.02 * top), "%{customdata} behind"),
            (3, run.lag, "%{y:,.3s} records wait"),
        ):
            trace = go.Scatter(
                x=hours,
                y=values,
                customdata=spoken,
                name=name,
                legendgroup=name,
                showlegend=row == 1,
                mode="lines",
                line={**line, "shape": "hv" if row == 1 else "linear"},
                hovertemplate=f"hour %{{x:.1f}}: {said}<extra>{name}</extra>",
            )
            figure.add_trace(trace, row=row, col=1)
    figure.add_hrect(
        allowed_s, top, row=2, col=1, fillcolor=ALARM, opacity=0.1, line_width=0, layer="below"
    )
    ticks = np.arange(0, top * 0.999, allowed_s * (1 if top > 2 * allowed_s else 0.5)).tolist()
    for row, title in enumerate(("Pods", "Time lag", "Lag (records)"), 1):
        figure.update_yaxes(title_text=title, rangemode="tozero", fixedrange=True, row=row)
    figure.update_yaxes(
        range=[0, top],
        tickvals=ticks,
        ticktext=[f"<b>{duration(t)}</b>" if t == allowed_s else duration(t) for t in ticks],
        row=2,
    )
    figure.update_xaxes(fixedrange=True, zeroline=False)
    figure.update_xaxes(title_text="Hours", row=3)
    figure.update_layout(hovermode="closest")
    return laid_out(figure, _HEIGHT)
