"""When each snapshot in a text was taken, by the times in the lines around them.

A time is known only if every reading of the text agrees on it: every order of day and month, every
language and every zone that its words allow. Otherwise it is unknown, with the reason.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import chain, islice, pairwise, product
from typing import Final, NamedTuple, TypeAlias

from sources.pastes import time_words
from sources.pastes.page import Page
from sources.pastes.written_times import Written, day_in, written_in

_DAY_S: Final = 86_400.0
_CYCLES: Final = {"day": _DAY_S, "week": 7 * _DAY_S}
_EPOCH: Final = date(1970, 1, 1).toordinal()
_MOST_BETWEEN: Final = 3
"""The most lines between a date and a clock of its own."""
_COARSE_S: Final = 3600.0
"""Times without seconds tell apart snapshots that are at least this far from each other."""
_SECOND_S: Final = 1.0
_MOST_READINGS: Final = 100
_LONGEST: Final = 4_000
"""The characters of a line in which its time is looked for."""
Falls: TypeAlias = Callable[[Sequence[float]], bool]
"""Whether end offsets would fall if snapshots were taken at these times."""


class Stamp(NamedTuple):
    """A time in a line between tables, such as in a prompt or from ``date``."""

    line: int
    written: Written


class Times(NamedTuple):
    """When snapshots were taken: seconds from the first, or why they are unknown."""

    at_s: list[float]
    """Empty if unknown."""
    why: str = ""
    """Why the times are unknown, although the text has some; "" if it has none."""
    is_by_clock: bool = False
    """Whether no day is named, so that each is assumed to be the next time of its clock."""


def stamps_in(page: Page, used: set[int]) -> list[Stamp]:
    """Return the times in lines that are not rows, in order."""
    stamps: list[Stamp] = []
    for number, line in enumerate(page.lines):
        written = None if number in used else written_in(line[:_LONGEST])
        if written is not None:
            stamps.append(Stamp(number, _with_day_above(page, number, written, used)))
    return stamps


def _with_day_above(page: Page, number: int, written: Written, used: set[int]) -> Written:
    """Return a clock with the day in a line of its own above it, as Windows prints them."""
    if written.cycle != "day" or not written.is_understood:
        return written
    for above in range(number - 1, max(number - 1 - _MOST_BETWEEN, -1), -1):
        found = None if above in used else day_in(page.lines[above][:_LONGEST])
        if found is not None:
            form = (*written.form[:2], f"{found.form[2]} / {written.form[2]}")
            return written._replace(days=found.days, cycle=found.cycle, form=form)
    return written


def times_of(last_lines: Sequence[int], stamps: Sequence[Stamp], falls: Falls) -> Times:
    """Return when the snapshots that end at these lines were taken.

    Their times are above them, or below if there is one below the last and none above the first.
    """
    lines = [stamp.line for stamp in stamps]
    borders = [0, *(bisect_right(lines, last) for last in last_lines), len(stamps)]
    gaps = [stamps[low:high] for low, high in pairwise(borders)]
    above, below = gaps[:-1], gaps[1:]
    if not above[0] and below[-1]:
        above = [stamps_[::-1] for stamps_ in below]
    return resolved(_alike(above), falls) if all(above) else Times([])


def _alike(gaps: Sequence[Sequence[Stamp]]) -> list[Written]:
    """Choose a time for each snapshot, the last of its gap, of the same kind for all if possible.

    A log's lines come last: they may be in another zone, and are not there each time.
    """
    forms = [{stamp.written.form: stamp.written for stamp in gap} for gap in gaps]
    shared = [form for form in forms[0] if all(form in others for others in forms[1:])]
    if shared:
        first = min(shared[::-1], key=lambda form: _rank(forms[0][form]))
        return [of_form[first] for of_form in forms]
    return [min(reversed([s.written for s in gap]), key=_rank) for gap in gaps]


def _rank(written: Written) -> tuple[bool, bool, bool]:
    level, is_more, _ = written.form
    return bool(level), is_more, written.cycle == "day"


def resolved(written: Sequence[Written], falls: Falls) -> Times:
    """Return the times that the snapshots of a text have in every reading of it."""
    if why := _unlike(written):
        return Times([], why)
    readings = list(_readings(written, falls))
    likely = [at_s for at_s in readings if not falls(at_s)]
    if readings and not likely:
        return Times([], f"by {written[0].text!r} and those below it, end offsets would fall")
    apart = {tuple(round(each - at_s[0], 3) for each in at_s) for at_s in likely}
    if len(apart) != 1:
        return Times([], _unclear(written))
    why = _too_close(written, likely[0])
    return Times([], why) if why else Times(likely[0], is_by_clock=written[0].cycle == "day")


def _too_close(written: Sequence[Written], at_s: Sequence[float]) -> str:
    """Return why the times do not tell how far apart the snapshots are; "" if they do."""
    first, steps = written[0], [later - earlier for earlier, later in pairwise(sorted(at_s))]
    if first.cycle == "week" and max(steps, default=0.0) >= _DAY_S:
        same = next((two for two in pairwise(written) if two[0].days == two[1].days), None)
        if same is not None:  # it may be no weekday but a name in the prompt
            return f"{same[0].text!r} and {same[1].text!r} are of one day of the week"
    coarse = next((each for each in written if not each.has_seconds), None)
    if coarse is not None and min(steps, default=0.0) < _COARSE_S:
        return f"{coarse.text!r} has no seconds"
    if any(0 < step < _SECOND_S for step in steps):
        return f"{first.text!r} and the next are less than a second apart"
    return "" if any(steps) else f"all are below the same time, {first.text!r}"


def _unlike(written: Sequence[Written]) -> str:
    """Return which time is not understood, or which two cannot be compared; "" if all can."""
    first = written[0]
    for each in written:
        if not each.is_understood:
            return f"{each.text!r} is not understood"
    for each in written[1:]:
        if each.cycle != first.cycle:
            return f"{first.text!r} and {each.text!r} do not both name the day"
        if _is_zoned(each) != _is_zoned(first):
            return f"{first.text!r} and {each.text!r} do not both name a zone"
        if bool(each.form[0]) != bool(first.form[0]) and not _is_zoned(first):
            return f"{first.text!r} and {each.text!r}, one of a log, may be in two zones"
    return ""


def _is_zoned(written: Written) -> bool:
    return bool(written.zone) or written.offset_s is not None


def _unclear(written: Sequence[Written]) -> str:
    """Return what can be read in more than one way."""
    for each in written:
        days = sorted(set(each.days.values()))
        if len(days) > 1 and not each.cycle:
            return f"{each.text!r} can be {days[0]} or {days[1]}"
    if len({each.zone for each in written}) > 1:
        named = next(each for each in written if each.zone)
        return f"{named.text!r} does not tell its zone from others of that name"
    return f"{written[0].text!r} names no year" if written[0].cycle else "a zone is not known"


def _readings(written: Sequence[Written], falls: Falls) -> Iterator[list[float]]:
    """Yield the times, in seconds since a common moment, for every sense of the words."""
    for days in _days(written):
        local = [
            datetime(day.year, day.month, day.day) + timedelta(seconds=each.clock_s)  # noqa: DTZ001 -- the zone follows
            for day, each in zip(days, written, strict=True)
        ]
        for ahead_s in _ahead(written, local):
            at_s = [
                _DAY_S * (day.toordinal() - _EPOCH) + each.clock_s - ahead
                for day, each, ahead in zip(days, written, ahead_s, strict=True)
            ]
            yield _unwound(at_s, written[0].cycle, days[0], falls)


def _days(written: Sequence[Written]) -> Iterator[list[date]]:
    """Yield the days in every sense: one for all that are written alike."""
    if written[0].cycle == "day":
        yield [date(1970, 1, 1)] * len(written)
        return
    alike: dict[str, list[int]] = {}
    for number, each in enumerate(written):
        alike.setdefault(each.form[2], []).append(number)
    senses = [_days_alike([written[number].days for number in each]) for each in alike.values()]
    for chosen in islice(product(*map(sorted, senses)), _MOST_READINGS):
        of_number = dict(zip(chain(*alike.values()), chain(*chosen), strict=True))
        yield [of_number[number] for number in range(len(written))]


def _days_alike(days: Sequence[Mapping[str, date]]) -> set[tuple[date, ...]]:
    """Return the days of times that are written alike, in each sense that they share.

    Without such a sense, each may still have a single day.
    """
    shared = [sense for sense in days[0] if all(sense in others for others in days)]
    if not shared and all(len(set(each.values())) == 1 for each in days):
        return {tuple(next(iter(each.values())) for each in days)}
    return {tuple(each[sense] for each in days) for sense in shared}


def _ahead(written: Sequence[Written], local: Sequence[datetime]) -> Iterator[list[float]]:
    """Yield how far ahead of UTC each is, in every zone that has all the abbreviations."""
    if not _is_zoned(written[0]) or len({(w.zone, w.offset_s) for w in written}) == 1:
        yield [written[0].offset_s or 0.0] * len(written)
        return
    meant = [
        {}
        if each.offset_s is not None
        else time_words.offsets(each.zone, None if each.cycle else moment)
        for each, moment in zip(written, local, strict=True)
    ]
    named = [zones for each, zones in zip(written, meant, strict=True) if each.offset_s is None]
    keys = set.intersection(*map(set, named)) if named else {""}
    if not keys and all(len(set(zones.values())) == 1 for zones in named):
        yield [
            next(iter(zones.values())) if each.offset_s is None else each.offset_s
            for each, zones in zip(written, meant, strict=True)
        ]
    for key in sorted(keys):
        yield [
            zones[key] if each.offset_s is None else each.offset_s
            for each, zones in zip(written, meant, strict=True)
        ]


def _unwound(at_s: Sequence[float], cycle: str, day: date, falls: Falls) -> list[float]:
    """Return times without a day, week or year as moments.

    Each clock is later than the one above it, or than the one below if end offsets say so; a date
    without a year is in the year that brings it nearest to the one before.
    """
    if not cycle:
        return list(at_s)
    if cycle == "year":
        year_s = _DAY_S * (date(day.year + 1, 1, 1) - date(day.year, 1, 1)).days
        found = [at_s[0]]
        for each in at_s[1:]:
            found.append(each - year_s * round((each - found[-1]) / year_s))
        return found
    rising = _rising(at_s, _CYCLES[cycle])
    if not falls(rising):
        return rising
    return _rising(at_s[::-1], _CYCLES[cycle])[::-1]


def _rising(at_s: Sequence[float], cycle_s: float) -> list[float]:
    found = [at_s[0]]
    for each in at_s[1:]:
        found.append(found[-1] + (each - found[-1]) % cycle_s)
    return found
