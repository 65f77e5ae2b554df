"""The words in which programs write times: CLDR's names, and the zones behind abbreviations.

Names of months, weekdays and halves of the day come from Babel, zones from the IANA database.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from babel import Locale

_LANGUAGES: Final = (
    *("ar", "be", "bg", "ca", "cs", "da", "de", "de_AT", "el", "en", "es", "et", "eu", "fi", "fr"),
    *("gl", "he", "hr", "hu", "id", "is", "it", "ja", "ko", "lt", "lv", "mk", "ms", "nb", "nl"),
    *("pl", "pt", "ro", "ru", "sk", "sl", "sr", "sr_Latn", "sv", "th", "tr", "uk", "vi", "zh"),
    "zh_Hant",
)
_SHORTEST: Final = 3
"""The fewest letters of a name that is cut off, as glibc's "noy" of Babel's "noyabr"."""
_YEARS: Final = range(2010, 2038)
"""The years by whose zones an abbreviation is known."""
_JOINING: Final = frozenset(
    {"at", "of", "on", "the", "um", "à", "às", "a", "las", "les", "alle", "kl", "klo", "o"}
)
"""Words between the parts of a time that Babel's formats lack."""
_Meanings: TypeAlias = Mapping[str, frozenset[int]]
"""Numbers by language."""


class Word(NamedTuple):
    """What a word can mean in each language; empty for nothing."""

    months: _Meanings
    """From 1."""
    weekdays: _Meanings
    """From 0, a Monday."""
    half: int | None
    """0 before noon, 12 after it."""
    is_filler: bool
    """Whether it only joins parts of a date, as in "23 de novembro de 2026"."""


_NOTHING: Final = Word({}, {}, None, is_filler=False)


def word(text: str) -> Word | None:
    """Return what a word means as a part of a time, None if nothing.

    >>> word("Okt.").months["de"], word("miércoles").weekdays["es"], word("noon")
    (frozenset({10}), frozenset({2}), None)
    """
    key = _key(text)
    months, weekdays, halves, fillers = _names()
    is_filler = key in fillers
    half = None if is_filler else halves.get(key)
    found = Word(months.get(key, {}), weekdays.get(key, {}), half, is_filler)
    return found if found != _NOTHING else None


def _key(text: str) -> str:
    return text.replace(".", "").replace(" ", "").casefold()


_Table: TypeAlias = dict[str, dict[str, frozenset[int]]]


@cache
def _names() -> tuple[_Table, _Table, dict[str, int], frozenset[str]]:
    """Return months, weekdays and halves of the day by their names, and the fillers."""
    months: _Table = defaultdict(dict)
    weekdays: _Table = defaultdict(dict)
    halves = {"am": 0, "pm": 12}
    fillers = set(_JOINING)
    for language in _LANGUAGES:
        locale = Locale.parse(language)
        for table, names in ((months, locale.months), (weekdays, locale.days)):
            for name, numbers in _of_language(names).items():
                table[name][language] = numbers
        for width in ("wide", "abbreviated"):
            periods = locale.day_periods["format"].get(width, {})
            for period, hours in (("am", 0), ("pm", 12)):
                halves.setdefault(_key(periods.get(period, "am")), hours)
        fillers.update(_fillers(locale))
    return months, weekdays, halves, frozenset(fillers)


def _of_language(names: Mapping[str, Mapping[str, Mapping[int, str]]]) -> dict[str, frozenset[int]]:
    """Return numbers by name: whole names and abbreviations first, then beginnings of names."""
    exact: dict[str, set[int]] = defaultdict(set)
    cut: dict[str, set[int]] = defaultdict(set)
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated", "short"):
            for number, name in names.get(context, {}).get(width, {}).items():
                key = _key(name)
                if not any(map(str.isdigit, key)):
                    exact[key].add(number)
                if width == "wide":
                    for letters in range(_SHORTEST, len(key)):
                        cut[key[:letters]].add(number)
    return {name: frozenset(numbers) for name, numbers in (cut | exact).items() if name}


def _fillers(locale: Locale) -> Iterator[str]:
    """Yield the words that a language's formats put between the parts of a time."""
    patterns = [locale.date_formats[width].pattern for width in ("long", "full")]
    patterns += [str(locale.datetime_formats[width]) for width in ("long", "full")]
    for pattern in patterns:
        quoted = pattern.split("'")[1::2]
        yield from (_key(each) for text in quoted for each in text.split() if each.isalpha())


class _Zone(NamedTuple):
    """Zones that had the same clocks in ``_YEARS``, by one of them."""

    info: ZoneInfo
    names: Mapping[str, frozenset[float]]
    """Seconds ahead of UTC by abbreviation."""


@cache
def _zones() -> tuple[_Zone, ...]:
    zones: dict[tuple[tuple[str, float], ...], ZoneInfo] = {}
    for key in sorted(available_timezones()):
        try:
            info = ZoneInfo(key)
        except (ZoneInfoNotFoundError, ValueError):  # a broken file among the system's
            continue
        moments = [datetime(y, m, 1, tzinfo=UTC).astimezone(info) for y in _YEARS for m in (1, 7)]
        clocks = tuple((str(each.tzname()), _seconds(each.utcoffset())) for each in moments)
        zones.setdefault(clocks, info)
    found = []
    for clocks, info in zones.items():
        names: dict[str, set[float]] = defaultdict(set)
        for name, offset_s in clocks:
            names[name].add(offset_s)
        found.append(_Zone(info, {name: frozenset(each) for name, each in names.items()}))
    return tuple(found)


def _seconds(offset: timedelta | None) -> float:
    return offset.total_seconds() if offset is not None else 0.0


def is_zone(name: str) -> bool:
    """Return whether a zone of the IANA database is abbreviated like this."""
    return any(name in zone.names for zone in _zones())


def offsets(name: str, local: datetime | None) -> dict[str, float]:
    """Return the seconds ahead of UTC that an abbreviation means, by the key of a zone.

    At a local time only zones count whose clocks then had this name; without one, those where it
    always means the same. Several zones make it ambiguous: IST is India's, Israel's or Ireland's.
    """
    found = {}
    for zone in _zones():
        known = zone.names.get(name)
        if known is None:
            continue
        if local is None:
            meant = set(known)
        else:
            folds = (local.replace(tzinfo=zone.info, fold=fold) for fold in (0, 1))
            meant = {_seconds(each.utcoffset()) for each in folds if each.tzname() == name}
        if len(meant) == 1:
            found[zone.info.key] = meant.pop()
    return found
