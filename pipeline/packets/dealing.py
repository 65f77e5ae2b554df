"""Rows dealt into buckets, all rows of a group into the same."""

import zlib
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pyarrow as pa

from assignors.model import LongArray
from pipeline.packets.coding import one_array
from pipeline.packets.cutting import Cut, codes_of


def packets(rows: pa.Table, buckets: int) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield every bucket that rows fall into, and those rows.

    ``rows`` are telemetry or anything else by ``cluster`` and ``group_id``, neither null.
    Where names are coded, a batch has a dictionary of what its own rows name. Columns that
    are all null are left out.
    """
    bucket = _buckets(rows, buckets)
    rows = rows.select([n for n in rows.column_names if rows[n].null_count < rows.num_rows])
    order = np.argsort(bucket, kind="stable")
    dealt = [Cut(one_array(column.take(pa.array(order)))) for column in rows.columns]
    present, starts = np.unique(bucket[order], return_index=True)
    edges = pairwise([*starts.tolist(), order.size])
    for number, (start, stop) in zip(present.tolist(), edges, strict=True):
        arrays = [column.part(start, stop) for column in dealt]
        yield number, pa.record_batch(arrays, rows.column_names)


def _buckets(rows: pa.Table, buckets: int) -> LongArray:
    """(N,) the bucket of each row, by a hash that is the same in every process."""
    cluster, group = (_hashes(_coded(rows[name])) for name in ("cluster", "group_id"))
    found: LongArray = (cluster * 31 + group) % buckets
    return found


def _coded(names: pa.ChunkedArray) -> pa.DictionaryArray:
    is_coded = pa.types.is_dictionary(names.type)
    return one_array(names if is_coded else names.dictionary_encode())


def _hashes(names: pa.DictionaryArray) -> LongArray:
    hashes = [zlib.crc32(name.encode()) for name in names.dictionary.to_pylist()]
    found: LongArray = np.array(hashes, np.int64)[codes_of(names)]
    return found
