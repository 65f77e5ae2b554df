"""Several snapshots of a group in a text: the newest is read, the others are its history."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from typing import Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from assignors.model import UNKNOWN, UNOWNED
from evaluation.measuring.offset_history import (
    Held,
    Moment,
    OffsetHistory,
    ownership,
    thinned,
    without_repeats,
)
from evaluation.wording import plural
from sources.budget import Budget
from sources.pastes.headers import TableKind, header_in
from sources.pastes.page import Page
from sources.pastes.parsed import GroupRecords, MemberRow, Row, Snapshot
from sources.pastes.stamps import Stamp, times_of

_FEWEST: Final = 2
"""GroupRecords that make a history."""
_PRECISION_S: Final = 1.0
"""Of a time without fractions of a second."""
_BY_CLOCK: Final = (
    "The text names no day: each snapshot is taken to be less than a day after the last."
)
_RECREATED: Final = (
    "End offsets fall from one snapshot to the next: a topic was recreated, or its log truncated."
)
_ASKED: Final = "State the seconds between them in the view Time, or with assign.py --interval."
_Record: TypeAlias = Row | MemberRow
_Number = TypeVar("_Number", np.int64, np.float64)


def apart(group: GroupRecords, page: Page, used: set[int], stamps: Sequence[Stamp]) -> GroupRecords:
    """Return a group's records by snapshot, if they are of several.

    A table that repeats a partition, below a header or other words, starts a new snapshot. They
    are in the order of their times; where those are unknown, of the text, newest first if end
    offsets, which never fall, show it.
    """
    if len({(row.topic, row.partition) for row in group.rows}) == len(group.rows):
        return _dated(group, stamps)
    shown: list[Row | MemberRow] = [*group.rows, *(m for m in group.members if not m.format)]
    found = [_snapshot(records) for records in _split(shown, page, used)]
    rows = [each.rows for each in found]
    if len(found) < _FEWEST or not all(rows):
        return group
    at_s, on_times = _times(rows, stamps)
    order = _in_order(rows, at_s)
    ordered = [found[k]._replace(at_s=at_s[k]) for k in order]
    tables = _below_headers([m for m in group.members if m.format], page)
    ordered[-1].members[:0] = _beside(order[-1], tables, rows, page)
    return replace(group, all=ordered, on_times=on_times)


def _below_headers(members: Sequence[MemberRow], page: Page) -> list[list[MemberRow]]:
    """Return the members by table."""
    tables: list[list[MemberRow]] = []
    before = None
    for member in members:
        between = range(member.line if before is None else before + 1, member.line)
        if before is None or any(header_in(page.lines[n]) for n in between):
            tables.append([])
        tables[-1].append(member)
        before = member.line
    return tables


def _beside(
    newest: int, tables: Sequence[list[MemberRow]], rows: Sequence[list[Row]], page: Page
) -> Sequence[MemberRow]:
    """Return the table of members of the newest snapshot, by its place in the text.

    With a table for each snapshot it is the one at the same place, else one before the next
    snapshot begins and after the last one ended.
    """
    if len(tables) == len(rows):
        return tables[newest]
    starts = min(row.line for row in rows[newest])
    before = [max(row.line for row in own) for own in rows if own[0].line < starts]
    after = [own[0].line for own in rows if own[0].line > starts]
    span = range(max(before, default=-1), min(after, default=len(page.lines)))
    below = [each for each in tables if max(row.line for row in rows[newest]) < each[0].line]
    headers = map(header_in, page.lines[rows[newest][-1].line : span.stop])
    if not below and any(each and each.kind is TableKind.MEMBERS for each in headers):
        return ()  # its own table was cut off
    return next((each for each in reversed(tables) if each[0].line in span), ())


def _dated(group: GroupRecords, stamps: Sequence[Stamp]) -> GroupRecords:
    """Return the records of a single snapshot with its time, if the text states one."""
    if not group.rows:
        return group
    (at_s,), _ = _times([group.rows], stamps)
    return replace(group, all=[group.all[-1]._replace(at_s=at_s)])


def _snapshot(records: Iterable[_Record]) -> Snapshot:
    both = list(records)
    members = [each for each in both if isinstance(each, MemberRow)]
    return Snapshot([each for each in both if isinstance(each, Row)], members)


def history_of(
    snapshots: Sequence[Snapshot], sizes: Mapping[str, int], budget: Budget
) -> OffsetHistory | None:
    """Return the snapshots as a history of topics of these sizes; None for one without time lags.

    Of several at one time the last counts, and one that repeats another counts once.
    """
    following = [*(snapshot.at_s for snapshot in snapshots[1:]), np.inf]
    distinct = [
        snapshot
        for snapshot, next_s in zip(snapshots, following, strict=True)
        if not snapshot.at_s >= next_s  # NaN is not
    ]
    if len(distinct) < _FEWEST:
        return _of_ages(snapshots[-1], sizes)
    partitions = sum(sizes.values())
    kept = thinned(distinct, partitions)
    budget.take("offsets", len(kept) * partitions)
    moments = without_repeats(
        [_moment(each, sizes, _rows_lost(kept[:k], each)) for k, each in enumerate(kept)]
    )
    return OffsetHistory(moments) if len(moments) >= _FEWEST else _of_ages(snapshots[-1], sizes)


def _of_ages(snapshot: Snapshot, sizes: Mapping[str, int]) -> OffsetHistory | None:
    """Return a single snapshot as a history of its time lags; None if it tells none."""
    if all(math.isnan(row.age_s) for row in snapshot.rows):
        return None
    at_s = 0.0 if math.isnan(snapshot.at_s) else snapshot.at_s
    return OffsetHistory((_moment(snapshot._replace(at_s=at_s), sizes, is_cut=False),))


def _times(rows: Sequence[list[Row]], stamps: Sequence[Stamp]) -> tuple[list[float], str]:
    """Return the time of each snapshot, NaN if unknown, and a sentence on that."""
    stated = [own[0].at_s for own in rows]
    if not np.isnan(stated).any():
        return stated, ""

    ends = [_ends(own) for own in rows]

    def falls(at_s: Sequence[float]) -> bool:
        order = [k for k in np.argsort(at_s, kind="stable").tolist() if not np.isnan(at_s[k])]
        return any(
            at_s[other] - at_s[one] >= _PRECISION_S and _all_fall(ends[one], ends[other])
            for one, other in pairwise(order)
        )

    found = times_of([max(row.line for row in own) for own in rows], stamps, falls)
    if found.at_s:
        unknown = int(np.count_nonzero(np.isnan(found.at_s)))
        sentences = [_BY_CLOCK] if found.is_by_clock else []
        sentences += [_RECREATED] if falls(found.at_s) else []
        if unknown:
            sentences.append(
                f"{plural(unknown, 'snapshot')} of {len(rows)} without a time. {_ASKED}"
            )
        return found.at_s, " ".join(sentences)
    said = (
        f"The text does not tell how far apart the snapshots are: {found.why}. {_ASKED}"
        if found.why and len(rows) > 1
        else ""
    )
    return [np.nan] * len(rows), said


def _in_order(rows: Sequence[list[Row]], at_s: Sequence[float]) -> list[int]:
    """Return the snapshots oldest first; those without a time keep their place in the text."""
    places = list(range(len(at_s)))
    dated = [each for each in at_s if not np.isnan(each)]
    if dated[-1:] < dated[:1] or (len(dated) <= 1 and _is_newest_first(rows)):
        places.reverse()
    latest, keys = -np.inf, {}
    for place in places:
        latest = latest if np.isnan(at_s[place]) else at_s[place]
        keys[place] = latest
    return sorted(places, key=keys.__getitem__)


def _is_newest_first(rows: Sequence[Sequence[Row]]) -> bool:
    ends = [_ends(own) for own in rows]
    falls = (_all_fall(one, other) for one, other in pairwise(ends))
    rises = (_all_fall(other, one) for one, other in pairwise(ends))
    return any(falls) and not any(rises)


def _ends(rows: Iterable[Row]) -> dict[tuple[str, int], int]:
    return {(row.topic, row.partition): row.end for row in rows if row.end is not None}


def _all_fall(earlier: Mapping[tuple[str, int], int], later: Mapping[tuple[str, int], int]) -> bool:
    """Return whether every end offset that changes falls, which no log's does."""
    changes = [later[named] - end for named, end in earlier.items() if named in later]
    return min(changes, default=0) < 0 and max(changes) <= 0


def _split(records: Iterable[_Record], page: Page, used: set[int]) -> list[list[_Record]]:
    """Split records where a run of them, between other lines, repeats one."""
    found: list[list[_Record]] = []
    seen: set[object] = set()
    for run in _runs(sorted(records, key=attrgetter("line")), page, used):
        keys = {(r.topic, r.partition) if isinstance(r, Row) else r.member for r in run}
        if not found or keys & seen:
            found.append([])
            seen.clear()
        found[-1] += run
        seen |= keys
    return found


def _runs(records: Sequence[_Record], page: Page, used: set[int]) -> Iterator[list[_Record]]:
    first = 0
    for at, (one, other) in enumerate(pairwise(records), 1):
        between = range(one.line + 1, other.line)
        is_apart = (
            isinstance(one, Row) and isinstance(other, Row) and one.snapshot != other.snapshot
        )
        if is_apart or any(n not in used or header_in(page.lines[n]) for n in between):
            yield list(records[first:at])
            first = at
    if records:
        yield list(records[first:])


def _rows_lost(before: Sequence[Snapshot], snapshot: Snapshot) -> bool:
    """Return whether an earlier snapshot lists a partition that this one lacks: it was cut off."""
    if not before or not snapshot.rows:
        return False
    listed, earlier = (
        {(row.topic, row.partition) for row in each.rows} for each in (snapshot, before[-1])
    )
    return not earlier <= listed


def _moment(snapshot: Snapshot, sizes: Mapping[str, int], is_cut: bool) -> Moment:
    """Return a snapshot's offsets, and its owners where it tells them all."""
    topics = {name: np.full((3, size), UNKNOWN) for name, size in sizes.items()}
    rows = [row for row in snapshot.rows if row.partition < sizes.get(row.topic, 0)]
    for row in rows:
        values = (row.begin, row.committed, row.end)
        begin, committed, end = (UNKNOWN if value is None else value for value in values)
        topics[row.topic][:, row.partition] = begin, end, committed
    ages = [(row, row.age_s) for row in rows if not math.isnan(row.age_s)]
    without_offsets = [row for row in rows if None in (row.committed, row.end)]
    lags = [(row, row.lag) for row in without_offsets if row.lag is not None]
    moment = Moment(
        snapshot.at_s,
        topics,
        age_s=_by_topic(ages, sizes, unknown=np.float64(np.nan)),
        lags=_by_topic(lags, sizes, unknown=np.int64(UNKNOWN)),
    )
    owned = [(row.topic, row.partition, row.member) for row in rows if row.member]
    if not owned or is_cut:
        return moment
    # A table of members belongs to the newest snapshot alone: it tells nothing of a change.
    listed = {each.member for each in snapshot.members if not each.format}
    members = tuple(sorted({member for *_, member in owned} | listed))
    number = {member: place for place, member in enumerate(members)}
    owners = {name: np.full(size, UNOWNED, np.int32) for name, size in sizes.items()}
    for topic, partition, member in owned:
        owners[topic][partition] = number[member]
    return moment._replace(ownership=ownership(owned), held=Held(members, owners))


def _by_topic(
    told: Sequence[tuple[Row, float]], sizes: Mapping[str, int], *, unknown: _Number
) -> dict[str, npt.NDArray[_Number]] | None:
    """Return by topic (partitions,) what rows tell, ``unknown`` elsewhere; None if none does."""
    if not told:
        return None
    found = {name: np.full(size, unknown) for name, size in sizes.items()}
    for row, value in told:
        found[row.topic][row.partition] = value
    return found
