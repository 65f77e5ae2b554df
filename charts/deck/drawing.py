"""A slide's picture as SVG that needs no script, for the report."""

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from charts.deck.model import Chart, Heights
from charts.palette import ALARM, BAR, BOUND_LINE, BUSIEST
from charts.shapes import GROUND, Box, Text, across, down, length_of, round_values
from charts.templates import template
from evaluation.wording import amount, round_amount

_ROOM: Final = 1.18
"""The axis ends so far above the highest bar, for its figure."""
_FILLED: Final = 0.82
_MOST_NAMED: Final = 30
_LEFT, _RIGHT = 10.0, 90.0
"""From left and right of these per cents on, a figure is beside its bar's middle."""


def chart_svg(chart: Chart, at: int = 0) -> Markup:
    """Return one state of a picture, on the scale of all of them; all that stands out is coloured.

    The first bar that stands out is labelled with its height.
    """
    state = chart.states[at]
    top = _ROOM * max(1, chart.line or 0, *(h for each in chart.states for h in each.heights))
    step = 100 / max(len(state.heights), 1)
    names = chart.names if len(chart.names) <= _MOST_NAMED else ()
    return Markup(  # noqa: S704 -- the template escapes
        template("panel.svg.jinja").render(
            described=f"{state.label}: {chart.alt}",
            has_titles=True,
            ground=GROUND,
            height=GROUND + 6 + length_of(names),
            ticks=[Text(0, down(v, top), round_amount(v)) for v in round_values(top)],
            outline="",
            bars=list(_bars(chart, state, top)),
            whisker=None,
            line_y=None if chart.line is None else down(chart.line, top),
            mark=_mark(state, top),
            cells=[],
            names=[Text(across(k, step), GROUND + 5, name) for k, name in enumerate(names)],
            line_colour=BOUND_LINE if chart.is_line_bound else "currentColor",
            mark_colour=ALARM if chart.is_alarm else BUSIEST,
        )
    )


def _bars(chart: Chart, state: Heights, top: float) -> Iterator[Box]:
    step = 100 / max(len(state.heights), 1)
    for k, height in enumerate(state.heights):
        is_unknown = bool(state.is_partly_unknown) and state.is_partly_unknown[k]
        fill = BAR
        if k in state.marked:
            fill = ALARM if chart.is_alarm else BUSIEST
        elif is_unknown:
            fill = "url(#hatch)"
        y = min(down(height, top), GROUND - 3.0) if is_unknown else down(height, top)
        name = f"{chart.names[k]}: " if chart.names else ""
        left = round((k + (1 - _FILLED) / 2) * step, 2)
        is_idle = bool(state.is_idle) and state.is_idle[k]
        label = f"{name}idle" if is_idle else f"{name}{height:,}"
        yield Box(left, y, round(step * _FILLED, 2), round(GROUND - y, 1), fill, label)


def _mark(state: Heights, top: float) -> Text | None:
    if not state.marked:
        return None
    k = max(state.marked, key=state.heights.__getitem__)
    x = across(k, 100 / len(state.heights))
    anchor = "start" if x < _LEFT else "end" if x > _RIGHT else "middle"
    return Text(x, down(state.heights[k], top), amount(state.heights[k]), anchor)
