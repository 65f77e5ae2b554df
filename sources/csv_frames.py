"""CSV files as frames of text, with known column names and line numbers kept."""

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

import pandas as pd

from sources.csv_header import columns_of, separator_of
from sources.errors import SourceError

UNKNOWN_WORDS: Final = frozenset({"", "-", "unknown", "null", "none", "nan", "na", "n/a", "<na>"})
"""Cells that say that a value is not known."""

_MOST_BYTES: Final = 200_000_000
"""Of a zip's files unpacked; a bomb is stopped here."""


@dataclass(frozen=True, eq=False)
class Table:
    """One CSV: its frame of stripped text, indexed by line number, columns by known name."""

    file: str
    frame: pd.DataFrame
    unused: tuple[str, ...]
    """Header names that are not understood."""

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


def unpacked(files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield name and text of every CSV, those inside zip files included.

    Raises SourceError for a damaged zip, or one that unpacks beyond 200 MB.
    """
    for name, data in files.items():
        if not data.startswith(b"PK\x03\x04"):
            yield name, decoded(data)
            continue
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                entries = [entry for entry in archive.infolist() if _is_table(entry.filename)]
                if sum(entry.file_size for entry in entries) > _MOST_BYTES:
                    message = f"{name}: unpacks to more than {_MOST_BYTES // 1_000_000} MB"
                    raise SourceError(message)
                for entry in entries:
                    yield entry.filename, decoded(archive.read(entry))
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            message = f"{name}: this zip file cannot be unpacked: {error}"
            raise SourceError(message) from error


def decoded(data: bytes) -> str:
    """Return bytes as text: UTF-16 where a mark says so (PowerShell), else UTF-8.

    Bytes that are no UTF-8 become the replacement character, so that the rest can be read.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    return data.decode("utf-8-sig", errors="replace")


def parsed(file: str, text: str) -> Table:
    """Return one CSV as a table.

    Raises SourceError for an empty file, a header without a column that is understood, a
    column that stands twice, and rows longer than the header.
    """
    first = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text), delimiter=separator_of(first))
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        message = f"{file}, line {reader.line_num}: {error}"
        raise SourceError(message) from error
    if not rows:
        message = f"{file}: the file is empty; its first line names the columns"
        raise SourceError(message)
    header_line, names = rows.pop(0)
    columns = columns_of(f"{file}, line {header_line}", names)
    width = len(names)
    for line, row in rows:
        if len(row) > width and any(cell.strip() for cell in row[width:]):
            message = f"{file}, line {line}: {len(row)} cells under {width} column names"
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


def _is_table(name: str) -> bool:
    plain = name.rpartition("/")[2]
    return plain.lower().endswith((".csv", ".tsv", ".txt")) and not plain.startswith(".")
