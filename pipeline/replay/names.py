"""Strings to numbers, once a batch, in the order in which Kafka visits them."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assignors.java import strings
from assignors.model import IntArray, LongArray
from pipeline.replay.coding import NAME, one_array

NOBODY = -1
"""The number of a name that is null."""
_BEYOND_BMP = 0xF0
"""The least first byte, in UTF-8, of a character that takes two UTF-16 code units."""


def numbered(columns: Sequence[pa.ChunkedArray]) -> tuple[pa.StringArray, list[IntArray]]:
    """Return the names of coded columns in Java's string order, and every column as numbers.

    Null is ``NOBODY``.
    """
    chunks = [chunk for column in columns for chunk in column.chunks]
    found = one_array(pa.chunked_array(chunks, NAME))
    order = _java_order(found.dictionary)
    rank = np.full(order.size + 1, NOBODY, np.int32)  # the last one: null
    rank[order] = np.arange(order.size, dtype=np.int32)
    numbers = rank[found.indices.fill_null(NOBODY).to_numpy(zero_copy_only=False)]
    cuts = np.cumsum([len(column) for column in columns])[:-1]
    return found.dictionary.take(pa.array(order)), np.split(numbers, cuts)


def dense(values: LongArray) -> tuple[LongArray, IntArray]:
    """Return the distinct values, ascending, and the place of each value among them."""
    found = pa.array(values).dictionary_encode()
    distinct = found.dictionary.to_numpy()
    order = np.argsort(distinct)
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size, dtype=np.int32)
    return distinct[order], rank[found.indices.to_numpy()]


def _java_order(names: pa.StringArray) -> LongArray:
    """Return where the names stand in ``String.compareTo`` order, which is by UTF-16 units.

    Arrow sorts by the bytes of UTF-8. That is the same as long as no character takes two
    UTF-16 units.
    """
    data = names.buffers()[2]
    if data is not None and (np.frombuffer(data, np.uint8) >= _BEYOND_BMP).any():
        return np.array(strings.string_order(names.to_pylist()), np.int64)
    order: LongArray = pc.sort_indices(names).to_numpy().astype(np.int64)
    return order
