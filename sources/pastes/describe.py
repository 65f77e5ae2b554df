"""``kafka-consumer-groups --describe`` of all releases: one row per partition.

Also tables that differ only by names: ``ConsumerOffsetChecker``, ``ConsumerGroupLag``,
``rpk group describe``, ``rpk cluster offsets``.
"""

import re
from typing import Final, TypeAlias

from sources import cells
from sources.columns import Field
from sources.pastes.headers import FieldKind
from sources.pastes.layout import CellLayout, Cells
from sources.pastes.page import Page, is_decoration
from sources.pastes.parsed import (
    OWNER,
    GroupKey,
    MemberRow,
    Parsed,
    Row,
    at_lines,
    contradicts_offsets,
    owner_of,
    row_of,
)
from sources.pastes.sections import TableSection
from sources.pastes.wrapped_rows import LinePart, Table, records

FORMAT: Final = "kafka-consumer-groups --describe"
_Record: TypeAlias = Row | MemberRow
_WHERE: Final = re.compile("/|[^/]*[.:]")
_BETWEEN: Final = re.compile(r"[\s|]+")
_NUMBER: Final = re.compile(r"\d[\d.,]*[kKMGTB]?")
_CLOCK: Final = re.compile(r"\d{1,2}:\d\d:\d\d")
_INDEX: Final = re.compile(r"\s\[(\d{1,6})\](?=\s)")
"""A partition number in librdkafka's format."""
_SUMS: Final = frozenset({"total", "total:", "sum", "sum:"})
_SUSPICIOUS_NUMBERS: Final = 2


def read_offsets(page: Page, section: TableSection, parsed: Parsed, group: str = "") -> None:
    """Add the rows of one table of offsets.

    Rows of dashes with a CONSUMER-ID become members without partitions. A group named above the
    table replaces a missing GROUP column.
    """
    table: Table[_Record] = _Table(section, group)
    before = parsed.record_count
    for numbers, record in records(page, section.body, table):
        parsed.used.update(numbers)
        if isinstance(record, Row):
            parsed.rows.append(record)
        else:
            parsed.members.append(record)
    if parsed.record_count > before:
        parsed.used.update(section.names)
        _note_unread_lines(page, section, parsed)
        above = page.lines[section.names.start].strip() if section.topic else "topic"
        if "topic" not in above.lower() and not above.endswith(":"):
            parsed.notes.append(
                f"{at_lines(section.names[:1])}: {section.topic!r} is read as the topic of the "
                "table below."
            )


class _Table:
    """One table of offsets: its lines into rows."""

    def __init__(self, section: TableSection, group: str) -> None:
        self._header = header = section.header
        self._topic: Final = section.topic
        self._layout: Final = CellLayout(header)
        self._fields: Final = header.fields
        self._keys: Final = {"": GroupKey(group, "" if group else section.hint)}
        self._is_per_topic: Final = header.kind == FieldKind.TOPIC_LAGS

    def read(self, line: int, text: str, *, is_whole: bool = False) -> LinePart[_Record] | None:
        """Return the row or the idle member in a line, None if neither.

        A whole one has a host in HOST, and offsets that agree with its lag: a number broken by
        wrapping would not.
        """
        text = _INDEX.sub(r" \1", text) if "[" in text else text
        text = self._header.beside(self._topic, text) if self._topic else text
        row_cells = self._layout.cells(text, is_whole=is_whole)
        if not row_cells or (is_whole and not _WHERE.match(row_cells.get(Field.HOST, "/"))):
            return None
        record = self._record(line, row_cells)
        if record is None or (is_whole and isinstance(record, Row) and contradicts_offsets(record)):
            return None
        has_owner = record.host and (record.client or Field.CLIENT not in self._fields)
        return LinePart(record, Field.HOST in self._fields and not has_owner)

    def _named(self, name: str) -> GroupKey:
        key = self._keys.get(name)
        if key is None:
            key = self._keys[name] = GroupKey(name)
        return key

    def _record(self, line: int, row_cells: Cells) -> _Record | None:
        group = self._named(row_cells.get(Field.GROUP, ""))
        if cells.is_nothing(row_cells.get(Field.TOPIC, "")):
            owner = owner_of(row_cells)
            return MemberRow(line, group, *owner, partitions=0) if owner[0] else None
        if Field.PARTITION not in row_cells and not self._is_per_topic:
            return None
        partition = 0 if self._is_per_topic else int(row_cells[Field.PARTITION])
        stated = dict.fromkeys(self._fields, "") | row_cells
        return row_of(line, group, (row_cells[Field.TOPIC], partition), stated, cells.number)


def _note_unread_lines(page: Page, section: TableSection, parsed: Parsed) -> None:
    """Note unreadable lines that look like rows, and elisions."""
    unread = [number for number in section.body if number not in parsed.used]
    parsed.note_unreadable("a row", (n for n in unread if _looks_like_row(page.lines[n], section)))
    elided = [n for n in unread if page.lines[n].strip() in {"...", "…", "[...]", "....", ".."}]
    if elided:
        parsed.notes.append(
            f"{at_lines(elided)}: rows were left out here; only the rows shown are read."
        )


def _looks_like_row(line: str, section: TableSection) -> bool:
    words = [word for word in _BETWEEN.split(line) if word]
    numbers = sum(map(bool, map(_NUMBER.fullmatch, words)))
    wanted = len(section.header.columns)
    is_time = section.header.prefix == 0 and any(map(_CLOCK.fullmatch, words))
    return (
        not is_decoration(line)
        and not is_time
        and words[0].lower() not in _SUMS
        and numbers >= _SUSPICIOUS_NUMBERS
        and wanted - len(OWNER) <= len(words) <= wanted + _SUSPICIOUS_NUMBERS
    )
