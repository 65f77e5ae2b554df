"""Option values shared by several commands: durations, counts, client properties."""

import codecs
import math
import re
from argparse import ArgumentTypeError
from datetime import timedelta
from pathlib import Path
from typing import Final

from live.prometheus.quoting import is_label

_MOST_BYTES: Final = 1_000_000
"""The largest properties file, certificates included."""
_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_DAY: Final = timedelta(days=1)
_LONGEST: Final = 36_500 * _DAY
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([smhd]?)")


def duration(text: str) -> timedelta:
    """Return a duration, in seconds unless a unit follows.

    >>> [duration(text).total_seconds() for text in ("1.5", "30s", "2m", " 1 h", "7d")]
    [1.5, 30.0, 120.0, 3600.0, 604800.0]
    """
    return _duration(text, "a time", above=-_DAY, most=_LONGEST)


def interval(text: str) -> timedelta:
    """Return a duration above 0 and of at most a day."""
    return _duration(text, "a time above 0, at most a day,", above=0 * _DAY, most=_DAY)


def elapsed(text: str) -> timedelta:
    """Return a duration above 0."""
    return _duration(text, "a time above 0", above=0 * _DAY, most=_LONGEST)


def _duration(text: str, expected: str, above: timedelta, most: timedelta) -> timedelta:
    match = _DURATION.fullmatch(text.strip())
    seconds = float(match[1]) * _SECONDS[match[2]] if match else math.nan
    if not above.total_seconds() < seconds <= most.total_seconds():
        message = f"expected {expected} like 30s, 2m, 1h or 1d, found {text!r}"
        raise ArgumentTypeError(message)
    return timedelta(seconds=seconds)


def count(text: str) -> int:
    """Return a whole number above zero."""
    if not text.isdecimal() or not int(text):
        message = f"expected a whole number of at least 1, found {text!r}"
        raise ArgumentTypeError(message)
    return int(text)


def properties_text(file: str) -> str:
    """Return the text of a file of client properties: UTF-8, or UTF-16 as PowerShell writes it."""
    try:
        with Path(file).open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # a name may be none at all
        message = f"{file} cannot be read: {getattr(error, 'strerror', error)}"
        raise ArgumentTypeError(message) from error
    if len(data) > _MOST_BYTES:
        message = f"{file} has more than {_MOST_BYTES:,} bytes; expected client properties"
        raise ArgumentTypeError(message)
    is_utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if is_utf_16 else "utf-8", errors="replace")


def label_name(text: str) -> str:
    """Return the name of a label of Prometheus."""
    if not is_label(text):
        message = f"expected the name of a label such as cluster, found {text[:60]!r}"
        raise ArgumentTypeError(message)
    return text
