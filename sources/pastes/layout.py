"""The rows of one table: which text of a line stands in which column."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from sources import cells
from sources.columns import Field
from sources.pastes.alignment import (
    CHECKED,
    WHERE,
    WordInLine,
    begins_remark,
    cheapest,
    costs_of,
    fits,
    last_number,
)
from sources.pastes.headers import Header, TableKind
from sources.pastes.separators import regrouped

Cells: TypeAlias = dict[Field, str]
"""The text by column; blank and missing columns have no entry."""

_WORD: Final = re.compile(r"\S+")
_ROW_NUMBER: Final = re.compile(r"\s*(\d+)\s")
_MARKED: Final = re.compile(r"^(\d[\d,]*) \W+$")
"""A number followed by a tick or a warning sign."""
_BRACKETED: Final = re.compile(r"\s\[(\d{1,6})\](?=\s)")
"""A partition number in librdkafka's format."""
_LISTED: Final = re.compile(r",\s+")
_NODE: Final = re.compile(r"(:\d+|(?<!\S)-)\s+\(")
"""A coordinator and the node id after it."""
_OF_WORDS: Final = frozenset({TableKind.MEMBERS, TableKind.STATE})
"""Kinds of tables whose rows are read by their words, whatever stands between them."""
_MOST_EXTRA_WORDS: Final = 12
"""The most words of a row beyond its columns: a time before, a remark after it."""
_MOST_COLUMNS: Final = 32
"""Rows of wider tables are read only if each column has one word."""


class CellsInLine(NamedTuple):
    """The cells of a line."""

    cells: Cells
    is_cut: bool
    """Whether the last columns are absent, which may be in the next line."""


class _Reading(NamedTuple):
    """One word for each of these columns, after words that are skipped."""

    fields: tuple[Field, ...]
    skipped: int
    checked: tuple[int, ...]
    """The columns that cannot hold every word."""


class Columns:
    """The columns of one table, to which its lines are aligned."""

    def __init__(self, header: Header, topic: str = "") -> None:
        """``topic`` is that of every row, if no column names it."""
        self._header: Final = header
        self._topic: Final = topic
        self._all: Final = header.fields
        self._costs: Final = costs_of(header)
        named = tuple(field for field in self._all if field != Field.OTHER)
        unnamed = tuple(field for field in named if field != Field.INSTANCE)
        is_of_words = header.kind in _OF_WORDS
        ownerless = named if is_of_words else self._all[: last_number(header) + 1]
        self._whole: Final = self._readings(named, self._all)
        self._short: Final = self._readings(named, self._all, ownerless)
        self._joined: Final = self._readings(named, self._all, unnamed)
        self._ends: Final = tuple(f for f in self._all if f in {Field.HOST, Field.CLIENT})
        self._has_partition: Final = Field.PARTITION in self._all
        self._has_assignment: Final = Field.ASSIGNMENT in self._all

    def _readings(self, *readings: tuple[Field, ...]) -> tuple[_Reading, ...]:
        return tuple(
            _Reading(fields, skipped, tuple(n for n, f in enumerate(fields) if f in CHECKED))
            for fields in dict.fromkeys(readings)
            for skipped in sorted({0, self._header.prefix})
        )

    def in_line(self, line: str) -> CellsInLine | None:
        """Return the cells of a line, if it is a row.

        Most lines have one word a column; the rest are aligned in the cheapest way.
        """
        text = self._plain(line)
        texts = self._texts(text)
        row = self._one_each(texts, self._short) or self._before_remark(texts)
        is_text = self._header.delimiter in ("", "\t") or self._header.kind in _OF_WORDS
        if row is None and is_text and len(self._all) <= _MOST_COLUMNS:
            row = self._cheapest(text)
        if row is None and self._has_partition and is_text:
            whole = regrouped(text, self._all, self._header.prefix)
            row = self._one_each(whole.split(), self._short) if whole else None
        return None if row is None else CellsInLine(row, self._is_cut(row))

    def in_joined(self, line: str) -> CellsInLine | None:
        """Return the cells of joined lines, if they fill every column.

        A host must look like one, and the lag agree with the offsets: a number broken by wrapping
        would not.
        """
        row = self._one_each(self._texts(self._plain(line)), self._joined)
        if row is None or self._is_cut(row) or not WHERE.match(row.get(Field.HOST, "/")):
            return None
        figures = [row.get(field, "-") for field in (Field.COMMITTED, Field.END, Field.LAG)]
        committed, end, lag = map(cells.number, figures)
        if committed is not None and end is not None and lag is not None and committed >= 0:
            behind = end - committed
            if lag not in (behind, max(behind, 0)):
                return None
        return CellsInLine(row, is_cut=False)

    def may_fill(self, words: int) -> bool:
        """Return whether that many words can fill every column."""
        if self._header.delimiter or self._header.kind in _OF_WORDS:
            return True
        sizes = [len(reading.fields) for reading in self._joined]
        return min(sizes) - 1 <= words <= max(sizes) + self._header.prefix + 1

    def _plain(self, line: str) -> str:
        """Return a line in which what belongs to one column is one word."""
        if "[" in line and self._has_partition:
            line = _BRACKETED.sub(r" \1", line)
        if self._has_assignment:
            line = _LISTED.sub(",", line)
        if self._header.kind == TableKind.STATE:
            line = _NODE.sub(r"\1(", line)
        return line.replace("|", " ") if self._header.kind in _OF_WORDS else line

    def _texts(self, line: str) -> list[str]:
        delimiter, width = self._header.delimiter, len(self._all)
        if not delimiter or delimiter not in line:
            return line[self._indent(line) :].split()
        if delimiter == "\t":
            texts = [cell.strip() for cell in line.split(delimiter)]
            return texts if len(texts) == width else line.split()
        stripped = line.strip()
        if delimiter == "|":
            stripped = stripped.removeprefix("|").removesuffix("|")
        texts = [_MARKED.sub(r"\1", text.strip(" \t*`")) for text in stripped.split(delimiter)]
        if len(texts) > width and not any(texts[width:]):
            return texts[:width]
        return texts + [""] * (width - len(texts)) if len(texts) > 1 else texts

    def _indent(self, line: str) -> int:
        """Return the end of a row number before the first column, 0 without one."""
        found = _ROW_NUMBER.match(line)
        start = self._header.columns[0].start
        return found.end() if found and not self._header.prefix and found.end(1) <= start else 0

    def _one_each(self, texts: Sequence[str], readings: Sequence[_Reading]) -> Cells | None:
        """Return the row in which each column of a reading has one word."""
        for fields, skipped, checked in readings:
            lacking = len(fields) + skipped - len(texts)
            if lacking not in (0, 1):
                continue
            own = texts[skipped:] if skipped else texts
            own = _unglued(fields, own) if lacking else own
            if len(own) == len(fields) and all(
                not own[n] or fits(fields[n], own[n]) for n in checked
            ):
                row = {field: text for field, text in zip(fields, own, strict=True) if text}
                if self._is_row(row):
                    return self._with_topic(row)
        return None

    def _before_remark(self, texts: Sequence[str]) -> Cells | None:
        """Return the row before a remark that a sign sets apart."""
        for reading in self._whole:
            end = len(reading.fields) + reading.skipped
            if end < len(texts) and begins_remark(texts[end]):
                row = self._one_each(texts[:end], (reading,))
                return (
                    row if row and WHERE.match(row.get(Field.HOST, "/").replace("-", "/")) else None
                )
        return None

    def _cheapest(self, line: str) -> Cells | None:
        plain = line.expandtabs()
        found = _WORD.finditer(plain, self._indent(plain))
        words = [WordInLine(word[0], word.start(), word.end()) for word in found]
        if not 0 < len(words) <= len(self._all) + _MOST_EXTRA_WORDS:
            return None
        row = cheapest(self._costs, words, self._header.prefix)
        if row is None:
            return None
        if Field.HOST in self._all and Field.HOST not in row:
            parts = cells.unglued(row.get(Field.MEMBER, ""))
            row |= dict(zip((Field.MEMBER, Field.HOST), parts or (), strict=False))
        return self._with_topic(row) if self._is_row(row) and _has_figure(row) else None

    def _is_row(self, row: Cells) -> bool:
        """Return whether cells make a row: a partition, an idle member, or what the kind needs."""
        kind = self._header.kind
        if kind == TableKind.STATE:
            return Field.COORDINATOR in row and Field.STATE in row
        if kind == TableKind.MEMBERS:
            named_by = Field.MEMBER if Field.MEMBER in self._all else Field.CLIENT
            return bool(cells.member(row.get(named_by, ""))) and self._tells_partitions(row)
        has_topic = not cells.is_nothing(row.get(Field.TOPIC, ""))
        if kind == TableKind.TOPIC_LAGS:
            return has_topic and Field.LAG in row
        if cells.is_nothing(row.get(Field.PARTITION, "")):
            return not has_topic and bool(cells.member(row.get(Field.MEMBER, "")))
        return has_topic or bool(self._topic) or bool(self._header.delimiter)

    def _tells_partitions(self, row: Cells) -> bool:
        """Return whether a member's row has a count or an assignment: prose has neither."""
        if Field.COUNT in self._all and cells.is_partition(row.get(Field.COUNT, "")):
            return True
        return Field.ASSIGNMENT in row

    def _with_topic(self, row: Cells) -> Cells:
        is_partition = self._topic and not cells.is_nothing(row.get(Field.PARTITION, ""))
        return row | {Field.TOPIC: self._topic} if is_partition else row

    def _lacks_target(self, row: Cells) -> bool:
        """Return whether the columns of targets are absent, which the classic protocol dashes."""
        if Field.TARGET_EPOCH not in self._all:
            return False
        epoch = row.get(Field.TARGET_EPOCH, "")
        return not epoch or (epoch.isdecimal() and Field.TARGET not in row)

    def _is_cut(self, row: Cells) -> bool:
        if self._header.kind == TableKind.MEMBERS:
            if not self._has_assignment or Field.TOPIC in row:
                return False
            listed = row.get(Field.ASSIGNMENT, "")
            count = len(cells.partitions_in(listed)[0])
            stated = row.get(Field.COUNT, "")
            is_whole = (
                str(count) == stated if cells.is_partition(stated) else count or listed == "-"
            )
            return not is_whole or listed[-1:] in {",", "("} or self._lacks_target(row)
        ends = self._ends
        return Field.HOST in ends and not all(cells.member(row.get(f, "")) for f in ends)


def _unglued(fields: Sequence[Field], texts: Sequence[str]) -> Sequence[str]:
    """Return the texts with a CONSUMER-ID that ran into its HOST as two."""
    at = fields.index(Field.MEMBER) if Field.MEMBER in fields else len(texts)
    if at >= len(texts) or fields[at + 1] != Field.HOST:
        return texts
    parts = cells.unglued(texts[at])
    return [*texts[:at], *parts, *texts[at + 1 :]] if parts else texts


def _has_figure(row: Cells) -> bool:
    """Return whether a row of a partition has an offset or a lag."""
    if cells.is_nothing(row.get(Field.PARTITION, "")):
        return True
    figures = (Field.COMMITTED, Field.END, Field.LAG)
    return any(cells.number(row[field]) is not None for field in figures if field in row)
