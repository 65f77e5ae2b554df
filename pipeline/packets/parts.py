"""Tables written by the workers themselves: Parquet files by day, each of one task."""

import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.errors import PipelineError
from pipeline.packets.coding import one_array
from pipeline.packets.cutting import Cut

_ROWS_A_GROUP: Final = 65_536
"""Few enough that one group's history is found without reading the fleet's."""
_FEW_NAMES: Final = _ROWS_A_GROUP // 16
"""So many are written sooner than those that a group of rows needs are found."""
_LOOKED_UP: Final = ("cluster", "group_id", "snapshot_at", "strategy")
"""What readers look rows up by; statistics of all other columns would double the cost."""


class Part(NamedTuple):
    """One file of a table."""

    table: str
    path: str
    rows: int


PART: Final = pa.schema([("table", pa.string()), ("path", pa.string()), ("rows", pa.int64())])


def written(folder: Path, table: str, content: pa.Table) -> Iterator[Part]:
    """Write the rows of each day to a file of its own below ``folder/table``."""
    name = f"part-{secrets.token_hex(8)}.parquet"  # a task that is tried again leaves two
    days = content["day"].combine_chunks()
    content = content.drop_columns(["day"])
    for day in pc.unique(days):
        rows = content if len(pc.unique(days)) == 1 else content.filter(pc.equal(days, day))
        path = folder / table / f"day={day.as_py().isoformat()}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(rows, path)
        yield Part(table, str(path), rows.num_rows)


def keep_only(parts: Sequence[Part], folder: Path, tables: Sequence[str]) -> None:
    """Remove files that no part names: those of tasks that failed, or ran twice.

    Leaves a folder for every table.

    Raises PipelineError if a part is not there.
    """
    there = {str(path) for table in tables for path in (folder / table).rglob("*.parquet")}
    named = {part.path for part in parts}
    if missing := sorted(named - there):
        message = (
            f"{missing[0]} was written, but on another machine's disk: give a folder as --output "
            "that the cluster shares, or an address (s3a://, hdfs://)"
        )
        raise PipelineError(message)
    for path in there - named:
        Path(path).unlink()
    for table in tables:
        (folder / table).mkdir(exist_ok=True)


def _write(rows: pa.Table, path: Path) -> None:
    repeating = [f.name for f in rows.schema if pa.types.is_dictionary(f.type)]
    with pq.ParquetWriter(
        path,
        rows.schema,
        compression="zstd",
        write_batch_size=_ROWS_A_GROUP,  # the usual thousand takes a tenth longer
        use_dictionary=[*repeating, "snapshot_at"],
        write_statistics=[name for name in _LOOKED_UP if name in rows.column_names],
        store_schema=False,
    ) as writer:
        for batch in _row_groups(rows):
            writer.write_batch(batch, _ROWS_A_GROUP)


def _row_groups(rows: pa.Table) -> Iterator[pa.RecordBatch]:
    """Yield the rows a group at a time, no name in a dictionary that does not stand in it.

    Parquet takes over whole dictionaries, once for every group of rows.
    """
    columns = [Cut(one_array(column), _FEW_NAMES) for column in rows.columns]
    for start in range(0, rows.num_rows, _ROWS_A_GROUP):
        stop = min(start + _ROWS_A_GROUP, rows.num_rows)
        arrays = [column.part(start, stop) for column in columns]
        yield pa.record_batch(arrays, rows.schema)
