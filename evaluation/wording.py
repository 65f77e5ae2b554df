"""Names, numbers and times in words, for all packages."""

import math
import re
from collections.abc import Sequence
from typing import Final

UUID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""As Kafka's clients and brokers append it to a client id, after a hyphen."""
_APPENDED_UUID: Final = re.compile(f"-?{UUID}$")
_PREFIXES: Final = (("G", 10**9, 10**9), ("M", 10**6, 10**6), ("k", 10**4, 10**3))
"""Prefix, smallest value it is used for, and its unit."""
_ZEROS: Final = re.compile(r"\.0+(?= )|(?<=\.\d)0(?= )")
_LONG_MAX: Final = 2**63 - 1
_EDGE: Final = 0.05
_WHOLE: Final = 100
_ONE_PERCENT: Final = 0.01
_YEAR: Final = 31_536_000
_NUMBER: Final = re.compile(r"(\d{1,18})")
_UNITS: Final = (("d", 86_400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1))
"""A unit and the next smaller one, each with its seconds."""


def plural(count: int, noun: str) -> str:
    """Return ``1 consumer``, ``2,000 consumers``.

    >>> plural(1, "consumer"), plural(2000, "topic")
    ('1 consumer', '2,000 topics')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def ordinal(number: int) -> str:
    """Return ``1st``, ``12th``, ``23rd``.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '112th']
    """
    is_teen = number // 10 % 10 == 1
    ending = "th" if is_teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def listed(names: Sequence[str], most: int = 6) -> str:
    """Join names in a sentence; beyond ``most``, name one fewer and count the rest.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([])
    ('a, b and c', 'a', 'nobody')
    >>> listed([str(n) for n in range(9)])
    '0, 1, 2, 3, 4 and 4 more'
    """
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1:,} more"]
    *others, last = names or ["nobody"]
    return f"{', '.join(others)} and {last}" if others else last


def natural(name: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts names as people count.

    >>> sorted(["c-10", "c-2", "b-3"], key=natural)
    ['b-3', 'c-2', 'c-10']
    """
    parts = _NUMBER.split(name)
    return [(0, int(part), "") if k % 2 else (1, 0, part) for k, part in enumerate(parts)]


def without_uuid(name: str) -> str:
    """Return the name without the UUID that Kafka appends to it."""
    return _APPENDED_UUID.sub("", name)


def without_uuids(members: Sequence[str]) -> tuple[str, ...]:
    """Return the ids without the UUID that Kafka appends, if they stay distinct.

    >>> without_uuids(["c-1-0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07", "c-2"])
    ('c-1', 'c-2')
    """
    short = tuple(without_uuid(member) for member in members)
    return short if all(short) and len(set(short)) == len(short) else tuple(members)


def amount(value: float | None) -> str:
    """Return a count of records in three digits; unknown is not zero.

    Sums that exceed 64 bits are stored as the largest number of those.

    >>> amount(8_123), amount(21_520_518), amount(1_973_104), amount(None), amount(2**63 - 1)
    ('8,123', '21.5 M', '1.97 M', 'unknown', 'over 9.2e18')
    """
    if value is None:
        return "unknown"
    if value >= _LONG_MAX:
        return "over 9.2e18"
    for prefix, least, size in _PREFIXES:
        if abs(value) >= least:
            digits = 2 - min(len(f"{abs(value) // size:.0f}") - 1, 2)
            return f"{value / size:,.{digits}f} {prefix}"
    return f"{value:,.4g}" if value % 1 else f"{value:,.0f}"


def rate_amount(per_s: float) -> str:
    """Return a rate to three digits, and one below a tenth to two: little is not nothing.

    >>> rate_amount(1234.56), rate_amount(445.6), rate_amount(44.56), rate_amount(0.26)
    ('1,235', '446', '44.6', '0.3')
    >>> rate_amount(0.0123), rate_amount(0)
    ('0.012', '0')
    """
    if 0 < abs(per_s) < _EDGE:
        return f"{per_s:.2g}"
    return amount(round(per_s, 0 if abs(per_s) >= _WHOLE else 1))


def round_amount(value: float) -> str:
    """Return an amount as an axis says it, without zeros at its end.

    >>> round_amount(2_000_000), round_amount(1_500_000), round_amount(20_000), round_amount(2.5)
    ('2 M', '1.5 M', '20 k', '2.5')
    """
    return _ZEROS.sub("", amount(value))


def sentence(text: str) -> str:
    """Return an error's text as a sentence; the name of a file or setting stays as it is.

    >>> sentence("line 3: expected a number"), sentence("lags.csv, line 2: no number")
    ('Line 3: expected a number.', 'lags.csv, line 2: no number.')
    >>> sentence("there is no column 'lags'; did you mean 'lag'?")
    "There is no column 'lags'; did you mean 'lag'?"
    """
    is_word = text.partition(" ")[0].rstrip(",:").isalpha()
    first = text[:1].upper() if is_word else text[:1]
    end = "" if text.endswith((".", "?")) else "."
    return f"{first}{text[1:]}{end}"


def above(value: float | None, bound: float | None) -> str:
    """Return how far a value is above a bound, in words.

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


def percent(share: float) -> str:
    """Return a share in percent, to a tenth where a whole one would hide that some is left.

    >>> percent(0.37), percent(0.988), percent(0.005), percent(0.9999), percent(1.0)
    ('37 %', '98.8 %', '0.5 %', '99.9 %', '100 %')
    """
    if _EDGE <= share <= 1 - _EDGE or share in {0.0, 1.0}:
        return f"{share:.0%}".replace("%", " %")
    tenth = min(max(share, 0.001), 0.999) if 0 < share < 1 else share
    return f"{tenth:.1%}".replace(".0%", "%").replace("%", " %")


def duration(seconds: float) -> str:
    """Return a time in its two largest units; infinite is never.

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
