"""Snapshots as files: whole ones only, in one folder a day, by one collector at a time."""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.collecting.rows import SCHEMA
from pipeline.errors import PipelineError

_ROWS_AT_ONCE: Final = 100_000
"""A row group: what is held in memory of a snapshot of any size."""
_UNFINISHED: Final = ".unfinished-"
_LOCK: Final = ".collector"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Make the folder and hold it for this process, sweeping what a killed one left behind.

    The lock dies with its process. Raises PipelineError if another collector has it or the
    folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / _LOCK).open("w")
    except OSError as error:
        message = f"{folder} cannot be written: {error.strerror}; choose another --out."
        raise PipelineError(message) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = f"Another collector writes to {folder}; give each its own --out."
            raise PipelineError(message) from None
        for left in folder.glob(f"*/{_UNFINISHED}*"):
            left.unlink()
        yield


def write_snapshot(
    folder: Path, started_at: datetime, batches: Iterable[pa.RecordBatch]
) -> tuple[Path | None, int]:
    """Write one snapshot and return its file and its rows; no file where there are no rows.

    The file appears under its name complete and on the disk, or not at all.
    """
    moment = started_at.astimezone(UTC)
    to_the_millisecond = f"{moment:%Y%m%dT%H%M%S%f}"[:-3]
    final = folder / f"{moment:%Y-%m-%d}" / f"offsets-{to_the_millisecond}Z.parquet"
    final.parent.mkdir(exist_ok=True)
    aside = final.with_name(_UNFINISHED + final.name)
    try:
        with pq.ParquetWriter(aside, SCHEMA, compression="zstd") as writer:
            rows = 0
            for table in _gathered(batches):
                writer.write_table(table, row_group_size=_ROWS_AT_ONCE)
                rows += table.num_rows
        if not rows:
            return None, 0
        _flush(aside)
        aside.rename(final)
        _flush(final.parent)
    finally:
        aside.unlink(missing_ok=True)
    return final, rows


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Yield the batches in tables of about a row group."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(each.num_rows for each in held) >= _ROWS_AT_ONCE:
            yield pa.Table.from_batches(held, SCHEMA)
            held = []
    if held:
        yield pa.Table.from_batches(held, SCHEMA)


def _flush(path: Path) -> None:
    """Have the disk hold what was written, or the names in a folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
