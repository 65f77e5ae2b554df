"""A fleet's telemetry, block after block of groups, so that memory stays bounded."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from pipeline.generating.faults import with_clock_jumps, with_faults
from pipeline.generating.offsets import snapshots_of
from pipeline.generating.plan import plan_of
from pipeline.generating.rows import Rows, Table
from pipeline.generating.showcase import showcase
from pipeline.generating.traits import Traits, heavy_tailed, uniform
from pipeline.generating.writing import SpoiledRow, whole_file

SHAPES: Final = ("fleet", "uniform", "showcase")
_ROWS_A_BLOCK: Final = 1_000_000
_PARTITIONS_A_GROUP: Final = 40
_SECOND: Final = timedelta(seconds=1)
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, kw_only=True)
class Request:
    """The telemetry to generate; the same request gives the same files, byte for byte."""

    groups: int = 1000
    rows: int | None = None
    """About how many, idle consumers' aside; None: 40 partitions a group at each snapshot."""
    snapshots: int = 24
    interval: timedelta = timedelta(minutes=1)
    start: datetime = datetime(2026, 3, 2, tzinfo=UTC)
    seed: int = 0
    format: str = "parquet"
    shape: str = "fleet"
    members: int | None = None
    """In each group of the uniform shape; None: one for ten partitions."""
    faults: float = 0.0
    """The share of rows that come spoiled."""


def generate(request: Request, folder: Path) -> int:
    """Write the telemetry into the folder, one file a block; return the number of rows."""
    folder.mkdir(parents=True, exist_ok=True)
    traits = _traits(request)
    starts = _blocks(traits, request.snapshots)
    return sum(
        _write_block(request, folder, block, traits.part(first, last))
        for block, (first, last) in enumerate(pairwise(starts))
    )


def _traits(request: Request) -> Traits:
    if request.shape == "showcase":
        return showcase()
    random = np.random.default_rng(request.seed)
    rows = request.rows or request.groups * request.snapshots * _PARTITIONS_A_GROUP
    partitions = max(request.groups, rows // request.snapshots)
    if request.shape == "uniform":
        return uniform(request.groups, partitions, request.members, random)
    return heavy_tailed(request.groups, partitions, random)


def _blocks(traits: Traits, snapshots: int) -> list[int]:
    """Return the first group of each block, and the end; a giant group has one of its own."""
    before = np.cumsum(traits.partitions * snapshots)
    block = (before - 1) // _ROWS_A_BLOCK
    return [0, *(1 + np.flatnonzero(np.diff(block))).tolist(), len(traits)]


def _write_block(request: Request, folder: Path, block: int, traits: Traits) -> int:
    written = 0
    with whole_file(folder, f"telemetry-{block:05d}", request.format) as write:
        for table, spoiled in _tables(request, block, traits):
            write(table, spoiled)
            written += table.num_rows + len(spoiled)
    return written


def _tables(
    request: Request, block: int, traits: Traits
) -> Iterator[tuple[Table, list[SpoiledRow]]]:
    """Yield a block's snapshots as tables, and the rows that only text can hold."""
    random = np.random.default_rng([request.seed, block])
    # Faults have chances of its own, so that the fleet beneath is the same with it and without.
    fault_random = np.random.default_rng([request.seed, block, 1])
    plan = plan_of(traits, request.snapshots, random)
    rows = Rows(plan)
    times = list(_times(request))
    times_s = np.array([time / _SECOND for time in times])
    is_text = request.format != "parquet"
    for snapshot, time in zip(snapshots_of(plan, times_s, random), times, strict=True):
        times_us = np.full(len(traits), time // _MICROSECOND, np.int64)
        if snapshot.at:
            interval_us = request.interval // _MICROSECOND
            times_us = with_clock_jumps(times_us, interval_us, request.faults, fault_random)
        yield with_faults(rows.of(snapshot, times_us), request.faults, is_text, fault_random)


def _times(request: Request) -> Iterator[timedelta]:
    """Yield when each snapshot is taken, since 1970."""
    start = request.start - datetime(1970, 1, 1, tzinfo=UTC)
    return (start + k * request.interval for k in range(request.snapshots))
