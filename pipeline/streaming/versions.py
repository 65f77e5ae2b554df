"""The versions of a stream: each holds the files of the one before, and those of its batch.

Rows that may still change are in files of their own, ``provisional-*``, which the next
version leaves out; all others stay as they are, as links to the same files. Small files
are merged now and then, so that a day of many batches stays quick to read.
"""

import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq

from pipeline.publishing import link

_PROVISIONAL: Final = "provisional-"
_MERGED: Final = "merged-"
_MERGE_FROM: Final = 16
"""So many files of one size make one of the next; a row is rewritten once a size."""


def carry_over(present: Path | None, version: Path, tables: Iterable[str]) -> None:
    """Link all files of the present version that are not provisional into the new one."""
    for table in tables:
        (version / table).mkdir(parents=True, exist_ok=True)
        if present is None:
            continue
        for file in sorted((present / table).rglob("*.parquet")):
            if not file.name.startswith(_PROVISIONAL) and pq.read_metadata(file).num_rows:
                target = version / file.relative_to(present)
                target.parent.mkdir(parents=True, exist_ok=True)
                link(str(file), str(target))


def add_provisional(written: Path, version: Path) -> None:
    """Move the tables in a folder into those of the version, as provisional files."""
    for file in sorted(written.rglob("*.parquet")):
        below = file.relative_to(written)
        target = version / below.with_name(_PROVISIONAL + below.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        file.rename(target)
    shutil.rmtree(written)


def merge_small(version: Path, tables: Iterable[str]) -> None:
    """Merge the files of a table, or of a day of it, wherever there are many of one size."""
    for table in tables:
        for folder in sorted({file.parent for file in (version / table).rglob("*.parquet")}):
            _merge_in(folder)


def _merge_in(folder: Path) -> None:
    """Merge size by size, since the smaller ones may make one more of the larger."""
    size = 0
    while size <= max(map(_size, _settled(folder)), default=-1):
        files = [file for file in _settled(folder) if _size(file) == size]
        size += 1
        if len(files) >= _MERGE_FROM:
            _merge(files, folder / f"{_MERGED}{size}-{secrets.token_hex(4)}.parquet")


def _settled(folder: Path) -> list[Path]:
    files = sorted(folder.glob("*.parquet"))
    return [file for file in files if not file.name.startswith(_PROVISIONAL)]


def _size(file: Path) -> int:
    """Return how often the rows of a file were merged."""
    return int(file.name.split("-")[1]) if file.name.startswith(_MERGED) else 0


def _merge(files: list[Path], merged: Path) -> None:
    """Write the row groups of the files into one and remove them from this version alone."""
    schema = pq.read_schema(files[0])
    with pq.ParquetWriter(merged, schema, compression="zstd") as writer:
        for file in files:
            for batch in pq.ParquetFile(file).iter_batches():
                writer.write_batch(batch)
    for file in files:
        file.unlink()
