"""Split a line of a table into cells by field, even if columns are shifted."""

import re
from typing import Final, TypeAlias

from sources import cells
from sources.columns import Field
from sources.pastes.headers import NUMERIC, Header

Cells: TypeAlias = dict[Field, str]
"""The text by column; blank and missing columns have no entry."""

_WORD: Final = re.compile(r"\S+")
_INDEX: Final = re.compile(r"\s*(\d+)\s")
_MARKED: Final = re.compile(r"^(\d[\d,]*) \W+$")
"""A number followed by a tick or a warning sign."""
_MOST_EXTRA_WORDS: Final = 12
"""The most words of a row beyond its columns: a time before, a remark after it."""
_NEAR: Final = 3
"""The largest distance of a cell from its column's name."""


class CellLayout:
    """Splits the lines under one header into cells."""

    def __init__(self, header: Header) -> None:
        self._header: Final = header
        self._all: Final = header.fields
        self._named: Final = tuple(field for field in header.fields if field != Field.OTHER)
        self._run: Final = _numeric_run(self._named)
        self._starts: Final = [column.start for column in header.columns]
        self._readings: Final = tuple(dict.fromkeys((self._named, self._all)))

    def cells(self, line: str, *, is_whole: bool = False) -> Cells | None:
        """Return the cells of a line by the surest mapping of its words to the columns, else None.

        By their number; else, unless the row must be whole, around the run of numbers (group and
        topic before it, the member after it); else by the positions of the names in the header, for
        rows with blank cells.
        """
        found = self._by_number(line)
        if found is None and not is_whole and self._header.delimiter in ("", "\t"):
            found = self._around_numbers(line) or self._by_places(line)
        return found

    def _by_number(self, line: str) -> Cells | None:
        words = self._words(line)
        for fields in self._readings:
            for candidate in (words, words[self._header.prefix :]):
                row = _by_count(fields, candidate)
                if row is not None:
                    return row
        return None

    def _words(self, line: str) -> list[str]:
        delimiter, width = self._header.delimiter, len(self._all)
        if not delimiter or delimiter not in line:
            return self._without_index(line).split()
        if delimiter == "\t":
            words = [cell.strip() for cell in line.split(delimiter)]
            return words if len(words) == width else line.split()
        stripped = line.strip()
        if delimiter == "|":
            stripped = stripped.removeprefix("|").removesuffix("|")
        words = [_MARKED.sub(r"\1", word.strip(" \t*`")) for word in stripped.split(delimiter)]
        if len(words) > width and not any(words[width:]):
            return words[:width]
        return words + [""] * (width - len(words)) if len(words) > 1 else words

    def _without_index(self, line: str) -> str:
        """Return a line without the row number before the first column."""
        index = _INDEX.match(line)
        is_outside = index and not self._header.prefix and index.end(1) <= self._starts[0]
        return line[index.end() :] if index and is_outside else line

    def _around_numbers(self, line: str) -> Cells | None:
        if self._run is None:
            return None
        words = self._without_index(line).split()
        before, numbers, after = self._run
        at = _find_run(words, numbers, len(before))
        if at is None or len(words) > len(self._all) + _MOST_EXTRA_WORDS:
            return None
        row = dict(zip(numbers, words[at : at + len(numbers)], strict=True))
        lead, tail = words[:at], words[at + len(numbers) :]
        if len(before) > 1 and len(lead) > len(before):
            lead = [" ".join(lead[self._header.prefix : -1]) or lead[-2], lead[-1]]
        row |= dict(zip(before, lead[len(lead) - len(before) :], strict=True))
        if len(tail) > len(after) and tail[0].isdecimal():
            return None  # a number with spaces, or a column missing from the header
        owner = _tail(after, tail)
        if owner is None:
            placed = self._by_places(line) or dict(zip(after, tail[:1], strict=False))
            owner = {field: placed[field] for field in after if field in placed}
        return row | owner

    def _by_places(self, line: str) -> Cells | None:
        """Assign every word to the last column whose name starts at or before it."""
        if self._header.delimiter:
            return None
        words: dict[Field, list[str]] = {}
        column = -1
        for word in _WORD.finditer(line.expandtabs()):
            place = word.start()
            if place < self._starts[0] - _NEAR:
                return None
            was = column
            while column + 1 < len(self._starts) and self._starts[column + 1] <= place + _NEAR:
                column += 1
            field = self._all[column]
            if column == was and (field in NUMERIC or field not in words):
                return None
            if column != was:
                words[field] = []
            words[field].append(word.group())
        row = {field: " ".join(parts) for field, parts in words.items()}
        return row if _is_row(row) and self._has_figure(row) else None

    def _has_figure(self, row: Cells) -> bool:
        """Return whether a row has an offset or a lag; rows of idle members hold only dashes."""
        if cells.is_nothing(row.get(Field.TOPIC, "?!")):
            return all(cells.is_nothing(row.get(field, "-")) for field in NUMERIC)
        figures = (Field.COMMITTED, Field.END, Field.LAG)
        return any(cells.number(row[field]) is not None for field in figures if field in row)


def _numeric_run(
    fields: tuple[Field, ...],
) -> tuple[tuple[Field, ...], tuple[Field, ...], tuple[Field, ...]] | None:
    """Split the columns into those before, in and after the run of numbers with PARTITION."""
    if Field.PARTITION not in fields:
        return None
    first = fields.index(Field.PARTITION)
    last = first
    while last < len(fields) and fields[last] in NUMERIC:
        last += 1
    before, numbers, after = fields[:first], fields[first:last], fields[last:]
    is_usual = set(before) <= {Field.GROUP, Field.TOPIC} and Field.TOPIC in before
    return (before, numbers, after) if is_usual and len(numbers) > 1 else None


def _find_run(words: list[str], numbers: tuple[Field, ...], earliest: int) -> int | None:
    for at in range(earliest, len(words) - len(numbers) + 1):
        if cells.is_partition(words[at]) and all(
            map(cells.is_number, words[at + 1 : at + len(numbers)])
        ):
            return at
    return None


def _tail(fields: tuple[Field, ...], words: list[str]) -> Cells | None:
    """Assign the words after the numbers to member, host and client; None if they do not fit."""
    if not words:
        return {}
    row = _by_count(fields, words)
    if row is not None:
        return row
    host = next((w for w, word in enumerate(words) if w and cells.is_host(word)), None)
    if host is not None and fields[:2] == (Field.MEMBER, Field.HOST):
        return {
            Field.MEMBER: " ".join(words[:host]),
            Field.HOST: words[host],
            Field.CLIENT: " ".join(words[host + 1 :]),
        }
    return None


def _by_count(fields: tuple[Field, ...], words: list[str]) -> Cells | None:
    if len(words) == len(fields) - 1 and {Field.MEMBER, Field.HOST} <= set(fields):
        place = fields.index(Field.MEMBER)
        if place >= len(words) or fields[place + 1 : place + 2] != (Field.HOST,):
            return None
        parts = cells.unglued(words[place])
        words = [*words[:place], *parts, *words[place + 1 :]] if parts else words
    if len(words) != len(fields):
        return None
    row = {field: word for field, word in zip(fields, words, strict=True) if word}
    return row if _is_row(row) else None


def _is_row(row: Cells) -> bool:
    """Return whether the numeric columns hold numbers, or dashes if the row has no topic."""
    for field, word in row.items():
        if field in NUMERIC and not cells.is_number(word):
            return False
    if Field.PARTITION not in row:
        return Field.TOPIC not in row or Field.LAG in row
    is_idle = cells.is_nothing(row[Field.PARTITION]) and cells.is_nothing(row.get(Field.TOPIC, "-"))
    return is_idle or (cells.is_partition(row[Field.PARTITION]) and Field.TOPIC in row)
