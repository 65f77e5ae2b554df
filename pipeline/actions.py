"""What a commit adds to a Delta table or removes from it: files, with their statistics."""

import json
import time
from datetime import datetime, timedelta
from typing import Any, Final

import pyarrow.parquet as pq
from deltalake.transaction import AddAction, RemoveAction

DAY: Final = "day"
STATISTICS: Final = ("cluster", "group_id", "snapshot_at", "bucket", "strategy", "finished_at")
"""The columns whose least and greatest values Delta's log has, by file."""
TICK: Final = timedelta(milliseconds=1)
"""Times among them are no finer, so that readers of the log look as much further."""


def addition(path: str, size: int, metadata: pq.FileMetaData) -> AddAction:
    """Return the action that adds a file; its path below the table may name its day."""
    statistics = json.dumps(_statistics(metadata))
    return AddAction(path, size, _days_in(path), _now_ms(), data_change=True, stats=statistics)


def removal(path: str, size: int) -> RemoveAction:
    """Return the action that removes a file."""
    return RemoveAction(path, True, _now_ms(), size, _days_in(path))  # noqa: FBT003 -- theirs


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _days_in(path: str) -> dict[str, str | None]:
    """Return the partition that a path below a table names, if any."""
    day = path.partition(f"{DAY}=")[2].partition("/")[0]
    return {DAY: day} if day else {}


def _statistics(metadata: pq.FileMetaData) -> dict[str, Any]:
    """Return a file's statistics from its footer, in the form of Delta's protocol."""
    ends: dict[str, list[Any]] = {}
    for group in range(metadata.num_row_groups):
        for number in range(metadata.num_columns):
            column = metadata.row_group(group).column(number)
            ends_known = column.is_stats_set and column.statistics.has_min_max
            if column.path_in_schema in STATISTICS and ends_known:
                of_column = ends.setdefault(column.path_in_schema, [])
                of_column += [column.statistics.min, column.statistics.max]
    return {
        "numRecords": metadata.num_rows,
        "minValues": {name: _json_value(min(values)) for name, values in ends.items()},
        "maxValues": {name: _json_value(max(values)) for name, values in ends.items()},
    }


def _json_value(value: datetime | str | int) -> str | int:
    return f"{value:%Y-%m-%dT%H:%M:%S.%f}Z" if isinstance(value, datetime) else value
