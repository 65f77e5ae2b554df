"""Read a task's share of telemetry in parts that fit in memory, however large the share is.

A part holds whole groups, or some consecutive snapshots of one group that is too large; what the
checkpoint has of a group counts as its first snapshot. A share that is no larger than a part is
read as it is. A larger one is read twice: once to count the rows and partitions of each group's
snapshots, then to write each part to a file on the worker's disk.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow.fs import FileSystem

from assignors.model import BoolArray, LongArray
from assignors.ragged import changes
from assignors.sums import sums
from pipeline.encoding import NAME, NAMES, STORED, completed, group_names, one_array
from pipeline.horizons import EVERYTHING, NOTHING, Horizons
from pipeline.replay.layout import largest_so_far
from pipeline.replay.states import Sought, states

PLACE: Final = "place"
"""A row's file and its number in the file, as ``place_of`` packs them."""
_FILE_BITS: Final = 40
_CELLS: Final = 3_000_000
"""About this many rows of all tables may come from one part; a row takes 150 bytes of memory."""
_BATCH: Final = 65_536
_COUNTED: Final = ("bucket", "snapshot_at", "cluster", "group_id", "topic", "partition")
_UNIT: Final = ["group", "topic", "at_us"]
_COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="lz4")


@dataclass(frozen=True)
class Share:
    """The groups of one task, and their files."""

    buckets: range
    telemetry: tuple[str, ...]
    """Paths below the table."""
    checkpoint: tuple[str, ...]
    rows: int = 0
    """The number of rows in the files of telemetry, including those of other shares."""
    since: Horizons = NOTHING
    """Snapshots up to it have been replayed."""
    until: Horizons = EVERYTHING
    """Snapshots after it are not replayed yet."""


class Part(NamedTuple):
    """Some rows of a share, with names as numbers and ``PLACE``."""

    rows: pa.Table
    continues: bool
    """Whether later snapshots of its only group follow in the next part."""


def most_rows(strategies: int) -> int:
    """Return how many rows a part has at most, unless one snapshot has more.

    A group of one partition and one member has two rows for each strategy, one of them as it was.
    """
    return _CELLS // (2 * strategies + 4)


def parts(files: FileSystem, share: Share, most: int) -> Iterator[Part]:
    """Yield a share's rows in parts of at most ``most`` rows, the snapshots of a group in order.

    A partition without a row counts as one: partition 900 alone implies 900 others, as do 900 in
    the checkpoint.
    """
    columns = tuple(STORED.names)
    whole = list(_due(files, share, columns)) if share.rows <= most else None
    sizes = [*map(_sizes, _due(files, share, _COUNTED) if whole is None else whole)]
    if not sizes:
        return
    plan = _Plan([*sizes, _sizes_known(files, share, sizes)], most)
    if whole is not None and len(plan.continues) == 1:
        yield Part(pa.concat_tables(whole), continues=False)
        return
    with TemporaryDirectory() as folder:
        spilled = [Path(folder, f"{number}") for number in range(len(plan.continues))]
        with ExitStack() as opened:
            writers: dict[int, pa.RecordBatchStreamWriter] = {}
            for rows in _due(files, share, columns):
                part = plan.part_of(rows)
                for number in np.unique(part).tolist():
                    own = rows.filter(pa.array(part == number))
                    if number not in writers:
                        writer = pa.ipc.new_stream(spilled[number], own.schema, options=_COMPRESSED)
                        writers[number] = opened.enter_context(writer)
                    writers[number].write_table(own.unify_dictionaries())
        for number, file in enumerate(spilled):
            if number not in writers:
                continue  # it has a group's state alone, which the next part begins with
            with pa.ipc.open_stream(file.read_bytes()) as stream:
                yield Part(stream.read_all(), continues=plan.continues[number])
            file.unlink()


def places_of(share: Share, places: LongArray) -> dict[str, LongArray]:
    """Return values of ``PLACE`` as row numbers by path."""
    file, number = places >> _FILE_BITS, places & ((1 << _FILE_BITS) - 1)
    return {share.telemetry[each]: number[file == each] for each in np.unique(file).tolist()}


def _due(files: FileSystem, share: Share, columns: Sequence[str]) -> Iterator[pa.Table]:
    """Yield the rows of a share that are to be replayed, batch by batch."""
    schema = pa.schema([STORED.field(name) for name in columns])
    schema = pa.schema([f.with_type(NAME) if f.name in NAMES else f for f in schema])
    for number, path in enumerate(share.telemetry):
        # Arrow's threads must not hold Python's files: the interpreter aborts if it exits first.
        with files.open_input_file(f"telemetry/{path}") as file:
            footer = pq.read_metadata(file)
            there = [name for name in columns if name in footer.schema.to_arrow_schema().names]
            coded = [name for name in there if name in NAMES]
            parquet = pq.ParquetFile(file, metadata=footer, read_dictionary=coded, pre_buffer=False)
            first = number << _FILE_BITS
            for batch in parquet.iter_batches(_BATCH, columns=there, use_threads=False):
                place = pa.array(np.arange(first, first + len(batch)))
                first += len(batch)
                due = completed(batch, schema).append_column(PLACE, place)
                is_due = _is_due(due, share)
                if is_due.any():
                    yield due if is_due.all() else due.filter(pa.array(is_due))


def _is_due(rows: pa.Table, share: Share) -> BoolArray:
    bucket = rows["bucket"].to_numpy()
    at_us = rows["snapshot_at"].cast(pa.int64()).to_numpy()
    is_due: BoolArray = (bucket >= share.buckets.start) & (bucket < share.buckets.stop)
    is_due &= at_us > share.since.of_rows(rows["cluster"])
    is_due &= at_us <= share.until.of_rows(rows["cluster"])
    return is_due


def _sizes(rows: pa.Table) -> pa.Table:
    """Return the rows, the greatest partition and the bucket of each group, topic and time."""
    keys = {
        "group": group_names(rows),
        "topic": rows["topic"].cast(pa.string()),
        "at_us": rows["snapshot_at"].cast(pa.int64()),
    }
    counted = pa.table({**keys, "partition": rows["partition"], "bucket": rows["bucket"]})
    grouped = counted.group_by(_UNIT, use_threads=False)
    return grouped.aggregate([([], "count_all"), ("partition", "max"), ("bucket", "max")])


def _sizes_known(files: FileSystem, share: Share, sizes: Sequence[pa.Table]) -> pa.Table:
    """Return the same of the states that the groups of these sizes have in the checkpoint."""
    groups = pc.unique(pa.concat_tables(sizes)["group"])
    buckets = pc.unique(pa.concat_tables(sizes)["bucket_max"])
    sought = Sought(groups, buckets, share.since)
    return _sizes(states(files, share.checkpoint, sought, _COUNTED))


class _Plan:
    """Which part each snapshot of each group belongs to."""

    def __init__(self, sizes_of_batches: Sequence[pa.Table], most: int) -> None:
        known = pa.concat_tables(sizes_of_batches).group_by(_UNIT, use_threads=False)
        known = known.aggregate([("count_all", "sum"), ("partition_max", "max")])
        known = known.sort_by([(name, "ascending") for name in _UNIT])
        self._groups = pc.unique(known["group"])
        self._times = pc.unique(known["at_us"]).sort().to_numpy()
        key = self._keys(known["group"], known["at_us"])
        self._key, snapshot = np.unique(key, return_inverse=True)
        """Per snapshot, ascending."""
        sizes = sums(snapshot, _partitions(known), self._key.size)
        group = self._key // self._times.size
        ends = np.searchsorted(group, np.arange(len(self._groups) + 1)).tolist()
        self._part = np.zeros(sizes.size, np.int64)
        self.continues: list[bool] = []
        """Per part."""
        filled = most
        for first, beyond in pairwise(ends):
            size = int(sizes[first:beyond].sum())
            if filled + size > most:
                self.continues.append(False)
                filled = 0
            filled += size
            if size > most:
                self._slice(sizes, first, beyond, most)
            else:
                self._part[first:beyond] = len(self.continues) - 1

    def _slice(self, sizes: LongArray, first: int, beyond: int, most: int) -> None:
        """Give each stretch of a group's snapshots a part of its own, the first the newest one."""
        filled = 0
        for snapshot in range(first, beyond):
            size = int(sizes[snapshot])
            if filled and filled + size > most:
                self.continues[-1] = True
                self.continues.append(False)
                filled = 0
            filled += size
            self._part[snapshot] = len(self.continues) - 1

    def part_of(self, rows: pa.Table) -> LongArray:
        """Return the part of each row."""
        keys = self._keys(group_names(rows), rows["snapshot_at"].cast(pa.int64()))
        part: LongArray = self._part[np.searchsorted(self._key, keys)]
        return part

    def _keys(self, group: pa.ChunkedArray, at_us: pa.ChunkedArray) -> LongArray:
        """Return each row's group and time as one number."""
        number = pc.index_in(group, self._groups).to_numpy().astype(np.int64)
        keys: LongArray = number * self._times.size
        keys += np.searchsorted(self._times, at_us.to_numpy())
        return keys


def _partitions(known: pa.Table) -> LongArray:
    """Return the partitions, or rows if more, of each unit; a topic does not shrink meanwhile."""
    topics = one_array(known["topic"].dictionary_encode()).indices.fill_null(-1).to_numpy()
    groups = one_array(known["group"].dictionary_encode()).indices.to_numpy()
    seen = known["partition_max_max"].fill_null(-1).to_numpy().astype(np.int64) + 1
    grown = largest_so_far(seen, changes(groups, topics))
    partitions: LongArray = np.maximum(grown, known["count_all_sum"].to_numpy())
    return partitions
