"""The table ``checkpoint``: where the replay of each group stopped.

A micro-batch adds the states of its own groups; of a group's rows those of the newest snapshot
count. Now and then the files are merged, so that a batch costs what it brings.
"""

from collections.abc import Mapping, Sequence
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
    keys = {"group": group_names(table), "at": table["snapshot_at"]}
    last = pa.table(keys).group_by("group", use_threads=False).aggregate([("at", "max")])
    newest_at = last["at_max"].take(pc.index_in(keys["group"], last["group"]))
    return table.filter(pc.equal(table["snapshot_at"], newest_at))


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
    """Return the rows of these buckets; columns missing from a file are null."""
    found, wanted = [_SCHEMA.empty_table()], pc.field("bucket").isin(pa.array(buckets, pa.int32()))
    for path in paths:
        with files.open_input_file(f"checkpoint/{path}") as file:
            rows = pq.read_table(file, filters=wanted, use_threads=False, pre_buffer=False)
        found.append(completed(rows, _SCHEMA))
    return pa.concat_tables(found)
