"""A small fleet's telemetry, and its tables in a comparable form."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.lake import Lake
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY

STRATEGIES: Final = ("range", "lag-based", "librdkafka-range")
Tables: TypeAlias = dict[str, list[str]]
_GROUPS: Final = 6
_SNAPSHOTS: Final = 3


def rows_of_day(day: int) -> list[dict[str, Any]]:
    """Return the rows of a day of March 2026, with groups that differ by number."""
    return [
        _row(day, snapshot, group, partition)
        for snapshot in range(_SNAPSHOTS)
        for group in range(_GROUPS)
        for partition in range(3 + group)
    ]


def _row(day: int, snapshot: int, group: int, partition: int) -> dict[str, Any]:
    end = 1000 * day + 100 * snapshot + partition
    member = f"consumer-{(partition + snapshot) % (1 + group)}"
    return {
        "cluster": "prod",
        "group_id": f"group-{group}",
        "snapshot_at": datetime(2026, 3, day, snapshot, tzinfo=UTC),
        "topic": "orders",
        "partition": partition,
        "log_start_offset": 0,
        "log_end_offset": end,
        "committed_offset": None if (group, partition) == (2, 1) else end - 37 * partition,
        "member_id": member,
        "client_id": member,
        "host": "/10.0.0.1",
    }


def write_parquet(folder: Path, *days: int) -> Path:
    """Write one file per day, with one repeated row; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for day in days:
        rows = rows_of_day(day)
        table = pa.Table.from_pylist([*rows, rows[0]], arrow_schema(TELEMETRY))
        pq.write_table(table, folder / f"{day}.parquet")
    return folder


def write_json(file: Path, *days: int) -> Path:
    """Write one file with a broken line after the rows."""
    rows = [row for day in days for row in rows_of_day(day)]
    lines = [json.dumps(row, default=str) for row in rows]
    file.write_text("\n".join([*lines, "no JSON"]) + "\n")
    return file


def tables_in(output: Path | str, storage: Mapping[str, str] = MappingProxyType({})) -> Tables:
    """Return the sorted rows of every table that the newest run published.

    File paths are reduced to names, because folders differ between tests.
    """
    lake = Lake(str(output), dict(storage))
    run = lake.latest()
    assert run is not None
    return {
        table: sorted(_shown(row) for row in _rows(lake, table, version))
        for table, version in run["versions"].items()
    }


def _rows(lake: Lake, table: str, version: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = lake.rows(table, version).to_pylist()
    return rows


def _shown(row: dict[str, Any]) -> str:
    folder = (row.get("file") or "/nowhere/file").rpartition("/")[0]
    return repr(sorted(row.items())).replace(f"{folder}/", "")
