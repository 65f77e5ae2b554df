"""Invalid rows, for the pipeline to reject."""

from collections.abc import Callable
from typing import Final

import numpy as np
import pyarrow as pa

from assignors.model import LongArray
from pipeline.generating.rows import SCHEMA, Table
from pipeline.generating.writing import SpoiledRow

_BACK_BY_SNAPSHOTS: Final = 1.5


def with_faults(
    table: Table, share: float, is_text: bool, random: np.random.Generator
) -> tuple[Table, list[SpoiledRow]]:
    """Make about this share of the rows invalid; in text formats also by values of wrong types.

    A row is duplicated, repeated with another committed offset, or stripped of its group; or it
    gets a negative partition, an end offset before its start, or halved offsets.
    """
    chosen = np.flatnonzero(random.random(table.num_rows) < share)
    if not chosen.size:
        return table, []
    kinds = random.integers(0, len(_CHANGES) if is_text else _OF_TEXT, chosen.size)
    rows = table.take(pa.array(chosen)).to_pylist()
    changed = [row | _CHANGES[kind](row) for kind, row in zip(kinds, rows, strict=True)]
    is_kept = np.ones(table.num_rows, np.bool_)
    is_kept[chosen] = kinds < _INSTEAD
    added = [row for kind, row in zip(kinds, changed, strict=True) if kind < _OF_TEXT]
    spoiled = [row for kind, row in zip(kinds, changed, strict=True) if kind >= _OF_TEXT]
    clean = table.filter(pa.array(is_kept))
    return pa.concat_tables([clean, pa.Table.from_pylist(added, SCHEMA)]), spoiled


def with_clock_jumps(
    times_us: LongArray, interval_us: int, share: float, random: np.random.Generator
) -> LongArray:
    """Set the clock of this share of the groups back to between two earlier snapshots."""
    back_us = int(_BACK_BY_SNAPSHOTS * interval_us)
    return np.where(random.random(times_us.size) < share, times_us - back_us, times_us)


_OFFSETS: Final = ("log_start_offset", "log_end_offset", "committed_offset")
_CHANGES: Final[tuple[Callable[[SpoiledRow], SpoiledRow], ...]] = (
    lambda _row: {},
    lambda row: {"committed_offset": (row["committed_offset"] or 0) + 1},
    lambda _row: {"group_id": None},
    lambda _row: {"partition": -7},
    lambda row: {"log_start_offset": (row["log_start_offset"] or 0) + 9, "log_end_offset": 3},
    lambda row: {name: row[name] // 2 for name in _OFFSETS if row[name] is not None},
    lambda _row: {"log_end_offset": "n/a"},
    lambda _row: {"snapshot_at": "yesterday"},
)
"""The change that each kind of fault makes."""
_INSTEAD: Final = 2
"""From this kind on, the changed row replaces the row instead of following it."""
_OF_TEXT: Final = 6
"""From this kind on, only text formats can hold the row."""
