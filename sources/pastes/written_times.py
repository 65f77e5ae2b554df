"""A time as a line states it: a clock, with the date and the zone around it.

Nothing is guessed: 11/12/2026 keeps both of its readings, and what looks like a date but cannot be
read makes the time one that is not understood.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from itertools import permutations, product
from typing import Final, NamedTuple

from sources.pastes import time_words
from sources.pastes.time_words import Word

_CLOCK: Final = re.compile(
    r"(?<![\d:.])(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?!:?\d)(?![.,]\d)"
)
_TRANSLATIONS: Final = (
    (
        re.compile(r"(\d{4})\s?[年년]\s{0,2}(\d{1,2})\s?[月월]\s{0,2}(\d{1,2})\s?[日일号號]"),
        r" \1-\2-\3 ",
    ),
    (
        re.compile(r"(\d{1,2})\s?[時时시點点]\s?(\d{1,2})\s?[分분]\s?(\d{1,2})\s?[秒초]"),
        lambda m: f" {m[1]}:{int(m[2]):02}:{int(m[3]):02} ",
    ),
    (re.compile(r"(\d{1,2}/[A-Za-z]{3}/\d{4}):(?=\d\d:)"), r"\1 "),
    (
        re.compile(r"(\d{4}\.?,?\s(?:\w{1,3}\.?\s)?)(\d{1,2})\.(\d\d)\.(\d\d)(?![\d.])"),
        r"\1\2:\3:\4",
    ),
    (re.compile(r"(?i)\b([ap])\.\s?m\b\.?"), r"\1m"),
)
"""Characters between the numbers of a date and of a clock; common log format; clocks with dots."""
_EPOCH: Final = re.compile(r"\W{0,3}(1\d{9})(?:\.(\d{1,9})|(\d{3}|\d{6}|\d{9}))?\W{0,3}")
"""``date +%s``, or in thousandths, millionths, billionths."""
_NUMBERS: Final = (
    re.compile(r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})\.?"),
    re.compile(r"(20\d\d)()(\d\d)(\d\d)"),
    re.compile(r"(\d{1,2})([-/.])(\d{1,2})\.?()"),
    re.compile(r"(\d{1,4})(?:\.|st|nd|rd|th|er|[ºª])?()()()"),
)
_NAMED: Final = re.compile(r"(\d{1,4})[-/.]?([^\W\d_]{3,20})[.]?[-/.]?(\d{4}|\d\d)?")
_OFFSET: Final = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?(?:\[[\w/+-]{1,40}\]?)?")
_ZONE: Final = re.compile(r"[A-Z]{2,5}")
_LEVEL: Final = re.compile(r"\b(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|SEVERE)\b")
_LASTED: Final = re.compile(r"(?i)\b(?:took|elapsed|up|in|for|after|duration|uptime)\W{0,3}$")
_WORDS_IN: Final = re.compile(r"[^\W\d_]+")
_BRACKETS: Final = dict(zip("([{", ")]}", strict=True))
_AROUND: Final = "()[],;،、。"
_MARKS: Final = re.compile(r"""[{}"'`|<>=*~]|:(?=["']?\d{4}[-/.]|["']?\d\d?[-/.])""")
"""Markup, and what stands between a key and a date."""
_DATED: Final = re.compile(r"(?<![\d.])\d{1,4}([-/.])\d{1,2}\1(?:\d{4}|\d\d)(?![\d.])")
_MOST_CHUNKS: Final = 8
_LONGEST: Final = 80
"""Characters to either side of a clock in which its date may stand."""
_YEARS: Final = range(1970, 2100)
_COMMON, _LEAP = 2001, 2000
"""Stand for the year of a date without one."""
_MONDAY: Final = date(1970, 1, 5)
"""Stands for any."""
_YEAR_DIGITS: Final = 4
_WITHOUT_HALVES: Final = frozenset({"hy", "id", "ms"})
"""Languages in which glibc's ``date`` counts twelve hours and does not say of which half."""
_MOST_NUMBERS: Final = 3
UNKNOWN_ZONE: Final = ""


class Written(NamedTuple):
    """A time in a line."""

    text: str
    """As it stands there."""
    clock_s: float
    """Seconds since midnight."""
    days: Mapping[str, date]
    """The day in each sense of its words and of the order of its numbers; empty without a day."""
    cycle: str = ""
    """What begins again: "day" for a clock alone, "week", "year"; "" for a whole date."""
    zone: str = UNKNOWN_ZONE
    """An abbreviation."""
    offset_s: float | None = None
    """Ahead of UTC, if stated as a number."""
    has_seconds: bool = True
    is_understood: bool = True
    form: tuple[str, bool, str] = ("", False, "")
    """What kind of line it is: a log's level, whether there is more than the time, its pattern."""


def written_in(line: str) -> Written | None:
    """Return the time in a line, the most complete one; None without a clock."""
    if (epoch := _EPOCH.fullmatch(line)) is not None:
        seconds, fraction, more = epoch.groups("")
        at_s = float(f"{seconds}.{fraction or more}")
        day = date.fromordinal(date(1970, 1, 1).toordinal() + int(at_s // 86_400))
        form = ("", False, "epoch")
        return Written(line.strip(), at_s % 86_400, {"": day}, offset_s=0.0, form=form)
    for pattern, plain in _TRANSLATIONS:
        line = pattern.sub(plain, line)
    if ":" not in line:
        return None
    found = list(filter(None, (_at(line, clock) for clock in _CLOCK.finditer(line))))
    return max(found, key=_completeness, default=None)


def day_in(line: str) -> Written | None:
    """Return the date that is all that a line states, as ``date /t`` does, at midnight."""
    words = line.rpartition(": ")[2]
    if len(words) > _LONGEST or not any(map(str.isdigit, words)) or ":" in words:
        return None
    found = written_in(f"{words.strip()} 00:00:00")
    return found if found and found.days and not found.form[1] else None


def _completeness(found: Written) -> tuple[bool, bool, bool]:
    return not found.cycle, found.offset_s is not None or bool(found.zone), found.has_seconds


@dataclass
class _Parts:
    """What stands around a clock, in the order of the text."""

    numbers: list[str] = field(default_factory=list)
    names: list[Word] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    half: int | None = None
    zone: str = UNKNOWN_ZONE
    offset_s: float | None = None
    is_doubtful: bool = False

    def takes(self, numbers: Sequence[str]) -> bool:
        """Return whether a date can have these numbers too."""
        both = [*self.numbers, *numbers]
        years = sum(map(_is_year, both))
        is_whole = not self.numbers and len(numbers) == _MOST_NUMBERS  # such as 26/11/23
        return years <= 1 and (is_whole or len(both) - years < _MOST_NUMBERS)


def _at(line: str, clock: re.Match[str]) -> Written | None:
    hour, minute, second = (int(each or 0) for each in clock.groups()[:3])
    before = _MARKS.sub(" ", line[max(clock.start() - _LONGEST, 0) : clock.start()])
    after = _MARKS.sub(" ", line[clock.end() : clock.end() + _LONGEST])
    if hour > 23 or minute > 59 or second > 60 or _LASTED.search(before):  # noqa: PLR2004 -- a clock's
        return None
    left, right = _Parts(), _Parts()
    _grow_left(left, before)
    _grow_right(right, after, left)
    numbers, names = [*left.numbers, *right.numbers], [*left.names, *right.names]
    half = left.half if right.half is None else right.half
    if half is not None:
        hour = hour % 12 + half if hour <= 12 else hour  # noqa: PLR2004 -- a clock's
    days, cycle = _days(numbers, names)
    has_seconds = clock[3] is not None
    if not has_seconds and (not days or cycle == "week") and half is None:
        return None  # "localhost 9092:11"
    text = " ".join([*left.texts, clock[0], *right.texts])
    rest = len(_WORDS_IN.findall(line)) > len(_WORDS_IN.findall(text))
    pattern = re.sub(r"\d{1,3}", "9", re.sub(r"\d{4,}", "y", _WORDS_IN.sub("a", text)))
    is_doubtful = left.is_doubtful or right.is_doubtful or (bool(numbers) and not days)
    if half is None and days and 1 <= hour <= 12 and (right.zone or right.offset_s is not None):  # noqa: PLR2004 -- a clock's
        is_doubtful |= {sense.partition(" ")[0] for sense in days} <= _WITHOUT_HALVES
    return Written(
        text,
        3600.0 * hour + 60.0 * minute + second + float(f"0.{clock[4] or 0}"),
        days,
        cycle,
        right.zone,
        right.offset_s,
        has_seconds,
        not is_doubtful,
        (level[0] if (level := _LEVEL.search(line)) else "", rest, pattern),
    )


def _grow_left(parts: _Parts, before: str) -> None:
    """Take what belongs to the time from the chunks before a clock, the nearest first."""
    chunks = before.split()[::-1][:_MOST_CHUNKS]
    if chunks and not before[-1].isspace():
        chunks[0] = re.sub(r"(?<=\d)[T_]$", "", chunks[0])
    for at, chunk in enumerate(chunks):
        plain = chunk.strip(_AROUND)
        numbers, name = _read(plain)
        is_part = not plain or bool(numbers) or name is not None
        if not is_part or not parts.takes(numbers):
            parts.is_doubtful = not parts.numbers and _looks_dated(plain, chunks[at + 1 :])
            return
        parts.numbers[:0] = numbers
        if name is not None and name.half is not None and parts.half is None:
            parts.half = name.half
        elif name is not None and (name.months or name.weekdays):
            parts.names.insert(0, name)
        if plain:
            parts.texts.insert(0, plain)
        if chunk[0] in _BRACKETS and _BRACKETS[chunk[0]] not in chunk:
            return


def _grow_right(parts: _Parts, after: str, left: _Parts) -> None:
    """Take what belongs to the time from the chunks behind a clock."""
    chunks = after.split()[:_MOST_CHUNKS]
    is_dated = bool(left.numbers or left.names)
    for at, chunk in enumerate(chunks):
        plain = chunk.strip(_AROUND)
        following = chunks[at + 1] if at + 1 < len(chunks) else ""
        if not _take_zone(parts, plain, following.strip(_AROUND), is_dated):
            numbers, name = _read(plain)
            is_part = not plain or bool(numbers) or name is not None
            if len(numbers) == 1 and not (is_dated and len(plain) == _YEAR_DIGITS):
                is_part = name is not None or _is_month(following)
            if not is_part or not left.takes([*parts.numbers, *numbers]):
                rest = [each.strip(_AROUND) for each in chunks[at:][:_YEAR_DIGITS]]
                is_dated = any(map(_is_year, rest)) or _DATED.search(plain) is not None
                parts.is_doubtful = not left.numbers and not parts.numbers and is_dated
                return
            parts.numbers += numbers
            if name is not None and name.half is not None:
                parts.half = name.half
            elif name is not None and (name.months or name.weekdays):
                parts.names.append(name)
        if plain:
            parts.texts.append(plain)
        if chunk[-1] in _BRACKETS.values() and chunk[0] not in _BRACKETS:
            return


@lru_cache(maxsize=4096)
def _read(plain: str) -> tuple[Sequence[str], Word | None]:
    """Return the numbers of a date, or the name, in a chunk; neither if it is something else."""
    for pattern in _NUMBERS:
        if (found := pattern.fullmatch(plain)) is not None:
            numbers = [each for each in (found[1], found[3], found[4]) if each]
            return (numbers if all(map(_is_part, numbers)) else []), None
    if (found := _NAMED.fullmatch(plain)) is not None:
        name = time_words.word(found[2])
        numbers = [each for each in (found[1], found[3]) if each]
        return (numbers, name) if name and name.months else ([], None)
    return [], time_words.word(plain) if plain and not any(map(str.isdigit, plain)) else None


def _is_part(number: str) -> bool:
    return _is_year(number) or len(number) <= 2  # noqa: PLR2004 -- of a day, a month, a short year


def _is_year(text: str) -> bool:
    return len(text) == _YEAR_DIGITS and text.isdecimal()


def _is_month(chunk: str) -> bool:
    name = time_words.word(chunk.strip(_AROUND))
    return name is not None and bool(name.months)


def _looks_dated(plain: str, further: Sequence[str]) -> bool:
    """Return whether a chunk that is no part of a time may be a month that is not known."""
    outward = [each.strip(f"{_AROUND}.") for each in further[:3]]
    is_name = plain.replace(".", "").isalpha()
    is_beside_day = bool(is_name and outward and outward[0].isdecimal() and len(outward[0]) <= 2)  # noqa: PLR2004 -- a day
    is_date = any(map(_DATED.search, (plain, *outward)))
    return is_beside_day or is_date or any(map(_is_year, outward))


def _take_zone(parts: _Parts, plain: str, following: str, is_dated: bool) -> bool:
    """Take a zone: an offset, or an abbreviation that is known or has the year behind it."""
    if plain == "Z":
        parts.offset_s = 0.0
    elif (offset := _OFFSET.fullmatch(plain)) is not None:
        seconds = 3600.0 * int(offset[2]) + 60.0 * int(offset[3] or 0)
        parts.offset_s = -seconds if offset[1] == "-" else seconds
    elif plain in {"UTC", "GMT"}:
        parts.offset_s = 0.0 if parts.offset_s is None else parts.offset_s
    elif _is_abbreviation(plain) and (
        time_words.is_zone(plain) or (is_dated and (not following or _is_year(following)))
    ):
        parts.zone = parts.zone or plain
    else:
        return False
    return True


def _is_abbreviation(plain: str) -> bool:
    is_other = plain in {"AM", "PM"} or _LEVEL.fullmatch(plain) is not None
    return _ZONE.fullmatch(plain) is not None and not is_other


def _days(numbers: Sequence[str], names: Sequence[Word]) -> tuple[dict[str, date], str]:
    """Return the day in every sense, on its weekday if one is, and what begins again."""
    languages = [set(name.months) | set(name.weekdays) for name in names]
    senses = set.intersection(*languages) if languages else {""}
    days: dict[str, date] = {}
    matching: dict[str, date] = {}
    cycle = "day"
    for language in sorted(senses):
        for months, weekdays in _roles(names, language):
            if not months and not numbers:
                days |= {f"{language} {d}": _MONDAY + timedelta(d) for d in weekdays}
                cycle = "week" if days else cycle
            for order, day, has_year in _dates(numbers, months):
                sense = f"{language} {order}"
                days[sense] = day
                cycle = "" if has_year else "year"
                if has_year and day.weekday() in weekdays:
                    matching[sense] = day
    return matching or days, cycle


def _roles(names: Sequence[Word], language: str) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """Yield which months and which weekdays the names can mean together, one of each at most."""
    kinds = [
        [kind for kind in ("months", "weekdays") if language in getattr(name, kind)]
        for name in names
    ]
    for roles in product(*kinds):
        if len(set(roles)) == len(roles):
            meant = {
                role: getattr(name, role)[language] for role, name in zip(roles, names, strict=True)
            }
            yield meant.get("months", frozenset()), meant.get("weekdays", frozenset())


def _dates(numbers: Sequence[str], months: Iterable[int]) -> Iterator[tuple[str, date, bool]]:
    """Yield order, date, and whether it has a year, for every order the numbers can have."""
    named = list(months)
    wanted = 3 - bool(named)
    if len(numbers) not in {wanted, wanted - 1} or not numbers or (not named and len(numbers) < 2):  # noqa: PLR2004 -- day and month
        return
    has_year = len(numbers) == wanted
    letters = "dmy" if has_year else "dm"
    letters = letters.replace("m", "") if named else letters
    for order in map("".join, permutations(letters)):
        if not named and order not in {"ymd", "dmy", "mdy", "dm", "md"}:
            continue
        of = dict(zip(order, numbers, strict=True))
        if (len(of.get("y", "2026")) == _YEAR_DIGITS) < any(
            len(each) == _YEAR_DIGITS for each in numbers
        ):
            continue
        for month in named or [int(of["m"])]:
            years = [int(of["y"])] if has_year else [_COMMON, _LEAP]
            for year in years:
                whole = year + 2000 if year < 100 else year  # noqa: PLR2004 -- two digits
                if whole not in _YEARS:
                    continue
                try:
                    day = date(whole, month, int(of["d"]))
                except ValueError:
                    continue
                yield (
                    f"{order} {month if len(named) > 1 else ''}{'' if has_year else year}",
                    day,
                    has_year,
                )
