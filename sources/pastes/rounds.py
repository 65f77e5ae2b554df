"""Several snapshots of a group in a text: the newest is read, the others are its history."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from assignors.model import UNKNOWN
from evaluation.offset_history import Moment, OffsetHistory, ownership, thinned
from sources.budget import Budget
from sources.pastes.headers import header_in
from sources.pastes.page import Page
from sources.pastes.parsed import MemberRow, Parts, Row

_CLOCK: Final = r"(?<![\d:.])\d{1,2}:\d\d:\d\d(?:[.,]\d{1,6})?(?:\s?[AP]M)?(?![\d:])"
_MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_ZONE: Final = r"(?: [A-Z]{2,5}| [+-]\d{2,4})?"
_TIMES: Final = (
    re.compile(rf"(\d{{4}}[-/]\d\d[-/]\d\d)[T ]({_CLOCK})"),
    re.compile(rf"((?:\d{{1,2}} )?{_MONTH}(?: {{1,2}}\d{{1,2}})?) ({_CLOCK}){_ZONE} (\d{{4}})"),
    re.compile(rf"(\d{{1,2}}[ /-]{_MONTH}[ /-]\d{{4}})[,: ]{{1,2}}({_CLOCK})"),
    re.compile(rf"()({_CLOCK})"),
)
"""ISO 8601; the formats of ``date``, ``watch`` and logs; the time of day alone."""
_EPOCH: Final = re.compile(r"\s*1\d{9}(?:\.\d{1,9})?\s*")
_DAY_S: Final = 86_400.0
_FEWEST: Final = 2
"""Snapshots that make a history."""
_Record: TypeAlias = Row | MemberRow


class Stamp(NamedTuple):
    """A time in a line between tables, such as in a prompt or from ``date``."""

    line: int
    at_s: float


def stamps_in(page: Page, used: set[int]) -> list[Stamp]:
    """Return the times in lines that are not rows, in order.

    Of times without a date, each is later than the one before. Time zones are ignored, assuming
    that a text uses only one.
    """
    stamps: list[Stamp] = []
    for number, line in enumerate(page.lines):
        at_s = None if number in used else _time_in(line)
        if at_s is None:
            continue
        if at_s < _DAY_S and stamps and at_s < stamps[-1].at_s:
            at_s += _DAY_S * np.ceil((stamps[-1].at_s - at_s) / _DAY_S)
        stamps.append(Stamp(number, at_s))
    return stamps


def _time_in(line: str) -> float | None:
    """Return seconds since the epoch, or since midnight without a date."""
    if _EPOCH.fullmatch(line):
        return float(line)
    if ":" not in line:
        return None
    match = next(filter(None, (pattern.search(line) for pattern in _TIMES)), None)
    if match is None:
        return None
    day, clock, *year = match.groups()
    text = " ".join([day or "1970-01-01", *year, clock.replace(",", ".")])
    from pandas import Timestamp  # noqa: PLC0415 -- slow to import

    try:
        return float(Timestamp(text).timestamp())
    except ValueError:
        return None


class Rounds(NamedTuple):
    """One group's snapshots in a text."""

    newest: Parts
    rows: list[list[Row]]
    """The rows of each snapshot, oldest first."""
    times_s: list[float]
    """NaN if unknown."""

    def history(self, sizes: Mapping[str, int], budget: Budget) -> OffsetHistory | None:
        """Return the snapshots as a history of topics of these sizes; None for a single one."""
        befores = [-np.inf, *self.times_s]
        apart = [k for k, at_s in enumerate(self.times_s) if not at_s <= befores[k]]  # NaN is
        if len(apart) < _FEWEST:
            return None
        partitions = sum(sizes.values())
        kept = thinned(apart, partitions)
        budget.take("offsets", len(kept) * partitions)
        return OffsetHistory(tuple(_moment(self.rows[k], self.times_s[k], sizes) for k in kept))


def rounds_of(parts: Parts, page: Page, used: set[int], stamps: Sequence[Stamp]) -> Rounds:
    """Split a group's rows into snapshots.

    A table that repeats a partition, below a header or other words, starts a new snapshot. Its time
    is above it, or below it if there is one below the last and none above the first.
    """
    if len({(row.topic, row.partition) for row in parts.rows}) == len(parts.rows):
        return Rounds(parts, [parts.rows], [np.nan])
    shown: list[Row | MemberRow] = [*parts.rows, *(m for m in parts.members if not m.format)]
    rounds = _split(shown, page, used)
    rows = [[each for each in part if isinstance(each, Row)] for part in rounds]
    if len(rounds) < _FEWEST or not all(rows):
        return Rounds(parts, [parts.rows], [np.nan])
    tables = _split([m for m in parts.members if m.format], page, used)[-1:]
    times_s = [own[0].at_s for own in rows]
    if np.isnan(times_s).any():
        times_s = _stamped(rows, stamps)
    if np.isnan(times_s).any():
        times_s = [np.nan] * len(rows)
    else:
        order = np.argsort(times_s, kind="stable").tolist()
        rounds, rows = [rounds[k] for k in order], [rows[k] for k in order]
        times_s = [times_s[k] for k in order]
    members = [row for part in (*tables, rounds[-1]) for row in part if isinstance(row, MemberRow)]
    return Rounds(Parts(rows[-1], members, parts.states, parts.last_owners), rows, times_s)


def _split(records: Iterable[_Record], page: Page, used: set[int]) -> list[list[_Record]]:
    """Split records where a run of them, between other lines, repeats one."""
    rounds: list[list[_Record]] = []
    seen: set[object] = set()
    for run in _runs(sorted(records, key=attrgetter("line")), page, used):
        keys = {(r.topic, r.partition) if isinstance(r, Row) else r.member for r in run}
        if not rounds or keys & seen:
            rounds.append([])
            seen.clear()
        rounds[-1] += run
        seen |= keys
    return rounds


def _runs(records: Sequence[_Record], page: Page, used: set[int]) -> Iterator[list[_Record]]:
    first = 0
    for at, (one, other) in enumerate(pairwise(records), 1):
        between = range(one.line + 1, other.line)
        is_apart = isinstance(one, Row) and isinstance(other, Row) and one.round != other.round
        if is_apart or any(n not in used or header_in(page.lines[n]) for n in between):
            yield list(records[first:at])
            first = at
    if records:
        yield list(records[first:])


def _stamped(rounds: Sequence[Sequence[Row]], stamps: Sequence[Stamp]) -> list[float]:
    """Return the time of each snapshot, from the nearest line with a time."""
    lines = [stamp.line for stamp in stamps]
    borders = [-1, *(rows[-1].line for rows in rounds), np.inf]
    times = []
    for above, below in pairwise(borders):
        at = bisect_left(lines, below) - 1
        times.append(stamps[at].at_s if at >= 0 and lines[at] > above else np.nan)
    is_below = np.isnan(times[0]) and not np.isnan(times[-1])
    return times[1:] if is_below else times[:-1]


def _moment(rows: Sequence[Row], at_s: float, sizes: Mapping[str, int]) -> Moment:
    topics = {name: np.full((3, size), UNKNOWN) for name, size in sizes.items()}
    for row in rows:
        if row.partition < sizes.get(row.topic, 0):
            values = (row.begin, row.committed, row.end)
            begin, committed, end = (UNKNOWN if value is None else value for value in values)
            topics[row.topic][:, row.partition] = begin, end, committed
    owned = [(row.topic, row.partition, row.member) for row in rows if row.member]
    return Moment(at_s, topics, None, ownership(owned) if owned else None)
