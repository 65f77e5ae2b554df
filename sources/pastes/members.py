"""``kafka-consumer-groups --describe --members [--verbose]``: one row per member."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from assignors.kinds import GroupKind
from sources import cells
from sources.columns import Field
from sources.pastes.cut_rows import whole_rows
from sources.pastes.headers import Header
from sources.pastes.kinds import is_shared
from sources.pastes.layout import Cells, Columns
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, MemberRow, Parsed, at_lines, owner_of
from sources.pastes.sections import TableSection
from sources.pastes.wrapped_rows import TableRow, rows_in

FORMAT: Final = "kafka-consumer-groups --describe --members"
_WRAPPED: Final = re.compile(r"[\w.:;,-]*\d")
VERBOSE_FORMAT: Final = f"{FORMAT} --verbose"


def read_members(page: Page, section: TableSection, parsed: Parsed) -> None:
    """Add the rows of one table of members."""
    rows: list[MemberRow] = []
    elided: list[int] = []
    listed_cells: list[str] = []
    found = list(_of_members(rows_in(page, section.body, Columns(section.header))))
    whole = whole_rows(page, section.body, found, section.header)
    for lines, row in found:
        parsed.used.update(lines)
        listed = row.get(Field.ASSIGNMENT, "")
        topic = row.get(Field.TOPIC)
        assignment, is_elided = cells.partitions_in(f"{topic}({listed})" if topic else listed)
        elided += [lines[0]] if is_elided else []
        name, count = row.get(Field.GROUP, ""), row.get(Field.COUNT, "")
        rows.append(
            MemberRow(
                lines[0],
                GroupKey(name) if name else GroupKey("", section.hint),
                *owner_of(row),
                int(count) if cells.is_partition(count) else None,
                assignment,
                format_of(section.header),
                _epoch(row, Field.EPOCH),
                _epoch(row, Field.TARGET_EPOCH),
                _target(row, _rest(page, lines[-1] + 1, section, parsed)),
            )
        )
        listed_cells.append(listed)
    if not rows:
        return
    rows = rows if rows[0].member else named_by_client(_joined(rows))
    parsed.used.update(section.names)
    parsed.members += rows
    header = page.lines[section.names.start] if section.names else ""
    if is_shared(header, listed_cells):
        parsed.kinds |= dict.fromkeys((row.group for row in rows), GroupKind.SHARE)
    _note_contradictions(rows, elided, parsed)
    if whole.cut not in parsed.used:
        parsed.note_cut(whole.cut, {rows[-1].group})
    unread = (number for number in section.body if number not in parsed.used)
    parsed.note_unreadable("a member", (n for n in unread if " /" in page.lines[n]))


def _of_members(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """Yield the rows whose host is one, if the first one's is: a date or a command has none."""
    has_hosts = False
    for place, row in enumerate(rows):
        host = row[1].get(Field.HOST, "")
        has_hosts = cells.is_host(host) if place == 0 else has_hosts
        if not has_hosts or cells.is_host(host) or cells.is_nothing(host):
            yield row


def _epoch(row: Cells, field: Field) -> int | None:
    text = row.get(field, "")
    return int(text) if text.isdecimal() else None


def _target(row: Cells, rest: str) -> tuple[tuple[str, int], ...] | None:
    """Return what the coordinator has decided for a member; None in the classic protocol."""
    if _epoch(row, Field.TARGET_EPOCH) is None or Field.ASSIGNMENT not in row:
        return None
    return cells.partitions_in(f"{row.get(Field.TARGET, '')}{rest}")[0]


def _rest(page: Page, number: int, section: TableSection, parsed: Parsed) -> str:
    """Return what a terminal wrapped of the last column: no count tells that it is whole."""
    text = page.lines[number].strip() if number in section.body else ""
    if section.header.fields[-1] is not Field.TARGET or not _WRAPPED.fullmatch(text):
        return ""
    parsed.used.add(number)
    return text


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
