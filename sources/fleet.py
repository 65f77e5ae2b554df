"""The folder of tables that the pipeline wrote, read without Spark or Java.

``DIR/_current`` points at the version that is complete; it is followed once, so that all
tables are seen as one run left them even while the next one publishes. A plain folder of
``<table>/day=.../*.parquet`` is read as it stands.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa
import pyarrow.dataset as ds

from schemas.tables import TABLES
from sources.errors import SourceError
from sources.fleet_schema import DAY, REPEATED, check_file, has_days, reading_schema

CURRENT: Final = "_current"
REPORT: Final = "run_report.json"
_VERSIONS: Final = "_versions"
_FORMAT: Final = ds.ParquetFileFormat(
    read_options=ds.ParquetReadOptions(
        coerce_int96_timestamp_unit="us", dictionary_columns=set(REPEATED)
    )
)
_HIVE: Final = ds.partitioning(pa.schema([(DAY, pa.date32())]), flavor="hive")
_NAMED: Final = 4


@dataclass(frozen=True)
class Place:
    """One version of the tables on disk, before any file was opened."""

    folder: Path
    """As it was chosen."""
    root: Path
    """Where this version's tables stand."""
    files: Mapping[str, tuple[Path, ...]]
    """Table to its Parquet files."""
    stamp: str
    """Differs when a file was added, removed or written anew."""


@dataclass(frozen=True, eq=False)
class Fleet:
    """One version of the tables, every file's columns checked."""

    place: Place
    datasets: Mapping[str, ds.Dataset]
    """By table."""

    def read(
        self, table: str, columns: Sequence[str], where: ds.Expression | None = None
    ) -> pa.Table:
        """Return the columns; only the rows where the expression holds.

        Columns and filters are pushed down into the files. Raises SourceError when a file
        has become unreadable since.
        """
        try:
            found = self.datasets[table].to_table(columns=list(columns), filter=where)
            return found.unify_dictionaries()
        except (pa.ArrowException, OSError) as error:
            raise self._unreadable(table, error) from error

    def head(self, table: str, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first so many rows; the files after them are not read."""
        try:
            return self.datasets[table].head(most, columns=list(columns)).unify_dictionaries()
        except (pa.ArrowException, OSError) as error:
            raise self._unreadable(table, error) from error

    def count(self, table: str) -> int:
        """Return how many rows a table has, as the ends of its files tell: none is read."""
        try:
            return int(self.datasets[table].count_rows())
        except (pa.ArrowException, OSError) as error:
            raise self._unreadable(table, error) from error

    def _unreadable(self, table: str, error: Exception) -> SourceError:
        return SourceError(f"table {table} in {self.place.folder} cannot be read: {_said(error)}")

    def report(self) -> dict[str, Any]:
        """Return the run report; empty if there is none.

        Raises SourceError for one that is no JSON object.
        """
        path = self.place.root / REPORT
        if not path.is_file():
            return {}
        try:
            found = json.loads(path.read_bytes())
        except (ValueError, OSError) as error:
            message = f"{path} is no JSON: {error}"
            raise SourceError(message) from error
        if not isinstance(found, dict):
            message = f"{path} holds {type(found).__name__} where a JSON object is expected"
            raise SourceError(message)
        return found


def place_of(folder: Path) -> Place:
    """Return where the present version's files are; no file is opened.

    Raises SourceError if there is no such folder, it holds none of the tables, or lacks some.
    """
    try:
        root = _version_of(folder)
        files = {table: tuple(_files_of(root, table)) for table in TABLES}
        stamp = _stamp_of(root, [path for paths in files.values() for path in paths])
    except OSError as error:
        message = f"{folder} cannot be read: {_said(error)}"
        raise SourceError(message) from error
    return Place(folder, root, MappingProxyType(files), stamp)


def open_fleet(place: Place) -> Fleet:
    """Return the tables of a version, each file's columns checked against ``schemas``.

    Raises SourceError naming the first file that cannot be read or does not fit.
    """
    datasets = {table: _dataset(place, table, paths) for table, paths in place.files.items()}
    return Fleet(place, MappingProxyType(datasets))


def _version_of(folder: Path) -> Path:
    if not folder.is_dir():
        what = "is a file, not a folder" if folder.exists() else "does not exist"
        message = f"{folder} {what}; choose the folder given to the pipeline as --output"
        raise SourceError(message)
    pointer = folder / CURRENT
    if pointer.is_symlink() or pointer.exists():
        if not pointer.exists():
            message = f"{pointer} points at nothing; run the pipeline into {folder} again"
            raise SourceError(message)
        root = pointer.resolve()
        if not root.is_relative_to(folder.resolve()):
            message = f"{pointer} leads out of {folder}; it must point at a version below it"
            raise SourceError(message)
        return _complete(folder, root)
    if (folder / _VERSIONS).is_dir():
        message = f"{folder} holds no finished run yet; wait for the pipeline, or start it again"
        raise SourceError(message)
    return _complete(folder, folder.resolve())


def _complete(folder: Path, root: Path) -> Path:
    """Return the root if it holds every table."""
    missing = [table for table in TABLES if not (root / table).is_dir()]
    if len(missing) == len(TABLES):
        found = sorted(path.name for path in root.iterdir())
        held = ", ".join(found[:_NAMED]) + (" …" if len(found) > _NAMED else "")
        message = (
            f"{folder} holds no tables of the pipeline ({held or 'it is empty'}); choose the "
            "folder given to it as --output"
        )
        raise SourceError(message)
    if missing:
        message = f"{folder} lacks the table {missing[0]!r}; let the pipeline write it anew"
        raise SourceError(message)
    return root


def _files_of(root: Path, table: str) -> Iterator[Path]:
    """Yield the Parquet files of a table in a fixed order; none is an empty table."""
    for parent, folders, names in os.walk(root / table, followlinks=True):
        folders[:] = sorted(name for name in folders if name[:1] not in "._")
        for name in sorted(names):
            if not name.endswith(".parquet") or name[:1] in "._":
                continue
            yield Path(parent, name)


def _stamp_of(root: Path, files: Sequence[Path]) -> str:
    found = hashlib.blake2b(str(root).encode(), digest_size=16)
    for path in files:
        about = path.stat()
        found.update(f"{path} {about.st_size} {about.st_mtime_ns} {about.st_ino}\n".encode())
    return found.hexdigest()


def _dataset(place: Place, table: str, paths: Sequence[Path]) -> ds.Dataset:
    schema = reading_schema(table)
    if not paths:
        return ds.dataset(schema.empty_table())
    partitioning = _HIVE if has_days(table) else None
    try:
        dataset = ds.dataset(
            [str(path) for path in paths], schema=schema, format=_FORMAT, partitioning=partitioning
        )
        for fragment in dataset.get_fragments():
            name = Path(fragment.path).relative_to(place.root)
            is_of_day = name.parent.name.startswith(f"{DAY}=")
            schema_found = _schema_of(fragment, name)
            check_file(f"{place.folder}: {name}", table, schema_found, is_of_day=is_of_day)
    except (pa.ArrowException, OSError) as error:
        message = f"table {table} in {place.folder} cannot be read: {_said(error)}"
        raise SourceError(message) from error
    return dataset


def _schema_of(fragment: ds.Fragment, name: Path) -> pa.Schema:
    try:
        return fragment.physical_schema
    except (pa.ArrowException, OSError) as error:
        message = f"{name} is no readable Parquet file ({_said(error)})"
        raise SourceError(message) from error


def _said(error: BaseException) -> str:
    """Return the first sentence of an error: Arrow's go on about its own code."""
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return first.rstrip(".")
