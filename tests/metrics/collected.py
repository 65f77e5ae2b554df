"""Calls of ``pipeline collect`` on metrics, and the rows that they leave."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipeline.__main__ import main

Row = dict[str, Any]


def collect(out: Path, *words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run the command; return its exit status, and what it says."""
    status = main(["collect", "--out", str(out), *words])
    return status, capsys.readouterr().err


def rows_in(out: Path) -> list[Row]:
    """Return the rows of all files, in the order of their names, without columns that are null."""
    rows: list[Row] = []
    for file in sorted(out.glob("*/*.parquet")):
        rows += pq.read_table(file).to_pylist()
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


def offsets(rows: list[Row], at_s: int) -> dict[tuple[str, str, int], tuple[int | None, ...]]:
    """Return start, end and committed offset of each partition at a time."""
    return {
        (row["group_id"], row["topic"], row["partition"]): tuple(
            row.get(name) for name in ("log_start_offset", "log_end_offset", "committed_offset")
        )
        for row in rows
        if "topic" in row and at(row["snapshot_at"]) == at_s
    }


def at(moment: datetime) -> int:
    """Return seconds of 1970."""
    return int(moment.timestamp())
