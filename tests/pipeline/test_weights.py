"""The rates that assignors read, out of the table of lags."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.errors import PipelineError
from pipeline.lake import Lake
from pipeline.weights import write_weights
from schemas.arrow import arrow_schema
from schemas.tables import PARTITION_LAG
from tests.pipeline.lakes import added

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


def lake_with(
    folder: Path, rows: list[tuple[str, str, int, float | None, int]]
) -> tuple[Lake, int]:
    """Return a lake with rows of cluster, topic, partition, rate and age in hours."""
    lake = Lake(str(folder))
    lake.prepare()
    records = [
        {
            "cluster": cluster,
            "group_id": "g",
            "snapshot_at": NOW - timedelta(hours=age),
            "topic": topic,
            "partition": partition,
            "produce_rate": rate,
            "day": (NOW - timedelta(hours=age)).date(),
        }
        for cluster, topic, partition, rate, age in rows
    ]
    table = pa.Table.from_pylist(records, arrow_schema(PARTITION_LAG))
    return lake, added(lake, "partition_lag", table)


def test_each_cluster_has_a_file_with_the_median_rates_of_a_week(tmp_path: Path) -> None:
    rows = [
        ("eu", "orders", 1, 5.0, 0),
        ("eu", "orders", 0, 1.0, 0),
        ("eu", "orders", 0, 9.0, 1),
        ("eu", "orders", 0, 2.0, 2),
        ("eu", "orders", 0, 700.0, 24 * 8),  # older than a week
        ("eu", "orders", 2, None, 0),  # unknown, which is not zero
        ("us/1", "orders", 0, 0.25, 0),
    ]
    lake, version = lake_with(tmp_path / "tables", rows)

    written = write_weights(lake, version, tmp_path / "rates")

    assert [file.name for file in written] == ["eu.rates", "us%2F1.rates"]
    assert written[0].read_text() == "orders 0 2.000\norders 1 5.000\n"
    assert written[1].read_text() == "orders 0 0.250\n"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    lake, version = lake_with(tmp_path / "tables", [("eu", "orders", 0, 1.0, 0)])
    (tmp_path / "rates").write_text("a file")

    with pytest.raises(PipelineError, match="could not be written to"):
        write_weights(lake, version, tmp_path / "rates")
