"""Invalid rows, so that there is something to reject."""

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
    """Spoil about this share of the rows; in text formats also with values of wrong types.

    A row is duplicated, repeated with another committed offset, or stripped of its group; or it
    gets a negative partition, an end offset before its start, or halved offsets.
    """
    chosen = np.flatnonzero(random.random(table.num_rows) < share)
    if not chosen.size:
        return table, []
    kinds = random.integers(
        0, len(_CHANGES) - (0 if is_text else len(_OF_TEXT)), chosen.size
    ).tolist()
    rows = table.take(pa.array(chosen)).to_pylist()
    added: list[SpoiledRow] = []
    spoiled: list[SpoiledRow] = []
    replaced = np.zeros(table.num_rows, np.bool_)
    for place, kind, row in zip(chosen.tolist(), kinds, rows, strict=True):
        replaced[place] = kind not in _BESIDE
        (spoiled if kind in _OF_TEXT else added).append(row | _CHANGES[kind](row))
    clean = table.filter(pa.array(~replaced))
    return pa.concat_tables([clean, pa.Table.from_pylist(added, SCHEMA)]), spoiled


def with_clock_jumps(
    times_us: LongArray, interval_us: int, share: float, random: np.random.Generator
) -> LongArray:
    """Set the clock of this share of the groups back, to between two snapshots before."""
    back_us = int(_BACK_BY_SNAPSHOTS * interval_us)
    return np.where(random.random(times_us.size) < share, times_us - back_us, times_us)


def _halved(row: SpoiledRow) -> SpoiledRow:
    names = ("log_start_offset", "log_end_offset", "committed_offset")
    return {n: value // 2 for n in names if isinstance(value := row[n], int)}


def _further(row: SpoiledRow) -> SpoiledRow:
    committed = row["committed_offset"]
    return {"committed_offset": (committed if isinstance(committed, int) else 0) + 1}


def _end_first(row: SpoiledRow) -> SpoiledRow:
    start = row["log_start_offset"]
    return {"log_start_offset": (start if isinstance(start, int) else 0) + 9, "log_end_offset": 3}


_CHANGES: Final[tuple[Callable[[SpoiledRow], SpoiledRow], ...]] = (
    lambda _row: {},
    _further,
    lambda _row: {"group_id": None},
    lambda _row: {"partition": -7},
    _end_first,
    _halved,
    lambda _row: {"log_end_offset": "n/a"},
    lambda _row: {"snapshot_at": "yesterday"},
)
"""What each kind of fault changes."""
_BESIDE: Final = frozenset({0, 1})
"""The kinds that come beside the row, not in its place."""
_OF_TEXT: Final = frozenset({6, 7})
"""The kinds that only text can hold."""
