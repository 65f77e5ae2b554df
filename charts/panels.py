"""A strategy's panel as SVG, for the pages and the report, which runs no script.

The drawing is as wide as its place: what stands from left to right is in per cent, what stands from
top to bottom, and texts, in pixels. ``panel.css`` colours it by the reader's theme.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from markupsafe import Markup

from assignors.ragged import changes
from charts.loads import Panel, Strip
from charts.palette import ALARM, BAR, BOUND_LINE, BUSIEST, REFERENCE
from charts.shapes import GROUND, Box, Text, across, down, length_of, round_values
from charts.templates import template
from evaluation.wording import round_amount

_HATCHES: Final = {BAR: "hatch", BUSIEST: "hatch-busiest", ALARM: "hatch-alarm"}
"""The fills of bars with partly unknown load, by colour."""
STYLE: Final = Path(__file__).with_name("panel.css").read_text(encoding="utf-8")
LEFT: Final = 40
"""Pixels left of the bars, for the amounts; ``panel.css`` leaves them free."""
_STRIP: Final = 18
_STUB: Final = 3.0
"""The least height of a bar of unknown lag, to keep it visible."""
_ANCHORS: Final = {"right": "start", "left": "end", "center": "middle"}


class _Whisker(NamedTuple):
    """A vertical line between two ends."""

    x: float
    low: float
    high: float


def hatches_svg() -> Markup:
    """Return what defines these fills; it stands once beside the drawings."""
    return Markup(  # noqa: S704 -- the template escapes
        template("hatches.svg.jinja").render(hatches=_HATCHES)
    )


def panel_svg(panel: Panel, described: str, *, has_titles: bool = True) -> Markup:
    """Return bars of load and a strip of partition counts; ``described`` is the alt text.

    With titles a browser says of itself what a bar is. The busiest consumer has its own colour and
    label, unless all are equal; hatched bars include partitions of unknown load.
    """
    scale, step = panel.scale, 100 / max(panel.members, 1)
    lowest = GROUND + (_STRIP + 3 if panel.strip else 2)
    ends, mark, line = panel.whisker, panel.mark, scale.lower_bound
    return Markup(  # noqa: S704 -- the template escapes
        template("panel.svg.jinja").render(
            described=described,
            has_titles=has_titles,
            ground=GROUND,
            height=lowest + 4 + length_of(panel.names),
            ticks=[Text(0, down(v, scale.top), round_amount(v)) for v in round_values(scale.top)],
            members=panel.members,
            outline=_outline(panel) if panel.is_outline else "",
            bars=[] if panel.is_outline else list(_bars(panel, step)),
            line_y=None if line is None or line > scale.top else down(line, scale.top),
            whisker=ends
            and _Whisker(across(panel.whisker_place, step), *(down(e, scale.top) for e in ends)),
            mark=mark
            and Text(
                across(mark.place, step),
                down(mark.height, scale.top),
                mark.text,
                _ANCHORS[mark.side],
            ),
            cells=list(_cells(panel.strip, panel.bars.width * step)) if panel.strip else [],
            names=[Text(across(k, step), lowest + 3, name) for k, name in enumerate(panel.names)],
            bar_colour=BAR,
            line_colour=BOUND_LINE,
            whisker_colour=REFERENCE,
            mark_colour=panel.peak,
        )
    )


def _bars(panel: Panel, step: float) -> Iterator[Box]:
    bars = panel.bars
    width = bars.width * step * 0.85
    for k, (top, unknown) in enumerate(
        zip(panel.tops.tolist(), bars.unknown.tolist(), strict=True)
    ):
        height = max(GROUND * top / panel.scale.top, _STUB if unknown else 0)
        colour = panel.peak if k == bars.busiest else BAR
        yield Box(
            x=round(across(bars.places[k], step) - width / 2, 2),
            y=round(GROUND - height, 1),
            width=round(width, 2),
            height=round(height, 1),
            fill=f"url(#{_HATCHES[colour]})" if unknown else colour,
            label=panel.labels[k],
        )


def _outline(panel: Panel) -> str:
    """Return the path of all bars together; its horizontal unit is a consumer."""
    half = panel.bars.width / 2
    path = [f"M0 {GROUND}"]
    for place, top in zip(panel.bars.places.tolist(), panel.tops.tolist(), strict=True):
        path.append(f"V{down(top, panel.scale.top)}H{min(place + 0.5 + half, panel.members):g}")
    return f"{''.join(path)}V{GROUND}Z"


def _cells(strip: Strip, width: float) -> Iterator[Box]:
    """Yield a cell for each run of bars with the same number of partitions.

    A number where there is room for it, else a shade of the bars' colour, on either theme.
    """
    every = np.arange(strip.counts.size)
    first = every if strip.is_written else np.flatnonzero(changes(strip.counts))
    lengths = np.diff(np.append(first, strip.counts.size))
    for k, length in zip(first.tolist(), lengths.tolist(), strict=True):
        x = k * width
        yield Box(
            x=round(x, 2),
            y=GROUND + 3,
            width=round(min(length * width, 100 - x), 2),
            height=_STRIP,
            fill="none" if strip.is_written else BAR,
            label=str(strip.counts[k]) if strip.is_written else "",
            opacity=1.0 if strip.is_written else round(float(strip.shares[k]), 2),
        )
