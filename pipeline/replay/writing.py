"""Write rows as Parquet files of a table, which become visible with a commit."""

import uuid
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake.transaction import AddAction
from pyarrow.fs import FileSystem

from pipeline.actions import DAY, addition
from pipeline.encoding import decoded
from pipeline.lake import ROW_GROUP_SIZE, partitioned_by

_GROUP_SIZES: Final = {"checkpoint": 5_000}
"""A micro-batch looks up the states of few groups among very many."""


def write(
    files: FileSystem, table: str, rows: pa.Table, first: date | None = None
) -> Iterator[AddAction]:
    """Write rows as files of a table; yield the uncommitted files.

    If the table has days, each has a file, and those before the ``first`` one are left out.
    """
    if not rows.num_rows:
        return
    if not partitioned_by(table):
        yield write_file(files, table, rows)
        return
    days: Sequence[pa.Scalar] = pc.unique(rows[DAY]).sort()
    for day in days:
        if first is not None and day.as_py() < first:
            continue
        of_day = rows if len(days) == 1 else rows.filter(pc.equal(rows[DAY], day))
        yield write_file(files, table, of_day.drop_columns([DAY]), f"{DAY}={day.as_py()}/")


def write_file(files: FileSystem, table: str, rows: pa.Table, folder: str = "") -> AddAction:
    """Write rows as one file in a folder of a table."""
    path, size = f"{folder}part-{uuid.uuid4()}.parquet", _GROUP_SIZES.get(table, ROW_GROUP_SIZE)
    footer: list[pq.FileMetaData] = []
    options = {"compression": "zstd", "store_schema": False, "metadata_collector": footer}
    with files.open_output_stream(f"{table}/{path}") as sink:
        with pq.ParquetWriter(sink, decoded(rows.slice(0, 0)).schema, **options) as writer:
            for first in range(0, rows.num_rows, size):
                # From a dictionary, Parquet would write every name into each row group.
                writer.write_table(decoded(rows.slice(first, size)))
        written = sink.tell()
    return addition(path, written, footer[0])
