"""Tables of few rows, written and read as the tests of publishing need them."""

import datetime as dt
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from pipeline.publishing import Staging
from schemas.arrow import arrow_schema
from schemas.tables import TABLES, columns


def write_all(staging: Staging, marks: Mapping[int, str], but: Iterable[str] = ()) -> None:
    """Write each table a row for every day of March 2026, with the mark as its first text.

    Tables without a day get the marks' last; those in ``but`` stay without rows.
    """
    for table in TABLES:
        rows = [] if table in but else _rows(table, marks)
        for number, row in enumerate(rows):
            folder = _folder(staging, table)
            folder = folder / f"day={row['day']}" if "day" in row else folder
            folder.mkdir(parents=True)
            kept = [field for field in arrow_schema(TABLES[table]) if field.name != "day"]
            schema = pa.schema(kept)
            pq.write_table(pa.Table.from_pylist([row], schema), folder / f"part-{number}.parquet")
        _folder(staging, table).mkdir(exist_ok=True)


def marks(root: Path, table: str) -> dict[str, str]:
    """Return day -> mark of a table as pyarrow reads it; the day of a table without is ''."""
    found = ds.dataset(root / table, partitioning="hive").to_table().to_pylist()
    text = _first_text(table)
    return {str(row.get("day", "")): row[text] for row in found}


def _folder(staging: Staging, table: str) -> Path:
    return Path(staging.place(table).removeprefix("file://"))


def _rows(table: str, marks: Mapping[int, str]) -> list[dict[str, Any]]:
    text = _first_text(table)
    if "day" not in columns(TABLES[table]):
        return [{text: list(marks.values())[-1]}]
    return [{text: mark, "day": dt.date(2026, 3, day)} for day, mark in marks.items()]


def _first_text(table: str) -> str:
    return next(name for name, type_ in columns(TABLES[table]).items() if type_ == "STRING")
