"""When each snapshot in a text was taken, by the times in the lines around them.

A time is known only if the text leaves no doubt of it; else it is unknown, with the reason, and
the page asks how far apart the snapshots are.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from sources.pastes.page import Page
from sources.pastes.written_times import Written, written_in

_DAY_S: Final = 86_400.0
_EPOCH: Final = date(1970, 1, 1).toordinal()
_COARSE_S: Final = 3600.0
"""Times without seconds tell apart snapshots that are at least this far from each other."""
_SECOND_S: Final = 1.0
_NOON: Final = 12
_MOST_BETWEEN: Final = 3
"""The most lines between a date and a clock of its own."""
_DATE: Final = re.compile(r"(?<![\d./-])\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?![\d./:-])")
_LONGEST: Final = 4_000
"""The characters of a line in which its time is looked for."""
Falls: TypeAlias = Callable[[Sequence[float]], bool]
"""Whether end offsets would fall if snapshots were taken at these times, NaN where unknown."""


class Stamp(NamedTuple):
    """A time in a line between tables, such as in a prompt or from ``date``."""

    line: int
    written: Written


class Times(NamedTuple):
    """When snapshots were taken, in seconds since the epoch or a midnight of unknown date."""

    at_s: list[float]
    """NaN where unknown; empty if none is known."""
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
            above = [n for n in range(max(number - _MOST_BETWEEN, 0), number) if n not in used]
            stamps.append(Stamp(number, _beside(written, [page.lines[n] for n in above])))
    return stamps


def _beside(written: Written, above: Sequence[str]) -> Written:
    """Return a clock with the date in a line of its own above it, as Windows prints them."""
    if written.day is not None:
        return written
    dates = [found[0] for line in above for found in _DATE.finditer(line[:_LONGEST])]
    return written._replace(around=" ".join(dates), may_be_dated=True) if dates else written


def times_of(last_lines: Sequence[int], stamps: Sequence[Stamp], falls: Falls) -> Times:
    """Return when the snapshots that end at these lines were taken.

    Their times are above them, or below if there is one below the last and none above the first.
    Snapshots without one stay unknown beside those that have theirs.
    """
    lines = [stamp.line for stamp in stamps]
    borders = [0, *(bisect_right(lines, last) for last in last_lines), len(stamps)]
    gaps = [stamps[low:high] for low, high in pairwise(borders)]
    above, below = gaps[:-1], gaps[1:]
    if not above[0] and below[-1]:
        above = [stamps_[::-1] for stamps_ in below]
    dated = [k for k, gap in enumerate(above) if gap]
    if not dated:
        return Times([])

    def spread(at_s: Sequence[float]) -> list[float]:
        every = [math.nan] * len(above)
        for k, each in zip(dated, at_s, strict=True):
            every[k] = each
        return every

    found = resolved(_alike([above[k] for k in dated]), lambda at_s: falls(spread(at_s)))
    return found._replace(at_s=spread(found.at_s)) if found.at_s else found


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
    level, has_more, _ = written.form
    return bool(level), written.day is None, has_more


def resolved(written: Sequence[Written], falls: Falls) -> Times:
    """Return the times that these lines leave no doubt of, or why there is doubt.

    Days with a zone stand against end offsets that fall: a topic was recreated between them.
    """
    if why := _unlike(written):
        return Times([], why)
    is_by_clock = written[0].day is None and not written[0].may_be_dated
    at_s = [_since_epoch(each) for each in written]
    if is_by_clock:
        rising = _rising(at_s)
        at_s = _rising(at_s[::-1])[::-1] if falls(rising) else rising
    if falls(at_s) and not all(map(_is_one_moment, written)):
        return Times([], f"by {written[0].text!r} and those below it, end offsets would fall")
    why = _too_close(written, at_s)
    return Times([], why) if why else Times(at_s, is_by_clock=is_by_clock)


def _is_one_moment(written: Written) -> bool:
    """Return whether a time names the day and the zone."""
    return written.day is not None and (written.offset_s is not None or bool(written.zone))


def _since_epoch(written: Written) -> float:
    """Return the seconds since the epoch; as if in UTC without an offset, on day 0 without one."""
    days = written.day.toordinal() - _EPOCH if written.day else 0
    return _DAY_S * days + written.clock_s - (written.offset_s or 0.0)


def _unlike(written: Sequence[Written]) -> str:
    """Return which time is not understood, or which two cannot be compared; "" if all can."""
    first = written[0]
    for each in written[1:]:
        if (each.day is None) != (first.day is None):
            return f"{first.text!r} and {each.text!r} do not both name the day"
        if each.day is None and each.around != first.around:
            return f"the date beside {each.text!r} is not understood"
        if (each.offset_s is None) != (first.offset_s is None) or each.zone != first.zone:
            return f"{first.text!r} and {each.text!r} do not name one zone"
        is_of_one_kind = bool(each.form[0]) == bool(first.form[0])
        if not is_of_one_kind and each.offset_s is None and not each.zone:
            return f"{first.text!r} and {each.text!r}, one of a log, may be in two zones"
    return _goes_backwards(written) if first.may_be_dated else ""


def _goes_backwards(written: Sequence[Written]) -> str:
    """Return why clocks beside one date may go backwards; "" if they do not.

    Where twelve hours are counted, a word that is not understood says of which half: 12:59 is
    before 2:00.
    """
    first, hours = written[0], [int(each.clock_s // 3600) for each in written]
    may_be_half = _NOON in hours and any(hour < _NOON for hour in hours)
    if may_be_half or any(b.clock_s < a.clock_s for a, b in pairwise(written)):
        return f"{first.text!r} and the next may be of two halves of a day"
    return ""


def _too_close(written: Sequence[Written], at_s: Sequence[float]) -> str:
    """Return why the times do not tell how far apart the snapshots are; "" if they do."""
    steps = [later - earlier for earlier, later in pairwise(sorted(at_s))]
    coarse = next((each for each in written if not each.has_seconds), None)
    if coarse is not None and min(steps, default=_COARSE_S) < _COARSE_S:
        return f"{coarse.text!r} has no seconds"
    if any(0 < step < _SECOND_S for step in steps):
        return f"{written[0].text!r} and the next are less than a second apart"
    is_told = not steps or any(steps)
    return "" if is_told else f"all are below the same time, {written[0].text!r}"


def _rising(at_s: Sequence[float]) -> list[float]:
    """Return clocks as moments, each the next time that its clock shows after the one before."""
    found = [at_s[0]]
    for each in at_s[1:]:
        found.append(found[-1] + (each - found[-1]) % _DAY_S)
    return found
