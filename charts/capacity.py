"""Time by numbers of consumers, verdicts by strategy, and what partitions need."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import plotly.graph_objects as go

from assignors.model import FloatArray
from charts.lettering import laid_out, name_rows, readable, wrapped
from charts.palette import (
    ALARM,
    BAR,
    BUSIEST,
    IN_TIME_GROUND,
    LATE_GROUND,
    NEVER_GROUND,
    ON_COLOUR,
    REFERENCE,
)
from evaluation.capacity.draining import TOLERANCE
from evaluation.capacity.trials import Curve
from evaluation.wording import duration, rate_amount

_VERDICTS: Final = (
    ("✓", "in time", IN_TIME_GROUND),
    ("!", "late", LATE_GROUND),
    ("✗", "never", NEVER_GROUND),
)
"""Symbol, word and ground of each verdict."""
_LINES: Final = ((BAR, "solid"), (BAR, "dash"), (REFERENCE, "dot"))
_LABEL_WIDTH: Final = 18
_ROW_HEIGHT: Final = 36
"""Room for labels of two lines."""
_TEXT: Final = 14
_HEIGHT: Final = 340
"""Of the chart, in pixels."""
_BARE: Final = {"showgrid": False, "zeroline": False, "fixedrange": True}
_FEW: Final = 12
"""Numbers of consumers that each have a tick; between more, Plotly chooses."""
_MOST_TICKS: Final = 7
_MOST_OF_ALLOWED: Final = 3
"""Lines beyond this many times the time allowed are cut off, lest they flatten the rest."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CapacityCurves:
    """What the grid is drawn from."""

    curves: Sequence[Curve]
    allowed_s: float
    today: int
    """Consumers there are; 0 for none."""
    recommended: int | None
    columns: Sequence[int]
    """Numbers of consumers in the grid, ascending."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanCurves:
    """What the chart of a plan is drawn from."""

    lines: Sequence[tuple[str, Mapping[int, float]]]
    """Name and seconds by number of consumers; at most three, the planned one first."""
    allowed_s: float
    today: int
    """Consumers there are; 0 for none."""
    planned: int | None
    points: Sequence[int]
    """Numbers of consumers in the chart, ascending."""

    @property
    def is_ever_cleared(self) -> bool:
        """Whether any line ends with any number of consumers in the chart."""
        return any(np.isfinite(_seconds(line, self.points)).any() for _, line in self.lines)


def verdict_grid(picture: CapacityCurves) -> go.Figure:
    """Return a row for each strategy: in time, late or never with each number of consumers.

    A frame marks the smallest number in time, and the row's label names it. What was not
    tried is blank.
    """
    rows = [
        [_verdict(curve, number, picture.allowed_s) for number in picture.columns]
        for curve in picture.curves
    ]
    figure = go.Figure(
        go.Heatmap(
            z=[[verdict for verdict, _ in row] for row in rows],
            x=list(range(len(picture.columns))),
            y=list(range(len(rows))),
            text=[
                ["" if verdict is None else _VERDICTS[verdict][0] for verdict, _ in row]
                for row in rows
            ],
            customdata=[[text for _, text in row] for row in rows],
            texttemplate="<b>%{text}</b>",
            textfont={"size": _TEXT + 2, "color": ON_COLOUR},
            hovertemplate="%{customdata}<extra></extra>",
            hoverongaps=False,
            colorscale=[[k / 2, ground] for k, (_, _, ground) in enumerate(_VERDICTS)],
            zmin=0,
            zmax=2,
            showscale=False,
            xgap=2,
            ygap=3,
        )
    )
    figure.update_layout(shapes=list(_frames(picture)))
    figure.update_xaxes(
        tickvals=list(range(len(picture.columns))),
        ticktext=[
            f"<b>{number:,}</b>"
            if number in (picture.today, picture.recommended)
            else f"{number:,}"
            for number in picture.columns
        ],
        title_text="Consumers",
        **_BARE,
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[wrapped(curve.strategy.label, _LABEL_WIDTH) for curve in picture.curves],
        autorange="reversed",
        **_BARE,
    )
    return laid_out(figure, _ROW_HEIGHT * len(rows) + 88)


def needs(names: Sequence[str], needed: FloatArray, reads: float) -> go.Figure:
    """Return what each of these partitions needs, records/s, beside what one consumer reads.

    Those that need more are orange. The first stands on top.
    """
    figure = go.Figure(
        go.Bar(
            x=needed,
            orientation="h",
            marker={"color": [BUSIEST if need > reads else BAR for need in needed.tolist()]},
            text=[f"{rate_amount(need)}/s" for need in needed.tolist()],
            textposition="outside",
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    figure.add_vline(
        reads,
        line={"color": REFERENCE, "dash": "dash", "width": 2},
        annotation_text=f"one consumer reads {rate_amount(reads)}/s",
        annotation_position="top right" if 2 * reads < needed.max() else "top left",
        annotation_yanchor="bottom",
    )
    figure.update_xaxes(
        title_text="records/s", range=[0, 1.2 * max(float(needed.max()), reads)], fixedrange=True
    )
    name_rows(figure, names, is_named=True)
    return laid_out(figure, _ROW_HEIGHT * len(names) + 110, top=40)


def drain_curves(picture: PlanCurves) -> go.Figure:
    """Return the time to clear the backlog over numbers of consumers, at most three lines.

    What is later than allowed is tinted, and a number that is late has a hollow red mark on the
    first line. Where a line is missing the backlog never clears.
    """
    figure = go.Figure()
    top = _top(picture)
    for k, (name, line) in enumerate(picture.lines):
        figure.add_trace(_line(name, line, k, picture))
    first, last = picture.points[0], picture.points[-1]
    room = max((last - first) * 0.03, 0.5)
    figure.update_xaxes(
        title_text="Consumers",
        range=[first - room, last + room],
        zeroline=False,
        tickformat=",d",
        dtick=1 if last - first < _FEW else None,
    )
    ticks = _ticks(picture.allowed_s, top)
    figure.update_yaxes(
        range=[0, top],
        tickvals=list(ticks),
        ticktext=list(ticks.values()),
        zeroline=False,
    )
    figure.add_hrect(
        picture.allowed_s,
        top,
        fillcolor=ALARM,
        opacity=0.1,
        line_width=0,
        layer="below",
        annotation_text=f"later than the {duration(picture.allowed_s)} allowed",
        annotation_position="top right",
        annotation_font_color=ALARM,
    )
    for row, (number, text) in enumerate(_marks(picture)):
        figure.add_vline(
            number,
            line={"color": REFERENCE, "width": 2},
            annotation_text=text,
            annotation_position="top right" if number < (first + last) / 2 else "top left",
            annotation_yanchor="bottom",
            annotation_yshift=2 + 18 * row,
        )
    figure.update_layout(
        height=_HEIGHT,
        margin={"l": 8, "r": 8, "t": 76, "b": 48},
        legend={"orientation": "h", "y": 1.2, "yanchor": "bottom", "x": 0, "font": {"size": 13}},
        hovermode="closest",
    )
    return readable(figure)


def _verdict(curve: Curve, consumers: int, allowed_s: float) -> tuple[int | None, str]:
    """Return which verdict holds, None if not tried, and what the pointer reads."""
    tried = curve.at(consumers)
    if tried is None:
        return None, ""
    head = f"{curve.strategy.label}, {consumers:,} consumers: "
    if not np.isfinite(tried.seconds):
        return 2, head + "the backlog never clears"
    if tried.load <= 1 + TOLERANCE:
        return 0, f"{head}in time, {duration(tried.seconds)}"
    return (
        1,
        f"{head}late by {duration(tried.seconds - allowed_s)}, {duration(tried.seconds)} in all",
    )


def _frames(picture: CapacityCurves) -> Iterator[dict[str, object]]:
    """Yield a frame around the smallest number in time of each strategy, where it is shown."""
    for k, curve in enumerate(picture.curves):
        if curve.first is not None and curve.first in picture.columns:
            x = picture.columns.index(curve.first)
            yield {
                "type": "rect",
                "x0": x - 0.44,
                "x1": x + 0.44,
                "y0": k - 0.41,
                "y1": k + 0.41,
                "line": {"color": ON_COLOUR, "width": 3},
            }


def _seconds(line: Mapping[int, float], points: Sequence[int]) -> FloatArray:
    """Return the seconds at each point, NaN where never or not tried."""
    seconds = np.array([line.get(number, np.nan) for number in points])
    return np.where(np.isfinite(seconds), seconds, np.nan)


def _line(name: str, line: Mapping[int, float], k: int, picture: PlanCurves) -> go.Scatter:
    seconds = _seconds(line, picture.points)
    colour, dash = _LINES[k % len(_LINES)]
    is_late = seconds > picture.allowed_s * (1 + TOLERANCE)
    return go.Scatter(
        x=list(picture.points),
        y=seconds,
        customdata=["" if np.isnan(value) else duration(value) for value in seconds.tolist()],
        name=name,
        mode="lines" if k else "lines+markers",
        connectgaps=False,
        line={"color": colour, "dash": dash, "width": 2},
        marker={
            "size": 8,
            "symbol": ["circle-open" if late else "circle" for late in is_late.tolist()],
            "color": [ALARM if late else colour for late in is_late.tolist()],
        },
        hovertemplate="%{x:,} consumers: %{customdata}<extra>" + name + "</extra>",
    )


def _ticks(allowed_s: float, top: float) -> dict[float, str]:
    """Return seconds and their labels: halves or multiples of the time allowed."""
    step = (
        allowed_s / 2
        if top <= _MOST_TICKS * allowed_s / 2
        else allowed_s * math.ceil(top / allowed_s / _MOST_TICKS)
    )
    ticks = {k * step: duration(k * step) for k in range(1, int(top / step) + 1)}
    return {0.0: "0"} | ticks | {allowed_s: f"<b>{duration(allowed_s)}</b><br>allowed"}


def _top(picture: PlanCurves) -> float:
    """Return the upper end of the time axis, in seconds."""
    lines = [_seconds(line, picture.points) for _, line in picture.lines]
    seconds = np.concatenate([*lines, np.zeros(0)])
    finite = seconds[~np.isnan(seconds)]
    cap = _MOST_OF_ALLOWED * picture.allowed_s
    lowest = 1.2 * float(finite.min(initial=np.inf)) if finite.size else 0.0
    highest = float(finite.max(initial=0.0))
    return 1.1 * max(min(highest, max(cap, lowest)), picture.allowed_s)


def _marks(picture: PlanCurves) -> Iterator[tuple[int, str]]:
    first, last = picture.points[0], picture.points[-1]
    planned, today = picture.planned, picture.today
    if today and today == planned:
        yield today, f"today and plan: {today:,}"
        return
    if planned is not None and first <= planned <= last:
        yield planned, f"plan {planned:,}"
    if today and first <= today <= last:
        yield today, f"today {today:,}"
