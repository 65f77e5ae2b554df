"""A time as a line states it: ISO 8601, an epoch, what ``date`` prints in English, or a clock.

Dates in other languages and orders are not read. Beside each clock stands what surrounds it: two
lines that differ in their clocks alone are of one day, whatever language names it.
"""

import re
from datetime import date, timedelta
from typing import Final, NamedTuple

_MONTHS: Final = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)
_MONTH: Final = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]{{0,6}}"
_WEEKDAY: Final = r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},?\s+"
_ALONE: Final = rf"(?:{_WEEKDAY}|(?<![^\W\d_]\s)(?<![^\W\d_][.,]\s)(?<![\w.+-]))"
"""A word before a date that is no weekday may be one of another language and its customs."""
_TIME: Final = (
    r"(?P<clock>\d\d?:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(?![\d:])(?:\s?(?P<half>[AP]M)\b)?"
    r"(?:\s?(?P<zone>Z\b|(?:UTC|GMT)?[+-]\d\d?(?::?\d\d)?(?![\d-])"
    r"|(?-i:[A-Z]{3,5})\b(?!\s*[:=/])))?"
)
_YEAR: Final = r"(?P<year>20\d\d)"
_DAY: Final = r"(?P<day>\d\d?)"
_BEHIND: Final = r"(?:\s(?P<offset>[+-]\d{4})\b)?"
_BY_NUMBERS: Final = rf"(?<![\w.+-]){_YEAR}(?P<mark>[-/])(?P<number>\d\d)(?P=mark){_DAY}"
_DATED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_BY_NUMBERS}[T ,_]{{1,2}}{_TIME}",
        rf"{_ALONE}{_MONTH}\s+{_DAY},?\s+{_TIME}\s+{_YEAR}{_BEHIND}",
        rf"{_ALONE}{_DAY}[\s/]{_MONTH}[\s/]{_YEAR}[\s:]{_TIME}",
        rf"{_WEEKDAY}{_DAY}\s{_MONTH}\s{_TIME}\s+{_YEAR}",
        rf"{_WEEKDAY}{_MONTH}\s+{_DAY},\s{_YEAR}[\s,]+(?:at\s)?{_TIME}",
    )
)
"""ISO 8601 and logs; ``date`` in C, ``watch``, git; RFC 2822, ``date`` in English, access logs;
``date`` in British English; PowerShell."""
_CLOCK: Final = re.compile(r"(?<![\d:.])\d\d?:\d\d:\d\d(?:[.,]\d{1,9})?(?![\d:])(?:\s?[AP]M\b)?")
_EPOCH: Final = re.compile(r"\W{0,3}(1\d{9})(?:\.(\d{1,9})|(\d{3}|\d{6}|\d{9}))?\W{0,3}")
"""``date +%s``, or in thousandths, millionths, billionths."""
_LEVEL: Final = re.compile(r"\b(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|SEVERE)\b")
_LASTED: Final = re.compile(r"(?i)\b(?:took|elapsed|up|in|for|after|duration|uptime)\W{0,3}$")
_OFFSET: Final = re.compile(r"(?:UTC|GMT)?([+-])(\d\d?)(?::?(\d\d))?")
_LONGEST: Final = 80
"""Characters to either side of a clock in which its date may stand."""
_MOST_WORDS: Final = 6
"""Chunks to either side of a clock that may be parts of its date."""


class Written(NamedTuple):
    """A time in a line."""

    text: str
    """As it is written there."""
    clock_s: float
    """Seconds since midnight."""
    day: date | None = None
    """None if the line names none, or none that is understood."""
    zone: str = ""
    """An abbreviation."""
    offset_s: float | None = None
    """Ahead of UTC, if stated as a number."""
    around: str = ""
    """The text around a clock that has no day we understand."""
    may_be_dated: bool = False
    """Whether there are figures or a word among that which may be a date."""
    has_seconds: bool = True
    form: tuple[str, bool, int] = ("", False, 0)
    """What kind of line it is: a log's level, whether there is more than the time, its pattern."""


def written_in(line: str) -> Written | None:
    """Return the time in a line, with its day if there is one; None without a clock."""
    if (epoch := _EPOCH.fullmatch(line)) is not None:
        seconds, fraction, more = epoch.groups("")
        at_s = float(f"{seconds}.{fraction or more}")
        day = date(1970, 1, 1) + timedelta(days=int(at_s // 86_400))
        return Written(line.strip(), at_s % 86_400, day, offset_s=0.0)
    if ":" not in line:
        return None
    for number, pattern in enumerate(_DATED, 1):
        for found in pattern.finditer(line):
            written = _dated(line, found, number)
            if written is not None:
                return written
    clocks = (_alone(line, found) for found in _CLOCK.finditer(line))
    return next(filter(None, clocks), None)


def _dated(line: str, found: re.Match[str], pattern: int) -> Written | None:
    parts = found.groupdict()
    month = int(parts["number"]) if "number" in parts else _month(parts["month"])
    clock_s = _clock_s(parts["clock"], parts["half"])
    try:
        day = date(int(parts["year"]), month, int(parts["day"]))
    except ValueError:
        return None
    if clock_s is None:
        return None
    zone, offset_s = _zone(parts["zone"] or "")
    if parts.get("offset"):
        zone, offset_s = _zone(parts["offset"])
    has_seconds = parts["clock"].count(":") > 1
    form = _form(line, found[0], pattern)
    return Written(found[0], clock_s, day, zone, offset_s, has_seconds=has_seconds, form=form)


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _alone(line: str, found: re.Match[str]) -> Written | None:
    """Return a clock whose day is not understood, with what stands around it."""
    before = line[max(found.start() - _LONGEST, 0) : found.start()]
    after = line[found.end() : found.end() + _LONGEST]
    half = found[0][-2:] if found[0][-1] in "mM" else None
    clock_s = _clock_s(found[0][:-2].strip() if half else found[0], half)
    if clock_s is None or _LASTED.search(before):
        return None
    near = [*before.split()[-_MOST_WORDS:], *after.split()[:_MOST_WORDS]]
    beside = [*before.split()[-1:], *after.split()[:1]]
    may_be_dated = any(map(_may_be_date, near)) or any(map(_may_be_name, beside))
    around = f"{before}\0{after}" if may_be_dated else ""
    form = _form(line, found[0], 0)
    return Written(found[0], clock_s, around=around, may_be_dated=may_be_dated, form=form)


def _may_be_date(chunk: str) -> bool:
    """Return whether a chunk beside a clock is a number, or a date in some order."""
    plain = chunk.strip("()[]{},;.*=\"'`|、。")
    digits = sum(map(str.isdigit, plain))
    return digits > 0 and 2 * digits >= len(plain) and ":" not in plain  # "b1:9092"


def _may_be_name(chunk: str) -> bool:
    """Return whether a chunk at a clock's side is a word, such as a day of the week."""
    return chunk.strip("()[]{},;.*=").isalpha()


def _form(line: str, text: str, pattern: int) -> tuple[str, bool, int]:
    level = _LEVEL.search(line)
    has_more = any(map(str.isalpha, line.replace(text, "", 1)))
    return level[0] if level else "", has_more, pattern


def _clock_s(clock: str, half: str | None) -> float | None:
    """Return the seconds since midnight; None if no clock shows that."""
    hours, minutes, *seconds = clock.replace(",", ".").split(":")
    hour, minute, second = int(hours), int(minutes), float(seconds[0] if seconds else 0)
    if half is not None:
        if not 1 <= hour <= 12:  # noqa: PLR2004 -- a clock's
            return None
        hour = hour % 12 + 12 * (half.lower() == "pm")
    if hour > 23 or minute > 59 or second >= 61:  # noqa: PLR2004 -- a clock's
        return None
    return 3600.0 * hour + 60.0 * minute + second


def _zone(text: str) -> tuple[str, float | None]:
    """Return an abbreviation, or the seconds ahead of UTC that a zone states."""
    if text.upper() in {"Z", "UTC", "GMT"}:
        return "", 0.0
    if (offset := _OFFSET.fullmatch(text)) is None:
        return text, None
    seconds = 3600.0 * int(offset[2]) + 60.0 * int(offset[3] or 0)
    return "", -seconds if offset[1] == "-" else seconds
