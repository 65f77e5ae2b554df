"""CSV files as tables of text, with known column names and line numbers kept."""

import codecs
import csv
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn

from sources import cells
from sources.budget import Limits
from sources.cells import UNKNOWN_WORDS
from sources.columns import Field
from sources.csv.header import columns_of, separator_of
from sources.errors import SourceError

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
UTF_16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SEPARATOR_NAMES: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}
_DAMAGED: Final = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, RuntimeError, ValueError, NotImplementedError),
)
"""Exceptions for zip files that are broken, encrypted, or compressed by unknown methods."""


@dataclass(frozen=True, eq=False)
class CsvTable:
    """One CSV; by default without rows."""

    file: str = ""
    lines: Sequence[int] = ()
    """The line number of each row."""
    columns: Mapping[Field, Sequence[str]] = field(default_factory=dict)
    """Stripped text, one cell per row."""
    unused: Sequence[str] = ()
    """Header names that are unknown."""

    def numbers(self, column: Field, *, lowest: int | None = None) -> list[int | None]:
        """Return a column of whole numbers, None where unknown.

        Raises SourceError with file, line and column of the first cell that is not a whole number,
        or is below ``lowest``.
        """
        numbers = []
        for row, cell in enumerate(self._cells(column)):
            try:
                number = cells.number(cell)
            except ValueError:
                self.refuse(column, row, "a whole number")
            if number is not None and lowest is not None and number < lowest:
                self.refuse(column, row, f"{lowest} or more")
            numbers.append(number)
        return numbers

    def words(self, column: Field) -> list[str]:
        """Return a column of text; unknown cells and a missing column are ""."""
        texts = self._cells(column)
        return ["" if text.lower() in UNKNOWN_WORDS else text for text in texts]

    def refuse(self, column: Field, row: int, expected: str) -> NoReturn:
        """Raise the error for one cell."""
        value = repr(self.columns[column][row]) if column in self.columns else "no such column"
        message = (
            f"{self.file}, line {self.lines[row]}, column {column}: expected {expected}, "
            f"found {value}"
        )
        raise SourceError(message)

    def _cells(self, column: Field) -> Sequence[str]:
        return self.columns.get(column) or [""] * len(self.lines)


def unpacked(files: Mapping[str, bytes], limits: Limits) -> Iterator[tuple[str, str]]:
    """Yield name and text of every CSV, those inside zip files included.

    Raises SourceError for a damaged zip, or one that unpacks to more than the limit.
    """
    for name, data in files.items():
        if not data.startswith(b"PK\x03\x04"):
            yield name, decoded(data)
            continue
        try:
            entries = list(_entries(name, data, limits))
        except SourceError:
            raise
        except _DAMAGED as error:
            message = f"{name}: this zip file cannot be unpacked ({error}); save it again"
            raise SourceError(message) from error
        if not entries:
            message = f"{name}: this zip file holds no .csv, .tsv or .txt file"
            raise SourceError(message)
        yield from entries


def _entries(name: str, data: bytes, limits: Limits) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [entry for entry in archive.infolist() if _is_table(entry.filename)]
        limits.check("bytes", sum(entry.file_size for entry in entries), name)
        for entry in entries:  # no file is read beyond its declared size
            yield entry.filename, decoded(archive.read(entry))


def _is_table(name: str) -> bool:
    plain = name.rpartition("/")[2]
    return plain.lower().endswith((".csv", ".tsv", ".txt")) and not plain.startswith(".")


def decoded(data: bytes) -> str:
    """Decode bytes: UTF-16 after its byte order mark (PowerShell), else UTF-8.

    Invalid bytes become replacement characters, so that the rest can be read.
    """
    encoding = "utf-16" if data.startswith(UTF_16_MARKS) else "utf-8-sig"
    return data.decode(encoding, errors="replace")


def table_in(file: str, text: str, limits: Limits) -> CsvTable:
    """Return one CSV as a table with its known columns.

    Raises SourceError for an empty file, a header without a known column, a repeated column, and
    rows longer than the header.
    """
    first = next((line for line in _lines(file, text, limits) if line.strip()), "")
    separator = separator_of(first)
    rows = _rows(file, text, separator, limits)
    header_line, names = next(rows, (0, []))
    if not names:
        message = f"{file}: the file is empty; its first line names the columns"
        raise SourceError(message)
    # Several tabs may align columns; they count as one.
    is_aligned = separator == "\t" and not all(name.strip() for name in names)
    names = [name for name in names if name.strip()] if separator == "\t" else names
    columns = columns_of(f"{file}, line {header_line}", names)
    numbers: list[int] = []
    texts: dict[Field, list[str]] = {column: [] for column in columns}
    for line, row in rows:
        if separator == "\t" and (is_aligned or len(row) > len(names)):
            row = [cell for cell in row if cell.strip()]  # noqa: PLW2901 -- as meant
        if any(cell.strip() for cell in row[len(names) :]):
            message = (
                f"{file}, line {line}: {len(row)} cells under {len(names)} column names; quote "
                f"cells that contain {_SEPARATOR_NAMES[separator]}"
            )
            raise SourceError(message)
        numbers.append(line)
        for column, at in columns.items():
            texts[column].append(row[at].strip() if at < len(row) else "")
    known = set(columns.values())
    return CsvTable(
        file, numbers, texts, [name for at, name in enumerate(names) if at not in known]
    )


def _rows(file: str, text: str, separator: str, limits: Limits) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each row's last line, and its cells, for rows that are not blank."""
    reader = csv.reader(_lines(file, text, limits), delimiter=separator)
    try:
        for row in reader:
            limits.check("rows", reader.line_num - 1, file)
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        message = (
            f"{file}, line {reader.line_num}: a cell cannot be read ({error}); look for a quote "
            "that is never closed"
        )
        raise SourceError(message) from error


def _lines(file: str, text: str, limits: Limits) -> Iterator[str]:
    for number, line in enumerate(_LINE.finditer(text), start=1):
        limits.check("characters", line.end() - line.start(), f"{file}, line {number}")
        yield line[0]
