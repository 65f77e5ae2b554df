"""``kafka-consumer-groups --describe``, all five generations: one row a partition.

Also tables that differ by names alone: ``ConsumerOffsetChecker``, ``ConsumerGroupLag``,
``rpk group describe``, ``rpk cluster offsets``.
"""

import re
from typing import Final, TypeAlias

from sources.pastes import cells
from sources.pastes.headers import Field, Kind
from sources.pastes.layout import Cells, Layout
from sources.pastes.page import Page, is_decoration
from sources.pastes.plain_rows import PlainRows, is_plain
from sources.pastes.rows import Found, GroupKey, MemberRow, Row, at_lines
from sources.pastes.sections import Section
from sources.pastes.wraps import RowReader, records

FORMAT: Final = "kafka-consumer-groups --describe"
_Record: TypeAlias = Row | MemberRow
_WHO: Final = (Field.MEMBER, Field.INSTANCE, Field.HOST, Field.CLIENT)
_WHERE: Final = re.compile("[/.:]")
_BETWEEN: Final = re.compile(r"[\s|]+")
_SUSPICIOUS_NUMBERS: Final = 2


def read_offsets(page: Page, section: Section, found: Found, group: str = "") -> None:
    """Add the rows of one table of offsets to what was found.

    Rows of dashes with a CONSUMER-ID become members without partitions. A group named
    above the table stands for a GROUP column that it does not have.
    """
    table = _Table(section, group)
    reader = RowReader[_Record](table.read, table.read_strictly, table.is_cut)
    before = len(found.rows) + len(found.members)
    for numbers, record in records(page, section.body, reader):
        found.used.update(numbers)
        if isinstance(record, Row):
            found.rows.append(record)
        else:
            found.members.append(record)
    if len(found.rows) + len(found.members) > before:
        found.used.update(section.names)
        _note_gaps(page, section, found)


class _Table:
    """One table of offsets: its lines into rows."""

    def __init__(self, section: Section, group: str) -> None:
        header = section.header
        self._layout: Final = Layout(header)
        self._fields: Final = header.fields
        self._keys: Final = {"": GroupKey(group, section.hint)}
        self._is_per_topic: Final = header.kind == Kind.TOPIC_LAGS
        self._plain: Final = PlainRows(header.fields, self._named) if is_plain(header) else None

    def read(self, line: int, text: str) -> _Record | None:
        """Return the row or the idle member that a line holds, None if it holds neither."""
        if self._plain is not None:
            row = self._plain.read(line, text)
            if row is not None:
                return row
        found = self._layout.strict(text) or self._layout.loose(text)
        return self._record(line, found) if found else None

    def read_strictly(self, line: int, text: str) -> _Record | None:
        """Return the row that joined lines hold if every column is filled, the host with one."""
        found = self._layout.strict(text)
        if not found or not _WHERE.search(found.get(Field.HOST, "/")):
            return None
        return self._record(line, found)

    def is_cut(self, record: _Record) -> bool:
        """Tell whether the columns that say who owns the partition are missing."""
        is_whole = record.host and (record.client or Field.CLIENT not in self._fields)
        return Field.HOST in self._fields and not is_whole

    def _named(self, name: str) -> GroupKey:
        key = self._keys.get(name)
        if key is None:
            key = self._keys[name] = GroupKey(name)
        return key

    def _record(self, line: int, found: Cells) -> _Record | None:
        group = self._named(found.get(Field.GROUP, ""))
        who = [cells.member(found.get(field, "")) for field in _WHO]
        if cells.is_nothing(found.get(Field.TOPIC, "")):
            member, instance, host, client = who
            return MemberRow(line, group, member, instance, host, client, 0) if member else None
        if Field.PARTITION not in found and not self._is_per_topic:
            return None
        begin, committed, end = (
            cells.offset(found.get(field, ""))
            for field in (Field.BEGIN, Field.COMMITTED, Field.END)
        )
        lag = cells.number(found.get(Field.LAG, ""))
        if Field.LAG not in self._fields and committed is not None and end is not None:
            lag = max(end - committed, 0)
        partition = 0 if self._is_per_topic else int(found[Field.PARTITION])
        return Row(line, group, found[Field.TOPIC], partition, begin, committed, end, lag, *who)


def _note_gaps(page: Page, section: Section, found: Found) -> None:
    """Say which lines of a table look like rows and could not be read, and where rows are cut."""
    unread = [number for number in section.body if number not in found.used]
    found.note_unreadable("a row", (n for n in unread if _looks_like_row(page.lines[n], section)))
    elided = [n for n in unread if page.lines[n].strip() in {"...", "…", "[...]", "....", ".."}]
    if elided:
        found.notes.append(f"{at_lines(elided)} leaves rows out; only the rows shown are read")


def _looks_like_row(line: str, section: Section) -> bool:
    words = [word for word in _BETWEEN.split(line) if word]
    numbers = sum(map(str.isdecimal, words))
    wanted = len(section.header.columns)
    return (
        not is_decoration(line)
        and numbers >= _SUSPICIOUS_NUMBERS
        and wanted - len(_WHO) <= len(words) <= wanted + _SUSPICIOUS_NUMBERS
    )
