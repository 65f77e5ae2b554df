"""The table ``checkpoint``: where the replay of each group stopped.

A micro-batch adds the states of its own groups; of a group's rows those of the newest snapshot
count. Now and then the files are merged, so that a batch costs what it brings.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake.transaction import AddAction
from pyarrow.fs import FileSystem

from assignors.model import LongArray
from pipeline.lake import Lake
from pipeline.replay.encoding import completed, group_names
from pipeline.replay.writing import write_file
from schemas.arrow import arrow_schema
from schemas.tables import CHECKPOINT

_SCHEMA: Final = arrow_schema(CHECKPOINT)
_MANY: Final = 16
"""So many small files are merged."""
_SMALL: Final = 4
"""A file is small if the largest has this many times its rows."""


def states(files: FileSystem, paths: Sequence[str], rows: pa.Table) -> pa.Table:
    """Return the checkpoint of the groups of some rows of telemetry, from these files."""
    found = _of_buckets(files, paths, np.unique(rows["bucket"].to_numpy()))
    wanted = pc.unique(group_names(rows))
    return newest(found.filter(pc.is_in(group_names(found), wanted)))


def newest(table: pa.Table) -> pa.Table:
    """Return the rows of each group's newest snapshot."""
    if not table.num_rows:
        return table
    group = group_names(table).combine_chunks().dictionary_encode().indices.to_numpy()
    at_us = table["snapshot_at"].cast(pa.int64()).to_numpy()
    last_us: LongArray = np.zeros(int(group.max()) + 1, np.int64)
    np.maximum.at(last_us, group, at_us)
    return table.filter(pa.array(at_us == last_us[group]))


def to_merge(rows: Mapping[str, int]) -> list[str]:
    """Return which files of the table to merge, by their numbers of rows; usually none."""
    largest, total = max(rows.values(), default=0), sum(rows.values())
    small = [path for path, count in rows.items() if count * _SMALL < largest]
    if len(small) <= _MANY:
        return []
    is_most = 2 * sum(rows[path] for path in small) > total
    return list(rows) if is_most else small


def merge(lake: Lake, paths: Sequence[str], buckets: range) -> AddAction | None:
    """Write a file with the newest states in these files and buckets; None if there are none."""
    files = lake.files()
    table = newest(_of_buckets(files, paths, np.arange(buckets.start, buckets.stop)))
    return write_file(files, "checkpoint", in_order(table)) if table.num_rows else None


def in_order(table: pa.Table) -> pa.Table:
    """Sort states so that readers of a few buckets skip most row groups."""
    return table.sort_by("bucket")


def _of_buckets(files: FileSystem, paths: Sequence[str], buckets: LongArray) -> pa.Table:
    """Return the rows of ascending buckets; columns missing from a file are null."""
    found = [_SCHEMA.empty_table()]
    for path in paths:
        with files.open_input_file(f"checkpoint/{path}") as file:
            parquet = pq.ParquetFile(file, pre_buffer=False)
            rows = parquet.read_row_groups(list(_holding(parquet, buckets)), use_threads=False)
        rows = rows.filter(pc.is_in(rows["bucket"], pa.array(buckets, pa.int32())))
        found.append(completed(rows, _SCHEMA))
    return pa.concat_tables(found)


def _holding(parquet: pq.ParquetFile, buckets: LongArray) -> Iterator[int]:
    """Yield the row groups that may hold some of these ascending buckets."""
    leaf = [parquet.schema.column(n).path for n in range(len(parquet.schema))].index("bucket")
    for number in range(parquet.num_row_groups):
        known = parquet.metadata.row_group(number).column(leaf).statistics
        if known is None or not known.has_min_max:
            yield number
            continue
        first = int(np.searchsorted(buckets, known.min))
        if first < buckets.size and buckets[first] <= known.max:
            yield number
