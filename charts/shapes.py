"""What drawings of bars consist of: in per cent from left to right, in pixels from top to bottom.

``panel.svg.jinja`` draws them.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

GROUND: Final = 150
"""The base line of the bars, in pixels from the top."""
_PER_LETTER: Final = 6.8
_MOST_TICKS: Final = 4


class Box(NamedTuple):
    """A bar or a cell, horizontally in per cent; the label is unescaped."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    label: str
    opacity: float = 1.0


class Text(NamedTuple):
    """An unescaped text, and where it stands."""

    x: float
    y: float
    text: str
    anchor: str = ""


def across(place: float, step: float) -> float:
    """Return the centre of a place; each is a step wide."""
    return round((place + 0.5) * step, 2)


def down(value: float, top: float) -> float:
    """Return where a value stands on an axis that ends at the top."""
    return round(GROUND * (1 - value / top), 1)


def length_of(names: Sequence[str]) -> int:
    """Return the pixels that the longest name takes, upright below the bars."""
    return round(_PER_LETTER * max(map(len, names), default=0))


def round_values(top: float) -> list[int]:
    """Return 0 and multiples of 1, 2 or 5 times a power of ten, few enough to read.

    >>> round_values(23_000)
    [0, 10000, 20000]
    """
    size = 10 ** max(math.floor(math.log10(top)) - 1, 0)
    step = next(n * size for n in (1, 2, 5, 10, 20, 50, 100) if top / (n * size) < _MOST_TICKS)
    return list(range(0, math.floor(top) + 1, step))
