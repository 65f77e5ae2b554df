"""The report's pictures: a strategy's panel as SVG, which needs no script.

Colours that follow the reader's theme are classes of ``report.css``. Every name passes
``escape``.
"""

import math
from collections.abc import Iterator
from html import escape
from typing import Final, NewType

import numpy as np
from plotly.colors import sample_colorscale

from assignors.model import Group
from assignors.ragged import changes
from charts.colour_scale import inks
from charts.loads import MAX_NAMED, MOST_WRITTEN, Bars, Scale, bars_of, names_below, whisker
from charts.palette import BAR, BOUND_LINE, BUSIEST, MEAN_LINE, SCALE
from evaluation.compare import Outcome
from evaluation.wording import compact, plural, round_amount

Svg = NewType("Svg", str)
"""Generated markup, the only text that a report does not escape."""

_PATTERNS: Final = {BAR: "hatch", BUSIEST: "hatch-busiest"}
_PATTERN: Final = (
    '<pattern id="{name}" width="5" height="5" patternUnits="userSpaceOnUse">'
    '<rect width="5" height="5" fill="{colour}"/>'
    '<path d="M-1 1L1-1M0 5L5 0M4 6L6 4" class="hatch"/></pattern>'
)
_DRAWN: Final = "".join(
    _PATTERN.format(name=name, colour=colour) for colour, name in _PATTERNS.items()
)
HATCH: Final = Svg(f'<svg width="0" height="0" aria-hidden="true">{_DRAWN}</svg>')
"""The fill of bars with partly unknown lag; defined once on a page."""

_WIDTH: Final = 260
_LEFT: Final = 34
_GROUND: Final = 120
"""The base line of the bars."""
_STRIP: Final = 15
_PER_LETTER: Final = 5.2
_MAX_SEPARATE: Final = 100
"""More bars than this are one outline."""
_STUB: Final = 3.0
"""The least height of a bar of unknown lag, to keep it visible."""
_MOST_TICKS: Final = 4


def panel_svg(group: Group, outcome: Outcome, scale: Scale, described: str) -> Svg:
    """Return bars of load and a strip of partition counts; ``described`` is the alt text."""
    drawn, names = bars_of(group, outcome, by_lag=scale.by_lag), names_below(group)
    ends = whisker(outcome, scale)
    step = (_WIDTH - _LEFT) / max(group.member_count, 1)
    lowest = _GROUND + (_STRIP + 3 if scale.by_lag else 2)
    height = lowest + 4 + round(_PER_LETTER * max(map(len, names), default=0))
    parts = [
        *_axis(scale),
        *(_outline(drawn, scale, step) if drawn.places.size > _MAX_SEPARATE else ()),
        *(_bars(drawn, scale, step) if drawn.places.size <= _MAX_SEPARATE else ()),
        *_best_possible(scale),
        *_whisker(drawn, ends, scale, step),
        *_busiest(drawn, scale, step, ends[1] if ends else 0),
        *(_strip(drawn, scale, step) if scale.by_lag else ()),
        *_names(names, step, lowest + 3),
    ]
    return Svg(
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(described)}">'
        f"{''.join(parts)}</svg>"
    )


def _y(value: float, scale: Scale) -> float:
    return _GROUND * (1 - min(value, scale.highest) / scale.top)


def _middle(drawn: Bars, k: int, step: float) -> float:
    return _LEFT + (float(drawn.places[k]) + 0.5) * step


def _axis(scale: Scale) -> Iterator[str]:
    """Draw lines at round values, few enough to read."""
    for value in _round_values(scale.top):
        y = _GROUND * (1 - value / scale.top)
        label = round_amount(value)
        yield f'<path d="M{_LEFT} {y:.1f}H{_WIDTH}" class="rule"/>'
        yield f'<text x="{_LEFT - 3}" y="{y + 3:.1f}" class="value">{label}</text>'


def _round_values(top: float) -> list[int]:
    """Return 0 and multiples of 1, 2 or 5 times a power of ten.

    >>> _round_values(23_000)
    [0, 10000, 20000]
    """
    size = 10 ** max(math.floor(math.log10(top)) - 1, 0)
    step = next(n * size for n in (1, 2, 5, 10, 20, 50, 100) if top / (n * size) < _MOST_TICKS)
    return list(range(0, math.floor(top) + 1, step))


def _bars(drawn: Bars, scale: Scale, step: float) -> Iterator[str]:
    width = drawn.width * step * 0.85
    for k, (height, unknown) in enumerate(
        zip(drawn.heights.tolist(), drawn.unknown.tolist(), strict=True)
    ):
        y = min(_y(height, scale), _GROUND - (_STUB if unknown else 0))
        colour = BUSIEST if k == drawn.busiest else BAR
        fill = f"url(#{_PATTERNS[colour]})" if unknown else colour
        text = f"{drawn.names[k]}: {height:,} {scale.unit}"
        if scale.by_lag:
            count = int(drawn.counts[k])
            text += f", {plural(count, 'partition')}"
        if unknown:
            text += f", {unknown:,} of unknown lag"
        yield (
            f'<rect x="{_middle(drawn, k, step) - width / 2:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{_GROUND - y:.1f}" fill="{fill}"><title>{escape(text)}</title></rect>'
        )


def _outline(drawn: Bars, scale: Scale, step: float) -> Iterator[str]:
    half = drawn.width * step / 2
    path = [f"M{_LEFT} {_GROUND}"]
    for k, height in enumerate(drawn.heights.tolist()):
        path.append(f"V{_y(height, scale):.1f}H{_middle(drawn, k, step) + half:.1f}")
    yield f'<path d="{"".join(path)}V{_GROUND}Z" fill="{BAR}"/>'


def _best_possible(scale: Scale) -> Iterator[str]:
    if scale.best_possible is not None and scale.best_possible <= scale.top:
        y = _GROUND * (1 - scale.best_possible / scale.top)
        yield (
            f'<path d="M{_LEFT} {y:.1f}H{_WIDTH}" stroke="{BOUND_LINE}" stroke-width="1.5" '
            'stroke-dasharray="6 3"/>'
        )


def _whisker(
    drawn: Bars, ends: tuple[float, float] | None, scale: Scale, step: float
) -> Iterator[str]:
    """Draw the range of the busiest consumer's load as a thin line over its bar."""
    if ends is not None:
        x = _middle(drawn, max(drawn.busiest, 0), step)
        low, high = (_y(end, scale) for end in ends)
        path = f"M{x - 3:.1f} {low:.1f}h6M{x - 3:.1f} {high:.1f}h6M{x:.1f} {low:.1f}V{high:.1f}"
        yield f'<path d="{path}" stroke="{MEAN_LINE}" stroke-width="1.5" fill="none"/>'


def _busiest(drawn: Bars, scale: Scale, step: float, lowest: float) -> Iterator[str]:
    """Label the busiest consumer's bar, with an arrow if it is cut; at ``lowest`` or higher."""
    k = drawn.busiest
    if k < 0:
        return
    value, x = int(drawn.heights[k]), _middle(drawn, k, step)
    y = _y(max(value, lowest), scale)
    arrow = " ▲" if value > scale.highest else ""
    third = drawn.places.size / 3
    anchor = "start" if k < third else "end" if k >= 2 * third else "middle"
    yield f'<path d="M{x:.1f} {y:.1f}V{y - 4:.1f}" stroke="{BUSIEST}" stroke-width="2"/>'
    yield (
        f'<text x="{x:.1f}" y="{y - 6:.1f}" text-anchor="{anchor}" class="busiest">'
        f"{compact(value)}{arrow}</text>"
    )


def _strip(drawn: Bars, scale: Scale, step: float) -> Iterator[str]:
    """Draw a cell for each run of bars with the same number of partitions."""
    shares = drawn.counts / max(scale.most_partitions, 1)
    colours = sample_colorscale(SCALE, shares.tolist())
    is_written = drawn.counts.size <= MAX_NAMED and scale.most_partitions <= MOST_WRITTEN
    first = np.arange(drawn.counts.size) if is_written else np.flatnonzero(changes(drawn.counts))
    lengths = np.diff(np.append(first, drawn.counts.size))
    on_cells = inks(shares[first].tolist())
    for k, length, ink in zip(first.tolist(), lengths.tolist(), on_cells, strict=True):
        x, width = _LEFT + k * drawn.width * step, length * drawn.width * step
        yield (
            f'<rect x="{x:.1f}" y="{_GROUND + 3}" width="{min(width, _WIDTH - x):.1f}" '
            f'height="{_STRIP}" fill="{colours[k]}"/>'
        )
        if is_written:
            kind = "cell" if ink == "#ffffff" else "cell pale"
            yield (
                f'<text x="{x + width / 2:.1f}" y="{_GROUND + 14}" text-anchor="middle" '
                f'class="{kind}">{drawn.counts[k]}</text>'
            )


def _names(names: list[str], step: float, y: int) -> Iterator[str]:
    for k, name in enumerate(names):
        x = _LEFT + (k + 0.5) * step
        yield (
            f'<text transform="translate({x + 3:.1f} {y}) rotate(-90)" text-anchor="end" '
            f'class="name">{escape(name)}</text>'
        )
