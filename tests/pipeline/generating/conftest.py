"""Telemetry shared by several tests."""

from datetime import timedelta
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from pipeline.generating.fleet import Request, generate

FLEET = Request(groups=250, rows=72_000, snapshots=24, interval=timedelta(hours=1), seed=3)
SHOWCASE = Request(shape="showcase", interval=timedelta(hours=1), seed=5)


def telemetry_of(request: Request, folder: Path) -> pd.DataFrame:
    generate(request, folder)
    rows: pd.DataFrame = pq.read_table(folder).to_pandas()
    return rows


@pytest.fixture(scope="session")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    return telemetry_of(FLEET, tmp_path_factory.mktemp("fleet"))


@pytest.fixture(scope="session")
def showcase(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    return telemetry_of(SHOWCASE, tmp_path_factory.mktemp("showcase"))


def partitions_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of partitions over time, with the changes since the previous snapshot."""
    rows = rows[rows["topic"].notna()].sort_values(
        ["group_id", "topic", "partition", "snapshot_at"]
    )
    by = rows.groupby(["group_id", "topic", "partition"])
    return rows.assign(
        produced=by["log_end_offset"].diff(),
        read=by["committed_offset"].diff(),
        owner_before=by["member_id"].shift(),
    )
