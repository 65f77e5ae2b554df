"""Telemetry shared by several tests."""

from datetime import timedelta
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from pipeline.generating.fleet import Request, generate

FLEET = Request(groups=250, rows=72_000, snapshots=24, interval=timedelta(hours=1), seed=3)


def telemetry_of(request: Request, folder: Path) -> pd.DataFrame:
    generate(request, folder)
    rows: pd.DataFrame = pq.read_table(folder).to_pandas()
    return rows


@pytest.fixture(scope="session")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    return telemetry_of(FLEET, tmp_path_factory.mktemp("fleet"))


@pytest.fixture(scope="session")
def partitions(fleet: pd.DataFrame) -> pd.DataFrame:
    """The rows of partitions over time, with the changes since the previous snapshot."""
    key = ["group_id", "topic", "partition"]
    rows = fleet[fleet["topic"].notna()].sort_values([*key, "snapshot_at"])
    by = rows.groupby(key)
    return rows.assign(
        produced=by["log_end_offset"].diff(),
        read=by["committed_offset"].diff(),
        owner_before=by["member_id"].shift(),
    )
