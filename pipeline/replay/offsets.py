"""Lags and rates of all partitions of a batch at once; P partitions, as ``layout`` has them."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assignors.lag.offsets import lag_from_offsets
from assignors.model import UNKNOWN, FloatArray, LongArray
from pipeline.replay.layout import Layout

_MICROSECONDS = 1e6


@dataclass(frozen=True, eq=False, kw_only=True)
class Offsets:
    """What the offsets of every partition come to; ``UNKNOWN`` or NaN where unknown."""

    end: LongArray
    """(P,)"""
    committed: LongArray
    """(P,)"""
    lag: LongArray
    """(P,) records."""
    produce_rate: FloatArray
    """(P,) records/s since the snapshot before."""
    consume_rate: FloatArray
    """(P,)"""
    backwards: int
    """How many end or committed offsets are lower than at the snapshot before."""


def offsets_of(rows: pa.Table, layout: Layout) -> Offsets:
    """Return lags by the rules of KAFKA-5337, and rates against the snapshot before.

    A rate is unknown where an offset is, at the first snapshot, and where offsets went
    backwards because the topic was made anew or the group was reset.
    """
    taken = layout.rows[layout.partition_rows]
    start, end, committed = (
        _known(rows[f"{name}_offset"])[taken] for name in ("log_start", "log_end", "committed")
    )
    reset = pc.fill_null(pc.equal(rows["auto_offset_reset"], "latest"), True)  # noqa: FBT003
    is_latest = reset.to_numpy()[taken]
    lag = lag_from_offsets(start, end, committed)
    if not is_latest.all():
        lag = np.where(is_latest, lag, lag_from_offsets(start, end, committed, "earliest"))
    end, committed, lag = (_placed(values, layout) for values in (end, committed, lag))
    produced, produced_back = _rate(end, layout)
    consumed, consumed_back = _rate(committed, layout)
    return Offsets(
        end=end,
        committed=committed,
        lag=lag,
        produce_rate=produced,
        consume_rate=consumed,
        backwards=produced_back + consumed_back,
    )


def _known(column: pa.ChunkedArray) -> LongArray:
    found: LongArray = column.fill_null(UNKNOWN).to_numpy()
    return found


def _placed(values: LongArray, layout: Layout) -> LongArray:
    """Return the values at their partitions; what no row speaks of is unknown."""
    if values.size == layout.partition_count:
        return values
    found = np.full(layout.partition_count, UNKNOWN, np.int64)
    found[layout.partition_of_row] = values
    return found


def _rate(offsets: LongArray, layout: Layout) -> tuple[FloatArray, int]:
    """Return records/s since the snapshot before, and how many offsets went backwards."""
    before = np.append(offsets, UNKNOWN)[layout.before]  # the last one: NONE
    is_known = (offsets != UNKNOWN) & (before != UNKNOWN)
    is_growing = is_known & (offsets >= before)
    backwards = int(np.count_nonzero(is_known)) - int(np.count_nonzero(is_growing))
    rate = np.full(offsets.size, np.nan)
    seconds = layout.elapsed_us[layout.unit_of_partition] / _MICROSECONDS
    np.divide(offsets - before, seconds, out=rate, where=is_growing)
    return rate, backwards
