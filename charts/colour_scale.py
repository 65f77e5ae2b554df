"""Colours for amounts: a linear scale, or a logarithmic one where few amounts dwarf the rest."""

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from plotly.colors import sample_colorscale, unlabel_rgb

from charts.palette import DARK_RAMP, LIGHT_RAMP
from evaluation.wording import round_amount

_Amounts = npt.NDArray[np.float64]
_MOST_TICKS: Final = 6
_FEW_POWERS: Final = 3
_TICK_WIDTH: Final = 0.1
"""The least distance of a tick from an end of the scale, as a share of the scale."""
_LEAST_SHOWN: Final = 0.02
"""The share of cells that may be below the scale."""
_LEAST_SPAN: Final = 1.5
"""The least ratio of the scale's end to its start."""
_DWARFS: Final = 8.0
"""From this multiple of the median, the largest amount would leave the others one colour."""
_DARK: Final = 0.179
"""The luminance at which white and black text have the same contrast, 4.6:1."""

_LINEAR_BELOW: Final = 0.04045
"""The part of sRGB that is linear in light."""


class ColourScale(NamedTuple):
    """How amounts become colours."""

    low: float
    high: float
    is_log: bool
    is_less: bool
    """Whether some amounts are below ``low``, and have its colour."""

    def depth(self, amounts: _Amounts) -> _Amounts:
        """Return the position of each amount, between those of ``low`` and ``high``."""
        return np.log10(np.maximum(amounts, self.low)) if self.is_log else amounts

    @property
    def ends(self) -> tuple[float, float]:
        """The positions of the ends."""
        low, high = self.depth(np.array([self.low, self.high])).tolist()
        return low, high

    def colorbar(self, unit: str) -> dict[str, Any]:
        """Return the legend of the colours."""
        if not self.is_log:
            return {"title": {"text": unit}}
        ticks = _ticks(self.low, self.high, _TICK_WIDTH)
        return {
            "title": {"text": unit},
            "tickvals": [math.log10(tick) for tick in ticks],
            "ticktext": _tick_words(ticks, self.low, is_less=self.is_less),
        }


def linear(amounts: _Amounts) -> ColourScale:
    """Return a scale from 0 to the largest amount."""
    return ColourScale(0.0, float(np.nanmax(amounts, initial=1)), is_log=False, is_less=False)


def logarithmic(amounts: _Amounts) -> ColourScale:
    """Return a scale of equal ratios, from nearly the smallest positive amount to the largest."""
    low, high = _range(amounts)
    return ColourScale(low, high, is_log=True, is_less=bool((amounts < low).any()))


def telling(amounts: _Amounts) -> ColourScale:
    """Return the linear scale, unless the largest amount would leave the others one colour."""
    some = amounts[np.isfinite(amounts) & (amounts > 0)]
    is_dwarfed = some.size > 1 and some.max() >= _DWARFS * np.median(some)
    return logarithmic(amounts) if is_dwarfed else linear(amounts)


def ramp(*, is_dark: bool) -> list[tuple[float, str]]:
    """Return the colours of a theme as Plotly's colour scale."""
    colours = _colours(is_dark=is_dark)
    return [(k / (len(colours) - 1), colour) for k, colour in enumerate(colours)]


def _colours(*, is_dark: bool) -> Sequence[str]:
    return DARK_RAMP if is_dark else LIGHT_RAMP


def takes_white(scale: ColourScale, amounts: _Amounts, *, is_dark: bool) -> npt.NDArray[np.bool_]:
    """Return whether white, rather than black, is the clearer text on each amount's colour."""
    low, high = scale.ends
    shares = np.nan_to_num(np.clip((scale.depth(amounts) - low) / (high - low or 1.0), 0, 1))
    if not shares.size:
        return np.zeros(shares.shape, dtype=np.bool_)
    colours = sample_colorscale([*_colours(is_dark=is_dark)], shares.ravel().tolist())
    dark = [_luminance(colour) < _DARK for colour in colours]
    return np.array(dark, dtype=np.bool_).reshape(shares.shape)


def _luminance(colour: str) -> float:
    """Return the relative luminance of the WCAG, from 0 for black to 1 for white."""
    parts = np.array(unlabel_rgb(colour)) / 255
    light = np.where(parts <= _LINEAR_BELOW, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(light @ (0.2126, 0.7152, 0.0722))


def _range(cells: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the ends of the scale, which a few very small amounts do not stretch."""
    some = cells[np.isfinite(cells) & (cells > 0)]
    if not some.size:
        return 1.0, 10.0
    low, high = float(np.quantile(some, _LEAST_SHOWN, method="lower")), float(some.max())
    return (low, high) if high > low * _LEAST_SPAN else (high / _LEAST_SPAN, high)


def _ticks(low: float, high: float, apart: float) -> list[float]:
    """Return at most six round amounts from low to high, including both ends.

    None is nearer to an end than ``apart``, a share of the scale.

    >>> _ticks(1, 8, apart=0.1)
    [1, 2.0, 5.0, 8]
    >>> _ticks(70, 20_000, apart=0.04), _ticks(70, 20_000, apart=0.15)
    ([70, 100.0, 1000.0, 10000.0, 20000], [70, 1000.0, 20000])
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) <= _FEW_POWERS else (1,)
    powers = powers[:: -(-len(powers) // _MOST_TICKS)]
    inside = [step * 10.0**power for power in powers for step in steps]
    gap = (high / low) ** apart
    inside = [tick for tick in inside if low * gap < tick < high / gap]
    return [low, *inside, high] if len(inside) < _MOST_TICKS - 1 else inside


def _tick_words(ticks: Sequence[float], low: float, *, is_less: bool) -> list[str]:
    """Return the labels of the scale; the first also covers everything below."""
    words = [round_amount(tick) for tick in ticks]
    if is_less and ticks[0] == low:
        words[0] += " or less"
    return words
