"""Which rows the checks of ``pipeline.reading`` would surely let through unchanged.

What is left is judged there, one sentence a row. So no rule is told here: a row passes if it
is the plainest that telemetry can be, which nearly all rows are.
"""

from datetime import UTC, datetime
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assignors.model import BoolArray, LongArray
from pipeline.limits import (
    FIRST_YEAR,
    LAST_YEAR,
    NAME_BYTES,
    NEEDED,
    NO_OFFSET,
    OFFSETS,
    PARTITIONS,
    RESETS,
    TOPIC_BYTES,
)
from pipeline.packets.coding import LISTS, NAMES, one_array

_LIMITS: Final = dict.fromkeys(NAMES, NAME_BYTES) | {"topic": TOPIC_BYTES}
FIRST_US, BEYOND_US = (
    int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000
    for year in (FIRST_YEAR, LAST_YEAR + 1)
)
"""The years of ``limits``, in microseconds since 1970."""


def is_plain(rows: pa.Table) -> BoolArray:
    """(N,) whether rows of coded telemetry can be used as they are.

    Raises pyarrow.ArrowInvalid if a name is not UTF-8.
    """
    found = np.ones(rows.num_rows, np.bool_)
    for name in (*NAMES, LISTS):
        found &= _has_fit_name(one_array(rows[name]), name)
    found &= pc.equal(pc.is_null(rows["topic"]), pc.is_null(rows["partition"])).to_numpy()
    found &= pc.or_(pc.is_valid(rows["topic"]), pc.is_valid(rows["member_id"])).to_numpy()
    at = rows["snapshot_at"].cast(pa.int64()).fill_null(BEYOND_US).to_numpy()
    found &= (at >= FIRST_US) & (at < BEYOND_US)
    partition = rows["partition"].fill_null(0).to_numpy()
    found &= (partition >= 0) & (partition < PARTITIONS)
    for name in OFFSETS:
        found &= rows[name].fill_null(0).to_numpy() >= 0
    start, end = (_or_else(rows[name], otherwise) for name, otherwise in _ENDS.items())
    return found & (end >= start)


_ENDS: Final = {"log_start_offset": 0, "log_end_offset": np.iinfo(np.int64).max}


def _or_else(column: pa.ChunkedArray, otherwise: int) -> LongArray:
    found: LongArray = column.fill_null(otherwise).to_numpy()
    return found


def without_signs(rows: pa.Table) -> pa.Table:
    """Return rows with null for the numbers that Kafka and librdkafka have for no offset."""
    for name in OFFSETS:
        is_sign = pc.is_in(rows[name], pa.array(NO_OFFSET, pa.int64()))
        if pc.any(is_sign).as_py():
            column = pc.if_else(is_sign, pa.scalar(None, pa.int64()), rows[name])
            rows = rows.set_column(rows.column_names.index(name), name, column)
    return rows


def _has_fit_name(column: pa.DictionaryArray, name: str) -> BoolArray:
    """Tell whether what stands in a column of names is a name, or null where that is allowed."""
    names = column.dictionary
    names.validate(full=True)
    is_fit = np.ones(len(names) + 1, np.bool_)  # the last one: null
    if name != LISTS:
        length = pc.binary_length(names).to_numpy()
        is_fit[:-1] = (length > 0) & (length <= _LIMITS[name])
        is_fit[-1] = name not in NEEDED
    if name == "auto_offset_reset":
        is_fit[:-1] &= pc.is_in(names, pa.array(RESETS)).to_numpy(zero_copy_only=False)
    if is_fit.all():
        return np.ones(len(column), np.bool_)
    found: BoolArray = is_fit[column.indices.fill_null(-1).to_numpy()]
    return found
