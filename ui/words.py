"""Figures as people read them."""

import math
from typing import Final

_PREFIXES: Final = (("G", 10**9, 10**9), ("M", 10**6, 10**6), ("k", 10**4, 10**3))
"""Prefix, from which value on it is used, and what it stands for."""
_ONE_PERCENT: Final = 0.01
_YEAR: Final = 31_536_000
_UNITS: Final = (("d", 86_400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1))
"""A unit and the next smaller one, each with its seconds."""


def amount(value: float | None) -> str:
    """Return a count of records in three figures; unknown is not zero.

    >>> amount(8_123), amount(21_520_518), amount(None)
    ('8,123', '21.5 M', 'unknown')
    """
    if value is None:
        return "unknown"
    for prefix, least, size in _PREFIXES:
        if abs(value) >= least:
            digits = 0 if abs(value) >= 100 * size else 1
            return f"{value / size:,.{digits}f} {prefix}"
    return f"{value:,.4g}" if value % 1 else f"{value:,.0f}"


def sentence(text: str) -> str:
    """Return an error's text as a sentence of its own; a file's or a setting's name stays.

    >>> sentence("line 3: expected a number"), sentence("lags.csv, line 2: no number")
    ('Line 3: expected a number.', 'lags.csv, line 2: no number.')
    """
    is_word = text.partition(" ")[0].rstrip(",:").isalpha()
    first = text[:1].upper() if is_word else text[:1]
    return f"{first}{text[1:].removesuffix('.')}."


def above(value: float | None, bound: float | None) -> str:
    """Return how far a value lies above a bound, in words.

    >>> above(150, 100), above(100, 100), above(None, 100)
    ('50 % above', 'at', 'unknown against')
    """
    if value is None or bound is None:
        return "unknown against"
    if value <= bound:
        return "at"
    if not bound:
        return "above"
    share = value / bound - 1
    return f"{share:.0%} above".replace("%", " %") if share >= _ONE_PERCENT else "under 1 % above"


def duration(seconds: float) -> str:
    """Return a time in the two largest units that tell it; infinite is never.

    >>> duration(2.5), duration(2460), duration(9000), duration(math.inf)
    ('2.5 s', '41 min', '2 h 30 min', 'never')
    >>> duration(7199.9), duration(86_400 * 3.5), duration(59.6)
    ('2 h', '3 d 12 h', '1 min')
    """
    if not math.isfinite(seconds):
        return "never"
    if seconds >= 2 * _YEAR:
        return f"{seconds / _YEAR:,.0f} years"
    for unit, size, smaller, step in _UNITS:
        whole, rest = divmod(round(seconds / step), size // step)
        if whole:
            return f"{whole:,} {unit} {rest} {smaller}" if rest else f"{whole:,} {unit}"
    return f"{seconds:.1f} s".replace(".0 s", " s")
