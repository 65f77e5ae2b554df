"""Whether two programs have come to the same figures about a fleet."""

from pathlib import Path
from typing import Final

import polars as pl

from pipeline.jobs.status import latest_of
from pipeline.lake import Lake

_UNIT: Final = ["cluster", "group_id", "snapshot_at", "strategy"]
_FIGURES: Final = (
    "topics", "partitions", "members", "total_lag", "unknown_lags", "max_lag", "max_partitions",
    "count_spread", "idle_members", "unowned", "best_max_lag", "above_best_lag",
)  # fmt: skip


def difference(ours: Path, theirs: Path) -> str:
    """Return in which figures of ``group_summary`` they differ, and how often."""
    lake = Lake(str(ours))
    version = latest_of(lake)["versions"]["group_summary"]
    here = pl.DataFrame(lake.rows("group_summary", version)).sort(_UNIT)
    there = pl.read_parquet(f"{theirs}/group_summary.parquet").sort(_UNIT)
    if here.height != there.height:
        return f"{here.height:,} rows here, {there.height:,} there"
    differs = {
        name: int((~here[name].cast(pl.Int64).eq_missing(there[name].cast(pl.Int64))).sum())
        for name in _FIGURES
    }
    told = [f"{name} in {count:,} rows" for name, count in differs.items() if count]
    return f"different {', '.join(told)}" if told else "the same figures in every row"
