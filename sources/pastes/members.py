"""``kafka-consumer-groups --describe --members [--verbose]``: one row per member."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from sources import cells
from sources.columns import Field
from sources.pastes.headers import Header
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, MemberRow, Parsed, at_lines
from sources.pastes.sections import TableSection
from sources.pastes.wrapped_rows import LinePart, records

FORMAT: Final = "kafka-consumer-groups --describe --members"
VERBOSE_FORMAT: Final = f"{FORMAT} --verbose"
_WORD: Final = re.compile(r"\S+")
_MOST_BLANKS: Final = 8
"""The most spaces in member and client ids."""
_LAST: Final = (Field.COUNT, Field.ASSIGNMENT, Field.EPOCH, Field.OTHER)


class _MemberLine(NamedTuple):
    """A member, and whether its assignment is elided."""

    row: MemberRow
    is_elided: bool


def read_members(page: Page, section: TableSection, parsed: Parsed) -> None:
    """Add the rows of one table of members."""
    table = _Table(section)
    rows: list[MemberRow] = []
    elided: list[int] = []
    for numbers, member_line in records(page, section.body, table):
        parsed.used.update(numbers)
        rows.append(member_line.row)
        elided += [numbers[0]] if member_line.is_elided else []
    if not rows:
        return
    rows = rows if rows[0].member else named_by_client(_joined(rows))
    parsed.used.update(section.names)
    parsed.members += rows
    _note_contradictions(rows, elided, parsed)
    unread = (number for number in section.body if number not in parsed.used)
    parsed.note_unreadable("a member", (n for n in unread if " /" in page.lines[n]))


class _Table:
    """One table of members: its lines into rows."""

    def __init__(self, section: TableSection) -> None:
        self._header: Final[Header] = section.header
        self._hint: Final = section.hint
        self._first: Final[tuple[Field, ...]] = tuple(
            field for field in section.header.fields if field not in _LAST
        )
        self._last: Final = section.header.fields[len(self._first) :]

    def read(self, line: int, text: str, *, is_whole: bool = False) -> LinePart[_MemberLine] | None:
        """Return the member in a line, None if there is none; a whole one has its partitions.

        The columns up to CLIENT-ID are one word each; if not, the host shows where to split them.
        The rest is a number of partitions and their list.
        """
        text = text.replace("|", " ") if self._header.delimiter == "|" else text
        words = _WORD.findall(text)[self._header.prefix :]
        at = self._count_at(words)
        if at is None:
            return None
        first = self._identity(words[:at])
        if first is None or not cells.member(_name_in(first)):
            return None
        part = self._parsed(line, first, words[at:])
        return None if is_whole and part.is_cut else part

    def _count_at(self, words: list[str]) -> int | None:
        """Return the position of the first column after the identity."""
        usual = len(self._first)
        host = _host_in(words)
        if host is not None and self._first[-2:] == (Field.HOST, Field.CLIENT):
            usual = host + 2
        if Field.COUNT not in self._last:
            return usual if len(words) >= usual else None
        places: list[int] = [usual, usual - 1, *range(usual + 1, usual + _MOST_BLANKS)]
        for at in places:
            if 0 < at < len(words) and cells.is_partition(words[at]):
                return at
        return None

    def _identity(self, words: list[str]) -> dict[Field, str] | None:
        if len(words) == len(self._first):
            return dict(zip(self._first, words, strict=True))
        if Field.HOST not in self._first:
            return None
        host = _host_in(words)
        if host is None:
            return self._unglued(words)
        fields = self._first
        if host < fields.index(Field.HOST):
            fields = tuple(field for field in fields if field != Field.INSTANCE)
        place = fields.index(Field.HOST)
        if host < place:
            return None
        before = [*words[: place - 1], " ".join(words[place - 1 : host])]
        after = " ".join(words[host + 1 :])
        return dict(zip(fields, [*before, words[host], after], strict=False))

    def _unglued(self, words: list[str]) -> dict[Field, str] | None:
        place = self._first.index(Field.HOST) - 1
        parts = cells.unglued(words[place]) if 0 <= place < len(words) else None
        if parts is None:
            return None
        return dict(zip(self._first, [*words[:place], *parts, *words[place + 1 :]], strict=False))

    def _parsed(self, line: int, first: dict[Field, str], rest: list[str]) -> LinePart[_MemberLine]:
        count = int(rest[0]) if rest and Field.COUNT in self._last else None
        listed = rest[1:] if count is not None else rest
        if Field.EPOCH in self._last:
            listed = listed[1:2]
        text = " ".join(listed)
        if Field.TOPIC in first:
            text = f"{first[Field.TOPIC]}({text})"
        assignment, is_elided = cells.partitions_in(text)
        name = first.get(Field.GROUP, "")
        row = MemberRow(
            line,
            GroupKey(name) if name else GroupKey("", self._hint),
            first.get(Field.MEMBER, ""),
            cells.member(first.get(Field.INSTANCE, "")),
            first.get(Field.HOST, ""),
            first.get(Field.CLIENT, ""),
            count,
            assignment,
            format_of(self._header),
        )
        is_listed = bool(assignment) or text == "-"
        is_cut = Field.ASSIGNMENT in self._last and (not is_listed or text[-1] in ",(")
        return LinePart(_MemberLine(row, is_elided), is_cut)


def named_by_client(rows: Iterable[MemberRow]) -> list[MemberRow]:
    """Return members named by client id, with host and number if they share one."""
    rows = list(rows)
    clients = Counter(row.client for row in rows)
    counts: Counter[str] = Counter()
    named = []
    for row in rows:
        name = row.client if clients[row.client] == 1 else f"{row.client} {row.host}"
        counts[name] += 1
        number = f" {counts[name]}" if counts[name] > 1 else ""
        named.append(row._replace(member=f"{name}{number}"))
    return named


def _joined(rows: Iterable[MemberRow]) -> list[MemberRow]:
    """Merge rows by member, if there is one per member and topic."""
    joined: list[MemberRow] = []
    topics: set[str] = set()
    for row in rows:
        own = {topic for topic, _ in row.assignment}
        last = joined[-1] if joined else None
        if last and last[1:6] == row[1:6] and not own & topics:
            joined[-1] = last._replace(assignment=last.assignment + row.assignment)
            topics |= own
        else:
            joined.append(row)
            topics = own
    return joined


def format_of(header: Header) -> str:
    """Return which of the two tables a header announces."""
    return VERBOSE_FORMAT if Field.ASSIGNMENT in header.fields else FORMAT


def _name_in(first: Mapping[Field, str]) -> str:
    return first.get(Field.MEMBER, first.get(Field.CLIENT, ""))


def _host_in(words: list[str]) -> int | None:
    return next((w for w, word in enumerate(words) if w and cells.is_host(word)), None)


def _note_contradictions(rows: list[MemberRow], elided: list[int], parsed: Parsed) -> None:
    if elided:
        parsed.notes.append(
            f"{at_lines(elided)}: some partitions of the assignment cannot be read or were left "
            "out."
        )
    owners: dict[tuple[GroupKey, tuple[str, int]], str] = {}
    shared = [
        row.line
        for row in rows
        if any(owners.setdefault((row.group, p), row.member) != row.member for p in row.assignment)
    ]
    if shared:
        parsed.notes.append(
            f"{at_lines(shared)}: another consumer above has the same partitions, as in a share "
            "group; the first one counts."
        )
    differing = [
        row.line
        for row in rows
        if row.assignment and row.partitions not in (None, len(row.assignment))
    ]
    if differing:
        parsed.notes.append(
            f"{at_lines(differing)}: #PARTITIONS contradicts the assignment; the assignment counts."
        )
