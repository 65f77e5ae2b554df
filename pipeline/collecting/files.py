"""Snapshots as complete files, in one folder a day, by one collector at a time."""

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
"""Rows of a row group, which bounds the memory for a snapshot of any size."""
_UNFINISHED: Final = ".unfinished-"
_LOCK: Final = ".collector"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Create the folder and lock it for this process; remove what a killed one left behind.

    The lock ends with its process. Raises PipelineError if another collector holds it or the folder
    cannot be written.
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
        remove_unfinished(folder)
        yield


def remove_unfinished(folder: Path) -> None:
    """Remove the files whose writers ended before they were complete."""
    for left in folder.glob(f"*/{_UNFINISHED}*"):
        left.unlink()


def write_snapshot(
    folder: Path, started_at: datetime, batches: Iterable[pa.RecordBatch]
) -> tuple[Path | None, int]:
    """Write one snapshot; return its file, None without rows, and its number of rows."""
    moment = started_at.astimezone(UTC)
    to_the_millisecond = f"{moment:%Y%m%dT%H%M%S%f}"[:-3]
    day = folder / f"{moment:%Y-%m-%d}"
    return write_rows(day / f"offsets-{to_the_millisecond}Z.parquet", batches)


def write_rows(final: Path, batches: Iterable[pa.RecordBatch]) -> tuple[Path | None, int]:
    """Write one file; return it, None without rows, and its number of rows.

    The file appears under its name complete and synced to disk, or not at all.
    """
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
    """Yield the batches as tables of about a row group each."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(each.num_rows for each in held) >= _ROWS_AT_ONCE:
            yield pa.Table.from_batches(held, SCHEMA)
            held = []
    if held:
        yield pa.Table.from_batches(held, SCHEMA)


def _flush(path: Path) -> None:
    """Sync a file, or the entries of a folder, to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
