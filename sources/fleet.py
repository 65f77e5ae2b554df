"""The tables that the pipeline wrote, read without Spark or Java."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa
import pyarrow.dataset as ds

from sources.errors import SourceError
from sources.fleet_place import Place, said
from sources.fleet_schema import DAY, REPEATED, check_file, has_days, reading_schema

REPORT: Final = "run_report.json"
_FORMAT: Final = ds.ParquetFileFormat(
    read_options=ds.ParquetReadOptions(
        coerce_int96_timestamp_unit="us", dictionary_columns=set(REPEATED)
    )
)
_HIVE: Final = ds.partitioning(pa.schema([(DAY, pa.date32())]), flavor="hive")


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
        return SourceError(f"table {table} in {self.place.folder} cannot be read: {said(error)}")

    def report(self) -> dict[str, Any]:
        """Return the run report; empty if there is none.

        Raises SourceError for one that is no JSON object.
        """
        path = self.place.root / REPORT
        told = self.place.report
        if told is None and not path.is_file():
            return {}
        try:
            found = json.loads(path.read_bytes() if told is None else told)
        except (ValueError, OSError) as error:
            message = f"{path} is no JSON: {error}"
            raise SourceError(message) from error
        if not isinstance(found, dict):
            message = f"{path} holds {type(found).__name__} where a JSON object is expected"
            raise SourceError(message)
        return found


def open_fleet(place: Place) -> Fleet:
    """Return the tables of a version, each file's columns checked against ``schemas``.

    Raises SourceError naming the first file that cannot be read or does not fit.
    """
    datasets = {table: _dataset(place, table, paths) for table, paths in place.files.items()}
    return Fleet(place, MappingProxyType(datasets))


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
            is_of_day = any(part.startswith(f"{DAY}=") for part in name.parent.parts)
            schema_found = _schema_of(fragment, name)
            check_file(f"{place.folder}: {name}", table, schema_found, is_of_day=is_of_day)
    except (pa.ArrowException, OSError) as error:
        message = f"table {table} in {place.folder} cannot be read: {said(error)}"
        raise SourceError(message) from error
    return dataset


def _schema_of(fragment: ds.Fragment, name: Path) -> pa.Schema:
    try:
        return fragment.physical_schema
    except (pa.ArrowException, OSError) as error:
        message = f"{name} is no readable Parquet file ({said(error)})"
        raise SourceError(message) from error
