"""The table ``checkpoint``: where the replay of each group stopped.

A micro-batch adds the states of its own groups; of a group's rows those of the newest snapshot
count. Now and then the files are merged, so that a batch costs what it brings.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake.transaction import AddAction
from pyarrow.fs import FileSystem

from pipeline.encoding import group_names
from pipeline.horizons import Horizons
from pipeline.lake import Lake
from pipeline.replay.writing import write_file
from schemas.arrow import arrow_schema
from schemas.tables import CHECKPOINT

_SCHEMA: Final = arrow_schema(CHECKPOINT)
_MANY: Final = 16
"""If there are more small files than this, they are merged."""
_SMALL: Final = 4
"""A file is small if the largest has this many times its rows."""


class Sought(NamedTuple):
    """The groups whose states are sought."""

    groups: pa.Array
    """As ``group_names`` has them."""
    buckets: pa.Array
    """Theirs."""
    until: Horizons
    """How far they have been replayed."""


def states(
    files: FileSystem, paths: Sequence[str], sought: Sought, columns: Sequence[str] = _SCHEMA.names
) -> pa.Table:
    """Return the checkpoint of these groups."""
    found = _of_buckets(files, paths, sought.buckets, sought.until, columns)
    return newest(found.filter(pc.is_in(group_names(found), sought.groups)))


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


def merge(lake: Lake, paths: Sequence[str], buckets: range, until: Horizons) -> AddAction | None:
    """Write a file with the newest states in these files and buckets; None if there are none."""
    files, own = lake.files(), pa.array(buckets, pa.int32())
    table = newest(_of_buckets(files, paths, own, until, _SCHEMA.names))
    return write_file(files, "checkpoint", in_order(table)) if table.num_rows else None


def in_order(table: pa.Table) -> pa.Table:
    """Sort states so that readers of a few buckets skip most row groups."""
    return table.sort_by("bucket")


def _of_buckets(
    files: FileSystem,
    paths: Sequence[str],
    buckets: pa.Array,
    until: Horizons,
    columns: Sequence[str],
) -> pa.Table:
    """Return the rows of these buckets; columns missing from a file are null.

    A state after the horizon is of a clock that was wrong: an earlier release kept those.
    """
    schema = pa.schema([_SCHEMA.field(name) for name in columns])
    how = {"schema": schema, "filters": pc.field("bucket").isin(buckets), "use_threads": False}
    found = [schema.empty_table()]
    for path in paths:
        with files.open_input_file(f"checkpoint/{path}") as file:
            found.append(pq.read_table(file, **how, pre_buffer=False))
    states = pa.concat_tables(found)
    at_us = states["snapshot_at"].cast(pa.int64()).to_numpy()
    return states.filter(pa.array(at_us <= until.of_rows(states["cluster"])))
