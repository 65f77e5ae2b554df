"""Tables with the rates of partitions, and the file that the pipeline makes of them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa

from pipeline.lake import Lake
from pipeline.weights import write_weights
from schemas.arrow import arrow_schema
from schemas.tables import PARTITION_LAG
from tests.pipeline.lakes import added

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


def lake_with(
    folder: Path, rows: Sequence[tuple[str, str, int, float | None, int]]
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


def weights_file(folder: Path, rates: Mapping[str, Sequence[float]]) -> Path:
    """Return the file that ``pipeline run --weights`` writes for a cluster with these rates."""
    rows = [
        ("eu", topic, partition, rate, 0)
        for topic, of_topic in rates.items()
        for partition, rate in enumerate(of_topic)
    ]
    (file,) = write_weights(*lake_with(folder / "tables", rows), folder / "rates")
    return file
