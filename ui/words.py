"""Figures as people read them."""

import re
from typing import Final

_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>#$~:|])")
_PREFIXES: Final = (("G", 10**9, 10**9), ("M", 10**6, 10**6), ("k", 10**4, 10**3))
"""Prefix, from which value on it is used, and what it stands for."""
_ONE_PERCENT: Final = 0.01


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


def plain(text: str) -> str:
    r"""Return the text so that Markdown shows it as it stands.

    >>> print(plain("t_1: $5"))
    t\_1\: \$5
    """
    return _MARKDOWN.sub(r"\\\1", text)


def plural(count: int, noun: str) -> str:
    """Return ``1 consumer``, ``2,000 consumers``.

    >>> plural(1, "consumer"), plural(2000, "topic")
    ('1 consumer', '2,000 topics')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


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
    return (
        f"{share:.0%} above".replace("%", " %") if share >= _ONE_PERCENT else "less than 1 % above"
    )
