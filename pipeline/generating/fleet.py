"""A fleet's telemetry, generated in blocks of groups, so that memory stays bounded."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from pipeline.generating.faults import with_clock_jumps, with_faults
from pipeline.generating.offsets import snapshots_of
from pipeline.generating.plan import FleetPlan
from pipeline.generating.rows import rows_of
from pipeline.generating.showcase import showcase
from pipeline.generating.traits import Traits, heavy_tailed, uniform
from pipeline.generating.writing import whole_file

SHAPES: Final = ("fleet", "uniform", "showcase")
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
    format: str = "parquet"
    shape: str = "fleet"
    members: int | None = None
    """In each group of the uniform shape; None: one per ten partitions."""
    faults: float = 0.0
    """The share of invalid rows."""


def generate(request: Request, folder: Path) -> int:
    """Write the telemetry into the folder, one file a block; return the number of rows."""
    folder.mkdir(parents=True, exist_ok=True)
    traits = _traits(request)
    starts = _blocks(traits, request.snapshots)
    return sum(
        _write_block(request, folder, block, traits[first:last])
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
    """Return the first group of each block, and the end; a giant group gets its own block."""
    before = np.cumsum(traits["partitions"] * snapshots)
    block = (before - 1) // _ROWS_A_BLOCK
    return [0, *(1 + np.flatnonzero(np.diff(block))).tolist(), len(traits)]


def _write_block(request: Request, folder: Path, block: int, traits: Traits) -> int:
    """Write the snapshots of a block into one file; return the number of rows."""
    random = np.random.default_rng([request.seed, block])
    # Faults have their own random generator, so that the fleet is the same with and without them.
    fault_random = np.random.default_rng([request.seed, block, 1])
    plan = FleetPlan(traits, request.snapshots, random)
    interval_us = request.interval // _MICROSECOND
    start_us = (request.start - _EPOCH) // _MICROSECOND
    times_us = start_us + interval_us * np.arange(request.snapshots)
    is_text, written = request.format != "parquet", 0
    with whole_file(folder, f"telemetry-{block:05d}", request.format) as write:
        for snapshot in snapshots_of(plan, times_us / 1e6, random):
            seen_us = np.full(len(traits), times_us[snapshot.at])
            if snapshot.at:
                seen_us = with_clock_jumps(seen_us, interval_us, request.faults, fault_random)
            rows = rows_of(plan, snapshot, seen_us)
            table, spoiled = with_faults(rows, request.faults, is_text, fault_random)
            write(table, spoiled)
            written += table.num_rows + len(spoiled)
    return written
