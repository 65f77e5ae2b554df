"""A fleet's telemetry, generated in blocks of groups, so that memory stays bounded."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from pyarrow.parquet import ParquetWriter

from pipeline.generating.offsets import FleetPlan, snapshots_of
from pipeline.generating.rows import SCHEMA, rows_of
from pipeline.generating.traits import Traits, heavy_tailed, uniform

SHAPES: Final = ("fleet", "uniform")
_ROWS_A_BLOCK: Final = 1_000_000
_PARTITIONS_A_GROUP: Final = 40
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, kw_only=True)
class Request:
    """The telemetry to generate; the same request gives the same files, byte for byte."""

    groups: int = 1000
    rows: int | None = None
    """Approximate number without idle consumers' rows; None: 40 partitions a group and snapshot."""
    snapshots: int = 24
    interval: timedelta = timedelta(minutes=1)
    start: datetime = datetime(2026, 3, 2, tzinfo=UTC)
    seed: int = 0
    shape: str = "fleet"
    members: int | None = None
    """In each group of the uniform shape; None: one per ten partitions."""


def generate(request: Request, folder: Path) -> int:
    """Write the telemetry into the folder, one file a block; return the number of rows."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(request.seed)
    rows = request.rows or request.groups * request.snapshots * _PARTITIONS_A_GROUP
    partitions = max(request.groups, rows // request.snapshots)
    if request.shape == "uniform":
        traits = uniform(request.groups, partitions, request.members, random)
    else:
        traits = heavy_tailed(request.groups, partitions, random)
    blocks = enumerate(pairwise(_blocks(traits, request.snapshots)))
    return sum(_write(request, folder, block, traits[slice(*ends)]) for block, ends in blocks)


def _blocks(traits: Traits, snapshots: int) -> list[int]:
    """Return the first group of each block, and the end; a giant group gets its own block."""
    before = np.cumsum(traits["partitions"] * snapshots)
    block = (before - 1) // _ROWS_A_BLOCK
    return [0, *(1 + np.flatnonzero(np.diff(block))).tolist(), len(traits)]


def _write(request: Request, folder: Path, block: int, traits: Traits) -> int:
    """Write a block into a file that has its name once it is whole; return the number of rows."""
    random = np.random.default_rng([request.seed, block])
    plan = FleetPlan(traits, request.snapshots, random)
    interval_us = request.interval // _MICROSECOND
    start_us = (request.start - _EPOCH) // _MICROSECOND
    times_us = start_us + interval_us * np.arange(request.snapshots)
    name, written = f"telemetry-{block:05d}.parquet", 0
    aside = folder / f".{name}.tmp"
    try:
        # Without the Arrow schema in the footer, every reader sees plain Parquet types.
        with ParquetWriter(aside, SCHEMA, compression="zstd", store_schema=False) as writer:
            for snapshot in snapshots_of(plan, times_us / 1e6, random):
                table = rows_of(plan, snapshot, int(times_us[snapshot.at]))
                writer.write_table(table, row_group_size=250_000)
                written += table.num_rows
        aside.replace(folder / name)
    finally:
        aside.unlink(missing_ok=True)
    return written
