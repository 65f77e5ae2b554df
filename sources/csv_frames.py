"""CSV files as frames of text, with known column names and line numbers kept."""

import csv
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

import pandas as pd

from sources.budget import LIMITS, Limits
from sources.columns import UNKNOWN_WORDS
from sources.csv_header import columns_of, separator_of
from sources.errors import SourceError

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_SEPARATOR_NAMES: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}
_DAMAGED: Final = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, RuntimeError, ValueError, NotImplementedError),
)
"""What Python raises for zip files that are broken, encrypted, or packed in unknown ways."""


@dataclass(frozen=True, eq=False)
class Table:
    """One CSV: its frame of stripped text, indexed by line number, columns by known name."""

    file: str
    frame: pd.DataFrame
    unused: tuple[str, ...]
    """Header names that are unknown."""

    def numbers(self, column: str, *, lowest: int | None = None) -> pd.Series:
        """Return a column as Int64, missing where unknown.

        Raises SourceError naming file, line and column of the first cell that is no whole
        number, or is below ``lowest``.
        """
        text = self.frame[column]
        is_known = ~text.str.lower().isin(UNKNOWN_WORDS)
        whole = text[is_known].str.extract(r"^([+-]?\d{1,18})(?:\.0+)?$")[0]
        if whole.isna().any():
            self.refuse(column, int(whole.index[whole.isna()][0]), "a whole number")
        values = whole.astype("int64")
        if lowest is not None and (values < lowest).any():
            line = int(values.index[values < lowest][0])
            self.refuse(column, line, f"{lowest} or more")
        return values.astype("Int64").reindex(self.frame.index)

    def words(self, column: str) -> pd.Series:
        """Return a column as text, "" where unknown or where there is no such column."""
        if column not in self.frame:
            return pd.Series("", self.frame.index, dtype=object)
        text = self.frame[column]
        return text.where(~text.str.lower().isin(UNKNOWN_WORDS), "")

    def refuse(self, column: str, line: int, expected: str) -> NoReturn:
        """Raise the error for one cell."""
        found = repr(self.frame.loc[line, column]) if column in self.frame else "no such column"
        message = f"{self.file}, line {line}, column {column}: expected {expected}, found {found}"
        raise SourceError(message)


def unpacked(files: Mapping[str, bytes], limits: Limits = LIMITS) -> Iterator[tuple[str, str]]:
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
        for entry in entries:  # none is read beyond the size it declares
            yield entry.filename, decoded(archive.read(entry))


def decoded(data: bytes) -> str:
    """Return bytes as text: UTF-16 where a mark says so (PowerShell), else UTF-8.

    Bytes that are no UTF-8 become the replacement character, so that the rest can be read.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    return data.decode("utf-8-sig", errors="replace")


def parsed(file: str, text: str, limits: Limits = LIMITS) -> Table:
    """Return one CSV as a table.

    Raises SourceError for an empty file, a header without a known column, a column that is
    there twice, and rows longer than the header.
    """
    separator = separator_of(
        next((line[0] for line in _LINE.finditer(text) if line[0].strip()), "")
    )
    rows = _rows(file, text, separator, limits)
    if not rows:
        message = f"{file}: the file is empty; its first line names the columns"
        raise SourceError(message)
    header_line, names = rows.pop(0)
    if separator == "\t":
        names, rows = _aligned(names, rows)
    columns = columns_of(f"{file}, line {header_line}", names)
    width = len(names)
    for line, row in rows:
        if len(row) > width and any(cell.strip() for cell in row[width:]):
            message = (
                f"{file}, line {line}: {len(row)} cells under {width} column names; quote cells "
                f"that contain {_SEPARATOR_NAMES[separator]}"
            )
            raise SourceError(message)
    used = [position for position, column in enumerate(columns) if column is not None]
    frame = pd.DataFrame(
        [[row[k].strip() if k < len(row) else "" for k in used] for _, row in rows],
        index=pd.Index([line for line, _ in rows], dtype="int64"),
        columns=[columns[position] for position in used],
        dtype=object,
    )
    unused = tuple(name for name, column in zip(names, columns, strict=True) if column is None)
    return Table(file, frame, unused)


def _rows(file: str, text: str, separator: str, limits: Limits) -> list[tuple[int, list[str]]]:
    """Return the rows that are not blank, each with the number of its last line."""
    reader = csv.reader((line[0] for line in _LINE.finditer(text)), delimiter=separator)
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((reader.line_num, row))
                limits.check("rows", len(rows), file)
    except csv.Error as error:
        message = (
            f"{file}, line {reader.line_num}: a cell cannot be read ({error}); look for a quote "
            "that is never closed"
        )
        raise SourceError(message) from error
    return rows


def _aligned(
    names: list[str], rows: Iterable[tuple[int, list[str]]]
) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Take several tabs for one where a table is aligned by them, and not by single tabs."""
    is_spread = not all(name.strip() for name in names)
    names = [name for name in names if name.strip()]
    return names, [
        (
            line,
            [cell for cell in row if cell.strip()] if is_spread or len(row) > len(names) else row,
        )
        for line, row in rows
    ]


def _is_table(name: str) -> bool:
    plain = name.rpartition("/")[2]
    return plain.lower().endswith((".csv", ".tsv", ".txt")) and not plain.startswith(".")
